import GRDB
import ShelflistAPI

/// The shelves of the rows of a photo, as labels below them say.
struct LabelledRows {
    /// By the book's ID in the scan; the other books are on the shelf that was chosen for the photo.
    private(set) var shelves: [String: RowID<Shelf>] = [:]
    /// The shelf of the photo: that of its labels, or the one around them; nil if it is not known.
    private(set) var photo: RowID<Shelf>?

    /// The largest distance from the bottom of a row to the middle of its label, as a fraction of the row's height.
    private static let reach = 0.35

    /// A label counts if no shelf was chosen, or if its shelf is inside the chosen one.
    ///
    /// A row with labels of two shelves has none.
    init(_ scan: ScanImport, in db: Database) throws {
        photo = scan.shelf
        let inside = try scan.shelf.map { try db.shelves(inside: $0) }
        let labels = try scan.labels.compactMap { label -> (shelf: RowID<Shelf>, box: UnitRect)? in
            guard let code = PlaceCode(label.code), let shelf = try db.shelf(with: code),
                inside?.contains(shelf) ?? true
            else { return nil }
            return (shelf, label.outline.boundingBox)
        }
        guard !labels.isEmpty else { return }
        let rows = PlaceInPhoto.rows(scan.books, \.boundingBox)
        var named = [Set<RowID<Shelf>>](repeating: [], count: rows.count)
        for label in labels {
            let middle = label.box.y + label.box.height / 2
            if let row = Self.row(of: middle, among: rows) { named[row].insert(label.shelf) }
        }
        for (row, books) in zip(named, rows) where row.count == 1 {
            for book in books { shelves[book.id] = row.first }
        }
        guard photo == nil, !shelves.isEmpty else { return }
        let common = try db.shelf(around: Set(shelves.values))
        // The books of a row without a label are not on a shelf that the label of another row names.
        photo = try shelves.count == scan.books.count ? common : common.flatMap { try db.shelf($0).parent }
    }

    /// Returns the row directly above a height of the photo, as a fraction; nil if there is none.
    private static func row(of height: Double, among rows: [[DetectedBook]]) -> Int? {
        rows.indices.compactMap { row -> (row: Int, distance: Double)? in
            let boxes = rows[row].map(\.boundingBox)
            let bottoms = boxes.map { $0.y + $0.height }.sorted()
            let (bottom, tallest) = (bottoms[bottoms.count / 2], boxes.map(\.height).max() ?? 0)
            let distance = abs(height - bottom)
            return distance <= reach * tallest ? (row, distance) : nil
        }.min { $0.distance < $1.distance }?.row
    }
}

extension Database {
    /// Returns the innermost shelf that all of these are, or are inside of; nil if there is none.
    fileprivate func shelf(around shelves: Set<RowID<Shelf>>) throws -> RowID<Shelf>? {
        var place = shelves.first
        while let candidate = place {
            if try self.shelves(inside: candidate).isSuperset(of: shelves) { return candidate }
            place = try shelf(candidate).parent
        }
        return nil
    }
}
