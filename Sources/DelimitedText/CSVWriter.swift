/// Writes CSV records (RFC 4180) with commas, CR LF, and quotes where needed.
package enum CSVWriter {
    /// Returns a record whose fields are guarded against interpretation as formulas.
    package static func record(_ fields: [String?]) -> String { plainRecord(fields.map { guarded($0 ?? "") }) }

    /// Returns a record with unchanged fields.
    package static func plainRecord(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\r\n"
    }

    /// Prefixes text that spreadsheets would interpret as a formula (starting with `=`, `+`, `-` or `@`) with an
    /// apostrophe, which they hide.
    ///
    /// A spreadsheet that splits the record at semicolons, tabs or line breaks also starts a cell after each of them,
    /// quoted or not, so the text after them is guarded, too.
    ///
    /// Reversible: text that begins with apostrophes before such a character gets one more.
    package static func guarded(_ field: String) -> String {
        mappingCells(field) { needsGuard($0) ? "'" + String($0) : String($0) }
    }

    /// Reverses `guarded`.
    package static func withoutGuard(_ field: String) -> String {
        mappingCells(field) { cell in
            cell.hasPrefix("'") && needsGuard(cell.dropFirst()) ? String(cell.dropFirst()) : String(cell)
        }
    }

    private static func needsGuard(_ cell: Substring) -> Bool {
        guard let first = cell.first(where: { !"' \"".contains($0) }) else { return false }
        return "=+-@＝＋－＠".contains(first)
    }

    /// Changes the parts between the characters at which spreadsheets may start a cell.
    private static func mappingCells(_ field: String, _ change: (Substring) -> String) -> String {
        var (result, rest) = ("", field[...])
        while let end = rest.firstIndex(where: { $0 == ";" || $0 == "\t" || $0.isNewline }) {
            result += change(rest[..<end])
            result.append(rest[end])
            rest = rest[rest.index(after: end)...]
        }
        return result + change(rest)
    }

    private static func quoted(_ field: String) -> String {
        let marks: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D]
        let needsQuotes = field.hasPrefix(" ") || field.hasSuffix(" ") || field.utf8.contains { marks.contains($0) }
        return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }
}
