import Bibliography
import Fixtures
import Identification
import Imaging
import ShelflistAPI
import SpineReading

/// A photo of 2000 × 1500 pixels in whose coordinates the tests lay out lines.
let photoSize = PixelSize(width: 2000, height: 1500)

/// A line that runs down a standing spine: `x` is its middle, `from` its start.
func down(_ text: String, x: Double, from y: Double, length: Double, height: Double = 30, score: Double = 0.95)
    -> TextLine
{
    let (left, right, end) = (x - height / 2, x + height / 2, y + length)
    return TextLine(
        text: text, score: score,
        quad: Quad(
            PixelPoint(x: right, y: y), PixelPoint(x: right, y: end), PixelPoint(x: left, y: end),
            PixelPoint(x: left, y: y)))
}

/// A line that reads upright: `x` is its start, `y` its middle.
func across(_ text: String, from x: Double, y: Double, length: Double, height: Double = 30, score: Double = 0.95)
    -> TextLine
{
    TextLine(
        text: text, score: score, quad: Quad(PixelRect(x: x, y: y - height / 2, width: length, height: height)))
}

/// Standing spines side by side, each with its lines one below the other.
func standing(_ spines: [[String]]) -> [TextLine] {
    spines.enumerated().flatMap { place, texts in
        var y = 100.0
        return texts.map { text in
            let length = 18 * Double(text.count)
            defer { y += length + 60 }
            return down(text, x: 150 + 200 * Double(place), from: y, length: length)
        }
    }
}

/// Lines in the shelf's frame, numbered.
func placed(_ lines: [TextLine]) -> [UprightLine] {
    lines.enumerated().map { UprightLine(index: $0, line: $1, quad: $1.quad) }
}

/// What is made of these lines, with a catalog of these records or with none.
func identify(_ lines: [TextLine], knowing records: [BookRecord]? = nil, turn: QuarterTurn = .none) throws
    -> IdentifiedShelf
{
    let catalog = records.map(InMemoryCatalog.init(records:))
    return try BookIdentifier(catalog: { catalog?.snapshot })
        .identify(ReadShelf(lines: lines, turn: turn), in: photoSize)
}

func record(_ title: String, by author: String?, isbn: String? = nil) -> BookRecord {
    BookRecord(id: title, title: title, authors: author.map { [$0] } ?? [], isbn: isbn)
}

/// A small library.
let library = [
    record("The Name of the Wind", by: "Patrick Rothfuss"),
    record("The Lies of Locke Lamora", by: "Scott Lynch"),
    record("Prisoners of Geography: Ten Maps That Tell You Everything", by: "Tim Marshall"),
    record("The Magicians", by: "Lev Grossman"),
    record("Emma", by: "Jane Austen", isbn: "9780141439587"),
    record("Pride and Prejudice", by: "Jane Austen"),
    record("Persuasion", by: "Jane Austen"),
    record("Wuthering Heights", by: "Emily Brontë"),
    record("Jane Eyre", by: "Charlotte Brontë"),
    record("The Wind in the Willows", by: "Kenneth Grahame"),
    record("Cien años de soledad", by: "García Márquez, Gabriel, 1927-2014"),
    record("Nineteen Eighty-Four", by: "George Orwell"),
    record("A Brief History of Time", by: "Stephen Hawking"),
]

/// Title and author that are named for a spine with its lines one below the other, or the titles of several.
///
/// - Parameters:
///   - widthOfLetter: in heights of the line.
///   - gap: between two lines, in pixels.
func named(
    _ lines: [(text: String, height: Double)], widthOfLetter: Double = 1, gap: Double = 40
) throws -> [String?] {
    var y = 100.0
    let spine = lines.map { text, height in
        let length = widthOfLetter * height * Double(text.count)
        defer { y += length + gap }
        return down(text, x: 500, from: y, length: length, height: height)
    }
    let books = try identify(spine).books
    return books.count == 1 ? [books[0].title, books[0].author] : books.map(\.title)
}
