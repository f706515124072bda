import GRDB
import ShelflistAPI

/// Shelves inside of shelves. Queries of one shelf climb to the outermost one and collect what is inside; `ShelfOrder` reads all.
extension Database {
    /// Selects shelves with their paths and numbers of copies.
    static let shelfQuery = """
        SELECT shelf.*, (
            WITH RECURSIVE up(path, parent, level) AS (
                SELECT shelf.name, shelf.parent, 1
                UNION ALL SELECT s.name || '\(PlacePath.separator)' || path, s.parent, level + 1
                FROM up JOIN shelf s ON s.id = up.parent WHERE level < \(PlacePath.depthLimit))
            SELECT path FROM up ORDER BY level DESC LIMIT 1) AS path,
            (SELECT count(*) FROM entry WHERE entry.shelf = shelf.id) AS entries,
            (SELECT count(*) FROM entry WHERE entry.shelf IN \(inside("shelf.id"))) AS entriesInside
        FROM shelf
        """

    /// Returns a query, in parentheses, for the numbers of a shelf and of all shelves inside it.
    ///
    /// - Parameter shelf: an expression of SQL.
    static func inside(_ shelf: String) -> String {
        """
        (WITH RECURSIVE inside(id) AS (SELECT \(shelf) UNION SELECT s.id FROM inside JOIN shelf s ON s.parent = inside.id)
        SELECT id FROM inside)
        """
    }

    /// Returns a shelf and all shelves inside it.
    func shelves(inside shelf: RowID<Shelf>) throws -> Set<RowID<Shelf>> {
        try RowID.fetchSet(self, sql: "SELECT id FROM \(Self.inside("?"))", arguments: [shelf])
    }

    /// Returns the shelf with a code; `nil` if there is none.
    func shelf(with code: PlaceCode) throws -> RowID<Shelf>? {
        try RowID.fetchOne(self, sql: "SELECT id FROM shelf WHERE code = ?", arguments: [code.description])
    }

    func shelf(key: String, in parent: RowID<Shelf>?) throws -> RowID<Shelf>? {
        try RowID.fetchOne(
            cachedStatement(sql: "SELECT id FROM shelf WHERE coalesce(parent, 0) = coalesce(?, 0) AND nameKey = ?"),
            arguments: [parent, key])
    }

    /// Returns the number of levels from the outermost shelf to this one; 0 for none.
    func level(of shelf: RowID<Shelf>?) throws -> Int {
        guard let shelf else { return 0 }
        return try Self.way(from: shelf) { one in
            try RowID.fetchOne(
                cachedStatement(sql: "SELECT parent FROM shelf WHERE id = ? AND parent IS NOT NULL"), arguments: [one])
        }.count
    }

    /// Returns a shelf and those around it, outermost last; one more than the limit of levels, if there are more or the
    /// shelves are inside of each other.
    private static func way(
        from shelf: RowID<Shelf>, _ parent: (RowID<Shelf>) throws -> RowID<Shelf>?
    ) rethrows -> [RowID<Shelf>] {
        var way = [shelf]
        while way.count <= PlacePath.depthLimit, let next = try parent(way[way.count - 1]) { way.append(next) }
        return way
    }

    /// Checks that no shelf has too many around it, or is inside of itself.
    ///
    /// - Throws: `LibraryError.changedSince`, after an undo.
    func checkShelves() throws {
        for shelf in try RowID<Shelf>.fetchAll(self, sql: "SELECT id FROM shelf WHERE parent IS NOT NULL")
        where try level(of: shelf) > PlacePath.depthLimit { throw LibraryError.changedSince }
    }
}
