/// Escapes texts from outside for the formats that are written.
///
/// Compares bytes and scalars, as the readers of these formats do, and never characters: after U+0600 or before U+0301, `<` is
/// part of a character that is not equal to `<`. `Scripts/check_escaping.py` refuses other places that escape.
package enum EscapedText {
    // MARK: Markup

    /// Returns the text as content of an element of HTML, or as the value of an attribute in quotation marks.
    package static func html(_ text: String) -> String {
        mapped(text) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "\""): "&quot;"
            case UInt8(ascii: "'"): "&#39;"
            default: nil
            }
        }
    }

    /// Returns the text as content of an element of XML 1.0, without the characters that it does not allow.
    package static func xml(_ text: String) -> String {
        let allowed = text.unicodeScalars.filter { scalar in
            switch scalar {
            case "\t", "\n", "\r": true
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": false
            default: true
            }
        }
        return mapped(String(String.UnicodeScalarView(allowed))) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            default: nil
            }
        }
    }

    // MARK: References

    /// Returns the text without the commands of TeX, as the value of a field of BibTeX in braces.
    ///
    /// BibTeX counts braces, also those after a backslash, so that they have names instead.
    package static func tex(_ text: String) -> String {
        mapped(text) { byte in
            switch byte {
            case UInt8(ascii: "\\"): "\\textbackslash{}"
            case UInt8(ascii: "{"): "\\textbraceleft{}"
            case UInt8(ascii: "}"): "\\textbraceright{}"
            case UInt8(ascii: "~"): "\\textasciitilde{}"
            case UInt8(ascii: "^"): "\\textasciicircum{}"
            case UInt8(ascii: "$"): "\\$"
            case UInt8(ascii: "&"): "\\&"
            case UInt8(ascii: "#"): "\\#"
            case UInt8(ascii: "_"): "\\_"
            case UInt8(ascii: "%"): "\\%"
            default: nil
            }
        }
    }

    /// Returns the text as the value of one line of RIS: line breaks become spaces.
    package static func ris(_ text: String) -> String {
        lines(ofRIS: text.utf8).map { String(Substring($0)) }.joined(separator: " ")
    }

    /// Returns the lines of UTF-8 in RIS, which end with CR, LF or both, and with nothing else.
    package static func lines<Text: Collection<UInt8>>(ofRIS text: Text) -> [Text.SubSequence] {
        var lines: [Text.SubSequence] = []
        var (start, index) = (text.startIndex, text.startIndex)
        while index < text.endIndex {
            let byte = text[index]
            let end = index
            text.formIndex(after: &index)
            guard byte == 0x0A || byte == 0x0D else { continue }
            lines.append(text[start..<end])
            if byte == 0x0D, index < text.endIndex, text[index] == 0x0A { text.formIndex(after: &index) }
            start = index
        }
        return lines + [text[start...]]
    }

    // MARK: Lists, metrics, databases, keys

    /// Returns `Ann; Bob`, with `\;` for a semicolon inside an item and `\\` for a backslash.
    package static func list(_ items: [String]) -> String {
        items.map { item in
            mapped(item) { byte in
                switch byte {
                case UInt8(ascii: "\\"): "\\\\"
                case UInt8(ascii: ";"): "\\;"
                default: nil
                }
            }
        }.joined(separator: "; ")
    }

    /// Returns the items of `list`, without empty ones.
    package static func items(ofList text: String) -> [String] {
        var items: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped {
                items[items.count - 1].append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: ";") {
                items.append([])
            } else if byte != UInt8(ascii: " ") || items.last != [] {
                items[items.count - 1].append(byte)
            }
        }
        return items.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the text as the value of a label in the text format of Prometheus, without its quotation marks.
    package static func prometheus(_ text: String) -> String {
        mapped(text) { byte in
            switch byte {
            case UInt8(ascii: "\\"): "\\\\"
            case UInt8(ascii: "\""): "\\\""
            case 0x0A: "\\n"
            default: nil
            }
        }
    }

    /// Returns the name of a role or another object as PostgreSQL and SQLite read it, in quotation marks.
    package static func sqlName(_ name: String) -> String { "\"" + doublingQuotes(name) + "\"" }

    /// Returns the text with dots in place of a key or password.
    package static func redacted(_ secret: String, in text: String) -> String {
        guard !secret.isEmpty else { return text }
        return String(decoding: Array(text.utf8).replacing(Array(secret.utf8), with: Array("•••".utf8)), as: UTF8.self)
    }

    // MARK: Bytes

    static func doublingQuotes(_ text: String) -> String {
        mapped(text) { $0 == UInt8(ascii: "\"") ? "\"\"" : nil }
    }

    /// Returns the text with others in place of bytes of ASCII, which other scalars do not contain.
    private static func mapped(_ text: String, _ replacement: (UInt8) -> String?) -> String {
        guard text.utf8.contains(where: { replacement($0) != nil }) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if let other = replacement(byte) { bytes += other.utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StringProtocol {
    /// Returns the text with another one in place of each of a scalar, also of one that is part of a longer character.
    package func replacing(scalar: Unicode.Scalar, with other: String) -> String {
        var scalars = String.UnicodeScalarView()
        for each in unicodeScalars {
            if each == scalar { scalars += other.unicodeScalars } else { scalars.append(each) }
        }
        return String(scalars)
    }

    /// Returns the parts between scalars, also between ones that are part of longer characters, without empty parts.
    package func parts(betweenScalars isSeparator: (Unicode.Scalar) -> Bool) -> [String] {
        unicodeScalars.split(whereSeparator: isSeparator).map { String(String.UnicodeScalarView($0)) }
    }
}
