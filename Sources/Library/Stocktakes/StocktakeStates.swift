import GRDB
package import ShelflistAPI

/// The state of each copy of an open stocktake, as SQL.
///
/// A copy counts for the shelf on which it is recorded now, so that one that is recorded on the shelf where it was seen is
/// not misplaced any more. Of several sightings, the latest one counts.
enum StocktakeState {
    /// Joins the latest sighting `seen` of an item `i`, and the photo `shown` of its spine.
    static let joins = """
        LEFT JOIN stocktakeSeen seen ON seen.id = (
            SELECT max(id) FROM stocktakeSeen s WHERE s.stocktake = i.stocktake AND s.entry = i.entry)
        LEFT JOIN detection spine ON spine.id = seen.detection LEFT JOIN photo shown ON shown.id = spine.photo
        """
    /// The shelf on which the copy was seen.
    static let seenOn = "coalesce(shown.shelf, seen.shelf)"
    /// The state of the copy `e`.
    static let sql = """
        CASE WHEN seen.id IS NOT NULL THEN iif(\(isBeside("e.shelf", seenOn)), 'seen', 'misplaced')
            WHEN e.ownership = 'lent' THEN 'lent' WHEN e.missingSince IS NOT NULL THEN 'missing' ELSE 'unseen' END
        """

    /// Whether one shelf is the other or inside it: the photo of a bookcase shows the copies of its boards.
    ///
    /// Without a shelf, nothing is known.
    private static func isBeside(_ home: String, _ seenOn: String) -> String {
        """
        \(home) IS NULL OR \(seenOn) IS NULL OR \(home) = \(seenOn)
            OR \(home) IN \(around(seenOn)) OR \(seenOn) IN \(around(home))
        """
    }

    /// Returns a query, in parentheses, for the numbers of a shelf and of those around it.
    private static func around(_ shelf: String) -> String {
        """
        (WITH RECURSIVE up(id, level) AS (SELECT \(shelf), 1 UNION ALL SELECT s.parent, level + 1
            FROM up JOIN shelf s ON s.id = up.id WHERE s.parent IS NOT NULL AND level < \(PlacePath.depthLimit))
        SELECT id FROM up)
        """
    }
}

extension Stocktake.Counts {
    /// The columns that hold the counts of a closed stocktake.
    static let columns = ["expected", "seen", "misplaced", "unseen", "lent", "missing"]

    /// The counts in the order of `columns`.
    package var values: [Int] { [expected, seen, misplaced, unseen, lent, missing] }

    /// - Parameter row: has `columns`.
    init(_ row: Row) {
        self.init()
        (expected, seen, misplaced) = (row["expected"] ?? 0, row["seen"] ?? 0, row["misplaced"] ?? 0)
        (unseen, lent, missing) = (row["unseen"] ?? 0, row["lent"] ?? 0, row["missing"] ?? 0)
    }

    init(sumOf places: [Stocktake.Place]) {
        self.init()
        for counts in places.map(\.counts) {
            expected += counts.expected
            seen += counts.seen
            misplaced += counts.misplaced
            unseen += counts.unseen
            lent += counts.lent
            missing += counts.missing
        }
    }

    /// Returns the number of copies in some states.
    func number(of states: [StocktakeCopy.State]) -> Int {
        states.reduce(0) { number, state in
            switch state {
            // Misplaced copies were seen, too.
            case .seen: number + seen - misplaced
            case .misplaced: number + misplaced
            case .unseen: number + unseen
            case .lent: number + lent
            case .missing: number + missing
            }
        }
    }

    /// Counts copies of a state.
    mutating func add(_ number: Int, _ state: String) {
        expected += number
        switch StocktakeCopy.State(rawValue: state) {
        case .seen: seen += number
        case .misplaced:
            seen += number
            misplaced += number
        case .lent: lent += number
        case .missing: missing += number
        case .unseen, nil: unseen += number
        }
    }
}

extension Database {
    /// Returns the counts of an open stocktake.
    func counts(ofOpen stocktake: RowID<Stocktake>) throws -> Stocktake.Counts {
        let rows = try Row.fetchAll(cachedStatement(sql: Self.openCounts), arguments: [stocktake])
        return rows.reduce(into: Stocktake.Counts()) { counts, row in counts.add(row[1], row[0]) }
    }

    static let openCounts = """
        SELECT \(StocktakeState.sql) AS state, count(*) FROM stocktakeItem i CROSS JOIN entry e ON e.id = i.entry
        \(StocktakeState.joins) WHERE i.stocktake = ? GROUP BY state
        """

    /// Returns the progress on each shelf of an open stocktake, in the order of the shelves, copies on none last.
    func places(ofOpen stocktake: RowID<Stocktake>) throws -> [Stocktake.Place] {
        let rows = try Row.fetchCursor(
            self,
            sql: """
                SELECT e.shelf, \(StocktakeState.sql) AS state, coalesce(seen.method = 'photo', 0) AS isShown, count(*)
                FROM stocktakeItem i CROSS JOIN entry e ON e.id = i.entry \(StocktakeState.joins)
                WHERE i.stocktake = ? GROUP BY e.shelf, state, isShown
                """, arguments: [stocktake])
        var found: [RowID<Shelf>?: (counts: Stocktake.Counts, isShown: Bool)] = [:]
        while let row = try rows.next() {
            let state: String = row[1]
            found[row[0], default: (Stocktake.Counts(), false)].counts.add(row[3], state)
            // Labels file the rows of a photo without a shelf.
            if state == "seen", row[2] { found[row[0]]?.isShown = true }
        }
        let photographed = try RowID<Shelf>.fetchSet(
            self,
            sql: """
                SELECT DISTINCT photo.shelf FROM scanPhoto JOIN photo ON photo.id = photo
                WHERE photo.shelf IS NOT NULL AND at >= (SELECT startedAt FROM stocktake WHERE id = ?)
                """, arguments: [stocktake])
        var shelves = StocktakeShelves(self)
        let order = try ShelfOrder(self).ids.map(Optional.some) + [nil]
        return try order.compactMap { shelf in
            guard let place = found[shelf] else { return nil }
            let around = try shelf.map { try shelves.around($0) } ?? []
            return Stocktake.Place(
                shelf: try shelf.flatMap { try shelves.reference($0) }, counts: place.counts,
                photographed: place.isShown || around.contains(where: photographed.contains))
        }
    }
}

/// The shelves of copies, of which each is read when it is asked for.
struct StocktakeShelves {
    private let db: Database
    private var known: [RowID<Shelf>: (name: String, parent: RowID<Shelf>?)] = [:]
    private var references: [RowID<Shelf>: ShelfReference] = [:]

    init(_ db: Database) { self.db = db }

    /// Returns a shelf and those around it, outermost last.
    mutating func around(_ shelf: RowID<Shelf>) throws -> [RowID<Shelf>] {
        var around: [RowID<Shelf>] = []
        var next: RowID<Shelf>? = shelf
        while let one = next, around.count < PlacePath.depthLimit, let place = try place(one) {
            around.append(one)
            next = place.parent
        }
        return around
    }

    /// Returns the shelf with its path; nil if there is none.
    mutating func reference(_ shelf: RowID<Shelf>) throws -> ShelfReference? {
        if let reference = references[shelf] { return reference }
        let names = try around(shelf).compactMap { known[$0]?.name }
        guard let name = names.first else { return nil }
        let reference = ShelfReference(
            id: "\(shelf)", name: name, path: names.reversed().joined(separator: PlacePath.separator))
        references[shelf] = reference
        return reference
    }

    private mutating func place(_ shelf: RowID<Shelf>) throws -> (name: String, parent: RowID<Shelf>?)? {
        if let place = known[shelf] { return place }
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT name, parent FROM shelf WHERE id = ?"), arguments: [shelf])
        guard let row else { return nil }
        let place = (name: row[0] as String, parent: row[1] as RowID<Shelf>?)
        known[shelf] = place
        return place
    }
}
