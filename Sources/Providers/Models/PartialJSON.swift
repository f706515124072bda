/// Finds JSON in the text of a model: between prose, in fences, cut off, or with a mistake in one of the objects.
///
/// An array that is cut off has its complete elements. An object that is cut off counts only if an array in it was cut,
/// because the fields after the cut are not known. Linear in the length of the text.
struct PartialJSON {
    /// Deeper values are not read.
    private static let depthLimit = 16
    /// More values are not read.
    private static let valueLimit = 50_000
    /// Places in prose that look like the start of a value.
    private static let startLimit = 1000
    /// Longer strings are not read, in bytes.
    private static let stringLimit = 4000

    private let bytes: [UInt8]
    private var at = 0
    private var valuesLeft = Self.valueLimit
    private var isCut = false

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the objects and arrays in a text, in their order.
    static func values(in text: String) -> [JSONValue] {
        var parser = PartialJSON(Array(text.utf8))
        var values: [JSONValue] = []
        var startsLeft = startLimit
        while parser.at < parser.bytes.count, startsLeft > 0 {
            let byte = parser.bytes[parser.at]
            guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
                parser.at += 1
                continue
            }
            let start = parser.at
            startsLeft -= 1
            parser.isCut = false
            if let value = parser.value(depth: 0) { values.append(value) }
            parser.at = max(parser.at, start + 1)
        }
        return values
    }

    /// Returns the value that starts here; nil if there is none, or it is cut off.
    private mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard at < bytes.count, depth < Self.depthLimit, valuesLeft > 0 else { return cut() }
        valuesLeft -= 1
        switch bytes[at] {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return string().map(JSONValue.string)
        default: return word()
        }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        at += 1
        var fields: [String: JSONValue] = [:]
        while true {
            skipSpace()
            if take("}") { return .object(fields) }
            guard let key = string() else { return cut() }
            skipSpace()
            guard take(":"), let value = value(depth: depth + 1) else { return cut() }
            if fields[key] == nil { fields[key] = value }
            // What was cut in here is an array.
            if isCut { return .object(fields) }
            skipSpace()
            guard take(",") || peek("}") else { return cut() }
        }
    }

    private mutating func array(_ depth: Int) -> JSONValue? {
        at += 1
        var values: [JSONValue] = []
        while true {
            skipSpace()
            if take("]") { return .array(values) }
            guard let value = value(depth: depth + 1) else {
                isCut = true
                return .array(values)
            }
            values.append(value)
            if isCut { return .array(values) }
            skipSpace()
            guard take(",") || peek("]") else {
                isCut = true
                return .array(values)
            }
        }
    }

    private mutating func string() -> String? {
        guard take("\"") else { return cut() }
        var text: [UInt8] = []
        var isLong = false
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                return isLong ? cut() : String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard at < bytes.count else { return cut() }
                let escaped = bytes[at]
                at += 1
                if escaped == UInt8(ascii: "u") {
                    text += Array(String(escapedScalar()).utf8)
                } else {
                    text.append(Self.escapes[escaped] ?? escaped)
                }
            default: text.append(byte)
            }
            if text.count > Self.stringLimit { (isLong, text) = (true, []) }
        }
        return cut()
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "b"): 8,
        UInt8(ascii: "f"): 12,
    ]

    /// Reads four digits, and four more for a character outside of the basic plane.
    private mutating func escapedScalar() -> Unicode.Scalar {
        guard let first = hexadecimal() else { return "\u{FFFD}" }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        at += 2
        guard let second = hexadecimal(), (0xDC00...0xDFFF).contains(second) else { return "\u{FFFD}" }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() -> UInt32? {
        guard at + 4 <= bytes.count,
            let value = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
        else { return nil }
        at += 4
        return value
    }

    /// Reads a number, `true`, `false` or `null`.
    private mutating func word() -> JSONValue? {
        let start = at
        while at < bytes.count, at - start < 40, Self.isOfWord(bytes[at]) { at += 1 }
        // The end of the text may have cut a number.
        guard at > start, at < bytes.count else { return cut() }
        switch String(decoding: bytes[start..<at], as: UTF8.self) {
        case "true", "True": return .bool(true)
        case "false", "False": return .bool(false)
        case "null", "None", "NaN", "nan": return .null
        case let text:
            guard let number = Double(text), number.isFinite else { return cut() }
            return .number(number)
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private mutating func cut<Value>() -> Value? {
        isCut = true
        return nil
    }

    private func peek(_ character: Unicode.Scalar) -> Bool { at < bytes.count && bytes[at] == UInt8(ascii: character) }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek(character) else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
    }
}
