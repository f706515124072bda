import Bibliography
import Fixtures
import Identification
import Imaging
import ShelflistAPI
import SpineReading
import Synchronization
import Testing

@Suite("Books found with a catalog")
struct CatalogAssemblyTests {
    /// Two leaning neighbours: by place alone, the first one's author stands on the second spine.
    private static let misleading = [
        down("THE NAME OF THE WIND", x: 100, from: 100, length: 400),
        down("PATRICK ROTHFUSS", x: 127, from: 520, length: 180),
        down("THE LIES OF LOCKE LAMORA", x: 140, from: 100, length: 400),
        down("SCOTT LYNCH", x: 165, from: 520, length: 180),
    ]

    @Test("Lines that positions alone would mix are assigned by the catalog")
    func mixed() throws {
        let affinity = try LineAffinity(placed(CatalogAssemblyTests.misleading))
        #expect(affinity[1, 2] > affinity[1, 0], "the layout is meant to mislead")

        let shelf = try identify(CatalogAssemblyTests.misleading, knowing: library)

        #expect(shelf.books.map(\.title) == ["The Name of the Wind", "The Lies of Locke Lamora"])
        #expect(shelf.books.map(\.author) == ["Patrick Rothfuss", "Scott Lynch"])
        #expect(
            shelf.books.map { Set($0.text.map(\.text)) } == [
                ["THE NAME OF THE WIND", "PATRICK ROTHFUSS"], ["THE LIES OF LOCKE LAMORA", "SCOTT LYNCH"],
            ])
        #expect(shelf.books.allSatisfy { $0.confidence >= 0.6 && $0.reviewStatus == .verified })
    }

    @Test("An author beside words across a wide spine stays on its own")
    func besideWideSpine() throws {
        let records = [record("Don Quijote de la Mancha", by: "Miguel de Cervantes")]
        let (wide, narrow) = (
            [
                across("DON", from: 190, y: 200, length: 120, height: 60),
                across("QUIJOTE DE", from: 100, y: 300, length: 300, height: 60),
                across("LA MANCHA", from: 110, y: 400, length: 280, height: 60),
                across("Miguel de", from: 150, y: 520, length: 200),
                across("Cervantes", from: 150, y: 570, length: 200),
            ],
            [
                down("Gabriel García Márquez", x: 470, from: 180, length: 380),
                down("Cien años de soledad", x: 470, from: 620, length: 360),
            ]
        )
        let shelf = try identify(wide + narrow, knowing: records)
        #expect(shelf.books.map { Set($0.text.map(\.text)) } == [wide, narrow].map { Set($0.map(\.text)) })
    }

    @Test("Small text in line with a known book is on its spine, and is not evidence against it")
    func smallText() throws {
        let book = [
            down("THE LIES OF LOCKE LAMORA", x: 300, from: 100, length: 450),
            down("SCOTT LYNCH", x: 300, from: 600, length: 200),
        ]
        let rest = down("with a new foreword by", x: 300, from: 1060, length: 160, height: 14)
        let (alone, together) = (
            try identify(book, knowing: library), try identify(book + [rest], knowing: library)
        )
        #expect(together.books.map(\.confidence) == alone.books.map(\.confidence))
        #expect(together.books.first?.text.map(\.text) == (book + [rest]).map(\.text))
    }

    struct Spine: Sendable, CustomTestStringConvertible {
        var name: String
        var lines: [String]
        var title: String
        var author: String

        var testDescription: String { name }
    }

    static let misreadSpines = [
        Spine(
            name: "words glued together", lines: ["PRISONERSOFGEOGRAPHY", "TIM MARSHALL"],
            title: "Prisoners of Geography: Ten Maps That Tell You Everything", author: "Tim Marshall"),
        Spine(
            name: "title and name glued together", lines: ["THEMAGICIANS", "LEVGROSSMAN"], title: "The Magicians",
            author: "Lev Grossman"),
        Spine(
            name: "a word torn in two", lines: ["THE MAGI CIANS", "LEV GROSSMAN"], title: "The Magicians",
            author: "Lev Grossman"),
        Spine(
            name: "a wrong letter in each long word", lines: ["WUTHERIMG HEIGHT5", "EMILY BRONTE"],
            title: "Wuthering Heights",
            author: "Emily Brontë"),
        Spine(
            name: "the surname alone", lines: ["PRIDE AND PREJUDICE", "AUSTEN"], title: "Pride and Prejudice",
            author: "Jane Austen"),
        Spine(
            name: "the title alone", lines: ["PRIDE AND PREJUDICE"], title: "Pride and Prejudice", author: "Jane Austen"
        ),
        Spine(
            name: "without its accents, the name as a catalog writes it",
            lines: ["CIEN ANOS DE SOLEDAD", "GABRIEL GARCIA MARQUEZ"],
            title: "Cien años de soledad", author: "García Márquez, Gabriel, 1927-2014"),
        Spine(
            name: "a title over two lines", lines: ["A BRIEF HISTORY", "OF TIME", "STEPHEN HAWKING"],
            title: "A Brief History of Time", author: "Stephen Hawking"),
        Spine(
            name: "a publisher's name besides", lines: ["EMMA", "JANE AUSTEN", "PENGUIN CLASSICS"], title: "Emma",
            author: "Jane Austen"),
    ]

    @Test("Books are identified in spite of misread letters", arguments: misreadSpines)
    func misread(_ spine: Spine) throws {
        let shelf = try identify(standing(spine.lines, x: 400), knowing: library)
        let book = try #require(shelf.books.count == 1 ? shelf.books[0] : nil)
        #expect(book.title == spine.title && book.author == spine.author)
        #expect(book.confidence >= 0.6 && book.reviewStatus == .verified)
        #expect(book.matches.first?.title == spine.title)
        #expect(Set(book.text.map(\.text)) == Set(spine.lines))
    }

    @Test("A book in no catalog is reported as it was read and needs review")
    func unknown() throws {
        let lines =
            standing(["THE QUIET CARTOGRAPHER", "MARGARET OAKES"], x: 400) + standing(["EMMA", "JANE AUSTEN"], x: 600)
        let books = try identify(lines, knowing: library).books
        #expect(books.map(\.title) == ["The Quiet Cartographer", "Emma"])
        #expect(books.map(\.author) == ["Margaret Oakes", "Jane Austen"])
        #expect(books.map(\.reviewStatus) == [.needsReview, .verified])
        #expect(books[0].confidence < 0.6 && books[0].isbn == nil)
    }

    @Test(
        "A book in no catalog is not mistaken for others that share words",
        arguments: [
            ["THE SHADOW OF THE WIND", "CARLOS RUIZ ZAFON"], ["THE NAME OF THE ROSE", "UMBERTO ECO"],
            ["A BRIEF HISTORY OF NEARLY EVERYTHING", "JANE DOWNING"], ["SENSE AND SENSIBILITY", "JANE AUSTEN"],
        ])
    func resembling(_ lines: [String]) throws {
        let books = try identify(standing(lines, x: 400), knowing: library).books
        let book = try #require(books.count == 1 ? books[0] : nil)
        #expect(book.confidence < 0.6 && book.reviewStatus == .needsReview)
        #expect(Set(book.text.map(\.text)) == Set(lines))
    }

    @Test(
        "A spine that shows only an author is not mistaken for one of the author's books",
        arguments: ["JANE AUSTEN", "AUSTEN"])
    func authorOnly(_ name: String) throws {
        let books = try identify(standing([name], x: 400), knowing: library).books
        #expect(books.count == 1)
        #expect(books.allSatisfy { $0.confidence < 0.6 && $0.reviewStatus == .needsReview })
        #expect(!books.contains { ["Emma", "Persuasion", "Pride and Prejudice"].contains($0.title) })
    }

    @Test("Two copies on the shelf are two books")
    func copies() throws {
        let lines = standing(["EMMA", "JANE AUSTEN"], x: 400) + standing(["EMMA", "JANE AUSTEN"], x: 480)
        let books = try identify(lines, knowing: library).books
        #expect(books.map(\.title) == ["Emma", "Emma"])
        #expect(books.allSatisfy { $0.confidence >= 0.6 && $0.isbn == "9780141439587" })
        #expect(Set(books.map(\.id)).count == 2)
    }

    @Test("Each of several books by one author keeps its own lines")
    func sameAuthor() throws {
        let titles = ["EMMA", "PERSUASION", "PRIDE AND PREJUDICE"]
        let lines = titles.enumerated().flatMap { standing([$1, "JANE AUSTEN"], x: 400 + 70 * Double($0)) }
        let books = try identify(lines, knowing: library).books
        #expect(books.map(\.title) == ["Emma", "Persuasion", "Pride and Prejudice"])
        #expect(books.allSatisfy { $0.text.count == 2 && $0.confidence >= 0.6 })
    }

    @Test("Up to five other records are offered beside the chosen one, best first")
    func alternatives() throws {
        let book = try #require(try identify(standing(["EMMA", "JANE AUSTEN"], x: 400), knowing: library).books.first)
        #expect((1...5).contains(book.matches.count))
        #expect(book.matches.map(\.confidence) == book.matches.map(\.confidence).sorted(by: >))
        #expect(Set(book.matches.map(\.title)).count == book.matches.count)
        #expect(book.confidence == book.matches[0].confidence)
    }

    @Test("An empty catalog gives the same result as none")
    func emptyCatalog() throws {
        let lines = standing(["WUTHERING HEIGHTS", "EMILY BRONTË"], x: 400)
        let with = try identify(lines, knowing: []).books
        let without = try identify(lines).books
        #expect(with.map(\.title) == without.map(\.title) && with.map(\.author) == without.map(\.author))
    }

    @Test("An error of the catalog is passed on unchanged")
    func failing() {
        struct Broken: RecordSearch, Error {
            var workCount: Int { 100 }
            func candidates(forEach queries: [[String]], limit: Int) throws -> [[BookRecord]] { throw self }
            func documentFrequencies(of words: [String]) throws -> [Int] { words.map { _ in 1 } }
            func editions(of record: BookRecord, limit: Int) throws -> [BookRecord] { [] }
        }
        #expect(throws: Broken.self) {
            try BookIdentifier(catalog: { Broken().snapshot })
                .identify(ReadShelf(lines: standing(["EMMA"], x: 400)), in: photoSize)
        }
    }
}

/// Lines one after the other along a standing spine.
func standing(_ texts: [String], x: Double, height: Double = 30) -> [TextLine] {
    var y = 200.0
    return texts.map { text in
        let length = 0.6 * height * Double(text.count)
        defer { y += length + height }
        return down(text, x: x, from: y, length: length, height: height)
    }
}

@Suite("A catalog that changes")
struct ChangingCatalogTests {
    @Test("A changed catalog is searched as it is now, and cached records are dropped")
    func changes() throws {
        let known = Mutex<CatalogSnapshot?>(nil)
        let identifier = BookIdentifier(catalog: { known.withLock { $0 } })
        let lines = standing(["THE MAGICIANS", "LEV GROSSMAN"], x: 400)
        func book() throws -> DetectedBook {
            try #require(try identifier.identify(ReadShelf(lines: lines, turn: .none), in: photoSize).books.first)
        }
        #expect(try book().matches.isEmpty)
        known.withLock {
            $0 = CatalogSnapshot(search: InMemoryCatalog(records: [record("Emma", by: "Jane Austen")]), version: "1")
        }
        #expect(try book().reviewStatus == .needsReview)
        known.withLock { $0 = CatalogSnapshot(search: InMemoryCatalog(records: library), version: "2") }
        let sure = try book()
        #expect(sure.title == "The Magicians" && sure.reviewStatus == .verified)
        #expect(try sure.confidence == identify(lines, knowing: library).books.first?.confidence)
        known.withLock { $0 = nil }
        #expect(try book().matches.isEmpty)
    }

    @Test("Any number of threads finds the same books", arguments: [2, 3, 100])
    func threads(_ threads: Int) throws {
        let spines = library.map { [$0.title] + $0.authors } + [["A BOOK OF ITS OWN"]]
        let lines = spines.enumerated().flatMap { standing($1, x: 60 + 120 * Double($0)) }
        let catalog = InMemoryCatalog(records: library)
        func books(threads: Int) throws -> [DetectedBook] {
            try BookIdentifier(catalog: { catalog.snapshot }, threads: threads)
                .identify(ReadShelf(lines: lines, turn: .none), in: photoSize).books
        }
        let expected = try books(threads: 1)
        #expect(expected.count > 10 && expected.contains { !$0.matches.isEmpty })
        #expect(try books(threads: threads) == expected)
    }

    @Test("Without a source a book is not checked; a list that does not check counts only for the books it knows")
    func checked() throws {
        func books(_ catalog: CatalogSnapshot?, threshold: Double = 0.6) throws -> [DetectedBook] {
            let lines =
                standing(["THE MAGICIANS", "LEV GROSSMAN"], x: 400) + standing(["A BOOK OF ITS OWN", "JO DOE"], x: 900)
            let found = try BookIdentifier(catalog: { catalog }, threshold: threshold)
                .identify(ReadShelf(lines: lines, turn: .none), in: photoSize).books
            #expect(found.count == 2)
            return found
        }
        let search = InMemoryCatalog(records: library)
        #expect(try books(nil).map(\.checked) == [false, false])
        let all = try books(CatalogSnapshot(search: search, version: "1"))
        #expect(all.map(\.checked) == [true, true])
        let starter = try books(CatalogSnapshot(search: search, version: "1", checks: false))
        #expect(starter.map(\.checked) == [true, false])
        #expect(starter[0].title == "The Magicians" && starter[0].reviewStatus == .verified)
        // No source was asked about the second book, so it is judged as without a catalog.
        #expect(try starter[1].confidence == books(nil)[1].confidence)
        // However low the threshold, a book that was not checked goes to review.
        #expect(try books(nil, threshold: 0.1).map(\.reviewStatus) == [.needsReview, .needsReview])
        // So does one that was checked, but of which there is no record.
        let low = try books(CatalogSnapshot(search: search, version: "1"), threshold: 0)
        #expect(low.map(\.checked) == [true, true] && low.map(\.source) == ["local", nil])
        #expect(low.map(\.reviewStatus) == [.verified, .needsReview])
    }

    @Test("A source that starts to check is asked again although its records are the same")
    func startsToCheck() throws {
        let search = InMemoryCatalog(records: library)
        let known = Mutex(CatalogSnapshot(search: search, version: "1", checks: false))
        let identifier = BookIdentifier(catalog: { known.withLock { $0 } })
        func isChecked() throws -> Bool? {
            try identifier.identify(
                ReadShelf(lines: standing(["A BOOK OF ITS OWN"], x: 400), turn: .none), in: photoSize
            )
            .books.first?.checked
        }
        #expect(try isChecked() == false)
        known.withLock { $0.checks = true }
        #expect(try isChecked() == true)
    }
}
