import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

@Suite struct Duplicates {
    /// Creates a library with one copy of Dune.
    private func withDune() async throws -> TestLibrary {
        let library = try TestLibrary()
        _ = try await library.store.add(
            BookDetails(
                title: "Dune", authors: [AuthorCredit(name: "Frank Herbert")], isbn: ISBN("9780441172719")))
        return library
    }

    @Test(
        "Duplicates are found by ISBN and title, else by title and author",
        arguments: [
            ("Dune" as String, "Frank Herbert" as String?, nil as String?, true), ("DUNE", "Herbert, Frank", nil, true),
            ("Dune", "F. Herbert", nil, true), ("Dune", "Herbert", nil, true),
            ("DUNE!", nil, "0-441-17271-7", true), ("Dune", "Brian Herbert", nil, false),
            ("Dune Messiah", "Frank Herbert", nil, false),
        ])
    func identity(
        title: String, author: String?, isbn: String?, isDuplicate: Bool
    ) async throws {
        let library = try await withDune()
        let report = try await library.store.scan(Scan.book(title, by: author, isbn: isbn, place: 0), job: "1")
        #expect(report.books.map(\.outcome) == [isDuplicate ? .needsDecision : .verified])
        #expect(try await library.store.problems() == [])
    }

    @Test("The same ISBN with another title is a question, not an answer")
    func otherTitle() async throws {
        let library = try await withDune()
        let report = try await library.store.scan(
            Scan.book("Something else", isbn: "0-441-17271-7", place: 0), job: "1")
        #expect(report.books.map(\.outcome) == [.verified])
        #expect(try await library.store.duplicateQuestions().map(\.existingTitle) == ["Dune"])
    }

    @Test("The copies of a book are found in other editions, and with the author's name in another order")
    func otherEditions() async throws {
        let library = try await withDune()
        let store = library.store
        func copies(_ title: String, _ author: String, _ isbn: String? = nil) async throws -> [String] {
            let book = BookDetails(title: title, authors: [AuthorCredit(name: author)], isbn: isbn.flatMap { ISBN($0) })
            return try await store.owned([book]).compactMap(\.self).asyncMap { try await store.book($0).title }
        }
        #expect(try await copies("Dune", "Frank Herbert", "9780441013593") == ["Dune"])
        #expect(try await copies("Dune", "Herbert Frank") == ["Dune"])
        #expect(try await copies("Dune", "Brian Herbert") == [])
        _ = try await store.add(BookDetails("The Three-Body Problem", by: "Cixin Liu"))
        #expect(try await copies("The Three-Body Problem", "Liu Cixin") == ["The Three-Body Problem"])
        #expect(try await library.store.problems() == [])
    }

    @Test(
        "A duplicate that was decided is not asked about on a rescan",
        arguments: [
            (DuplicateDecision.skip, 1, 1), (.existing, 1, 1), (.addCopy, 2, 1), (.different, 2, 2),
        ])
    func decidedOnce(
        decision: DuplicateDecision, entries: Int, works: Int
    ) async throws {
        let library = try await withDune()
        try await library.store.scan(Scan.book("Dune", by: "Frank Herbert", place: 0), job: "1", photo: "a")
        let question = try #require(try await library.store.duplicateQuestions().first)
        #expect(question.kind == .titleAndAuthor)
        #expect(try await library.store.decide([question.id], decision) == 1)
        #expect(try await library.store.duplicateQuestions().isEmpty)
        // The other photo is a rescan of the same shelf.
        let rescan = try await library.store.scan(
            Scan.book("Dune", by: "Frank Herbert", place: 5), job: "2", photo: "b")
        #expect(rescan.count(.needsDecision) == 0, "\(rescan)")
        let list = try await library.store.entries().entries
        if decision != .different {
            #expect(list.count == entries)
            #expect(Set(list.map(\.workId)).count == works)
        }
        #expect(try await library.store.problems() == [])
    }

    @Test("One decision applies to a batch")
    func decidedForBatch() async throws {
        let library = try await withDune()
        let books = [Scan.book("Dune", by: "Frank Herbert", place: 0), Scan.book("Emma", by: "Jane Austen", place: 1)]
        let report = try await library.store.importScan(Scan.of(books, job: "1"), duplicates: .skip)
        #expect(report.books.map(\.outcome) == [.skipped, .verified])
        #expect(try await library.store.duplicateQuestions().isEmpty)
    }

    @Test("Two spines in one photo can be two copies")
    func twoCopies() async throws {
        let library = try TestLibrary()
        let books = (0..<3).map { Scan.book("Dune", by: "Frank Herbert", place: $0) }
        let report = try await library.store.importScan(Scan.of(books, job: "1", photo: "a"))
        #expect(report.books.map(\.outcome) == [.verified, .needsDecision, .needsDecision])
        let questions = try await library.store.duplicateQuestions()
        #expect(try await library.store.decide(questions.map(\.id), .addCopy) == 2)
        #expect(try await library.store.entries().total == 3)
        // The same three books are detected again.
        let rescan = try await library.store.importScan(Scan.of(books, job: "2", photo: "b"))
        #expect(rescan.count(.existing) == 3)
        #expect(Set(rescan.books.compactMap(\.entry)).count == 3)
    }

    @Test("Similar books are offered, not merged")
    func similar() async throws {
        let library = try TestLibrary()
        _ = try await library.store.add(BookDetails("The Hobbit", by: "J. R. R. Tolkien"))
        let report = try await library.store.scan(Scan.book("The Hobbiit", by: "J.R.R. Tolkien", place: 0), job: "1")
        #expect(report.books.map(\.outcome) == [.verified])
        #expect(try await library.store.entries().total == 2)
        let question = try #require(try await library.store.duplicateQuestions().first)
        #expect(question.kind == .similar)
        _ = try await library.store.decide([question.id], .existing)
        #expect(try await library.store.titles() == ["The Hobbit"])
        #expect(try await library.store.undo()?.kind == .duplicate)
        #expect(try await library.store.titles() == ["The Hobbiit", "The Hobbit"].sorted())
        let problems = try await library.store.problems()
        #expect(problems == [])
    }

    @Test(
        "A title with a shelf mark or one wrong letter is offered as a duplicate",
        arguments: [
            ("Buddenbrooks", "1 Buddenbrooks", true), ("12 Buddenbrooks", "Buddenbrooks", true),
            ("Buddenbrooks", "1 Buddenbroks", true), ("1 Buddenbrooks", "2 Buddenbrooks", false),
            ("Sandman 1", "Sandman 2", false), ("Circe", "Cixce", true),
        ])
    func nearTitles(
        known: String, read: String, isOffered: Bool
    ) async throws {
        let library = try TestLibrary()
        _ = try await library.store.add(BookDetails(known, by: "Thomas Mann"))
        try await library.store.scan(Scan.book(read, by: "Thomas Mann", 0.7, place: 0), job: "1")
        #expect(try await library.store.duplicateQuestions().map(\.kind) == (isOffered ? [.similar] : []))
        #expect(try await library.store.entries().total == 2)
    }

    @Test(
        "Adding a duplicate by hand asks what to do",
        arguments: [("HOBBIT", DuplicateKind.titleAndAuthor), ("The Hobit", .similar)])
    func addedByHand(title: String, kind: DuplicateKind) async throws {
        let library = try TestLibrary()
        let author = [AuthorCredit(name: "J. R. R. Tolkien")]
        _ = try await library.store.add(BookDetails(title: "The Hobbit", authors: author))
        _ = try await library.store.add(BookDetails("Emma", by: "Jane Austen"))
        #expect(try await library.store.duplicateQuestions().isEmpty)
        let entry = try await library.store.add(BookDetails(title: title, authors: author))
        let question = try #require(try await library.store.duplicateQuestions().first)
        #expect((question.kind, question.entry) == (kind, entry.id))
    }

    @Test("Volumes of a set and titles with the same start are not duplicates")
    func volumes() async throws {
        let library = try TestLibrary()
        let titles = [
            "Sandman, vol. 1", "Sandman, vol. 2", "Star Wars: A New Hope", "Star Wars: The Empire Strikes Back",
        ]
        let books = titles.enumerated().map { Scan.book($1, by: "Neil Gaiman", place: $0) }
        let report = try await library.store.importScan(Scan.of(books, job: "1"))
        #expect(report.count(.verified) == 4, "\(report)")
    }

    @Test("An earlier correction of the same text is offered")
    func earlierCorrection() async throws {
        let library = try TestLibrary()
        try await library.store.scan(Scan.book("FOSSW WASSON", 0.3, place: 0), job: "1", photo: "a")
        let item = try #require(try await library.store.booksInReview().first)
        _ = try await library.store.correct(item.id, to: BookDetails("Moss", by: "Klaus Modick"))
        try await library.store.scan(Scan.book("FOSSW WASSON", 0.3, place: 7), job: "2", photo: "b")
        let again = try #require(try await library.store.booksInReview().first)
        #expect(again.duplicateQuestions.map(\.kind) == [.readBefore])
        #expect(again.duplicateQuestions.map(\.existingTitle) == ["Moss"])
    }

    @Test("A correction that makes a duplicate asks what to do")
    func afterCorrection() async throws {
        let library = try await withDune()
        try await library.store.scan(Scan.book("Durne", 0.3, place: 0), job: "1")
        let item = try #require(try await library.store.booksInReview().first)
        _ = try await library.store.correct(item.id, to: BookDetails("Dune", by: "Frank Herbert"))
        let question = try #require(try await library.store.duplicateQuestions().first)
        _ = try await library.store.decide([question.id], .addCopy)
        let list = try await library.store.entries().entries
        #expect(list.count == 2)
        #expect(Set(list.map(\.workId)).count == 1)
        #expect(try await library.store.problems() == [])
    }

    @Test("The edit of a book that waits for an answer is kept", arguments: [DuplicateDecision.different, .addCopy])
    func editOfWaiting(decision: DuplicateDecision) async throws {
        let library = try await withDune()
        var scan = Scan.of([Scan.book("Dume", by: "F. Herbert", 0.3, place: 0)], job: "1", photo: "a")
        var edit = ScanBookEdit()
        edit.correction = BookCorrection(title: "Dune", authors: ["Frank Herbert"])
        edit.correction.isbn = .set("9780441013593")
        edit.correction.publisher = .set("Chilton")
        scan.edits = ["b0": edit]
        let added = try #require(try await library.store.add([scan]).first)
        let question = try #require(added.question)
        #expect(question.title == "Dune")
        #expect(question.authors == ["Frank Herbert"])
        try await library.store.decide([question.id], decision)
        let entry = try #require(try await library.store.entry(ofBook: "b0", inScan: "1"))
        let book = try await library.store.book(entry)
        #expect(book.title == "Dune")
        #expect(book.isbn == ISBN("9780441013593"))
        #expect(book.publisher == "Chilton")
        let detail = try await library.store.entry(entry)
        #expect(detail.work.reviewStatus == (decision == .different ? .userEdited : .verified))
        // A copy of another work does not carry the edit, which a later *Verify* would write over the work.
        #expect(detail.detections.first?.editedTitle == (decision == .different ? "Dune" : nil))
        #expect(try await library.store.problems() == [])
    }

    @Test("An ISBN that was removed before a question does not come back with the answer")
    func removedISBN() async throws {
        let library = try await withDune()
        var book = Scan.book("Dune", by: "Frank Herbert", 0.3, place: 0)
        book.isbn = "9780141439587"
        var scan = Scan.of([book], job: "1", photo: "a")
        var edit = ScanBookEdit()
        edit.correction.isbn = .clear
        scan.edits = ["b0": edit]
        let question = try #require(try await library.store.add([scan]).first?.question)
        try await library.store.decide([question.id], .different)
        let entry = try #require(try await library.store.entry(ofBook: "b0", inScan: "1"))
        #expect(try await library.store.book(entry).isbn == nil)
    }
}
