import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

@Suite("Books that are identified after the import") struct ScanUpdateTests {
    private let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    /// Imports a photo with a sure book and an unsure one.
    private func imported(
        shelf: RowID<Shelf>? = nil
    ) async throws -> (scan: ScanImport, unsure: RowID<LibraryEntry>) {
        let books = [
            Scan.book("Dune", by: "Frank Herbert", place: 0),
            Scan.book("Northanger Abey", by: nil, 0.3, checked: false, place: 1),
        ]
        let scan = Scan.of(books, job: "job/1", photo: "p", shelf: shelf)
        let report = try await store.importScan(scan)
        #expect(report.books.map(\.outcome) == [.verified, .needsReview])
        return (scan, try #require(report.books[1].entry))
    }

    private func sure(_ scan: ScanImport) -> ScanImport {
        var scan = scan
        let (title, author) = ("Northanger Abbey", "Jane Austen")
        let isbn = "9780141439587"
        let match = BookMatch(title: title, author: author, isbn: isbn, confidence: 0.95, source: "openlibrary")
        scan.books[1] = Scan.book(title, by: author, 0.95, isbn: isbn, place: 1, matches: [match])
        return scan
    }

    /// The scan with the second book identified as another one than before.
    private func sure(_ scan: ScanImport, title: String) -> ScanImport {
        var scan = sure(scan)
        let match = BookMatch(title: title, author: "Jane Austen", confidence: 0.95, source: "googlebooks")
        scan.books[1] = Scan.book(title, by: "Jane Austen", 0.95, place: 1, matches: [match])
        return scan
    }

    /// Updates the library, and returns whether that changed it.
    private func isChanged(by scan: ScanImport, importing wanted: Set<String> = []) async throws -> Bool {
        let before = try await store.revision()
        try await store.update(scan, importing: wanted)
        return try await store.revision() != before
    }

    @Test("An untouched book becomes verified, which is in its history")
    func verifies() async throws {
        let (scan, entry) = try await imported()
        #expect(try await isChanged(by: sure(scan)))
        let detail = try await store.entry(entry)
        #expect(detail.work.title == "Northanger Abbey")
        #expect(detail.work.authors.map(\.name) == ["Jane Austen"])
        #expect(detail.work.reviewStatus == .verified)
        #expect(detail.edition?.isbn == ISBN("9780141439587"))
        #expect(detail.detections[0].confidence == 0.95)
        #expect(detail.detections[0].checked)
        #expect(detail.detections[0].quad != nil)
        #expect(detail.detections[0].matches.map(\.source) == ["openlibrary"])
        #expect(try await store.booksInReview().isEmpty)
        let history = try await store.reviewHistory(of: detail.work.id).events
        #expect(history.map(\.action) == [.identified])
        #expect(history[0].after["title"] == "Northanger Abbey")
        #expect(history[0].before["title"] == "Northanger Abey")
        #expect(try await store.titles().sorted() == ["Dune", "Northanger Abbey"])
        #expect(try await store.reviewStats().reviewed == 0, "a person did not judge the reading")
        #expect(try await store.problems() == [])
    }

    @Test("The first look-up of a book that waits for review is not an automatic change; a change after that is")
    func firstLookUp() async throws {
        let (scan, entry) = try await imported()
        var better = scan
        better.books[1] = Scan.book("Northanger Abbey", by: nil, 0.5, place: 1)
        for update in [better, sure(scan)] {
            #expect(try await isChanged(by: update))
            #expect(try await store.automaticChanges().total == 0)
            #expect(try await store.reviewCounts().automaticChanges == 0)
        }
        // Now a person sees a verified book.
        #expect(try await isChanged(by: sure(scan, title: "Sanditon")))
        let change = try #require(try await store.automaticChanges().changes.first)
        #expect(try await store.reviewCounts().automaticChanges == 1)
        #expect(change.before["title"] == "Northanger Abbey" && change.after?["title"] == "Sanditon")
        #expect(try await store.reviewHistory(of: store.entry(entry).work.id).events.map(\.action).count == 3)
        _ = try await store.undo(automatic: change.action())
        let detail = try await store.entry(entry)
        #expect(detail.work.title == "Northanger Abbey" && detail.work.reviewStatus == .verified)
        #expect(try await !isChanged(by: sure(scan, title: "Sanditon")), "it is not changed again")
        #expect(try await store.problems() == [])
    }

    @Test("Repeating an update changes nothing")
    func repeats() async throws {
        let (scan, entry) = try await imported()
        var update = sure(scan)
        update.books.append(Scan.book("Ulysses", by: "James Joyce", place: 2))
        #expect(try await isChanged(by: update, importing: ["b2"]))
        #expect(try await store.titles().count == 3)
        #expect(try await !isChanged(by: update, importing: ["b2"]))
        #expect(try await store.reviewHistory(of: store.entry(entry).work.id).total == 1)
        #expect(try await store.titles().count == 3)
    }

    @Test("A book that stays unsure gets the better reading and stays in the queue")
    func improves() async throws {
        let (scan, entry) = try await imported()
        var better = scan
        better.books[1] = Scan.book("Northanger Abbey", by: "Jane Austen", 0.5, place: 1)
        #expect(try await isChanged(by: better))
        let item = try #require(try await store.booksInReview().first)
        #expect(item.id == entry)
        #expect(item.title == "Northanger Abbey")
        #expect(item.tier == .verify)
        // A further answer makes it sure: the program, not a person, changed it last.
        #expect(try await isChanged(by: sure(scan)))
        #expect(try await store.entry(entry).work.reviewStatus == .verified)
    }

    /// What a person may do to a book.
    enum Touch: CaseIterable {
        case verify, edit, correct, note, shelf, feedback, undoneVerify, question
    }

    @Test("A book that a person has touched stays", arguments: Touch.allCases)
    func touched(touch: Touch) async throws {
        // An earlier book of nearly the same title, so that a question is open.
        _ = try await store.add(BookDetails(title: "Northanger Abbeys", authors: []))
        let (scan, entry) = try await imported()
        switch touch {
        case .verify: _ = try await store.verify(entry)
        case .edit: _ = try await store.keepEdit(entry, title: "Emmeline", author: nil)
        case .correct: _ = try await store.correct(entry, to: BookDetails(title: "Emmeline"))
        case .note: _ = try await store.update(entry, to: EntryDetails(notes: "From Ann"))
        case .shelf:
            _ = try await store.update(entry, to: EntryDetails(shelf: store.shelf(named: "Hall").id))
        case .feedback:
            let detection = try #require(try await store.reviewItem(entry).detection)
            _ = try await store.report(detection.id, SpineReport(correct: false))
        case .undoneVerify:
            _ = try await store.verify(entry)
            _ = try await store.undo()
        case .question:
            let questions = try await store.duplicateQuestions()
            #expect(try await store.decide(questions.map(\.id), .different) == 1)
        }
        let before = try await store.entry(entry)
        var update = sure(scan)
        #expect(try await !isChanged(by: update))
        update.books.remove(at: 1)
        #expect(try await !isChanged(by: update))
        #expect(try await store.entry(entry) == before)
    }

    @Test("A book that is gone leaves the queue, and can be found and brought back")
    func withdraws() async throws {
        let (scan, entry) = try await imported()
        var update = scan
        update.books.remove(at: 1)
        #expect(try await isChanged(by: update))
        #expect(try await store.titles() == ["Dune"])
        #expect(try await store.booksInReview().isEmpty)
        let change = try #require(try await store.automaticChanges().changes.first)
        #expect(change.action == .withdrawn)
        #expect(change.before["title"] == "Northanger Abey")

        #expect(try await store.undo() == nil, "it is not the user's action")
        _ = try await store.undo(automatic: change.action())
        #expect(try await store.booksInReview().map(\.id) == [entry])
        #expect(try await store.automaticChanges().changes.isEmpty)
        #expect(try await !isChanged(by: update), "it is not removed again")
        await #expect(throws: LibraryError.self) { try await store.undo(automatic: change.action()) }
        #expect(try await store.problems() == [])
    }

    @Test("A verified book that is gone stays")
    func keepsVerified() async throws {
        let (scan, _) = try await imported()
        var update = scan
        update.books.remove(at: 0)
        #expect(try await !isChanged(by: update))
        #expect(try await store.titles().contains("Dune"))
    }

    @Test("New books are imported only if they are wanted")
    func adds() async throws {
        let (scan, _) = try await imported()
        var update = scan
        update.books.append(Scan.book("Ulysses", by: "James Joyce", place: 2))
        #expect(try await !isChanged(by: update))
        #expect(try await isChanged(by: update, importing: ["b2"]))
        #expect(try await store.titles().contains("Ulysses"))
    }

    @Test("A photo that was not imported stays out")
    func notImported() async throws {
        let scan = Scan.of([Scan.book("Dune", place: 0)], job: "job/1")
        #expect(try await !isChanged(by: scan, importing: ["b0"]))
        #expect(try await store.titles() == [])
        #expect(try await store.revision() == 1)
    }

    @Test("A book that the library has becomes a question, as in an import, and is not lost")
    func asksAboutDuplicate() async throws {
        _ = try await store.add(BookDetails(title: "Northanger Abbey", authors: AuthorCredit.list("Jane Austen")))
        let (scan, entry) = try await imported()
        let before = try await store.duplicateQuestions()
        #expect(before.map(\.kind) == [.similar])
        #expect(try await isChanged(by: sure(scan)))
        let question = try #require(try await store.duplicateQuestions().first)
        #expect(question.title == "Northanger Abbey")
        #expect(question.detection != nil)
        #expect(try await store.booksInReview().isEmpty)
        // As a normal import of the same book would have it.
        #expect(try await store.titles().sorted() == ["Dune", "Northanger Abbey"])
        let change = try #require(try await store.automaticChanges().changes.first)
        _ = try await store.undo(automatic: change.action())
        #expect(try await store.booksInReview().map(\.id) == [entry])
        #expect(try await store.duplicateQuestions() == before)
        #expect(try await store.problems() == [])
    }

    @Test("On the shelf of a copy the book is that copy")
    func sameCopy() async throws {
        let hall = try await store.shelf(named: "Hall").id
        let own = try await store.add(
            BookDetails(title: "Northanger Abbey", authors: AuthorCredit.list("Jane Austen")),
            entry: EntryDetails(shelf: hall))
        let (scan, _) = try await imported(shelf: hall)
        #expect(try await isChanged(by: sure(scan)))
        #expect(try await store.duplicateQuestions().isEmpty)
        #expect(try await store.titles().sorted() == ["Dune", "Northanger Abbey"])
        #expect(try await store.entry(own.id).detections.map(\.readTitle) == ["Northanger Abbey"])
        #expect(try await store.problems() == [])
    }

    @Test("Automatic changes do not make the user's actions permanent")
    func keepsUndo() async throws {
        let books = (0..<240).map { Scan.book("Book \($0)", 0.3, place: $0, of: 250) }
        let scan = Scan.of(books, job: "job/1", photo: "p")
        let report = try await store.importScan(scan)
        let first = try #require(report.books[0].entry)
        _ = try await store.verify(first)
        var update = scan
        // First look-ups and removals.
        for index in 1...120 { update.books[index].title = "Volume \(index)" }
        update.books.removeLast(119)
        #expect(try await isChanged(by: update))
        #expect(try await store.undo()?.kind == .verify)
        let (changes, total) = try await store.automaticChanges(limit: 500)
        #expect(changes.count == 119 && total == 119)
        #expect(changes.filter { !$0.undoable }.isEmpty, "a scan's changes can all be undone")
    }

    @Test("A book is listed once, from when it was settled to its last change, and undone as a whole")
    func listsOnce() async throws {
        let (scan, entry) = try await imported()
        try await store.update(sure(scan), importing: [])
        let before = try await store.entry(entry)
        try await store.update(sure(scan, title: "Sanditon"), importing: [])
        let first = try #require(try await store.automaticChanges().changes.first)
        try await store.update(sure(scan, title: "Lady Susan"), importing: [])
        let (changes, total) = try await store.automaticChanges()
        let change = try #require(changes.first)
        #expect(changes.count == 1 && total == 1)
        #expect(change.id != first.id)
        #expect(change.before == ["title": "Northanger Abbey", "author": "Jane Austen"])
        #expect(change.after == ["title": "Lady Susan", "author": "Jane Austen", "isbn": nil])
        #expect(change.source == "googlebooks")
        #expect(change.entryId == "\(entry)" && change.reviewStatus == .verified && change.undoable)
        #expect(try await store.automaticChanges(limit: 1, offset: 1).changes.isEmpty)

        let undone = try await store.undo(automatic: first.action())
        #expect(undone.works == [before.work.id])
        let after = try await store.entry(entry)
        #expect(after.work.title == "Northanger Abbey" && after.work.reviewStatus == .verified)
        #expect(after.detections == before.detections)
        #expect(try await store.automaticChanges().total == 0)
        await #expect(throws: LibraryError.self) { try await store.undo(automatic: change.action()) }
        #expect(try await store.problems() == [])
    }

    @Test("A change after which a person decided stays listed, but is not undone")
    func decidedSince() async throws {
        let (scan, entry) = try await imported()
        try await store.update(sure(scan), importing: [])
        try await store.update(sure(scan, title: "Sanditon"), importing: [])
        _ = try await store.correct(entry, to: BookDetails(title: "Emmeline"))
        let change = try #require(try await store.automaticChanges().changes.first)
        #expect(!change.undoable)
        await #expect(throws: LibraryError.self) { try await store.undo(automatic: change.action()) }
        #expect(try await store.entry(entry).work.title == "Emmeline")
        #expect(try await store.undo()?.kind == .correct)
        #expect(try await store.automaticChanges().changes.first?.undoable == true)
    }

    @Test("Changes are counted until they were seen")
    func countsUnseen() async throws {
        let (scan, entry) = try await imported()
        try await store.update(sure(scan), importing: [])
        #expect(try await store.reviewCounts().automaticChanges == 0)
        try await store.update(sure(scan, title: "Sanditon"), importing: [])
        #expect(try await store.reviewCounts().automaticChanges == 1)
        let first = try #require(try await store.automaticChanges().changes.first)
        #expect(!first.seen)
        try await store.markAutomaticChangesSeen(through: first.action())
        #expect(try await store.reviewCounts().automaticChanges == 0)
        #expect(try await store.automaticChanges().changes.map(\.seen) == [true])
        // A later change of the same book has not been seen.
        try await store.update(sure(scan, title: "Lady Susan"), importing: [])
        #expect(try await store.reviewCounts().automaticChanges == 1)
        let last = try #require(try await store.automaticChanges().changes.first)
        #expect(!last.seen)
        _ = try await store.undo(automatic: first.action())
        #expect(try await store.reviewCounts().automaticChanges == 0)
        // A user's action, which is one of the next, is not an automatic change.
        _ = try await store.correct(entry, to: BookDetails(title: "Emmeline"))
        for later in 1...2 {
            let own = RowID<ReviewAction>(try last.action().rawValue + Int64(later))
            await #expect(throws: LibraryError.self) { try await store.markAutomaticChangesSeen(through: own) }
        }
    }

    @Test("Text without a record is never verified by itself, however low the threshold", arguments: [0.4, 0.9])
    func withoutRecord(threshold: Double) async throws {
        let (scan, entry) = try await imported()
        var update = scan
        // Asked about, but no source has it: read with the highest confidence that text alone reaches, or more.
        let other = BookMatch(title: "Northanger", author: nil, confidence: 0.3, source: "openlibrary")
        update.books[1] = Scan.book("Northanger Abey", by: nil, 0.59, place: 1, matches: [other])
        try await store.update(update, importing: [], threshold: threshold)
        #expect(try await store.booksInReview().map(\.id) == [entry])
        update.books[1].confidence = 0.95
        try await store.update(update, importing: [], threshold: threshold)
        #expect(try await store.booksInReview().map(\.id) == [entry])
        let another = Scan.of([Scan.book("Sanditon", 0.59, place: 3, matches: [])], job: "job/2", photo: "q")
        #expect(try await store.importScan(another, threshold: threshold).books.map(\.outcome) == [.needsReview])
    }

    @Test("What was found about the same book is kept")
    func keepsDetails() async throws {
        let (scan, entry) = try await imported()
        var better = scan
        better.books[1] = Scan.book("Northanger Abbey", by: "Jane Austen", 0.5, place: 1)
        try await store.update(better, importing: [])
        let record = BookRecord(
            id: "1", title: "Northanger Abbey", authors: ["Jane Austen"], publisher: "Penguin", year: 2003,
            source: "openlibrary")
        _ = try await store.enrich(entry, with: record)
        var sure = scan
        sure.books[1] = Scan.book("Northanger Abbey", by: "Jane Austen", 0.95, place: 1)
        #expect(try await isChanged(by: sure))
        #expect(try await store.entry(entry).work.reviewStatus == .verified)
        let detail = try await store.entry(entry)
        #expect(detail.edition?.publisher == "Penguin")
        #expect(detail.edition?.year == 2003)
    }
}
