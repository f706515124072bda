import Bibliography
import ShelflistAPI
import Terminal

/// Records found for a book, and what one of them changes.
enum RecordLines {
    static func lines(_ results: SearchResults) -> [String] {
        guard !results.items.isEmpty else {
            // If a source could not be reached, the book may exist there.
            return [
                results.unavailable.isEmpty
                    ? "Nothing found. Try other words, or --scope author."
                    : "Nothing found in the sources that responded."
            ]
        }
        return TerminalTable(
            columns: [
                .init("#", isRightAligned: true), .init("title", atLeast: 18), .init("author", atLeast: 10),
                .init("year", dropped: 2), .init("ISBN", dropped: 1), .init("source", dropped: 3),
            ],
            rows: results.items.enumerated().map { index, item in
                let record = item.record
                return [
                    .init(String(index + 1), .dim),
                    .init([record.title, record.subtitle].compactMap { $0 }.joined(separator: ": ")),
                    .init(record.authors.joined(separator: "; ")), .init(record.year.map { String($0) } ?? "", .dim),
                    .init(record.isbn ?? "", .dim),
                    .init(item.sources.joined(separator: ", "), .dim),
                ]
            }
        ).onTerminal()
    }

    static func lines(_ preview: MatchChanges, of item: SearchRecord) -> [String] {
        let table = TerminalTable(
            columns: [.init("field"), .init("now", atLeast: 10), .init("then", atLeast: 10)],
            rows: preview.changes.map { [.init($0.field, .dim), .init($0.from ?? "–"), .init($0.to ?? "–")] })
        return (preview.changes.isEmpty ? ["Nothing changes."] : table.onTerminal())
            + (item.record.coverURL == nil ? [] : ["Cover: from the provider."])
            + (preview.keeps.isEmpty ? [] : ["Stays: \(preview.keeps.joined(separator: ", "))."])
    }
}
