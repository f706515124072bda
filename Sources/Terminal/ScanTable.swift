import Bibliography
import Bounds
import Foundation
import Imaging
package import Reading
import ShelflistAPI

/// Writes a heading for each photo, its books as a table, and suggestions for a better photo.
package struct ScanTable: ScanWriter {
    private let width: Int?
    private let colors: Bool
    private var photos = 0
    private var books = 0
    private var tiers: Set<ConfidenceTier> = []

    /// - Parameter width: columns of the terminal; `nil` truncates nothing.
    package init(width: Int?, colors: Bool) { (self.width, self.colors) = (width, colors) }

    package mutating func text(for photo: ScannedPhoto) -> String {
        defer {
            photos += 1
            books += photo.books.count
        }
        tiers.formUnion(photo.books.filter(Self.isRead).map(\.tier))
        var lines = photos > 0 ? [""] : []
        lines += heading(of: photo)
        if !photo.books.isEmpty {
            lines.append("")
            lines += Self.table(of: photo.books).lines(width: width, colors: colors)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    package mutating func closing() -> String {
        var notes: [String] = []
        if photos > 1 { notes.append("\(photos) photos · \(Self.count(books))") }
        if !tiers.isEmpty {
            notes.append(
                ConfidenceTier.allCases.reversed().filter(tiers.contains).map { "\($0.mark) \($0.words)" }
                    .joined(separator: "   "))
        }
        return notes.map { "\n" + TextStyle.dim.applied(to: fitted($0), colors: colors) + "\n" }.joined()
    }

    private func heading(of photo: ScannedPhoto) -> [String] {
        let facts =
            " · \(photo.books.isEmpty ? "no spines found" : Self.count(photo.books.count))"
            + " · \(photo.width) × \(photo.height) · \(String(format: "%.2f", photo.seconds)) s"
        let name = TerminalText.fitted(
            TerminalText.safe(photo.path), to: width.map { max(8, $0 - TerminalText.width(facts)) } ?? .max)
        var notes = photo.quality.suggestions.map { TerminalText.safe($0.message) }
        if photo.turn != .none {
            notes.append("The photo is stored turned by \(photo.turn.rawValue)°; it was read in the right orientation.")
        }
        if let model = photo.model { notes.append(TerminalText.safe(model.summary)) }
        if photo.books.isEmpty && photo.quality.suggestions.isEmpty {
            notes.append("Go closer until the titles are easy to read on the screen, hold the camera level, add light.")
        }
        let titleLine =
            TextStyle.bold.applied(to: name, colors: colors)
            + TextStyle.dim.applied(
                to: width.map { TerminalText.fitted(facts, to: $0 - TerminalText.width(name)) } ?? facts, colors: colors
            )
        return [titleLine]
            + notes.flatMap { TerminalText.wrapped($0, to: width.map { $0 - 4 }) }
            .map { "  " + TextStyle.yellow.applied(to: $0, colors: colors) }
    }

    private static func table(of books: [DetectedBook]) -> TerminalTable {
        TerminalTable(
            columns: [
                .init("#", isRightAligned: true),
                .init("title", atLeast: 20),
                .init("author", atLeast: 12, dropped: 1),
                .init("confidence"),
                .init("place", dropped: 2),
            ],
            rows: books.enumerated().map { index, book in
                [
                    .init(String(index + 1), .dim),
                    title(of: book),
                    .init(book.author ?? ""),
                    isRead(book)
                        ? .init(book.tier.sureness(book.confidence), book.tier.style) : .init("not read", .dim),
                    .init(place(of: book.boundingBox), .dim),
                ]
            })
    }

    /// Without a title, the text that was read; a dash for a spine in letters that are not read.
    private static func title(of book: DetectedBook) -> TerminalTable.Cell {
        if let title = book.title { return .init(title) }
        guard isRead(book) else { return .init("–", .dim) }
        return .init("“" + book.text.map(\.text).joined(separator: " ") + "”", .dim)
    }

    private static func isRead(_ book: DetectedBook) -> Bool { book.title != nil || !book.text.isEmpty }

    /// The centre of the spine, from the photo's left and top.
    private static func place(of box: UnitRect) -> String {
        func percent(_ fraction: Double) -> String {
            let digits = String(Int(saturating: (fraction * 100).rounded()))
            return String(repeating: " ", count: max(0, 2 - digits.count)) + digits + " %"
        }
        return "→ \(percent(box.x + box.width / 2))  ↓ \(percent(box.y + box.height / 2))"
    }

    private func fitted(_ line: String) -> String { width.map { TerminalText.fitted(line, to: $0) } ?? line }

    private static func count(_ books: Int) -> String { books == 1 ? "1 book" : "\(books) books" }
}
