import Foundation

/// Records of a CSV file by RFC 4180: comma, CR LF, quotes where a field needs them.
package enum CSVWriter {
    /// One record, each field guarded against being taken for a formula.
    package static func record(_ fields: [String?]) -> String { plainRecord(fields.map { guarded($0 ?? "") }) }

    /// One record, its fields as they are.
    package static func plainRecord(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\r\n"
    }

    /// Puts an apostrophe, which spreadsheets hide, before a field that they would take for a formula: one that begins
    /// with `=`, `+`, `-` or `@`.
    ///
    /// Reversible: a field that begins with apostrophes before such a character gets one more.
    package static func guarded(_ field: String) -> String { needsGuard(field) ? "'" + field : field }

    /// Undoes `guarded`.
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
