import Foundation

/// Converts texts in one encoding by their characters, of which Foundation converts each once.
///
/// Foundation refuses a whole text for one invalid byte, so that finding the rest of it takes many conversions. With the
/// table, the cost of a text is linear in its length, and the number of conversions is limited by that of the characters
/// that the encoding has.
package struct CharacterTable {
    package let encoding: TextEncoding
    /// How often Foundation was called.
    package private(set) var conversions = 0

    /// The characters seen so far by their bytes; nil for bytes that are not a character.
    private var known: [UInt32: String?] = [:]

    package init(_ encoding: TextEncoding) { self.encoding = encoding }

    /// Returns a text of whole characters, with U+FFFD for each byte that is invalid in this encoding.
    package mutating func text(_ bytes: some Collection<UInt8>) -> String {
        guard let foundation = encoding.foundation else { return String(decoding: bytes, as: UTF8.self) }
        let bytes = Array(bytes)
        var text = ""
        var index = 0
        while index < bytes.count {
            let ascii = bytes[index...].prefix { $0 < 0x80 }
            if !ascii.isEmpty {
                text += String(decoding: ascii, as: UTF8.self)
                index = ascii.endIndex
                continue
            }
            let (character, length) = character(in: bytes, at: index, foundation)
            text += character
            index += length
        }
        return text
    }

    /// Returns the character that begins with a byte beyond ASCII, and its length in bytes.
    private mutating func character(in bytes: [UInt8], at index: Int, _ foundation: String.Encoding) -> (String, Int) {
        // No character begins with the bytes of another one.
        if let single = character(bytes[index...index], foundation) { return (single, 1) }
        guard encoding.isMultibyte, index + 1 < bytes.count else { return ("\u{FFFD}", 1) }
        let length = encoding == .gb18030 && (0x30...0x39).contains(bytes[index + 1]) ? 4 : 2
        guard index + length <= bytes.count,
            let character = character(bytes[index..<index + length], foundation)
        else { return ("\u{FFFD}", 1) }
        return (character, length)
    }

    private mutating func character(_ bytes: ArraySlice<UInt8>, _ foundation: String.Encoding) -> String? {
        let key = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        // There are a million characters of four bytes beyond the first 65,536 of Unicode, in their order.
        if bytes.count == 4, key >= 0x9030_8130 { return Self.beyondFirstPlane(Array(bytes)) }
        if let known = known[key] { return known }
        conversions += 1
        let character = String(bytes: bytes, encoding: foundation)
        known[key] = .some(character)
        return character
    }

    /// Returns the character of four bytes in GB 18030 from U+10000 on; nil for other bytes.
    private static func beyondFirstPlane(_ bytes: [UInt8]) -> String? {
        guard [0, 2].allSatisfy({ (0x81...0xFE).contains(bytes[$0]) }), (0x30...0x39).contains(bytes[3]) else {
            return nil
        }
        let place =
            (UInt32(bytes[0]) - 0x90) * 12600 + (UInt32(bytes[1]) - 0x30) * 1260
            + (UInt32(bytes[2]) - 0x81) * 10 + UInt32(bytes[3]) - 0x30
        return Unicode.Scalar(0x10000 + place).map { String($0) }
    }
}

extension TextEncoding {
    /// Returns a text of whole characters, with U+FFFD for each byte that is invalid in this encoding.
    package func text(_ bytes: some Collection<UInt8>) -> String {
        var table = CharacterTable(self)
        return table.text(bytes)
    }

    /// Whether characters may have more than one byte.
    fileprivate var isMultibyte: Bool {
        switch self {
        case .shiftJIS, .gb18030, .big5, .eucKR: true
        default: false
        }
    }
}
