import Foundation
import GRDB
import Library
import ShelflistAPI
import TestSupport
import Testing

/// Starting, closing and removing stocktakes are recorded as sets, and undone as they were.
@Suite struct StocktakeUndoTests {
    let library: TestLibrary
    let clock: ManualClock
    private var store: LibraryStore { library.store }

    init() throws {
        let time = ManualClock()
        clock = time
        library = try TestLibrary(clock: { time.now })
    }

    private func fill(_ copies: Int, on shelves: Int) async throws {
        let rows = (0..<copies).map { "Title\($0) Word\($0),Writer \($0),Room \($0 % shelves),b\($0)\n" }
        _ = try await store.importBooks(
            Array("title,author,shelf,barcode\n\(rows.joined())".utf8), name: "list.csv", duplicates: .different)
    }

    private func start(_ store: LibraryStore? = nil) async throws -> RowID<Stocktake> {
        clock.advance(by: 60)
        let started = try await (store ?? self.store).startStocktake(named: nil, of: .everything, by: nil)
        return try #require(RowID(started.id))
    }

    private func see(_ barcode: String, in id: RowID<Stocktake>) async throws {
        let copy = try await store.copy(withBarcode: barcode)
        #expect(try await store.see([copy], in: id, by: .barcode).changed == 1)
    }

    private func rows(_ table: String) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    /// Returns the number of rows that an action adds to the two tables of undo.
    private func recorded(_ action: () async throws -> Void) async throws -> [Int] {
        let before = try await [rows("undoChange"), rows("undoSet")]
        try await action()
        return zip(try await [rows("undoChange"), rows("undoSet")], before).map { $0 - $1 }
    }

    @Test("Starting, closing and removing record as many rows for many copies as for few", arguments: [3, 40])
    func undoRows(copies: Int) async throws {
        try await fill(copies, on: 3)
        var id = RowID<Stocktake>(1)
        #expect(try await recorded { id = try await start() } == [1, 1])
        try await see("b1", in: id)
        // The time of closing and six counts.
        #expect(try await recorded { _ = try await store.closeStocktake(id) } == [7, 1])
        // All columns of the stocktake, and the rows of four tables.
        #expect(try await recorded { try await store.removeStocktake(id) } == [11, 4])
    }

    /// All that the library holds of copies and stocktakes, without revisions.
    private func portrait() async throws -> [String] {
        try await store.read { db in
            try ["stocktake", "stocktakeItem", "stocktakeSeen", "stocktakePlace", "stocktakeResult", "entry"].flatMap {
                table in
                let columns = try db.columns(in: table).map(\.name).filter { $0 != "revision" }
                return try Row.fetchAll(
                    db, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY 1, 2"
                )
                .map { "\(table) \($0)" }
            }
        }
    }

    @Test("Starting, closing and removing are undone exactly, in reverse order")
    func undone() async throws {
        try await fill(9, on: 2)
        let gone = try await store.copy(withBarcode: "b0")
        _ = try await store.update(gone) { $0.setMissing(true) }
        var (portraits, tokens) = (["start": try await portrait()], [UndoToken(), UndoToken(), UndoToken()])
        let id = try await start(store.actions(as: tokens[0]))
        try await see("b1", in: id)
        clock.advance(by: 60)
        portraits["close"] = try await portrait()
        #expect(try await store.actions(as: tokens[1]).closeStocktake(id) == 7)
        let revision = try await store.entry(gone).entry.revision
        portraits["remove"] = try await portrait()
        try await store.actions(as: tokens[2]).removeStocktake(id)
        let left =
            try await rows("stocktakeResult") + rows("stocktakeItem") + rows("stocktakeSeen") + rows("stocktakePlace")
        #expect(left == 0)
        _ = try await store.undo(tokens[2])
        #expect(try await portrait() == portraits["remove"])
        #expect(try await store.undo(tokens[1]).works.count == 7)
        #expect(try await portrait() == portraits["close"])
        // It was missing before: neither changed it.
        #expect(try await store.entry(gone).entry.revision == revision)
        _ = try await store.undo(tokens[0])
        #expect(try await portrait() == portraits["start"])
        #expect(try await rows("undoSet") == 0)
        #expect(try await store.problems() == [])
    }

    @Test("A closing is not undone after a later action found a copy or removed it, until that is undone")
    func laterActions() async throws {
        try await fill(6, on: 2)
        let id = try await start()
        let (closing, later) = (UndoToken(), UndoToken())
        _ = try await store.actions(as: closing).closeStocktake(id)
        let copy = try await store.copy(withBarcode: "b2")
        let closed = try await portrait()
        _ = try await store.actions(as: later).update(copy) { $0.setMissing(false) }
        let error = await #expect(throws: LibraryError.self) { try await store.undo(closing) }
        #expect(error?.description.contains("a later action changed the same books") == true)
        _ = try await store.undo(later)
        #expect(try await portrait() == closed)
        let removal = UndoToken()
        try await store.actions(as: removal).remove(copy)
        await #expect(throws: LibraryError.self) { try await store.undo(closing) }
        _ = try await store.undo(removal)
        // Another column of the same copy.
        _ = try await store.update(copy) { $0.notes = "found it" }
        _ = try await store.undo(closing)
        let details = try await store.entry(copy).entry.details
        #expect(details.missingSince == nil && details.notes == "found it")
        #expect(try await store.stocktake(id).counts.unseen == 6)
    }

    @Test("An action is not undone after a closing changed its copies, until that is undone")
    func earlierActions() async throws {
        let (adding, finding, closing, second) = (UndoToken(), UndoToken(), UndoToken(), UndoToken())
        let copy = try await store.actions(as: adding).add(BookDetails(title: "Emma")).id
        _ = try await store.update(copy) { $0.setMissing(true) }
        _ = try await store.actions(as: finding).update(copy) { $0.setMissing(false) }
        let id = try await start()
        _ = try await store.actions(as: closing).closeStocktake(id)
        await #expect(throws: LibraryError.self) { try await store.undo(adding) }
        await #expect(throws: LibraryError.self) { try await store.undo(finding) }
        // A second stocktake finds that it is missing, and changes nothing.
        let other = try await start()
        #expect(try await store.actions(as: second).closeStocktake(other) == 0)
        _ = try await store.undo(closing)
        _ = try await store.undo(finding)
        #expect(try await store.entry(copy).entry.details.missingSince != nil)
    }

    @Test(
        "Names in a recorded set are those of the library's tables and columns",
        arguments: [
            "tableName = 'sqlite_master'", "tableName = 'activity'", "columnNames = '[\"missingSince = 1 --\"]'",
        ])
    func unknownNames(change: String) async throws {
        try await fill(2, on: 1)
        let token = UndoToken()
        let id = try await start()
        _ = try await store.actions(as: token).closeStocktake(id)
        try LibraryHistory.force("UPDATE undoSet SET \(change) WHERE operation = 'update'", in: library.folder)
        let before = try await portrait()
        let error = await #expect(throws: LibraryError.self) { try await store.undo(token) }
        #expect(error?.description.hasPrefix("This cannot be undone: what was recorded of it names") == true)
        #expect(try await portrait() == before)
    }

    @Test("Sets are deleted with the actions that are too old to be undone")
    func trimming() async throws {
        try await fill(2, on: 1)
        _ = try await store.closeStocktake(try await start())
        #expect(try await rows("undoSet") == 2)
        clock.advance(by: 25 * 3600)
        for number in 0..<102 { _ = try await store.add(BookDetails(title: "Later \(number)")) }
        #expect(try await rows("undoSet") == 0)
    }
}
