import Bounds
import DelimitedText
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Adds the shelves of a list, and changes the code, the note and the sort rule of those that exist, as one action.
    ///
    /// The list is a CSV file with the columns `path`, `code`, `sort` and `note`, of which only the first is needed. Empty fields
    /// change nothing.
    ///
    /// - Throws: `LibraryError.invalid` with the line, `.notPossible` if these are too many shelves; nothing is changed then.
    ///   `CSVError`.
    package func importShelves(_ csv: [UInt8]) async throws -> ImportedShelves {
        let rows = try ShelfRow.all(in: csv)
        return try await write { db in
            var imported = ImportedShelves(added: 0, changed: 0)
            var room = ShelfRoom()
            let action = try db.beginAction(.addShelf)
            for row in rows {
                do {
                    let (id, new) = try db.shelf(at: PlacePath(row.path), room: &room)
                    try db.recordNew(new)
                    imported.added += new.count
                    guard row.hasDetails else { continue }
                    let known = try db.details(of: id)
                    var wanted = known
                    wanted.code = row.code ?? known.code
                    wanted.note = row.note ?? known.note
                    wanted.sortRule = try row.sortRule ?? known.sortRule
                    guard wanted != known else { continue }
                    try db.update(id, from: known, to: wanted)
                    if new.last != id { imported.changed += 1 }
                } catch LibraryError.invalid(let field, let reason) {
                    throw LibraryError.invalid(field: "line \(row.line), \(field)", reason: reason)
                }
            }
            try db.finish(action)
            return imported
        }
    }
}

private struct ShelfRow {
    var line: Int
    var path: String
    var code: String?
    var note: String?
    var sort: String?

    /// Whether it has more than the path.
    var hasDetails: Bool { code != nil || note != nil || sort != nil }

    /// - Throws: `LibraryError.invalid`.
    var sortRule: ShelfSort? {
        get throws {
            guard let sort else { return nil }
            let word = sort.lowercased().filter(\.isLetter)
            if let rule = ShelfSort.allCases.first(where: { $0.rawValue.lowercased() == word }) { return rule }
            throw LibraryError.invalid(
                field: "sort", reason: "“\(CleanText.shown(sort))” is unknown. Use \(ShelfSort.allWords).")
        }
    }

    private static let names = [
        "path": ["path", "shelf", "place", "pfad", "regal", "ort"], "code": ["code"],
        "note": ["note", "notes", "notiz"],
        "sort": ["sort", "sort rule", "sortierung"],
    ]

    static func all(in csv: [UInt8]) throws -> [ShelfRow] {
        var decoder = LineDecoder(start: csv)
        let text = try decoder.decode(file: csv).text
        var parser = CSVParser(delimiter: CSVColumns.delimiter(ofHeader: text.prefix { $0 != 0x0A }))
        var lines: [CSVParser.Row] = []
        try parser.parse(text) { lines.append($0) }
        try parser.finish { lines.append($0) }
        guard lines.count <= ShelfRoom.limit + 1 else {
            throw LibraryError.notPossible(
                "The list has \(lines.count - 1) shelves. A library has at most \(ShelfRoom.limit); shorten the list.")
        }
        let header = (lines.first?.fields ?? []).map { BookKey.authorKey($0) }
        func column(_ name: String) -> Int? { header.firstIndex { names[name]?.contains($0) == true } }
        guard let path = column("path") else {
            throw LibraryError.invalid(
                field: "path", reason: "the list has no column “path”. Add one with a path such as Home / Study.")
        }
        let (code, note, sort) = (column("code"), column("note"), column("sort"))
        return lines.dropFirst().map { row in
            func field(_ column: Int?) -> String? {
                column.flatMap { row.fields.indices.contains($0) ? EscapedText.withoutGuards(row.fields[$0]) : nil }
                    .flatMap { $0.isEmpty ? nil : $0 }
            }
            return ShelfRow(
                line: row.line, path: field(path) ?? "", code: field(code), note: field(note), sort: field(sort))
        }
    }
}
