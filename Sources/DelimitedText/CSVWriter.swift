/// Writes CSV records (RFC 4180) with commas, CR LF, and quotes where needed.
package enum CSVWriter {
    /// Returns a record whose fields are guarded against interpretation as formulas.
    package static func record(_ fields: [String?]) -> String { plainRecord(fields.map { guarded($0 ?? "") }) }

    /// Returns a record with unchanged fields.
    package static func plainRecord(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\r\n"
    }

    /// Prefixes a field that spreadsheets would interpret as a formula (starting with `=`, `+`, `-` or `@`) with an
    /// apostrophe, which they hide.
    ///
    /// Reversible: a field that begins with apostrophes before such a character gets one more.
    package static func guarded(_ field: String) -> String { needsGuard(field) ? "'" + field : field }

    /// Reverses `guarded`.
    package static func withoutGuard(_ field: String) -> String {
        field.hasPrefix("'") && needsGuard(String(field.dropFirst())) ? String(field.dropFirst()) : field
    }

    private static func needsGuard(_ field: String) -> Bool {
        guard let first = field.first(where: { $0 != "'" && $0 != " " }) else { return false }
        return "=+-@＝＋－＠".contains(first)
    }

    private static func quoted(_ field: String) -> String {
        let marks: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D]
        let needsQuotes = field.hasPrefix(" ") || field.hasSuffix(" ") || field.utf8.contains { marks.contains($0) }
        return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }
}
