import Foundation
import GRDB
package import ShelflistAPI

/// Which copies a stocktake is to see.
package enum StocktakeScope: Hashable, Sendable {
    case everything
    /// Copies on these shelves and those inside them, with one of these tags, or listed.
    case some(shelves: [RowID<Shelf>], tags: [String], copies: [RowID<LibraryEntry>])
}

extension LibraryStore {
    /// Returns a page of the stocktakes, open ones first, then the latest, and their total number.
    package func stocktakes(limit: Int, offset: Int) async throws -> (stocktakes: [Stocktake], total: Int) {
        try await read { db in
            let ids = try RowID<Stocktake>.fetchAll(
                db,
                sql: "SELECT id FROM stocktake ORDER BY closedAt IS NOT NULL, startedAt DESC, id DESC LIMIT ? OFFSET ?",
                arguments: [limit, offset])
            return (
                try ids.map { try db.stocktake($0).withoutPlaces },
                try Int.fetchOne(db, sql: "SELECT count(*) FROM stocktake") ?? 0
            )
        }
    }

    /// Returns a stocktake with its progress on each shelf.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func stocktake(_ id: RowID<Stocktake>) async throws -> Stocktake {
        try await read { try $0.stocktake(id) }
    }

    /// Starts a stocktake of all copies in its scope that are not wished for, as one action.
    ///
    /// - Parameters:
    ///   - name: nil for the day.
    ///   - person: who starts it.
    /// - Throws: `LibraryError.notFound` for a shelf or copy; `.invalid` if there is no copy to see, or too long a name.
    package func startStocktake(
        named name: String?, of scope: StocktakeScope, by person: String?
    ) async throws -> Stocktake {
        try await write { db in
            let name = try CleanText.line(name, field: "name") ?? PartialDate(try db.transactionDate).rawValue
            let action = try db.beginAction(.startStocktake)
            let id: RowID<Stocktake> = try db.insert(
                "INSERT INTO stocktake (name, startedAt, startedBy) VALUES (?, ?, ?)",
                [name, try db.milliseconds, person])
            let (condition, arguments) = try db.condition(for: scope)
            try db.execute(
                """
                INSERT INTO stocktakeItem (stocktake, entry)
                SELECT ?, id FROM entry WHERE ownership <> 'wishlist' AND (\(condition))
                """, [id] + arguments)
            guard db.changesCount > 0 else {
                throw LibraryError.invalid(
                    field: "shelves", reason: "there is no copy to be seen. Choose shelves or tags with books.")
            }
            try db.finish(action)
            return try db.stocktake(id)
        }
    }

    /// Closes a stocktake as one action: copies that were not seen and are not lent are missing from now on.
    ///
    /// The report stays as it is then.
    ///
    /// - Returns: the number of missing copies.
    /// - Throws: `LibraryError.notFound`, `.notPossible` for a closed one.
    package func closeStocktake(_ id: RowID<Stocktake>) async throws -> Int {
        try await write { db in
            let open = try db.openStocktake(id)
            let action = try db.beginAction(.closeStocktake)
            let copies = try db.copies(of: id)
            let gone = copies.filter { $0.state == .unseen }.compactMap { RowID<LibraryEntry>($0.entryId) }
            let report = StocktakeReport(counts: open.counts, places: open.places ?? [], copies: copies)
            let now = try db.milliseconds
            try db.execute(
                "UPDATE stocktake SET closedAt = ?, report = ? WHERE id = ?", [now, try StoredJSON.text(report), id])
            try db.execute(
                """
                UPDATE entry SET missingSince = ?, revision = revision + 1
                WHERE id IN (SELECT value FROM json_each(?)) AND missingSince IS NULL
                """, [now, gone.jsonArray()])
            try db.finish(action)
            return gone.count
        }
    }

    /// Removes a stocktake with what was seen in it, as one action; copies that it found missing stay so.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func removeStocktake(_ id: RowID<Stocktake>) async throws {
        try await write { db in
            try db.checkStocktake(id)
            let action = try db.beginAction(.removeStocktake)
            try db.execute("DELETE FROM stocktake WHERE id = ?", [id])
            try db.finish(action)
        }
    }

    /// Returns the copies of a stocktake by shelf and author; those of a closed one as they were.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func copies(of stocktake: RowID<Stocktake>) async throws -> [StocktakeCopy] {
        try await read { db in
            try db.checkStocktake(stocktake)
            return try db.report(of: stocktake)?.copies ?? db.copies(of: stocktake)
        }
    }
}

/// A stocktake as it was when it was closed.
struct StocktakeReport: Codable {
    var counts: Stocktake.Counts
    var places: [Stocktake.Place]
    var copies: [StocktakeCopy]
}

extension Stocktake {
    fileprivate var withoutPlaces: Stocktake {
        var short = self
        short.places = nil
        return short
    }
}

extension Database {
    func checkStocktake(_ id: RowID<Stocktake>) throws {
        let exists = try Bool.fetchOne(
            self, sql: "SELECT EXISTS (SELECT 1 FROM stocktake WHERE id = ?)", arguments: [id])
        guard exists == true else { throw LibraryError.notFound("stocktake \(id)") }
    }

    func stocktake(_ id: RowID<Stocktake>) throws -> Stocktake {
        let sql = "SELECT name, startedAt, startedBy, closedAt FROM stocktake WHERE id = ?"
        guard let row = try Row.fetchOne(self, sql: sql, arguments: [id]) else {
            throw LibraryError.notFound("stocktake \(id)")
        }
        let stored = try report(of: id)
        let copies = try stored?.copies ?? self.copies(of: id)
        var stocktake = Stocktake(
            id: "\(id)", name: row["name"], startedAt: Date(milliseconds: row["startedAt"]),
            startedBy: row["startedBy"], closedAt: (row["closedAt"] as Int64?).map { Date(milliseconds: $0) },
            counts: stored?.counts ?? Stocktake.Counts(copies))
        stocktake.places = try stored?.places ?? places(of: copies, in: id)
        return stocktake
    }

    /// - Throws: `LibraryError.notFound`, `.notPossible` for a closed one.
    func openStocktake(_ id: RowID<Stocktake>) throws -> Stocktake {
        let known = try stocktake(id)
        guard known.closedAt == nil else {
            throw LibraryError.notPossible("The stocktake “\(known.name)” is closed. Start a new one.")
        }
        return known
    }

    fileprivate func report(of id: RowID<Stocktake>) throws -> StocktakeReport? {
        try String.fetchOne(
            self, sql: "SELECT report FROM stocktake WHERE id = ? AND report IS NOT NULL", arguments: [id]
        ).map { try StoredJSON.value($0) }
    }

    fileprivate func condition(for scope: StocktakeScope) throws -> (String, StatementArguments) {
        guard case .some(let shelves, let tags, let copies) = scope else { return ("1", []) }
        var inside: Set<RowID<Shelf>> = []
        for shelf in shelves {
            _ = try self.shelf(shelf)
            inside.formUnion(try self.shelves(inside: shelf))
        }
        for copy in copies { _ = try entry(copy) }
        return (
            """
            shelf IN (SELECT value FROM json_each(?)) OR id IN (SELECT value FROM json_each(?))
                OR id IN (SELECT entry FROM tag WHERE name IN (SELECT value FROM json_each(?)))
            """, [inside.jsonArray(), copies.jsonArray(), try StoredJSON.text(tags)]
        )
    }
}
