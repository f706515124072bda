import Bibliography
import Library
import ShelflistAPI
import Testing

/// What distinguishes books of a list, and what does not.
@Suite("Identity of the rows of lists") struct ListIdentityTests {
    let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    @discardableResult
    private func take(
        _ list: String, _ duplicates: DuplicateDecision? = .skip, enrich: BookEnricher? = nil
    ) async throws -> ListImportReport {
        try await store.importBooks(Array(list.utf8), name: "list.csv", duplicates: duplicates, enrich: enrich)
    }

    @Test(
        "Rows of one list are different books unless they are equal, and raise no questions",
        arguments: [
            // Volumes that share the number of their set, a number used twice, and one row twice.
            (
                """
                title,author,isbn,pages
                "The Weir House, vol. 1",Ada Moor,9781900100014,310
                "The Weir House, vol. 2",Ada Moor,9781900100014,296
                "The Weir House, vol. 3",Ada Moor,9781900100014,333
                Birds of the Weir,Jon Fell,9781900100021,96
                Boats of the Weir,Jon Fell,9781900100021,96
                Soup on Board,Eva Lind,9781900100038,200
                Soup on Board,Eva Lind,9781900100038,200
                """, 6, [8]
            ),
            // A series before the colon.
            (
                """
                title,author,isbn
                Star Keepers,Lena Oru,9781900200004
                Star Keepers: The First Light,Lena Oru,9781900200011
                Star Keepers: The Second Light,Lena Oru,9781900200028
                Star Keepers: Night Watch,Lena Oru,9781900200035
                """, 4, []
            ),
            (
                """
                title,author
                Star Keepers,Lena Oru
                Star Keepers: The First Light,Lena Oru
                Star Keepers: The Second Light,Lena Oru
                """, 3, []
            ),
            // Editions, and authors of the same title.
            (
                """
                title,author,isbn
                Collected Poems,Ada Moor,9781900200042
                Collected Poems,Ada Moor,9781900200059
                Collected Poems,Jon Fell,
                Collected Poems,Eva Lind,
                """, 4, []
            ),
            // Marks that make other letters.
            ("title,author\nはは,佐藤みどり\nばば,佐藤みどり\nパパ,佐藤みどり\nかき,佐藤みどり\nかぎ,佐藤みどり\n", 5, []),
            ("title,author\nปู,สมชาย ใจดี\nปุ,สมชาย ใจดี\nป่า,สมชาย ใจดี\nป้า,สมชาย ใจดี\nक्या,सीमा\nकया,सीमा\n", 6, []),
            ("title,author\nМай,Анна Ким\nМаи,Анна Ким\n밤,김하나\n방,김하나\n", 4, []),
        ] as [(String, Int, [Int])])
    func rowsOfOneList(list: String, books: Int, equal: [Int]) async throws {
        let report = try await take(list)
        #expect(report.added == books)
        #expect(report.duplicates.map(\.line) == equal)
        #expect(report.problems == [])
        #expect(try await store.entries().total == books)
        #expect(try await store.duplicateQuestions().isEmpty)
    }

    @Test(
        "A row is left out only if nothing distinguishes it from a book of the library",
        arguments: [
            // Line 2 of the list, whether it is left out, and whether it is added with a question.
            ("The Weir House,Ada Moor,9781900100014", true, false),
            ("The Weir House,Ada Moor,", true, false),
            ("the weir house,\"Moor, Ada\",", true, false),
            ("Weir House,A. Moor,9781900100014", true, false),
            ("The Weir Hous,Ada Moor,9781900100014", true, false),
            // Another number, title, subtitle or author.
            ("The Weir House,Ada Moor,9781900200004", false, true),
            ("Boats of the Weir,Ada Moor,9781900100014", false, true),
            ("The Weir House,Jon Fell,9781900100014", false, true),
            ("The Weir House: The Return,Ada Moor,", false, true),
            ("\"The Weir House, vol. 2\",Ada Moor,9781900100014", false, true),
            ("The Weir House,Jon Fell,", false, false),
        ])
    func againstTheLibrary(row: String, isLeftOut: Bool, isAsked: Bool) async throws {
        let owned = try await store.add(
            BookDetails(
                title: "The Weir House", series: "Weir, #1", authors: [AuthorCredit(name: "Ada Moor")],
                isbn: ISBN("9781900100014")))
        let report = try await take("title,author,isbn\n\(row)\n")
        #expect(report.duplicates.count == (isLeftOut ? 1 : 0))
        #expect(report.added == (isLeftOut ? 0 : 1))
        #expect(try await store.duplicateQuestions().map(\.existing) == (isAsked ? [owned.work] : []))
    }

    @Test("A row that was left out is named, and added later by one decision")
    func addedLater() async throws {
        _ = try await store.add(BookDetails(title: "Emma", authors: [AuthorCredit(name: "Jane Austen")]))
        let list = "title,author\nDune,Frank Herbert\nEmma,Jane Austen\nDune,Frank Herbert\n"
        let first = try await take(list)
        #expect(first.added == 1)
        #expect(first.duplicates.map(\.line) == [3, 4])
        #expect(first.duplicates.map(\.content) == ["Emma, Jane Austen", "Dune, Frank Herbert"])
        #expect(
            first.duplicates.map(\.reason) == [
                "The library has it: “Emma” by Jane Austen.", "It is the same as line 2.",
            ])
        let again = try await take(list)
        #expect((again.added, again.alreadyImported, again.duplicates.map(\.line)) == (0, 1, [3, 4]))
        let later = try await take(list, .different)
        #expect((later.added, later.alreadyImported, later.duplicates) == (2, 1, []))
        #expect(try await store.titles().sorted() == ["Dune", "Dune", "Emma", "Emma"])
        #expect(try await store.duplicateQuestions().isEmpty)
    }

    @Test("What a catalog adds to a row does not make it another row's book")
    func enriched() async throws {
        // Knows volume 1 only, and gives it to every row of this title.
        let known = BookRecord(
            id: "1", title: "Basket of Pears", authors: ["Noa Tal"], series: "Pears, #1", isbn: "9781900200011",
            source: "local")
        let list = "title,author,isbn\nBasket of Pears,Noa Tal,9781900200028\nBasket of Pears,Noa Tal,9781900200035\n"
        let report = try await take(list) { _ in .found(known) }
        #expect((report.added, report.duplicates.count) == (2, 0))
        let entries = try await store.entries(EntryQuery(sort: .added)).entries
        let books = try await entries.asyncMap { try await store.book($0.entry) }
        #expect(Set(books.map(\.isbn?.isbn13)) == ["9781900200028", "9781900200035"])
        #expect(books.map(\.series) == [nil, nil])
    }
}
