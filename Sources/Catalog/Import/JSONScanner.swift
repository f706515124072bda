import Foundation

/// Scans one JSON document without building a tree: copies the few fields that are needed and skips the rest.
///
/// Made for lines of the Open Library dumps. Reads strings, numbers and nesting by RFC 8259; in skipped values it
/// only balances brackets and strings. Never reads beyond its buffer, and does not recurse.
struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns the next byte that is not white space; nil at the end.
    mutating func peek() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            if byte > 0x20 { return byte }
            position += 1
        }
        return nil
    }

    /// Consumes a byte if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    /// Calls `body` for each member of the next object; `body` has to consume or skip the value.
    ///
    /// - Returns: false if the next value is not an object, or `body` returned false.
    mutating func forEachMember(_ body: (inout JSONScanner, UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard take(UInt8(ascii: "{")) else { return false }
        if take(UInt8(ascii: "}")) { return true }
        while true {
            guard peek() == UInt8(ascii: "\""), let key = rawString(), take(UInt8(ascii: ":")) else { return false }
            guard body(&self, key) else { return false }
            if take(UInt8(ascii: ",")) { continue }
            return take(UInt8(ascii: "}"))
        }
    }

    /// Calls `body` for each element of the next array; `body` has to consume or skip the value.
    mutating func forEachElement(_ body: (inout JSONScanner) -> Bool) -> Bool {
        guard take(UInt8(ascii: "[")) else { return false }
        if take(UInt8(ascii: "]")) { return true }
        while true {
            guard body(&self) else { return false }
            if take(UInt8(ascii: ",")) { continue }
            return take(UInt8(ascii: "]"))
        }
    }

    /// Skips the next value of any type.
    mutating func skipValue() -> Bool {
        guard let first = peek() else { return false }
        switch first {
        case UInt8(ascii: "\""):
            return rawString() != nil
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return skipNested()
        default:
            let start = position
            while position < bytes.count, Self.isBareword(bytes[position]) { position += 1 }
            return position > start
        }
    }

    private mutating func skipNested() -> Bool {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard rawString() != nil else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 {
                    position += 1
                    return true
                }
            default:
                break
            }
            position += 1
        }
        return false
    }

    /// Reads an integer; other values are skipped and return nil.
    mutating func integer() -> Int? {
        let start = position
        guard let first = peek(), first == UInt8(ascii: "-") || first &- 0x30 < 10 else {
            _ = skipValue()
            return nil
        }
        var value = 0
        var digits = 0
        if first == UInt8(ascii: "-") { position += 1 }
        while position < bytes.count, bytes[position] &- 0x30 < 10, digits < 16 {
            value = value * 10 + Int(bytes[position] - 0x30)
            position += 1
            digits += 1
        }
        if digits == 0 || position < bytes.count && Self.isBareword(bytes[position]) {
            position = start
            _ = skipValue()
            return nil
        }
        return first == UInt8(ascii: "-") ? -value : value
    }

    // MARK: - Strings

    /// Returns the bytes between the quotes of the next string, including escapes; nil if it is not a string.
    mutating func rawString() -> UnsafeBufferPointer<UInt8>? {
        guard take(UInt8(ascii: "\"")), let base = bytes.baseAddress else { return nil }
        let start = position
        while let found = memchr(base + position, 0x22, bytes.count - position) {
            let quote = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
            var escapes = 0
            while quote - escapes > start, bytes[quote - escapes - 1] == UInt8(ascii: "\\") { escapes += 1 }
            position = quote + 1
            if escapes % 2 == 0 { return UnsafeBufferPointer(rebasing: bytes[start..<quote]) }
        }
        position = bytes.count
        return nil
    }

    /// Appends the next string to `text` as UTF-8, without white space at its ends; other values are skipped and give
    /// an empty range.
    mutating func string(into text: inout [UInt8]) -> TextRange {
        guard peek() == UInt8(ascii: "\"") else {
            _ = skipValue()
            return TextRange()
        }
        guard let raw = rawString(), let base = raw.baseAddress else { return TextRange() }
        let start = text.count
        if memchr(base, 0x5C, raw.count) == nil {
            text.append(contentsOf: raw)
        } else {
            Self.unescape(raw, into: &text)
        }
        return Self.trim(start, &text)
    }

    private static func trim(_ start: Int, _ text: inout [UInt8]) -> TextRange {
        var start = start
        while let last = text.last, last <= 0x20, text.count > start { text.removeLast() }
        while start < text.count, text[start] <= 0x20 { start += 1 }
        return TextRange(start: Int32(start), count: Int32(text.count - start))
    }

    /// Resolves escapes; half a surrogate pair and unknown escapes become U+FFFD.
    private static func unescape(_ raw: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
        var index = 0
        while index < raw.count {
            let byte = raw[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < raw.count else {
                text.append(byte)
                continue
            }
            let escape = raw[index]
            index += 1
            switch escape {
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
                text.append(0x20)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
                text.append(escape)
            case UInt8(ascii: "u"):
                appendEscaped(raw, &index, into: &text)
            default:
                text.append(contentsOf: "\u{FFFD}".utf8)
            }
        }
    }

    /// Appends the character of the four hexadecimal digits at `index`, and of a second escape if they are half of a
    /// surrogate pair.
    private static func appendEscaped(
        _ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int, into text: inout [UInt8]
    ) {
        var value = hex(raw, index)
        if value != nil { index += 4 }
        if let high = value, high & 0xFC00 == 0xD800, index + 6 <= raw.count,
            raw[index] == UInt8(ascii: "\\"), raw[index + 1] == UInt8(ascii: "u"),
            let low = hex(raw, index + 2), low & 0xFC00 == 0xDC00
        {
            index += 6
            value = 0x10000 + (high & 0x3FF) << 10 + low & 0x3FF
        }
        var scalar = value.flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
        if scalar.value < 0x20 { scalar = " " }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private static func hex(_ raw: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt32? {
        guard index + 4 <= raw.count else { return nil }
        var value: UInt32 = 0
        for byte in raw[index..<index + 4] {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private static func isBareword(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte &- 0x41 < 26 || byte &- 0x61 < 26 || byte == 0x2B || byte == 0x2D || byte == 0x2E
    }
}
