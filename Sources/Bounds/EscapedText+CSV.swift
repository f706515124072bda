extension EscapedText {
    /// Returns the text as a field of CSV (RFC 4180), in quotation marks if it needs them.
    package static func csv(_ field: String) -> String {
        let needsQuotes =
            field.utf8.first == space || field.utf8.last == space
            || field.utf8.contains { byte in
                switch byte {
                case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D: true
                default: false
                }
            }
        return needsQuotes ? "\"" + doublingQuotes(field) + "\"" : field
    }

    private static let space = UInt8(ascii: " ")

    /// Prefixes text that spreadsheets would interpret as a formula (starting with `=`, `+`, `-` or `@`) with an
    /// apostrophe, which they hide.
    ///
    /// A spreadsheet that splits the record at semicolons, tabs or line breaks also starts a cell after each of them,
    /// quoted or not, so the text after them is guarded, too.
    ///
    /// Reversible: text that begins with apostrophes before such a character gets one more.
    package static func guardingFormulas(_ field: String) -> String {
        mappingCells(field) { cell, result in
            if isFormula(cell) { result.append("'") }
            result += cell
        }
    }

    /// Reverses `guardingFormulas`.
    package static func withoutGuards(_ field: String) -> String {
        mappingCells(field) { cell, result in
            result += cell.first == "'" && isFormula(cell.dropFirst()) ? cell.dropFirst() : cell
        }
    }

    private static func isFormula(_ cell: Substring.UnicodeScalarView) -> Bool {
        switch cell.first(where: { !isIgnored($0) }) {
        case "=", "+", "-", "@", "＝", "＋", "－", "＠": true
        default: false
        }
    }

    /// Whether a scalar before a formula hides it from people but not from spreadsheets.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "'" || scalar == "\"" || scalar == " "
    }

    /// Changes the parts between the scalars at which spreadsheets may start a cell.
    private static func mappingCells(
        _ field: String, _ change: (Substring.UnicodeScalarView, inout String.UnicodeScalarView) -> Void
    ) -> String {
        var (result, rest) = (String.UnicodeScalarView(), Substring(field).unicodeScalars)
        while let end = rest.firstIndex(where: startsCell) {
            change(rest[..<end], &result)
            result.append(rest[end])
            rest = rest[rest.index(after: end)...]
        }
        change(rest, &result)
        return String(result)
    }

    private static func startsCell(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ";", "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
