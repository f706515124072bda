import Foundation
import GRDB
import ShelflistAPI

extension Stocktake.Counts {
    init(_ copies: [StocktakeCopy]) {
        self.init()
        expected = copies.count
        for copy in copies {
            switch copy.state {
            case .seen: seen += 1
            case .misplaced: (seen, misplaced) = (seen + 1, misplaced + 1)
            case .lent: lent += 1
            case .missing: missing += 1
            case .unseen, nil: unseen += 1
            }
        }
    }
}

extension Database {
    /// Returns the copies of an open stocktake, by shelf and author.
    ///
    /// A copy counts for the shelf on which it is recorded now, so that one that is recorded on the shelf
    /// where it was seen is not misplaced any more. Of several sightings, the latest one counts.
    ///
    /// - Parameter only: limits the result to these.
    func copies(of stocktake: RowID<Stocktake>, only: [RowID<LibraryEntry>]? = nil) throws -> [StocktakeCopy] {
        let rows = try Row.fetchCursor(
            self,
            sql: """
                SELECT e.id, work.title, work.authorNames, e.shelf, e.callNumber, e.barcode, e.price, e.currency, e.ownership, e.missingSince,
                    seen.at, seen.method, coalesce(shown.shelf, seen.shelf) AS seenOn,
                    photo.id AS photo, photo.addedAt, coalesce(photo.file, photo.picture) IS NOT NULL AS isStored
                FROM stocktakeItem i JOIN entry e ON e.id = i.entry JOIN work ON work.id = e.work
                LEFT JOIN stocktakeSeen seen ON seen.id = (
                    SELECT max(id) FROM stocktakeSeen s WHERE s.stocktake = i.stocktake AND s.entry = i.entry)
                LEFT JOIN detection d ON d.id = seen.detection LEFT JOIN photo shown ON shown.id = d.photo
                LEFT JOIN photo ON photo.id = (SELECT max(d2.photo) FROM detection d2 WHERE d2.entry = e.id)
                WHERE i.stocktake = ? AND (? IS NULL OR e.id IN (SELECT value FROM json_each(?)))
                ORDER BY sortAuthor, sortTitle, e.id
                """, arguments: [stocktake, only?.jsonArray(), only?.jsonArray()])
        let shelves = try shelvesInOrder()
        let order = Dictionary(shelves.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let places = PlacesAround(shelves)
        var copies: [(place: Int, copy: StocktakeCopy)] = []
        while let row = try rows.next() {
            let (home, seenOn): (RowID<Shelf>?, RowID<Shelf>?) = (row["shelf"], row["seenOn"])
            let ownership: Ownership = try row.decode(forColumn: "ownership")
            let state: StocktakeCopy.State =
                if row["at"] as Int64? != nil {
                    places.isBeside(home, seenOn) ? .seen : .misplaced
                } else if ownership == .lent { .lent } else {
                    row["missingSince"] as Int64? == nil ? .unseen : .missing
                }
            var copy = StocktakeCopy(
                entryId: "\(row["id"] as Int64)", title: row["title"],
                author: AuthorNames.list(row["authorNames"]).joined(separator: ", "), state: state)
            copy.shelf = places.reference(home)
            (copy.callNumber, copy.barcode) = (row["callNumber"], row["barcode"])
            copy.price = (row["price"] as Int?).flatMap { amount in
                (row["currency"] as String?).map { Money(amount: amount, currency: $0) }
            }
            copy.seenAt = (row["at"] as Int64?).map { Date(milliseconds: $0) }
            copy.seenBy = (row["method"] as String?).flatMap { StocktakeCopy.Method(rawValue: $0) }
            copy.seenOn = places.reference(seenOn)
            copy.lastPhotoAt = (row["addedAt"] as Int64?).map { Date(milliseconds: $0) }
            let isStored: Bool = row["isStored"]
            copy.photoUrl = isStored ? (row["photo"] as RowID<Photo>?).map(PictureURL.photo) : nil
            copies.append((home.flatMap { order[$0] } ?? shelves.count, copy))
        }
        // The order of one shelf is that of the query: Swift's sort is stable.
        return copies.sorted { $0.place < $1.place }.map(\.copy)
    }

    /// Returns the progress on each shelf, in the order of the copies.
    func places(of copies: [StocktakeCopy], in stocktake: RowID<Stocktake>) throws -> [Stocktake.Place] {
        var order: [ShelfReference?] = []
        for copy in copies where order.last != .some(copy.shelf) { order.append(copy.shelf) }
        let byShelf = Dictionary(grouping: copies, by: \.shelf)
        let photographed = try RowID<Shelf>.fetchSet(
            self,
            sql: """
                SELECT DISTINCT photo.shelf FROM scanPhoto JOIN photo ON photo.id = photo
                WHERE photo.shelf IS NOT NULL AND at >= (SELECT startedAt FROM stocktake WHERE id = ?)
                """, arguments: [stocktake])
        let places = PlacesAround(try shelvesInOrder())
        return order.map { shelf in
            let here = byShelf[shelf] ?? []
            let around = shelf.flatMap { RowID<Shelf>($0.id) }.map(places.around) ?? []
            // Labels file the rows of a photo without a shelf.
            let isShown = here.contains { $0.state == .seen && $0.seenBy == .photo }
            return Stocktake.Place(
                shelf: shelf, counts: Stocktake.Counts(here),
                photographed: isShown || !photographed.isDisjoint(with: around))
        }
    }
}

/// The shelves with those around them.
private struct PlacesAround {
    private let shelves: [RowID<Shelf>: Shelf]

    init(_ shelves: [Shelf]) {
        self.shelves = Dictionary(shelves.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns a shelf and those around it.
    func around(_ shelf: RowID<Shelf>) -> [RowID<Shelf>] {
        var around = [shelf]
        while around.count <= PlacePath.depthLimit, let next = around.last.flatMap({ shelves[$0]?.parent }) {
            around.append(next)
        }
        return around
    }

    /// Whether one is the other or inside it: the photo of a bookcase shows the copies of its boards.
    ///
    /// Without a shelf, nothing is known.
    func isBeside(_ home: RowID<Shelf>?, _ seenOn: RowID<Shelf>?) -> Bool {
        guard let home, let seenOn else { return true }
        return around(home).contains(seenOn) || around(seenOn).contains(home)
    }

    func reference(_ shelf: RowID<Shelf>?) -> ShelfReference? {
        shelf.flatMap { shelves[$0] }.map(ShelfReference.init)
    }
}
