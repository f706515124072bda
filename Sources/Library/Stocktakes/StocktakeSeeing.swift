import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Records that copies were seen by hand or by their barcode, as one action.
    ///
    /// Copies that were missing are not any more.
    ///
    /// - Parameters:
    ///   - shelf: where they were seen; nil for their own shelves.
    ///   - spine: a detection that shows the only copy, and becomes its detection; a book that a photo added for it goes.
    /// - Returns: the number of copies that were not seen before, and all of them as they are now.
    /// - Throws: `LibraryError.notFound`, `.notPossible` for a closed stocktake, `.invalid` for copies that are not part of it;
    ///   nothing is changed then.
    package func see(
        _ copies: [RowID<LibraryEntry>], in stocktake: RowID<Stocktake>, on shelf: RowID<Shelf>? = nil,
        by method: StocktakeCopy.Method = .hand, spine: RowID<Detection>? = nil
    ) async throws -> (changed: Int, copies: [StocktakeCopy]) {
        let copies = copies.unique
        let changed = try await write { db in
            try db.check(copies, areIn: stocktake)
            try db.checkShelf(shelf)
            let action = try db.beginAction(.seeCopies)
            let unseen = try copies.count - db.numberSeen(of: copies, in: stocktake)
            if let spine {
                guard copies.count == 1 else {
                    throw LibraryError.invalid(field: "detection", reason: "a spine shows one copy. Name one.")
                }
                try db.assign(spine, to: copies[0])
            }
            // A spine says where its copy is.
            let isShown = try spine != nil && db.numberSeen(of: copies, in: stocktake) == copies.count
            if !isShown { try db.noteSeen(copies, on: shelf, by: method, in: stocktake) }
            try db.finish(action)
            return unseen
        }
        return (changed, try await read { try $0.copies(copies, ofOpen: stocktake) })
    }

    /// Takes back that copies were seen, as one action.
    ///
    /// - Returns: the number of copies that were seen before, and all of them as they are now.
    /// - Throws: as `see`.
    package func unsee(
        _ copies: [RowID<LibraryEntry>], in stocktake: RowID<Stocktake>
    ) async throws -> (changed: Int, copies: [StocktakeCopy]) {
        let copies = copies.unique
        let changed = try await write { db in
            try db.check(copies, areIn: stocktake)
            let action = try db.beginAction(.seeCopies)
            let seen = try db.numberSeen(of: copies, in: stocktake)
            try db.execute(
                "DELETE FROM stocktakeSeen WHERE stocktake = ? AND entry IN (SELECT value FROM json_each(?))",
                [stocktake, copies.jsonArray()])
            try db.finish(action)
            return seen
        }
        return (changed, try await read { try $0.copies(copies, ofOpen: stocktake) })
    }

    /// Returns the copy with a barcode, or else with the number that its label has.
    ///
    /// - Throws: `LibraryError.invalid` if there is none.
    package func copy(withBarcode text: String) async throws -> RowID<LibraryEntry> {
        try await read { try $0.copy(withBarcode: text) }
    }
}

extension Database {
    /// Records in open stocktakes that copies were seen now.
    ///
    /// - Parameters:
    ///   - shelf: nil for the copies' own.
    ///   - stocktake: nil for all open ones.
    func noteSeen(
        _ copies: [RowID<LibraryEntry>], on shelf: RowID<Shelf>?, by method: StocktakeCopy.Method,
        in stocktake: RowID<Stocktake>? = nil
    ) throws {
        try execute(
            """
            INSERT INTO stocktakeSeen (stocktake, entry, at, shelf, method)
            SELECT i.stocktake, i.entry, :now, coalesce(:shelf, entry.shelf), :method
            FROM stocktakeItem i JOIN stocktake s ON s.id = i.stocktake JOIN entry ON entry.id = i.entry
            WHERE s.closedAt IS NULL AND i.entry IN (SELECT value FROM json_each(:copies))
                AND (:stocktake IS NULL OR s.id = :stocktake)
            """,
            [
                "now": milliseconds, "shelf": shelf, "method": method.rawValue, "copies": copies.jsonArray(),
                "stocktake": stocktake,
            ])
        try execute(
            """
            UPDATE entry SET missingSince = NULL, revision = revision + 1
            WHERE missingSince IS NOT NULL AND id IN (SELECT value FROM json_each(?))
            """, [copies.jsonArray()])
    }

    func copy(withBarcode text: String) throws -> RowID<LibraryEntry> {
        let clean = try CleanText.line(text, field: "barcode") ?? ""
        let known =
            try copy(barcode: clean)
            ?? RowID.fetchOne(
                self, sql: "SELECT id FROM entry WHERE id = ?", arguments: [RowID<LibraryEntry>(clean)])
        guard let known else {
            throw LibraryError.invalid(
                field: "barcode", reason: "no copy has the barcode “\(CleanText.shown(clean))”. Check its label.")
        }
        return known
    }

    /// Checks that a stocktake is open, and that copies are part of it: only these are looked at.
    fileprivate func check(_ copies: [RowID<LibraryEntry>], areIn stocktake: RowID<Stocktake>) throws {
        try checkIsOpen(stocktake)
        let other = try RowID<LibraryEntry>.fetchOne(
            cachedStatement(sql: Self.copyOfNoItem), arguments: [copies.jsonArray(), stocktake])
        guard let other else { return }
        let title = try work(entry(other).work).title
        throw LibraryError.invalid(
            field: "copies", reason: "“\(title)” (\(other)) is not part of this stocktake. Put it on its shelf.")
    }

    static let copyOfNoItem = """
        SELECT value FROM json_each(?) c
        WHERE NOT EXISTS (SELECT 1 FROM stocktakeItem WHERE stocktake = ? AND entry = c.value) ORDER BY key LIMIT 1
        """

    /// Returns how many of some copies were seen.
    fileprivate func numberSeen(of copies: [RowID<LibraryEntry>], in stocktake: RowID<Stocktake>) throws -> Int {
        try Int.fetchOne(
            cachedStatement(sql: Self.countSeen), arguments: [copies.jsonArray(), stocktake]) ?? 0
    }

    static let countSeen = """
        SELECT count(*) FROM json_each(?) c
        WHERE EXISTS (SELECT 1 FROM stocktakeSeen WHERE stocktake = ? AND entry = c.value)
        """

    /// Makes a spine a detection of a copy, and deletes the book that the photo added for it, unless other spines show it.
    fileprivate func assign(_ spine: RowID<Detection>, to copy: RowID<LibraryEntry>) throws {
        let detection = try self.detection(spine)
        guard detection.entry != copy else { return }
        try execute("DELETE FROM duplicateQuestion WHERE detection = ?", [spine])
        try execute("UPDATE detection SET entry = ?, outcome = 'entry' WHERE id = ?", [copy, spine])
        guard let old = detection.entry, try detections("entry = ?", [old]).isEmpty else { return }
        let book = try entry(old)
        guard try work(book.work).reviewStatus == .needsReview else { return }
        try deleteEntry(old, ofWork: book.work, detections: .removed)
    }
}

extension Sequence where Element: Hashable {
    /// The elements without repetitions, in order.
    fileprivate var unique: [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
