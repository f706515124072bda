import Bibliography
import DelimitedText
package import Reading
import ShelflistAPI

/// Writes one CSV record per book, with a header.
///
/// Positions are fractions of the photo, origin top left.
package struct ScanCSV: ScanWriter {
    private static let header = [
        "photo", "number", "title", "author", "isbn", "confidence", "reviewStatus", "x", "y", "width", "height", "text",
        "checked",
    ]
    private var hasHeader = false

    package init() {}

    package mutating func text(for photo: ScannedPhoto) -> String {
        headerOnce()
            + photo.books.enumerated().map { index, book in
                let box = book.boundingBox
                let fields =
                    [photo.path, String(index + 1), book.title ?? "", book.author ?? "", book.isbn ?? ""]
                    + [Self.number(book.confidence), book.reviewStatus.rawValue]
                    + [box.x, box.y, box.width, box.height].map(Self.number)
                    + [book.text.map(\.text).joined(separator: " / "), String(book.checked)]
                return CSVWriter.record(fields.map(TerminalText.safe))
            }.joined()
    }

    package mutating func closing() -> String { headerOnce() }

    private mutating func headerOnce() -> String {
        defer { hasHeader = true }
        return hasHeader ? "" : CSVWriter.record(Self.header)
    }

    /// Four digits: half a pixel in a photo 5,000 pixels wide.
    ///
    /// Rounded to five digits first, as in messages of the API, so that the results of a server give the same text.
    private static func number(_ value: Double) -> String {
        let sent = (value * 100_000).rounded() / 100_000
        return String((sent * 10_000).rounded() / 10_000)
    }
}
