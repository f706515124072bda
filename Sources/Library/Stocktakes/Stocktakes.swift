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
    /// Returns a page of the stocktakes without their places, open ones first, then the latest, and their total number.
    package func stocktakes(limit: Int, offset: Int) async throws -> (stocktakes: [Stocktake], total: Int) {
        try await read { db in
            let rows = try Row.fetchAll(
                db, sql: "\(Self.listQuery) ORDER BY closedAt IS NOT NULL, startedAt DESC, id DESC LIMIT ? OFFSET ?",
                arguments: [limit, offset])
            let stocktakes = try rows.map { row in
                var stocktake = Stocktake(row)
                if !row.isClosed { stocktake.counts = try db.counts(ofOpen: row["id"]) }
                return stocktake
            }
            return (stocktakes, try Int.fetchOne(db, sql: "SELECT count(*) FROM stocktake") ?? 0)
        }
    }

    fileprivate static let listQuery = """
        SELECT id, name, startedAt, startedBy, closedAt, \(Stocktake.Counts.columns.joined(separator: ", "))
        FROM stocktake
        """

    /// Returns a stocktake with its progress on each shelf.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func stocktake(_ id: RowID<Stocktake>) async throws -> Stocktake {
        try await read { try $0.stocktake(id) }
    }

    /// Returns a stocktake without counting its copies: an open one has none.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func stocktakeWithoutCounts(_ id: RowID<Stocktake>) async throws -> Stocktake {
        try await read { Stocktake(try $0.row(of: id)) }
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
        let id: RowID<Stocktake> = try await write { db in
            let name = try CleanText.line(name, field: "name") ?? PartialDate(try db.transactionDate).rawValue
            let action = try db.beginAction(.startStocktake)
            let id: RowID<Stocktake> = try db.insert(
                "INSERT INTO stocktake (name, startedAt, startedBy) VALUES (?, ?, ?)",
                [name, try db.milliseconds, person])
            let (condition, arguments) = try db.condition(for: scope)
            try db.recordingAsOne(.insert, of: "stocktakeItem", where: "stocktake = ?", [id], in: action) {
                try db.execute(
                    """
                    INSERT INTO stocktakeItem (stocktake, entry)
                    SELECT ?, id FROM entry WHERE ownership <> 'wishlist' AND (\(condition))
                    """, [id] + arguments)
                guard db.changesCount > 0 else {
                    throw LibraryError.invalid(
                        field: "shelves", reason: "there is no copy to be seen. Choose shelves or tags with books.")
                }
            }
            try db.finish(action)
            return id
        }
        return try await stocktake(id)
    }

    /// Removes a stocktake with what was seen in it, as one action; copies that it found missing stay so.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func removeStocktake(_ id: RowID<Stocktake>) async throws {
        try await write { db in
            _ = try db.row(of: id)
            let action = try db.beginAction(.removeStocktake)
            for table in ["stocktakeSeen", "stocktakeItem", "stocktakeResult", "stocktakePlace"] {
                try db.recordingAsOne(.delete, of: table, where: "stocktake = ?", [id], in: action) {
                    try db.execute("DELETE FROM \(table) WHERE stocktake = ?", [id])
                }
            }
            try db.execute("DELETE FROM stocktake WHERE id = ?", [id])
            try db.finish(action)
        }
    }
}

extension Stocktake {
    /// - Parameter row: the columns of a stocktake; an open one has no counts.
    fileprivate init(_ row: Row) {
        self.init(
            id: "\(row["id"] as Int64)", name: row["name"], startedAt: Date(milliseconds: row["startedAt"]),
            startedBy: row["startedBy"], closedAt: (row["closedAt"] as Int64?).map { Date(milliseconds: $0) },
            counts: Counts(row))
    }
}

extension Row {
    /// Whether the row of a stocktake is that of a closed one.
    var isClosed: Bool { self["closedAt"] as Int64? != nil }
}

extension Database {
    /// Returns the row of a stocktake.
    ///
    /// - Throws: `LibraryError.notFound`.
    func row(of stocktake: RowID<Stocktake>) throws -> Row {
        let statement = try cachedStatement(sql: "\(LibraryStore.listQuery) WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [stocktake]) else {
            throw LibraryError.notFound("stocktake \(stocktake)")
        }
        return row
    }

    /// Returns a stocktake with its progress on each shelf.
    ///
    /// - Throws: `LibraryError.notFound`.
    func stocktake(_ id: RowID<Stocktake>) throws -> Stocktake {
        let row = try row(of: id)
        var stocktake = Stocktake(row)
        guard !row.isClosed else {
            stocktake.places = try places(ofClosed: id)
            return stocktake
        }
        let places = try places(ofOpen: id)
        stocktake.counts = Stocktake.Counts(sumOf: places)
        stocktake.places = places
        return stocktake
    }

    /// - Throws: `LibraryError.notFound`, `.notPossible` for a closed one.
    func checkIsOpen(_ stocktake: RowID<Stocktake>) throws {
        let row = try row(of: stocktake)
        guard !row.isClosed else {
            throw LibraryError.notPossible(
                "The stocktake “\(row["name"] as String)” is closed. Start a new one.")
        }
    }

    fileprivate func condition(for scope: StocktakeScope) throws -> (String, StatementArguments) {
        guard case .some(let shelves, let tags, let copies) = scope else { return ("1", []) }
        let isMissing = { (table: String) in
            "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM \(table))"
        }
        let noShelf = try RowID<Shelf>.fetchOne(self, sql: isMissing("shelf"), arguments: [shelves.jsonArray()])
        if let noShelf { throw LibraryError.notFound("shelf \(noShelf)") }
        let noCopy = try RowID<LibraryEntry>.fetchOne(self, sql: isMissing("entry"), arguments: [copies.jsonArray()])
        if let noCopy { throw LibraryError.notFound("entry \(noCopy)") }
        return (
            """
            shelf IN (WITH RECURSIVE inside(id) AS (SELECT value FROM json_each(?)
                UNION SELECT s.id FROM inside JOIN shelf s ON s.parent = inside.id) SELECT id FROM inside)
                OR id IN (SELECT value FROM json_each(?))
                OR id IN (SELECT entry FROM tag WHERE name IN (SELECT value FROM json_each(?)))
            """, [shelves.jsonArray(), copies.jsonArray(), try StoredJSON.text(tags)]
        )
    }
}
