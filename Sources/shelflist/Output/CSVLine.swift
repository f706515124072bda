/// One record of a CSV file by RFC 4180.
package enum CSVLine {
    /// Returns the fields, quoted where necessary, with a line end (CR LF).
    ///
    /// Spreadsheets interpret fields that start with `=`, `+`, `-` or `@` as formulas. Text read in a photo must not
    /// become a formula, so such fields are prefixed with an apostrophe, which spreadsheets hide.
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
