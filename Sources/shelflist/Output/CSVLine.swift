/// One record of a CSV file by RFC 4180.
package enum CSVLine {
    /// The fields, quoted where they need it, with the line's end (CR LF).
    ///
    /// A spreadsheet takes a field that begins with `=`, `+`, `-` or `@` for a formula, and what was read in a photo
    /// is nobody's formula: such a field gets an apostrophe in front, which spreadsheets hide.
    package static func text(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\r\n"
    }

    private static func quoted(_ field: String) -> String {
        var field = TerminalText.safe(field)
        if let first = field.first(where: { $0 != " " }), "=+-@＝＋－＠".contains(first) { field = "'" + field }
        let needsQuotes = field.contains { $0 == "," || $0 == "\"" } || field.hasPrefix(" ") || field.hasSuffix(" ")
        return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }
}
