import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

@Suite struct Lists {
    /// Two copies of one work, and everything that a copy can have, in text that is hard to escape.
    private static func fill(_ store: LibraryStore) async throws {
        let shelf = try await store.shelf(named: "Hall; left, \"top\"")
        let dune = try await store.add(
            BookDetails(
                title: "=SUM(A1); \"Dune\", a\\b", subtitle: "- and on", series: "Dune #1",
                authors: [
                    AuthorCredit(name: "Frank; Herbert"), AuthorCredit(name: "Ann Back\\slash", role: .translator),
                ],
                isbn: ISBN("9780441172719"), publisher: "Ace, Inc.", year: 1990, pages: 535, language: "eng",
                binding: "Paperback"),
            entry: EntryDetails(
                ownership: .lent, lentTo: "Bob", reading: .read, rating: 4.25,
                startedOn: PartialDate(rawValue: "2024-02"),
                finishedOn: PartialDate(rawValue: "2024-02-29"), notes: "first line\nsecond, \"line\"",
                callNumber: "796.1; A", tags: ["gift; Ann", "'=x", "sci-fi"], shelf: shelf.id))
        let copy = try await store.add(
            try await store.book(dune.id), entry: EntryDetails(ownership: .wishlist))
        let questions = try await store.duplicateQuestions()
        _ = try await store.decide(questions.map(\.id), .addCopy)
        #expect(try await store.entry(copy.id).work.id == dune.work)
        _ = try await store.add(BookDetails(title: "حرب ونّ 🚀 שלום"), entry: EntryDetails(tags: ["日本"]))
    }

    /// Returns the contents of the list, without row IDs.
    private func content(_ store: LibraryStore) async throws -> [String] {
        var content: [String] = []
        for entry in try await store.entries().entries {
            let detail = try await store.entry(entry.entry)
            var details = detail.entry.details
            details.shelf = nil
            content.append(
                """
                \(detail.work.title)|\(detail.work.subtitle ?? "")|\(detail.work.seriesText ?? "")|\(detail.work.authors)|\
                \(detail.work.reviewStatus)|\(detail.edition?.isbn?.isbn13 ?? "")|\(detail.edition?.publisher ?? "")|\
                \(detail.edition?.year ?? 0)|\(detail.edition?.pages ?? 0)|\(detail.edition?.language ?? "")|\
                \(detail.edition?.binding ?? "")|\(details)|\(detail.shelf?.name ?? "")|\
                \(detail.entry.addedAt.timeIntervalSince1970)|\(detail.copies.count)
                """)
        }
        return content
    }

    @Test("An exported list imports without loss")
    func ownRoundTrip() async throws {
        let (one, two) = (try TestLibrary(), try TestLibrary())
        try await Self.fill(one.store)
        let csv = try await one.store.exported(.csv)
        let report = try await two.store.importBooks(Array(csv.utf8), name: "library.csv")
        #expect(report.format == .shelflist)
        #expect(report.added == 3)
        #expect(report.problems == [])
        let (there, here) = (try await content(two.store), try await content(one.store))
        for (there, here) in zip(there, here) { #expect(there == here) }
        #expect(there.count == here.count)
        #expect(try await two.store.problems() == [])
        // Importing the list again adds nothing.
        let again = try await two.store.importBooks(Array(csv.utf8), name: "library.csv")
        #expect(again.alreadyImported == 3)
        #expect(try await two.store.entries().total == 3)
    }

    @Test("An exported list keeps similar works apart and the decisions made")
    func ownDistinct() async throws {
        let (one, two) = (try TestLibrary(), try TestLibrary())
        for rating in [1.0, 2] {
            _ = try await one.store.add(BookDetails(title: "Poems"), entry: EntryDetails(rating: rating))
            _ = try await one.store.add(
                BookDetails(title: "Dune", authors: [AuthorCredit(name: "Frank Herbert")], isbn: ISBN("9780441172719")),
                entry: EntryDetails(rating: rating))
        }
        let corrected = try await one.store.entries().entries[0]
        _ = try await one.store.correct(corrected.entry, to: BookDetails(title: "My diary"))
        let csv = try await one.store.exported(.csv)
        // No catalog knows these books, and none is asked.
        let report = try await two.store.importBooks(Array(csv.utf8), name: "library.csv") { _ in .unknown }
        #expect((report.added, report.duplicates.count, report.notFound) == (4, 0, 0))
        #expect(try await content(two.store) == content(one.store))
        #expect(try await two.store.duplicateQuestions().isEmpty)
        // A second list of the same books finds them as duplicates.
        let again = try await two.store.importBooks(Array((csv + "\r\n").utf8), name: "library.csv")
        #expect((again.added, again.duplicates.map(\.line)) == (0, [2, 3, 4, 5]))
    }

    @Test("Similar rows are offered, not merged")
    func nearDuplicates() async throws {
        let library = try TestLibrary()
        _ = try await library.store.add(
            BookDetails(title: "The Hobbit", authors: [AuthorCredit(name: "J. R. R. Tolkien")]))
        // Similar rows of one list are not compared with each other.
        let csv = """
            title,author
            The Hobit,J.R.R. Tolkien
            The Hobiit,J.R.R. Tolkien
            Persuasion,Jane Austen
            Persuasiom,Jane Austen
            """
        let report = try await library.store.importBooks(Array(csv.utf8), name: "l.csv")
        #expect(report.added == 4)
        let questions = try await library.store.duplicateQuestions()
        #expect(questions.map(\.title) == ["The Hobit", "The Hobiit"])
        #expect(questions.map(\.existingTitle) == ["The Hobbit", "The Hobbit"])
        #expect(questions.map(\.kind) == [.similar, .similar])
    }

    @Test("An export for Goodreads has its columns and imports again")
    func goodreadsExport() async throws {
        let (one, two) = (try TestLibrary(), try TestLibrary())
        _ = try await one.store.add(
            BookDetails(title: "Dune", authors: [AuthorCredit(name: "Frank Herbert")], isbn: ISBN("9780441172719")),
            entry: EntryDetails(
                reading: .read, rating: 4, finishedOn: PartialDate(rawValue: "2024-05-17"), tags: ["sci-fi"]))
        let csv = try await one.store.exported(.goodreads)
        #expect(csv.hasPrefix("Book Id,Title,Author,Author l-f,"))
        #expect(csv.contains(",\"=\"\"9780441172719\"\"\","))
        let report = try await two.store.importBooks(Array(csv.utf8), name: "goodreads.csv")
        #expect(report.format == .goodreads)
        let entry = try #require(try await two.store.entries().entries.first)
        let detail = try await two.store.entry(entry.entry)
        #expect(detail.work.authors.map(\.name) == ["Frank Herbert"])
        #expect(detail.edition?.isbn == ISBN("9780441172719"))
        #expect(detail.entry.details.reading == .read)
        #expect(detail.entry.details.rating == 4)
        #expect(detail.entry.details.finishedOn?.rawValue == "2024-05-17")
        #expect(detail.entry.details.tags == ["sci-fi"])
    }

    @Test("An export for Goodreads keeps the reading status of each copy, also that of copies without one")
    func goodreadsStatus() async throws {
        let (one, two) = (try TestLibrary(), try TestLibrary())
        let copies: [(String, EntryDetails)] = [
            ("Alpha", EntryDetails(tags: ["did-not-finish"])), ("Beta", EntryDetails(reading: .toRead)),
            ("Gamma", EntryDetails(reading: .read)), ("Kilo", EntryDetails(reading: .reading)),
            ("Omega", EntryDetails(ownership: .wishlist)),
        ]
        for (title, entry) in copies { _ = try await one.store.add(BookDetails(title: title), entry: entry) }
        let csv = try await one.store.exported(.goodreads)
        #expect(csv.contains("\"did-not-finish, owned\",,owned,"))
        let report = try await two.store.importBooks(Array(csv.utf8), name: "goodreads.csv")
        #expect(report.added == 5, "\(report)")
        let list = try await two.store.entries(EntryQuery(sort: .title)).entries
        var (readings, tags): ([ReadingStatus?], [[String]]) = ([], [])
        for entry in list {
            let details = try await two.store.entry(entry.entry).entry.details
            readings.append(details.reading)
            tags.append(details.tags)
        }
        #expect(readings == [nil, .toRead, .read, .reading, .toRead])
        #expect(tags == [["did-not-finish"], [], [], [], []])
        #expect(list.map(\.ownership) == [.owned, .owned, .owned, .owned, .wishlist])
    }

    @Test("A Goodreads list is imported")
    func goodreads() async throws {
        let library = try TestLibrary()
        let csv = #"""
            Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies
            234,"Dune (Dune Chronicles, #1)",Frank Herbert,"Herbert, Frank",,"=""0441172717""","=""9780441172719""",5,4.28,Ace,Paperback,604,1990,1965,2024/05/17,2023/01/02,"sci-fi, favorites","sci-fi (#1), favorites (#2)",read,"Loved it, truly",,from Ann,1,1
            235,Babel,R.F. Kuang,"Kuang, R.F.",,"=""""","=""""",0,4.2,HarperVia,Hardcover,,2022,2022,,2024/02/03,to-read,to-read (#9),to-read,,,,0,0
            """#
        let report = try await library.store.importBooks(Array(csv.utf8), name: "g.csv")
        #expect(report.added == 2, "\(report)")
        let list = try await library.store.entries(EntryQuery(sort: .title)).entries
        #expect(list.map(\.title) == ["Babel", "Dune"])
        #expect(list.map(\.ownership) == [.wishlist, .owned])
        let dune = try await library.store.entry(list[1].entry)
        #expect(dune.work.seriesText == "Dune Chronicles, #1")
        #expect(dune.entry.details.tags == ["sci-fi", "favorites"])
        #expect(dune.entry.details.notes == "Loved it, truly\n\nfrom Ann")
        #expect(dune.entry.details.rating == 5)
        let babel = try await library.store.entry(list[0].entry)
        #expect(babel.entry.details.rating == nil)
        #expect(babel.entry.details.reading == .toRead)
    }

    @Test("A LibraryThing list is imported, tab-separated and in UTF-16")
    func libraryThing() async throws {
        let library = try TestLibrary()
        let header = [
            "Book Id", "Title", "Sort Character", "Primary Author", "Primary Author Role", "Secondary Author",
            "Secondary Author Roles", "Publication", "Date", "Review", "Rating", "Page Count", "Date Started",
            "Date Read",
            "Tags", "Collections", "ISBN", "Entry Date", "Media", "Work id",
        ]
        let row = [
            "1", "The Odyssey", "5", "Homer", "", "Fagles, Robert|Knox, Bernard", "Translator|Introduction",
            "Penguin Classics (1997), Paperback", "1997", "Great", "4.5", "xvi, 541 p.", "2024-01-02", "2024-02-03",
            "epic,greek",
            "Your library,Attic,Read but unowned", "[0140268863]", "2023-12-24", "Paperback", "99",
        ]
        let text = header.joined(separator: "\t") + "\r\n" + row.joined(separator: "\t") + "\r\n"
        let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let report = try await library.store.importBooks(bytes, name: "lt.tsv")
        #expect(report.format == .libraryThing)
        let entry = try #require(try await library.store.entries().entries.first)
        let detail = try await library.store.entry(entry.entry)
        #expect(
            detail.work.authors == [
                AuthorCredit(name: "Homer"), AuthorCredit(name: "Robert Fagles", role: .translator),
                AuthorCredit(name: "Bernard Knox", role: .contributor),
            ])
        #expect(detail.edition?.publisher == "Penguin Classics")
        #expect(detail.edition?.isbn == ISBN("0140268863"))
        #expect(detail.entry.details.rating == 4.5)
        #expect(detail.edition?.pages == 541)
        #expect(detail.entry.details.tags == ["epic", "greek", "Attic", "Read but unowned"])
        #expect(detail.entry.details.reading == .read)
    }

    @Test("A StoryGraph list is imported")
    func storyGraph() async throws {
        let library = try TestLibrary()
        let csv = """
            Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Star Rating,Review,Tags,Owned?
            Good Omens,"Terry Pratchett, Neil Gaiman",,9780060853983,paperback,read,2023/05/06,2023/08/01,2023/07/01-2023/08/01,1,funny,fast,4.75,So good,"comedy, angels",Yes
            Piranesi,Susanna Clarke,,9781635575637,digital,to-read,2023/05/07,,,0,,,,,,No
            """
        let report = try await library.store.importBooks(Array(csv.utf8), name: "sg.csv")
        #expect(report.format == .storyGraph)
        let list = try await library.store.entries().entries
        let omens = try await library.store.entry(list[0].entry)
        #expect(omens.work.authors.map(\.name) == ["Terry Pratchett", "Neil Gaiman"])
        #expect(omens.entry.details.rating == 4.75)
        #expect(omens.entry.details.startedOn?.rawValue == "2023-07-01")
        #expect(omens.entry.details.ownership == .owned)
        #expect(omens.edition?.isbn == ISBN("9780060853983"))
        #expect(list[1].ownership == .wishlist)
    }

    @Test("Bad rows are skipped and reported with their lines")
    func badRows() async throws {
        let library = try TestLibrary()
        let csv =
            "titre;auteur\nÉmile;Rousseau\n;Nemo\n\(String(repeating: "x", count: 4001));Long\nNana;Zola\n\"open;quote\n"
        let bytes = csv.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }  // Windows-1252
        let report = try await library.store.importBooks(bytes, name: "list.csv")
        #expect(report.added == 2)
        #expect(report.problems.map(\.line) == [3, 4, 6])
        #expect(try await library.store.titles().contains("Émile"))
    }

    @Test("An import continues after a quote that never closes", arguments: ["\n", "\r\n", "\r"])
    func unclosedQuote(lineEnd: String) async throws {
        let library = try TestLibrary()
        let lines = ["title,author", "Emma,Jane Austen", "Dune,\"Frank Herbert", "Ulysses,James Joyce", "Moss,"]
        let report = try await library.store.importBooks(
            Array(lines.joined(separator: lineEnd).utf8), name: "list.csv")
        #expect(report.problems.map(\.line) == [3])
        #expect(try await library.store.titles() == ["Emma", "Moss", "Ulysses"])
        #expect(report.problems.first?.reason.contains("line") == false, "the reason does not repeat the line number")
        let fixed = lines.joined(separator: lineEnd).replacing("\"Frank", with: "Frank")
        let again = try await library.store.importBooks(Array(fixed.utf8), name: "list.csv")
        #expect(again.problems.isEmpty && again.duplicates.count == 3)
        #expect(try await library.store.titles() == ["Dune", "Emma", "Moss", "Ulysses"])
    }

    @Test("An import reports where it stopped after too many bad lines")
    func tooManyBadLines() async throws {
        let library = try TestLibrary()
        let lines = ["title,author"] + (0..<100).map { "Book\" \($0),\"Nemo" } + ["Emma,Jane Austen"]
        let report = try await library.store.importBooks(
            Array(lines.joined(separator: "\n").utf8), name: "list.csv")
        #expect(report.problems.count == 101)
        #expect(report.problems.map(\.line) == Array(2...102))
        #expect(report.problems.last?.reason.contains("nothing from here on was read") == true)
        #expect(try await library.store.titles().isEmpty)
    }

    @Test("Rows are not compared with works deleted during the import")
    func deletedWorks() async throws {
        let library = try TestLibrary()
        let store = library.store
        let known = try await store.add(
            BookDetails(title: "The Hobbitt", authors: [AuthorCredit(name: "J. R. R. Tolkien")]))
        let report = try await store.importBooks(
            Array("title,author\nThe Hobbit,J. R. R. Tolkien\n".utf8), name: "list.csv"
        ) { _ in
            try await store.remove(known.id)
            return .unknown
        }
        #expect(report.problems.isEmpty)
        #expect(try await store.titles() == ["The Hobbit"])
    }

    @Test("Rows are looked up; those that no catalog has are right as they are")
    func lookup() async throws {
        let library = try TestLibrary()
        let csv = "title,author\nDune,Frank Herbert\nMy own diary,Me\nDown,The Provider\n"
        let report = try await library.store.importBooks(Array(csv.utf8), name: "mine.csv") { book in
            switch book.title {
            case "Dune":
                .found(
                    BookRecord(
                        id: "1", title: "Dune", authors: ["Herbert, Frank"], isbn: "9780441172719", publisher: "Ace",
                        year: 1990))
            case "Down": throw LibraryError.notPossible("down")
            default: .unknown
            }
        }
        #expect((report.enriched, report.notFound, report.notAsked) == (1, 1, 1))
        let list = try await library.store.entries(EntryQuery(text: "dune")).entries
        #expect(list.first?.isbn == "9780441172719")
        #expect(try await library.store.booksInReview().isEmpty)
        let own = try await library.store.entries(EntryQuery(text: "diary")).entries
        #expect(own.map(\.reviewStatus) == [.verified])
        // They can be found later.
        #expect(try await library.store.reviewCounts().incomplete == 3)
        #expect(try await library.store.reviewCounts().total == 0)
        #expect(try await library.store.problems() == [])
    }

    @Test(
        "Existing books are handled by the chosen policy",
        arguments: [
            (DuplicateDecision.skip as DuplicateDecision?, 1, 0), (.addCopy, 2, 0), (nil, 2, 1),
        ])
    func duplicatePolicy(
        decision: DuplicateDecision?, entries: Int, questions: Int
    ) async throws {
        let library = try TestLibrary()
        _ = try await library.store.add(BookDetails(title: "Dune", authors: [AuthorCredit(name: "Frank Herbert")]))
        let csv = "title,author\nDUNE,\"Herbert, Frank\"\n"
        _ = try await library.store.importBooks(Array(csv.utf8), name: "l.csv", duplicates: decision)
        #expect(try await library.store.entries().total == entries)
        #expect(try await library.store.duplicateQuestions().count == questions)
    }

    @Test("A list is exported as JSON and BibTeX")
    func otherFormats() async throws {
        let library = try TestLibrary()
        _ = try await library.store.add(
            BookDetails(
                title: "Love & {Loss}: 50% of #1", authors: [AuthorCredit(name: "Simone de Beauvoir")], year: 1949),
            entry: EntryDetails(notes: "a_b"))
        let bibtex = try await library.store.exported(.bibtex)
        #expect(
            bibtex == """
                @book{beauvoir1949love,
                  title = {Love \\& \\textbraceleft{}Loss\\textbraceright{}: 50\\% of \\#1},
                  author = {de Beauvoir, Simone},
                  year = {1949},
                  note = {a\\_b},
                }


                """)
        let json = try JSONSerialization.jsonObject(with: Data(try await library.store.exported(.json).utf8))
        let books = try #require((json as? [String: Any])?["books"] as? [[String: Any]])
        #expect((books.first?["work"] as? [String: Any])?["title"] as? String == "Love & {Loss}: 50% of #1")
    }

    @Test("A list over the limits is refused with the limit")
    func limits() async throws {
        let library = try TestLibrary()
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 50_000_001)
        let error = await #expect(throws: LibraryError.self) {
            try await library.store.importBooks(bytes, name: "big.csv")
        }
        #expect(error?.description.contains("50 MB") == true)
    }
}
