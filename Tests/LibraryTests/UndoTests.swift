import Bibliography
import Foundation
import Library
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("Undo with tokens") struct UndoTests {
    let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    /// What a user sees of the library, without revisions.
    private func portrait() async throws -> [String] {
        let entries = try await store.entries(EntryQuery(sort: .added)).entries
        let copies = try await entries.asyncMap { entry in
            let detail = try await store.entry(entry.entry)
            return "\(entry.id) \(detail.work.title) \(detail.work.authors.map(\.name)) \(detail.work.reviewStatus) "
                + "\(detail.entry.details) \(detail.edition?.isbn?.isbn13 ?? "") \(detail.detections.map { "\($0.id) \($0.resolvedTitle ?? "")" })"
        }
        return copies + (try await store.shelves().map { "shelf \($0.path) \($0.entries)" })
            + (try await store.duplicateQuestions().map { "question \($0.id) \($0.title) \($0.existing)" })
    }

    /// A library with a book of its own, a scan with a sure and an unsure book, and a shelf.
    private func filled() async throws -> [RowID<LibraryEntry>] {
        let hall = try await store.shelf(named: "Hall").id
        _ = try await store.shelf(named: "Home")
        let own = try await store.add(
            BookDetails("Middlemarch", by: "George Eliot"),
            entry: EntryDetails(notes: "from Ann", tags: ["gift"], shelf: hall))
        let scanned = try await store.scan(
            Scan.book("Dune", by: "Frank Herbert", place: 0), Scan.book("Emma", by: "Jane Austen", 0.3, place: 1),
            job: "first/1", photo: "a")
        return [own.id] + scanned.books.compactMap(\.entry)
    }

    /// The actions of a user.
    enum Action: CaseIterable {
        case scan, addBook, edit, lend, bulk, correct, keepEdit, match, verify, verifyAll, reject, rejectAll, remove,
            removeAll
        case addShelf, removeShelf, renameShelf, moveShelf, list, decide
    }

    private func perform(_ action: Action, _ books: [RowID<LibraryEntry>], in store: LibraryStore) async throws {
        switch action {
        case .scan:
            let scan = Scan.of(
                [
                    Scan.book("Ulysses", by: "James Joyce", place: 0),
                    Scan.book("Dune", by: "Frank Herbert", place: 1), Scan.book(nil, 0.1, place: 2),
                ], job: "second/1", photo: "b", shelf: try await store.shelf(named: "Hall").id)
            _ = try await store.importScan(scan)
        case .addBook: _ = try await store.add(BookDetails(title: "Ulysses"))
        case .edit:
            _ = try await store.update(books[0], to: EntryDetails(rating: 4.5, notes: "read twice", tags: ["a", "b"]))
        case .lend: _ = try await store.update(books[0], to: EntryDetails(ownership: .lent, lentTo: "Bea"))
        case .bulk: #expect(try await store.updateAll(books + books) { $0.tags = ["all"] } == books.count)
        case .correct:
            _ = try await store.correct(
                books[2], to: BookDetails(title: "Emmeline", isbn: ISBN("9780141439587"), year: 1999))
        case .keepEdit: _ = try await store.keepEdit(books[2], title: "Emmeline", author: nil)
        case .match:
            _ = try await store.applyMatch(
                books[2], with: BookRecord(id: "1", title: "Emma", authors: ["Austen, Jane"], source: "local"))
        case .verify: _ = try await store.verify(books[2])
        case .verifyAll: try await store.verifyAll()
        case .reject: try await store.reject(books[2])
        case .rejectAll: #expect(try await store.rejectAll([books[2], books[1], books[2]]) == 2)
        case .remove: try await store.remove(books[0])
        case .removeAll: #expect(try await store.removeAll([books[0], books[1], books[0]]) == 2)
        case .removeShelf: try await store.remove(try await store.shelf(named: "Hall").id)
        case .addShelf: _ = try await store.addShelf(at: PlacePath("Hall / Board 1"))
        case .renameShelf: _ = try await store.change(try await store.shelf(named: "Hall").id) { $0.name = "Study" }
        case .moveShelf:
            let home = try await store.shelf(named: "Home").id
            _ = try await store.change(try await store.shelf(named: "Hall").id) { $0.parent = home }
        case .list:
            let list = "Title,Author\nUlysses,James Joyce\nBabel,R. F. Kuang\n"
            _ = try await store.importBooks(Array(list.utf8), name: "list.csv")
        case .decide:
            _ = try await store.add(BookDetails("Emma", by: "Jane Austen"))
            try await store.decide(try await store.duplicateQuestions().map(\.id), .addCopy)
        }
    }

    @Test("Every action is undone by its token, and only once", arguments: Action.allCases)
    func undoes(action: Action) async throws {
        let books = try await filled()
        let before = try await portrait()
        let token = UndoToken()
        try await perform(action, books, in: store.actions(as: token))
        #expect(try await portrait() != before)
        #expect(try await store.shown(token) != nil)
        let undone = try await store.undo(token)
        #expect([.addShelf, .renameShelf, .moveShelf].contains(action) || !undone.works.isEmpty)
        #expect(try await portrait() == before)
        #expect(try await store.problems() == [])
        #expect(try await store.shown(token) == nil)
        await #expect(throws: LibraryError.alreadyUndone) { try await store.undo(token) }
        // The same can be done again.
        try await perform(action, books, in: store)
        #expect(try await portrait() != before)
        #expect(try await store.problems() == [])
    }

    @Test("A stack of actions is undone in reverse order, after the library was closed")
    func stack() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        var tokens: [UndoToken] = []
        var titles: [[String]] = []
        do {
            let store = try LibraryStore(folder: folder)
            let book = try await store.add(BookDetails(title: "One"))
            for title in ["Two", "Three", "Four"] {
                tokens.append(UndoToken())
                titles.append(try await store.titles())
                let group = store.actions(as: tokens[tokens.count - 1])
                _ = try await group.correct(book.id, to: BookDetails(title: title))
            }
        }
        let store = try LibraryStore(folder: folder)
        await #expect(throws: LibraryError.self) { try await store.undo(tokens[0]) }
        for (token, before) in zip(tokens, titles).reversed() {
            _ = try await store.undo(token)
            #expect(try await store.titles() == before)
        }
    }

    @Test("An action is undone after later ones on other books, and on other fields of the same book")
    func laterActions() async throws {
        let books = try await filled()
        let token = UndoToken()
        _ = try await store.actions(as: token).verify(books[2])
        try await store.reject(books[1])
        _ = try await store.update(books[2], to: EntryDetails(notes: "from Ann", tags: ["gift"]))
        _ = try await store.undo(token)
        let emma = try await store.entry(books[2])
        #expect(emma.work.reviewStatus == .needsReview)
        #expect(emma.entry.details.notes == "from Ann" && emma.entry.details.tags == ["gift"])
        #expect(try await store.titles() == ["Emma", "Middlemarch"])
        #expect(try await store.problems() == [])
    }

    @Test("An action is not undone after a later one on the same books, until that is undone")
    func conflicts() async throws {
        let books = try await filled()
        let (first, second) = (UndoToken(), UndoToken())
        _ = try await store.actions(as: first).update(books[0], to: EntryDetails(notes: "mine"))
        _ = try await store.actions(as: second).update(books[0], to: EntryDetails(notes: "theirs"))
        let before = try await portrait()
        let error = await #expect(throws: LibraryError.self) { try await store.undo(first) }
        #expect(error?.description.contains("a later action changed the same books") == true)
        #expect(try await portrait() == before)
        _ = try await store.undo(second)
        _ = try await store.undo(first)
        #expect(try await store.entry(books[0]).entry.details.notes == "from Ann")
    }

    @Test(
        "Names in what was recorded are those of the library's tables and columns",
        arguments: [
            "tableName = 'sqlite_master'", "tableName = 'work; DROP TABLE activity'", "tableName = 'activity'",
            "columnName = 'title = title --'", "columnName = 'secret'",
        ])
    func unknownNames(change: String) async throws {
        let books = try await filled()
        let token = UndoToken()
        _ = try await store.actions(as: token).correct(books[2], to: BookDetails(title: "Emmeline"))
        try LibraryHistory.force(
            "UPDATE undoChange SET \(change) WHERE columnName = 'title' AND tableName = 'work'", in: library.folder)
        let before = try await portrait()
        let error = await #expect(throws: LibraryError.self) { try await store.undo(token) }
        #expect(error?.description.hasPrefix("This cannot be undone: what was recorded of it names") == true)
        #expect(try await portrait() == before)
        #expect(try await store.problems() == [])
    }

    @Test("A scan is not undone once another scan shows its books")
    func sharedCopy() async throws {
        let token = UndoToken()
        let hall = try await store.shelf(named: "Hall").id
        let dune = Scan.book("Dune", by: "Frank Herbert", place: 0)
        try await store.actions(as: token).scan(dune, job: "1", photo: "a", shelf: hall)
        let again = try await store.scan(dune, job: "2", photo: "b", shelf: hall)
        #expect(again.books.map(\.outcome) == [.existing])
        await #expect(throws: LibraryError.self) { try await store.undo(token) }
        #expect(try await store.titles() == ["Dune"])
        #expect(try await store.problems() == [])
    }

    @Test("A scan is undone with the changes that sources made to its books, and is not brought up to date any more")
    func automaticChanges() async throws {
        let token = UndoToken()
        let scan = Scan.of([Scan.book("Northanger Abey", 0.4, place: 0)], job: "job/1", photo: "a")
        _ = try await store.actions(as: token).importScan(scan)
        var better = scan
        better.books[0] = Scan.book("Northanger Abbey", by: "Jane Austen", 0.9, place: 0)
        try await store.update(better, importing: ["b0"])
        #expect(try await store.titles() == ["Northanger Abbey"])
        _ = try await store.undo(token)
        #expect(try await store.titles() == [])
        #expect(try await store.automaticChanges().total == 0)
        try await store.update(better, importing: ["b0"])
        #expect(try await store.titles() == [])
        // It can be added again.
        #expect(try await store.importScan(better).books.map(\.outcome) == [.verified])
        #expect(try await store.problems() == [])
    }

    @Test("A scan is undone with the details that were filled in since")
    func filledIn() async throws {
        let token = UndoToken()
        let report = try await store.actions(as: token).scan(
            Scan.book("Dune", by: "Frank Herbert", place: 0), job: "1", photo: "a")
        let entry = try #require(report.books[0].entry)
        _ = try await store.enrich(
            entry, with: BookRecord(id: "1", title: "Dune", authors: ["Frank Herbert"], publisher: "Ace", year: 1990))
        _ = try await store.undo(token)
        #expect(try await store.titles() == [])
        #expect(try await store.problems() == [])
    }

    @Test("Tokens are valid for 24 hours, however many actions follow; the last 100 actions longer")
    func age() async throws {
        let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let library = try TestLibrary(clock: { now.withLock { $0 } })
        let store = library.store
        let (old, recent) = (UndoToken(), UndoToken())
        let first = try await store.add(BookDetails(title: "First"))
        let second = try await store.add(BookDetails(title: "Second"))
        _ = try await store.actions(as: old).update(first.id, to: EntryDetails(notes: "old"))
        now.withLock { $0 += 3600 }
        _ = try await store.actions(as: recent).update(second.id, to: EntryDetails(notes: "recent"))
        let other = try await store.add(BookDetails(title: "Other"))
        for number in 0..<101 { _ = try await store.update(other.id, to: EntryDetails(notes: "\(number)")) }
        #expect(try await store.shown(old) != nil)
        now.withLock { $0 += 23 * 3600 + 1 }
        _ = try await store.update(other.id, to: EntryDetails(notes: "last"))
        let error = await #expect(throws: LibraryError.self) { try await store.undo(old) }
        #expect(error?.description.contains("too old") == true)
        _ = try await store.undo(recent)
        #expect(try await store.entry(second.id).entry.details.notes == nil)
    }

    @Test("Actions of one token are undone together, and unknown tokens are refused")
    func together() async throws {
        let books = try await filled()
        let before = try await portrait()
        let token = UndoToken()
        let group = store.actions(as: token)
        _ = try await group.update(books[0], to: EntryDetails(notes: "1"))
        _ = try await group.correct(books[1], to: BookDetails(title: "2"))
        try await group.reject(books[2])
        #expect(try await store.undo(token).works.count == 3)
        #expect(try await portrait() == before)
        await #expect(throws: LibraryError.self) { try await store.undo(UndoToken(rawValue: "unknown")) }
        // An action that changes nothing has nothing to undo.
        let nothing = UndoToken()
        _ = try await store.actions(as: nothing).keepEdit(books[2], title: nil, author: nil)
        #expect(try await store.shown(nothing) == nil)
    }
}
