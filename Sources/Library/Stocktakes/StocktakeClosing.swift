import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Closes a stocktake as one action: copies that were not seen and are not lent are missing from now on.
    ///
    /// The report stays as it is then.
    ///
    /// - Returns: the number of missing copies.
    /// - Throws: `LibraryError.notFound`, `.notPossible` for a closed one.
    package func closeStocktake(_ id: RowID<Stocktake>) async throws -> Int {
        try await write { db in
            try db.checkIsOpen(id)
            let action = try db.beginAction(.closeStocktake)
            try db.storeResults(of: id)
            let gone = "id IN (SELECT entry FROM stocktakeResult WHERE stocktake = ? AND state = 'unseen')"
            let now = try db.milliseconds
            var missing = 0
            try db.recordingAsOne(.update, of: "entry", ["missingSince"], where: gone, [id], in: action) {
                try db.execute(
                    "UPDATE entry SET missingSince = ?, revision = revision + 1 WHERE \(gone)", [now, id])
                missing = db.changesCount
            }
            try db.execute("UPDATE stocktake SET closedAt = ? WHERE id = ?", [now, id])
            try db.finish(action)
            return missing
        }
    }
}

extension Database {
    /// Stores what an open stocktake has found so far.
    fileprivate func storeResults(of stocktake: RowID<Stocktake>) throws {
        let places = try places(ofOpen: stocktake)
        try store(Stocktake.Counts(sumOf: places), of: stocktake)
        let seenOn = try RowID<Shelf>.fetchAll(
            self,
            sql: """
                SELECT DISTINCT \(StocktakeState.seenOn) FROM stocktakeItem i CROSS JOIN entry e ON e.id = i.entry
                \(StocktakeState.joins) WHERE i.stocktake = ? AND \(StocktakeState.seenOn) <> coalesce(e.shelf, 0)
                """, arguments: [stocktake])
        var shelves = StocktakeShelves(self)
        try store(places, seenOn: try seenOn.compactMap { try shelves.reference($0) }, of: stocktake)
        try execute(
            """
            INSERT INTO stocktakeResult (stocktake, position, shelf, entry, title, author, callNumber, barcode, price,
                currency, state, seenAt, seenBy, seenOn, lastPhotoAt, photo)
            SELECT i.stocktake, row_number() OVER (ORDER BY place.position, sortAuthor, sortTitle, e.id) - 1, place.shelf,
                e.id, title, replace(authorNames, char(31), ', '), callNumber, barcode, price, currency,
                \(StocktakeState.sql), seen.at, seen.method, \(StocktakeState.seenOn), photo.addedAt,
                iif(coalesce(photo.file, photo.picture) IS NULL, NULL, photo.id)
            FROM stocktakeItem i CROSS JOIN entry e ON e.id = i.entry JOIN work ON work.id = e.work
            CROSS JOIN stocktakePlace place ON place.stocktake = i.stocktake AND place.shelf = coalesce(e.shelf, 0)
            \(StocktakeState.joins)
            LEFT JOIN photo ON photo.id = (SELECT max(d.photo) FROM detection d WHERE d.entry = e.id)
            WHERE i.stocktake = ?
            """, [stocktake])
    }

    /// Stores the counts of a stocktake that is closed.
    func store(_ counts: Stocktake.Counts, of stocktake: RowID<Stocktake>) throws {
        let columns = Stocktake.Counts.columns.map { "\($0) = ?" }.joined(separator: ", ")
        try execute(
            "UPDATE stocktake SET \(columns) WHERE id = ?", StatementArguments(counts.values) + [stocktake])
    }

    /// Stores the shelves of a stocktake that is closed.
    ///
    /// - Parameter others: shelves on which copies were seen, which need not have copies of their own.
    func store(_ places: [Stocktake.Place], seenOn others: [ShelfReference], of stocktake: RowID<Stocktake>) throws {
        var known: Set<Int64> = []
        func add(_ shelf: ShelfReference?, _ counts: Stocktake.Counts, _ photographed: Bool) throws {
            let number = shelf.flatMap { Int64($0.id) } ?? 0
            guard known.insert(number).inserted else { return }
            try execute(
                "INSERT INTO stocktakePlace VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [stocktake, number, known.count, shelf?.name, shelf?.path]
                    + StatementArguments(counts.values) + [photographed])
        }
        for place in places { try add(place.shelf, place.counts, place.photographed) }
        for other in others { try add(other, Stocktake.Counts(), false) }
    }

    /// Returns the progress on each shelf as it was when the stocktake was closed.
    func places(ofClosed stocktake: RowID<Stocktake>) throws -> [Stocktake.Place] {
        let rows = try Row.fetchAll(
            self, sql: "SELECT * FROM stocktakePlace WHERE stocktake = ? AND expected > 0 ORDER BY position",
            arguments: [stocktake])
        return rows.map { row in
            Stocktake.Place(
                shelf: Self.reference(row["shelf"], row["name"], row["path"]), counts: Stocktake.Counts(row),
                photographed: row["photographed"])
        }
    }
}
