import Bounds

/// Reads texts as programs read the formats in which they were written; nil where there is more than one text, or none.
enum TextReaders {
    /// A part of a field that a spreadsheet may take as a cell.
    struct Cell {
        let text: [Unicode.Scalar]

        /// Whether a spreadsheet computes it: an apostrophe at the start says that it is text.
        var isFormula: Bool {
            guard text.first != "'" else { return false }
            return text.first { $0 != " " && $0 != "\"" }.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
        }
    }

    static func cells(_ field: String) -> [Cell] {
        field.unicodeScalars.split(omittingEmptySubsequences: false) {
            [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x3B, 0x85, 0x2028, 0x2029].contains($0.value)
        }.map { Cell(text: Array($0)) }
    }

    static func html(_ text: String) -> String? {
        markup(text, ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"], forbidden: "<>\"'")
    }

    static func xml(_ text: String) -> String? { markup(text, ["amp": "&", "lt": "<", "gt": ">"], forbidden: "<>") }

    private static func markup(_ text: String, _ entities: [String: String], forbidden: String) -> String? {
        var (result, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            if forbidden.utf8.contains(byte) { return nil }
            guard byte == UInt8(ascii: "&") else {
                result.append(byte)
                continue
            }
            let name = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(name.count + 1)
            guard let value = entities[String(decoding: name, as: UTF8.self)] else { return nil }
            result += value.utf8
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The field between two others, by RFC 4180.
    static func csv(_ field: String) -> String? {
        var (rest, cells, isQuoted) = (Array("first,\(field),last\r\n".utf8)[...], [[UInt8]()], false)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") {
                if !isQuoted, cells.last != [] { return nil }
                if isQuoted, rest.first == byte {
                    cells[cells.count - 1].append(rest.removeFirst())
                } else {
                    isQuoted.toggle()
                }
            } else if !isQuoted, byte == UInt8(ascii: ",") {
                cells.append([])
            } else if !isQuoted, byte == 0x0D || byte == 0x0A {
                guard rest.allSatisfy({ $0 == 0x0A }) else { return nil }
            } else {
                cells[cells.count - 1].append(byte)
            }
        }
        return cells.count == 3 && !isQuoted ? String(decoding: cells[1], as: UTF8.self) : nil
    }

    /// The value of a field in braces: BibTeX counts all braces, TeX runs what begins with a backslash.
    static func tex(_ value: String) -> String? {
        var depth = 0
        for byte in value.utf8 {
            depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
            if depth < 0 { return nil }
        }
        let names = [
            "textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}", "textasciitilde": "~",
            "textasciicircum": "^",
        ]
        var (result, rest) = ([UInt8](), Array(value.utf8)[...])
        while let byte = rest.popFirst() {
            if "{}~^$&#_%".utf8.contains(byte) { return nil }
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            let name = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            if name.isEmpty, let sign = rest.popFirst(), "$&#_%".utf8.contains(sign) {
                result.append(sign)
            } else if let sign = names[String(decoding: name, as: UTF8.self)],
                rest.dropFirst(name.count).starts(with: "{}".utf8)
            {
                result += sign.utf8
                rest = rest.dropFirst(name.count + 2)
            } else {
                return nil
            }
        }
        return depth == 0 ? String(decoding: result, as: UTF8.self) : nil
    }

    static func prometheus(_ value: String) -> String? {
        unescaped(value, ["\\": "\\", "\"": "\"", "n": "\n"], forbidden: "\"\n")
    }

    /// The first of two equal items.
    static func list(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let half = (bytes.count - 2) / 2
        guard bytes[..<half] == bytes[(half + 2)...], Array(bytes[half..<half + 2]) == Array("; ".utf8) else {
            return nil
        }
        let item = String(decoding: bytes[..<half], as: UTF8.self)
        guard EscapedText.items(ofList: text).map({ Array($0.utf8) }).allSatisfy({ $0 == unescapedBytes(item) }) else {
            return nil
        }
        return unescaped(item, ["\\": "\\", ";": ";"], forbidden: ";")
    }

    private static func unescapedBytes(_ item: String) -> [UInt8]? {
        unescaped(item, ["\\": "\\", ";": ";"], forbidden: ";").map { Array($0.utf8) }
    }

    private static func unescaped(_ text: String, _ signs: [String: String], forbidden: String) -> String? {
        var (result, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            if forbidden.utf8.contains(byte) { return nil }
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            guard let sign = rest.popFirst(), let value = signs[String(decoding: [sign], as: UTF8.self)] else {
                return nil
            }
            result += value.utf8
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func sqlName(_ name: String) -> String? {
        var (result, rest) = ([UInt8](), Array(name.utf8)[...])
        let quote = UInt8(ascii: "\"")
        guard rest.popFirst() == quote, rest.popLast() == quote else { return nil }
        while let byte = rest.popFirst() {
            if byte == quote, rest.popFirst() != quote { return nil }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
