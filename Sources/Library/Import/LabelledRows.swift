import GRDB
import Imaging
import ShelflistAPI

/// The shelves of the rows of a photo, as labels below them say, and what a person has to be asked about labels.
struct LabelledRows {
    /// By the book's ID in the scan; the other books are on the shelf that was chosen for the photo.
    private(set) var shelves: [String: RowID<Shelf>] = [:]
    /// The shelf of the photo: that of its labels, or the one around them; nil if it is not known.
    private(set) var photo: RowID<Shelf>?
    /// The questions about labels and signs that name no shelf, or another one than was chosen.
    private(set) var questions: [Question] = []

    struct Question {
        var kind: LabelQuestion.Kind
        /// The code, or what the sign says.
        var text: String
        /// The IDs, in the scan, of the books above it.
        var books: [String]
    }

    /// The largest distance from the bottom of a row to the middle of its label, as a fraction of the row's height.
    private static let reach = 0.35

    private struct Label {
        var code: PlaceCode
        var shelf: RowID<Shelf>?
        /// Whether it may file books: its shelf is inside the chosen one, or none was chosen.
        var counts: Bool
        var row: Int?
    }

    /// A label counts if no shelf was chosen, or if its shelf is inside the chosen one.
    ///
    /// A row with labels of two shelves has none.
    init(_ scan: ScanImport, in db: Database) throws {
        photo = scan.shelf
        guard !scan.labels.isEmpty || !scan.signs.isEmpty else { return }
        let rows = PlaceInPhoto.rows(scan.books) { $0.boundingBox.turned(scan.turn) }
        let places = rows.map { Row($0.map { $0.boundingBox.turned(scan.turn) }) }
        let inside = try scan.shelf.map { try db.shelves(inside: $0) }
        let labels = try scan.labels.compactMap { label -> Label? in
            guard let code = PlaceCode(label.code) else { return nil }
            let shelf = try db.shelf(with: code)
            return Label(
                code: code, shelf: shelf, counts: shelf.map { inside?.contains($0) ?? true } ?? false,
                row: Self.row(above: label.outline.boundingBox.turned(scan.turn), among: places))
        }
        for (index, books) in rows.enumerated() {
            let own = labels.filter { $0.row == index }
            let named = Set(own.filter(\.counts).compactMap(\.shelf))
            if let shelf = named.first, named.count == 1 {
                for book in books { shelves[book.id] = shelf }
            } else if named.isEmpty, let label = own.first, Set(own.map(\.code)).count == 1 {
                try ask(about: label, books: books.map(\.id), chosen: scan.shelf, in: db)
            }
        }
        // A code that no shelf has is asked for also where it is not clear which books it names.
        for label in labels
        where label.shelf == nil && !questions.contains(where: { $0.text == label.code.description }) {
            questions.append(Question(kind: .newCode, text: label.code.description, books: []))
        }
        guard photo == nil else { return }
        guard shelves.isEmpty else {
            let common = try db.shelf(around: Set(shelves.values))
            // The books of a row without a label are not on a shelf that the label of another row names.
            photo = try shelves.count == scan.books.count ? common : common.flatMap { try db.shelf($0).parent }
            return
        }
        ask(about: scan.signs, turn: scan.turn, rows, places)
    }

    private mutating func ask(
        about label: Label, books: [String], chosen: RowID<Shelf>?, in db: Database
    ) throws {
        let text = label.code.description
        guard let shelf = label.shelf else {
            return questions.append(Question(kind: .newCode, text: text, books: books))
        }
        // The label of a bookcase does not contradict one of its boards.
        if let chosen, try db.shelves(inside: shelf).contains(chosen) { return }
        questions.append(Question(kind: .otherShelf, text: text, books: books))
    }

    /// Asks whether signs name the shelf of the row above, or of all books if there is one sign beside no row.
    private mutating func ask(
        about signs: [TextInPhoto], turn: QuarterTurn, _ rows: [[DetectedBook]], _ places: [Row]
    ) {
        let texts = Set(signs.map(\.text))
        for sign in signs where !questions.contains(where: { $0.text == sign.text }) {
            let row = Self.row(above: sign.outline.boundingBox.turned(turn), among: places).map { rows[$0] }
            guard let books = row ?? (texts.count == 1 ? rows.flatMap(\.self) : nil) else { continue }
            questions.append(Question(kind: .sign, text: sign.text, books: books.map(\.id)))
        }
    }

    // MARK: Rows

    /// The extent of a row in the upright photo, as fractions of its height.
    private struct Row {
        var bottom: Double
        var tallest: Double

        init(_ boxes: [UnitRect]) {
            let bottoms = boxes.map { $0.y + $0.height }.sorted()
            (bottom, tallest) = (bottoms[bottoms.count / 2], boxes.map(\.height).max() ?? 0)
        }
    }

    /// Returns the row directly above a label in the upright photo; nil if there is none.
    private static func row(above label: UnitRect, among rows: [Row]) -> Int? {
        let middle = label.y + label.height / 2
        return rows.indices.filter { abs(middle - rows[$0].bottom) <= reach * rows[$0].tallest }
            .min { abs(middle - rows[$0].bottom) < abs(middle - rows[$1].bottom) }
    }
}

extension UnitRect {
    /// Returns the rectangle in the photo after it is rotated clockwise.
    fileprivate func turned(_ turn: QuarterTurn) -> UnitRect {
        switch turn {
        case .none: self
        case .quarter: UnitRect(x: 1 - y - height, y: x, width: height, height: width)
        case .half: UnitRect(x: 1 - x - width, y: 1 - y - height, width: width, height: height)
        case .threeQuarters: UnitRect(x: y, y: 1 - x - width, width: height, height: width)
        }
    }
}

extension Database {
    /// Returns the innermost shelf that all of these are, or are inside of; nil if there is none.
    func shelf(around shelves: Set<RowID<Shelf>>) throws -> RowID<Shelf>? {
        var place = shelves.first
        while let candidate = place {
            if try self.shelves(inside: candidate).isSuperset(of: shelves) { return candidate }
            place = try shelf(candidate).parent
        }
        return nil
    }
}
