import Bibliography
import Foundation
import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite struct Inboxes {
    private static func titles(_ items: [ReviewQueueItem]) -> [String] {
        items.map { "\($0.kind?.rawValue ?? "") \($0.title ?? "")" }
    }

    /// A library with an item of every kind.
    private func filled() async throws -> TestLibrary {
        let library = try TestLibrary()
        let store = library.store
        try await store.scan(Scan.book("Emma", by: "Jane Austen", 0.3, place: 0), job: "1", photo: "a")
        let own = try await store.add(BookDetails("Middlemarch", by: "George Eliot"))
        _ = try await store.add(BookDetails("Middlemarch", by: "George Eliot"))
        _ = try await store.importBooks(
            Array("Title,Author\nUlysses,James Joyce\n,Ann Other\n".utf8), name: "list.csv",
            enrich: { _ in .unknown })
        #expect(try await store.entry(own.id).duplicateQuestions.isEmpty)
        return library
    }

    @Test("All kinds that wait are in one list, books to review first and incomplete books only when asked for")
    func allKinds() async throws {
        let store = try await filled().store
        let (items, total) = try await store.inbox()
        #expect(Self.titles(items) == ["detection Emma", "duplicateQuestion Middlemarch", "failedRow Ann Other"])
        #expect(total == 3)
        let counts = try await store.reviewCounts()
        #expect(counts.total == 3)
        #expect((counts.books, counts.duplicateQuestions, counts.failedRows) == (1, 1, 1))
        #expect(counts.incomplete == 3)
        let incomplete = try await store.inbox(InboxFilter(kinds: [.incomplete]))
        #expect(
            Self.titles(incomplete.items) == ["incomplete Middlemarch", "incomplete Middlemarch", "incomplete Ulysses"])
        #expect(incomplete.total == 3)
    }

    @Test("Pages have each item once, and filters by kind, tier, shelf and photo select")
    func pagesAndFilters() async throws {
        let library = try await filled()
        let store = library.store
        let hall = try await store.shelf(named: "Hall").id
        try await store.scan(Scan.book("Dune", by: "Frank Herbert", 0.55, place: 0), job: "2", photo: "b", shelf: hall)
        var paged: [ReviewQueueItem] = []
        for offset in 0..<6 {
            let page = try await store.inbox(limit: 1, offset: offset)
            #expect(page.total == 4)
            paged += page.items
        }
        #expect(paged == (try await store.inbox().items))
        #expect(paged.count == 4)
        let onShelf = try await store.inbox(InboxFilter(shelf: hall))
        #expect(Self.titles(onShelf.items) == ["detection Dune"])
        #expect(onShelf.items.first?.shelf?.name == "Hall")
        let photo = try #require(onShelf.items.first?.photoId.flatMap { RowID<Photo>($0) })
        #expect(try await store.inbox(InboxFilter(photo: photo)).total == 1)
        #expect(Self.titles(try await store.inbox(InboxFilter(tier: .verify)).items) == ["detection Dune"])
        #expect(try await store.inbox(InboxFilter(kinds: [.failedRow], shelf: hall)).total == 0)
    }

    @Test("Questions of a scan, an added book and a list are in the inbox, and go with the answer and come with undo")
    func questions() async throws {
        let library = try TestLibrary()
        let store = library.store
        _ = try await store.add(BookDetails("Dune", by: "Frank Herbert"))
        _ = try await store.add(BookDetails("Dune", by: "Frank Herbert"))
        try await store.scan(Scan.book("Dune", by: "Frank Herbert", place: 0), job: "1", photo: "a", duplicates: nil)
        _ = try await store.importBooks(
            Array("Title,Author\nDune,Frank Herbert\n".utf8), name: "list.csv", duplicates: nil)
        let items = try await store.inbox(InboxFilter(kinds: [.duplicateQuestion])).items
        let questions = items.flatMap(\.duplicates)
        #expect(questions.count == items.count)
        #expect(questions.contains { $0.detectionId != nil && $0.entryId == nil }, "the scan's")
        #expect(Set(questions.compactMap(\.entryId)).count == 2, "the added book's and the list's")
        #expect(questions.allSatisfy { $0.existing.title == "Dune" })
        #expect(items.contains { $0.entryId == nil && $0.photoId != nil })
        let token = UndoToken()
        #expect(try await store.actions(as: token).decide(questions.compactMap { RowID($0.id) }, .existing) > 0)
        #expect(try await store.reviewCounts().duplicateQuestions == 0)
        _ = try await store.undo(token)
        #expect(try await store.inbox(InboxFilter(kinds: [.duplicateQuestion])).items.count == items.count)
    }

    @Test("Rows that did not become books stay after a restart until they are dismissed, once for a repeated import")
    func failedRows() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let list = Array("Title,Author\nUlysses,James Joyce\n,Ann Other\n,\n".utf8)
        let token = UndoToken()
        do {
            let store = try LibraryStore(folder: folder)
            for _ in 0..<2 { _ = try await store.actions(as: token).importBooks(list, name: "list.csv") }
        }
        let store = try LibraryStore(folder: folder)
        let row = try #require(try await store.inbox().items.first)
        #expect(row.title == "Ann Other")
        let problem = try #require(row.problem)
        #expect(problem.hasPrefix("list.csv, line 3: ") && problem.contains("title"))
        let id = try #require(RowID<FailedRow>(String(row.id.dropFirst())))
        let dismissal = UndoToken()
        #expect(try await store.actions(as: dismissal).dismiss([id, RowID(99)]) == 1)
        #expect(try await store.inbox().total == 0)
        _ = try await store.undo(dismissal)
        #expect(try await store.inbox().items.first == row)
        // The row goes with its import.
        _ = try await store.undo(token)
        #expect(try await store.inbox().total == 0)
    }

    @Test("At most 1,000 rows of a list are kept")
    func limit() async throws {
        let library = try TestLibrary()
        let list = "Title,Author\n" + String(repeating: ",Ann Other\n", count: FailedRow.limit + 1)
        let report = try await library.store.importBooks(Array(list.utf8), name: "list.csv")
        #expect(report.problems.count == FailedRow.limit + 1)
        #expect(try await library.store.reviewCounts().failedRows == FailedRow.limit)
    }

    // MARK: Missing books

    /// A shelf whose second scan misses “Emma”.
    private func shelfWithGap() async throws -> GivenShelf {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma Babel"], job: "1", photo: "a")
        #expect(try await shelf.store.reviewCounts().missing == 0)
        try await shelf.scan(["Dune . Babel"], job: "2", photo: "b")
        return shelf
    }

    @Test("A book that a new scan misses waits with the spine that an earlier scan saw")
    func missing() async throws {
        let shelf = try await shelfWithGap()
        let items = try await shelf.store.inbox().items
        #expect(Self.titles(items) == ["missing Emma"])
        #expect(items[0].shelf?.name == "Hall")
        let seen = try #require(items[0].photoId.flatMap { RowID<Photo>($0) })
        #expect(try await shelf.store.detections(in: seen).allSatisfy { $0.job == "1" })
        #expect(try await shelf.store.reviewCounts().missing == 1)
        #expect(try await shelf.store.inbox(InboxFilter(shelf: shelf.id)).total == 1)
    }

    enum Decision: CaseIterable { case found, lent, moved, removed, scannedAgain }

    @Test("A missing book leaves the inbox by each decision, and undo brings it back", arguments: Decision.allCases)
    func decides(decision: Decision) async throws {
        let shelf = try await shelfWithGap()
        let emma = try await shelf.entry("Emma")
        let token = UndoToken()
        let store = shelf.store.actions(as: token)
        switch decision {
        case .found: _ = try await store.markFound([emma], on: shelf.id)
        case .lent:
            _ = try await store.update(emma, to: EntryDetails(ownership: .lent, lentTo: "Bea", shelf: shelf.id))
        case .moved:
            _ = try await store.update(emma, to: EntryDetails(shelf: try await store.shelf(named: "Study").id))
        case .removed: try await store.remove(emma)
        case .scannedAgain:
            let scan = Scan.of(
                [("Dune", 0), ("Emma", 1), ("Babel", 2)].map { Scan.book($0.0, by: "Writer", place: $0.1, of: 10) },
                job: "3", photo: "c", shelf: shelf.id)
            _ = try await store.importScan(scan, duplicates: .existing)
        }
        #expect(try await store.inbox().total == 0)
        #expect(try await store.reviewCounts().missing == 0)
        _ = try await store.undo(token)
        #expect(Self.titles(try await store.inbox().items) == ["missing Emma"])
        #expect(try await store.problems() == [])
    }

    @Test("Undoing the scan that missed a book ends the question, and reading the inbox leaves the revision")
    func undoneScan() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma Babel"], job: "1", photo: "a")
        let token = UndoToken()
        let books = [("Dune", 0), ("Babel", 2)].map { Scan.book($0.0, by: "Writer", place: $0.1, of: 10) }
        let scan = Scan.of(books, job: "2", photo: "b", shelf: shelf.id)
        _ = try await shelf.store.actions(as: token).importScan(scan, duplicates: .existing)
        let before = try await shelf.store.revision()
        #expect(try await shelf.store.reviewCounts().missing == 1)
        #expect(try await shelf.store.revision() == before)
        _ = try await shelf.store.undo(token)
        #expect(try await shelf.store.reviewCounts().missing == 0)
    }

    @Test("A removed shelf has no missing books")
    func removedShelf() async throws {
        let shelf = try await shelfWithGap()
        #expect(try await shelf.store.reviewCounts().missing == 1)
        try await shelf.store.remove(shelf.id)
        #expect(try await shelf.store.reviewCounts().missing == 0)
    }

    // MARK: Incomplete books

    @Test("A record or cover that was found with a token is undone, also together with the action before it")
    func undoesEnrichment() async throws {
        let library = try TestLibrary()
        let added = UndoToken()
        let book = try await library.store.actions(as: added).add(BookDetails("Emma", by: "Jane Austen"))
        let record = BookRecord(
            id: "1", title: "Emma", authors: ["Jane Austen"], isbn: "9780141439587", year: 2003,
            coverURL: URL(string: "https://covers.example/1.jpg"), source: "local")
        let found = UndoToken()
        #expect(try await library.store.booksWithoutRecordOrCover().map(\.entry) == [book.id])
        #expect(try await library.store.actions(as: found).enrich(book.id, with: record) != nil)
        #expect(try await library.store.book(book.id).year == 2003)
        _ = try await library.store.undo(found)
        #expect(try await library.store.book(book.id).year == nil)
        #expect(try await library.store.actions(as: found).enrich(book.id, with: record) != nil)
        _ = try await library.store.undo(added)
        #expect(try await library.store.titles() == [])
        #expect(try await library.store.problems() == [])
    }
}
