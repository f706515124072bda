import Foundation
import GRDB
package import ShelflistAPI

/// Which copies of a stocktake to list.
package struct StocktakeFilter: Hashable, Sendable {
    /// Nil for all.
    package var states: [StocktakeCopy.State]?
    /// Limits the list to copies of this shelf and those inside it.
    package var shelf: RowID<Shelf>?

    package init(states: [StocktakeCopy.State]? = nil, shelf: RowID<Shelf>? = nil) {
        (self.states, self.shelf) = (states, shelf)
    }
}

/// Where a page of copies begins.
///
/// Copies that are seen between two pages of an open stocktake move only the pages of their own shelf.
package enum StocktakeCursor: Hashable, Sendable, LosslessStringConvertible {
    /// After some of the listed copies of a shelf, nil for those on none, of an open stocktake.
    case shelf(RowID<Shelf>?, Int)
    /// At a position of the results of a closed one.
    case result(Int)

    package init?(_ description: String) {
        let numbers = description.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
            .compactMap { Int($0) }
        guard numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        switch (description.first, numbers.count) {
        case ("s", 2): self = .shelf(numbers[0] == 0 ? nil : RowID(Int64(numbers[0])), numbers[1])
        case ("r", 1): self = .result(numbers[0])
        default: return nil
        }
        guard self.description == description else { return nil }
    }

    package var description: String {
        switch self {
        case .shelf(let shelf, let number): "s\(shelf?.rawValue ?? 0)-\(number)"
        case .result(let position): "r\(position)"
        }
    }
}

extension LibraryStore {
    /// Returns a page of the copies of a stocktake by shelf and author; those of a closed one as they were.
    ///
    /// - Throws: `LibraryError.notFound`; `.notPossible` for a cursor of a stocktake that was closed or opened since, or of a
    ///   shelf that was removed.
    package func copies(
        of stocktake: RowID<Stocktake>, _ filter: StocktakeFilter = StocktakeFilter(),
        from cursor: StocktakeCursor? = nil, limit: Int
    ) async throws -> StocktakeCopies {
        try await read { db in
            try db.checkShelf(filter.shelf)
            return try db.row(of: stocktake).isClosed
                ? try db.results(of: stocktake, filter, from: cursor, limit: limit)
                : try db.copies(ofOpen: stocktake, filter, from: cursor, limit: limit)
        }
    }
}

extension LibraryStore {
    /// Returns a stocktake with its progress on each shelf, and the first page of its copies in some states.
    ///
    /// The states of an open one are found out once for both.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func stocktake(
        _ id: RowID<Stocktake>, states: [StocktakeCopy.State], limit: Int
    ) async throws -> (stocktake: Stocktake, page: StocktakeCopies) {
        let filter = StocktakeFilter(states: states)
        return try await read { db in
            let stocktake = try db.stocktake(id)
            guard stocktake.closedAt == nil else {
                return (stocktake, try db.results(of: id, filter, from: nil, limit: limit))
            }
            let numbers = (stocktake.places ?? []).map { place in
                (place.shelf.flatMap { RowID<Shelf>($0.id) }, place.counts.number(of: states))
            }
            let page = try db.copies(
                ofOpen: id, filter, from: nil, limit: limit,
                numbers: Dictionary(uniqueKeysWithValues: numbers.filter { $0.1 > 0 }))
            return (stocktake, page)
        }
    }
}

/// A page of the copies of a stocktake.
package struct StocktakeCopies: Sendable {
    package var copies: [StocktakeCopy]
    /// Where the next page begins; nil after the last one.
    package var next: StocktakeCursor?
    /// The number of copies on all pages.
    package var total: Int
}

extension StocktakeFilter {
    /// - Parameters:
    ///   - shelf: the column with the shelf of a copy.
    ///   - state: an expression for its state.
    fileprivate func condition(shelf column: String, state: String) -> (String, StatementArguments) {
        var (parts, arguments): ([String], StatementArguments) = (["1"], [])
        if let shelf {
            parts.append("\(column) IN \(Database.inside("?"))")
            arguments += [shelf]
        }
        if let states {
            parts.append("\(state) IN (\(states.map { "'\($0.rawValue)'" }.joined(separator: ", ")))")
        }
        return (parts.joined(separator: " AND "), arguments)
    }
}

extension Database {
    // MARK: Open stocktakes

    /// - Parameter known: how many copies of each shelf the filter selects; nil to find out.
    fileprivate func copies(
        ofOpen stocktake: RowID<Stocktake>, _ filter: StocktakeFilter, from cursor: StocktakeCursor?, limit: Int,
        numbers known: [RowID<Shelf>?: Int]? = nil
    ) throws -> StocktakeCopies {
        let order = try ShelfOrder(self).ids.map(Optional.some) + [nil]
        var (start, skipped) = (0, 0)
        if let cursor {
            guard case .shelf(let shelf, let number) = cursor, let index = order.firstIndex(of: shelf) else {
                throw LibraryError.pagesChanged
            }
            (start, skipped) = (index, number)
        }
        // Of a part of the copies, only shelves that have some of them are looked at.
        let numbers = filter == StocktakeFilter() ? nil : try known ?? numbers(ofOpen: stocktake, filter)
        let total =
            try numbers?.values.reduce(0, +) ?? Int.fetchOne(
                self, sql: "SELECT count(*) FROM stocktakeItem WHERE stocktake = ?", arguments: [stocktake]) ?? 0
        let (condition, _) = StocktakeFilter(states: filter.states).condition(
            shelf: "e.shelf", state: StocktakeState.sql)
        let statement = try cachedStatement(
            sql: """
                SELECT e.id FROM entry e CROSS JOIN stocktakeItem i ON i.stocktake = ? AND i.entry = e.id
                JOIN work ON work.id = e.work \(filter.states == nil ? "" : StocktakeState.joins)
                WHERE e.shelf IS ? AND \(condition) ORDER BY sortAuthor, sortTitle, e.id LIMIT ? OFFSET ?
                """)
        var ids: [RowID<LibraryEntry>] = []
        for shelf in order[start...] where numbers.map({ $0[shelf] != nil }) ?? true {
            // One more shows that there is another page.
            let wanted = limit - ids.count + 1
            let found = try RowID<LibraryEntry>.fetchAll(statement, arguments: [stocktake, shelf, wanted, skipped])
            if found.count == wanted {
                return StocktakeCopies(
                    copies: try copies(ids + found.dropLast(), ofOpen: stocktake),
                    next: .shelf(shelf, skipped + found.count - 1), total: total)
            }
            ids += found
            skipped = 0
        }
        return StocktakeCopies(copies: try copies(ids, ofOpen: stocktake), next: nil, total: total)
    }

    /// Returns how many copies of each shelf a filter selects.
    private func numbers(
        ofOpen stocktake: RowID<Stocktake>, _ filter: StocktakeFilter
    ) throws -> [RowID<Shelf>?: Int] {
        let (condition, arguments) = filter.condition(shelf: "e.shelf", state: StocktakeState.sql)
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: """
                    SELECT e.shelf, count(*) FROM stocktakeItem i CROSS JOIN entry e ON e.id = i.entry
                    \(filter.states == nil ? "" : StocktakeState.joins)
                    WHERE i.stocktake = ? AND \(condition) GROUP BY e.shelf
                    """), arguments: [stocktake] + arguments)
        return rows.reduce(into: [:]) { numbers, row in numbers[row[0] as RowID<Shelf>?] = row[1] as Int }
    }

    /// Returns copies of a stocktake as they are now, in the order of the numbers; those that are not part of it are left out.
    func copies(_ ids: [RowID<LibraryEntry>], ofOpen stocktake: RowID<Stocktake>) throws -> [StocktakeCopy] {
        let rows = try Row.fetchCursor(
            cachedStatement(sql: Self.namedCopies), arguments: [ids.jsonArray(), stocktake])
        var shelves = StocktakeShelves(self)
        var copies: [StocktakeCopy] = []
        while let row = try rows.next() {
            let (home, seenOn): (RowID<Shelf>?, RowID<Shelf>?) = (row["shelf"], row["seenOn"])
            copies.append(
                StocktakeCopy(
                    row, author: AuthorNames.list(row["authorNames"]).joined(separator: ", "),
                    shelf: try home.flatMap { try shelves.reference($0) },
                    seenOn: try seenOn.flatMap { try shelves.reference($0) }))
        }
        return copies
    }

    static let namedCopies = """
        SELECT e.id AS entry, title, authorNames, e.shelf, callNumber, barcode, price, currency,
            \(StocktakeState.sql) AS state, seen.at AS seenAt, seen.method AS seenBy, \(StocktakeState.seenOn) AS seenOn,
            photo.addedAt AS lastPhotoAt, iif(coalesce(photo.file, photo.picture) IS NULL, NULL, photo.id) AS photo
        FROM json_each(?) c CROSS JOIN stocktakeItem i ON i.entry = c.value CROSS JOIN entry e ON e.id = i.entry
        JOIN work ON work.id = e.work \(StocktakeState.joins)
        LEFT JOIN photo ON photo.id = (SELECT max(d.photo) FROM detection d WHERE d.entry = e.id)
        WHERE i.stocktake = ? ORDER BY c.key
        """

    // MARK: Closed stocktakes

    fileprivate func results(
        of stocktake: RowID<Stocktake>, _ filter: StocktakeFilter, from cursor: StocktakeCursor?, limit: Int
    ) throws -> StocktakeCopies {
        var first = 0
        if let cursor {
            guard case .result(let position) = cursor else { throw LibraryError.pagesChanged }
            first = position
        }
        let (condition, arguments) = filter.condition(shelf: "r.shelf", state: "r.state")
        let statement = try cachedStatement(
            sql: """
                SELECT r.*, home.name AS homeName, home.path AS homePath, place.name AS placeName, place.path AS placePath
                FROM stocktakeResult r LEFT JOIN stocktakePlace home ON home.stocktake = r.stocktake AND home.shelf = r.shelf
                LEFT JOIN stocktakePlace place ON place.stocktake = r.stocktake AND place.shelf = r.seenOn
                WHERE r.stocktake = ? AND r.position >= ? AND \(condition) ORDER BY r.position LIMIT ?
                """)
        let rows = try Row.fetchAll(statement, arguments: [stocktake, first] + arguments + [limit + 1])
        let copies = rows.prefix(limit).map { row in
            StocktakeCopy(
                row, author: row["author"],
                shelf: Self.reference(row["shelf"], row["homeName"], row["homePath"]),
                seenOn: Self.reference(row["seenOn"], row["placeName"], row["placePath"]))
        }
        let (counted, counts) = filter.condition(shelf: "shelf", state: "state")
        let total = try Int.fetchOne(
            cachedStatement(sql: "SELECT count(*) FROM stocktakeResult WHERE stocktake = ? AND \(counted)"),
            arguments: [stocktake] + counts)
        return StocktakeCopies(
            copies: copies, next: rows.count > limit ? .result(rows[limit]["position"]) : nil, total: total ?? 0)
    }

    static func reference(_ shelf: Int64?, _ name: String?, _ path: String?) -> ShelfReference? {
        shelf.flatMap { shelf in name.map { ShelfReference(id: "\(shelf)", name: $0, path: path) } }
    }
}

extension StocktakeCopy {
    /// - Parameter row: has the columns of `stocktakeResult`.
    fileprivate init(_ row: Row, author: String, shelf: ShelfReference?, seenOn: ShelfReference?) {
        self.init(
            entryId: "\(row["entry"] as Int64)", title: row["title"], author: author,
            state: State(rawValue: row["state"]) ?? .unseen)
        (self.shelf, self.seenOn) = (shelf, seenOn)
        (callNumber, barcode) = (row["callNumber"], row["barcode"])
        price = (row["price"] as Int?).flatMap { amount in
            (row["currency"] as String?).map { Money(amount: amount, currency: $0) }
        }
        seenAt = (row["seenAt"] as Int64?).map { Date(milliseconds: $0) }
        seenBy = (row["seenBy"] as String?).flatMap { Method(rawValue: $0) }
        lastPhotoAt = (row["lastPhotoAt"] as Int64?).map { Date(milliseconds: $0) }
        photoUrl = (row["photo"] as RowID<Photo>?).map(PictureURL.photo)
    }
}

extension LibraryError {
    /// A cursor leads into pages that do not exist any more.
    static let pagesChanged = LibraryError.notPossible(
        "The stocktake was closed or its shelves changed since the first page. Start with the first page.")
}
