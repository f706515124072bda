package import Foundation
package import Imaging
package import ShelflistAPI

/// The ground truth of a photo, in the format of the benchmark's scoring script.
package struct ShelfTruth: Hashable, Codable, Sendable {
    /// File name of the photo.
    package var photo: String
    package var width: Int
    package var height: Int
    package var books: [TrueBook]
    /// The codes of the shelves' labels; nil for a photo without labels.
    package var labels: [String]?

    package init(photo: String, width: Int, height: Int, books: [TrueBook]) {
        self.photo = photo
        self.width = width
        self.height = height
        self.books = books
    }
}

extension ShelfTruth {
    /// Returns the truth of the photo stored rotated clockwise.
    package func turned(_ turn: QuarterTurn) -> ShelfTruth {
        var result = self
        if turn.exchangesSides { (result.width, result.height) = (height, width) }
        result.books = books.map { book in
            var book = book
            book.orientation = book.orientation.turned(turn)
            // The unit square is a picture of one pixel.
            let unit = PixelSize(width: 1, height: 1)
            let corners = Quad(book.box.pixels(in: unit)).map { turn.apply(to: $0, in: unit) }
            book.box = UnitRect(corners.bounds, in: unit)
            return book
        }
        return result
    }

    /// Encodes a label file.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

/// The direction of a spine's text; the raw values are used in the truth file.
package enum TextDirection: String, Codable, CaseIterable, Sendable {
    case topToBottom = "top-to-bottom"
    case bottomToTop = "bottom-to-top"
    /// Across a standing spine, or along a lying one.
    case upright
    /// Upright letters below each other.
    case stackedLetters = "stacked-letters"
    case upsideDown = "upside-down"
}

extension TextDirection {
    /// Returns the direction in a picture that is rotated clockwise.
    ///
    /// Stacked letters do not change.
    func turned(_ turn: QuarterTurn) -> TextDirection {
        let clockwise: [TextDirection] = [.upright, .topToBottom, .upsideDown, .bottomToTop]
        guard let now = clockwise.firstIndex(of: self) else { return self }
        return clockwise[(now + turn.rawValue / 90) % 4]
    }
}

/// The ground truth of one book.
package struct TrueBook: Hashable, Sendable {
    package var title: String
    package var author: String?
    package var isbn: String?
    /// Whether a careful person could read it.
    package var legible: Bool
    package var orientation: TextDirection
    /// Around the front of the spine.
    package var box: UnitRect

    package init(
        title: String, author: String?, isbn: String? = nil, legible: Bool = true, orientation: TextDirection,
        box: UnitRect
    ) {
        self.title = title
        self.author = author
        self.isbn = isbn
        self.legible = legible
        self.orientation = orientation
        self.box = box
    }
}

/// Encodes a missing author or ISBN as null, and the box as `[x, y, width, height]`.
extension TrueBook: Codable {
    private enum CodingKeys: String, CodingKey {
        case title, author, isbn, legible, orientation, box
    }

    package init(from decoder: any Decoder) throws {
        let keyed = try decoder.container(keyedBy: CodingKeys.self)
        title = try keyed.decode(String.self, forKey: .title)
        author = try keyed.decodeIfPresent(String.self, forKey: .author)
        isbn = try keyed.decodeIfPresent(String.self, forKey: .isbn)
        legible = try keyed.decode(Bool.self, forKey: .legible)
        orientation = try keyed.decode(TextDirection.self, forKey: .orientation)
        var list = try keyed.nestedUnkeyedContainer(forKey: .box)
        box = UnitRect(
            x: try list.decode(Double.self), y: try list.decode(Double.self), width: try list.decode(Double.self),
            height: try list.decode(Double.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: CodingKeys.self)
        try keyed.encode(title, forKey: .title)
        try keyed.encode(author, forKey: .author)
        try keyed.encode(isbn, forKey: .isbn)
        try keyed.encode(legible, forKey: .legible)
        try keyed.encode(orientation, forKey: .orientation)
        var list = keyed.nestedUnkeyedContainer(forKey: .box)
        for value in [box.x, box.y, box.width, box.height] { try list.encode((value * 10_000).rounded() / 10_000) }
    }
}
