/// Detects the encoding of a text file and converts it to UTF-8.
package enum TextEncoding: Equatable, Sendable {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    case windows1252

    /// Detects the encoding by the byte order mark or the zeros of UTF-16 without one; otherwise UTF-8 if `start` is
    /// valid (the last character may be incomplete), or Windows-1252.
    package static func of(_ start: some Collection<UInt8>) -> TextEncoding {
        let mark = Array(start.prefix(3))
        if mark.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
        if mark.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        // The header line is usually ASCII, so every other byte of it is zero in UTF-16.
        let pairs = Array(start.prefix(16))
        if pairs.count == 16 {
            let zeros = pairs.indices.filter { pairs[$0] == 0 }
            if zeros == Array(stride(from: 1, to: 16, by: 2)) { return .utf16LittleEndian }
            if zeros == Array(stride(from: 0, to: 16, by: 2)) { return .utf16BigEndian }
        }
        return isUTF8(start) ? .utf8 : .windows1252
    }

    /// Returns a whole file as UTF-8 without a byte order mark.
    package static func utf8(_ file: [UInt8]) -> [UInt8] {
        var decoder = Decoder(encoding: of(file))
        return decoder.decode(file) + decoder.finish()
    }

    /// Converts a file to UTF-8 piece by piece.
    package struct Decoder {
        private var encoding: TextEncoding
        private var isAllASCII = true
        private var pending: [UInt8] = []
        private var isAtStart = true

        package init(encoding: TextEncoding) { self.encoding = encoding }

        /// Returns the next piece as UTF-8; half a UTF-16 character is kept for the next call.
        ///
        /// UTF-8 is returned unchanged. A file whose first pieces are ASCII may still be Windows-1252.
        package mutating func decode(_ chunk: [UInt8]) -> [UInt8] {
            switch encoding {
            case .utf8:
                if isAllASCII, !chunk.allSatisfy({ $0 < 0x80 }) {
                    // The first non-ASCII piece determines the encoding.
                    isAllASCII = false
                    if !isUTF8(chunk) {
                        encoding = .windows1252
                        return decode(chunk)
                    }
                }
                guard isAtStart else { return chunk }
                isAtStart = false
                return chunk.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(chunk.dropFirst(3)) : chunk
            case .windows1252:
                return chunk.flatMap { Array(String(Self.windows1252Scalar($0)).utf8) }
            case .utf16LittleEndian, .utf16BigEndian:
                return decodeUTF16(chunk)
            }
        }

        /// Returns the rest at the end of the file: U+FFFD for an incomplete character.
        package mutating func finish() -> [UInt8] {
            defer { pending = [] }
            return pending.isEmpty ? [] : Array("\u{FFFD}".utf8)
        }

        private mutating func decodeUTF16(_ chunk: [UInt8]) -> [UInt8] {
            var bytes = pending + chunk
            var units: [UInt16] = []
            units.reserveCapacity(bytes.count / 2)
            for index in stride(from: 0, to: bytes.count - 1, by: 2) {
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                units.append(encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second)
            }
            var kept = bytes.count % 2
            if let last = units.last, UTF16.isLeadSurrogate(last) {
                units.removeLast()
                kept += 2
            }
            pending = Array(bytes.suffix(kept))
            bytes = []
            if isAtStart, units.first == 0xFEFF { units.removeFirst() }
            if !units.isEmpty { isAtStart = false }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        }

        private static func windows1252Scalar(_ byte: UInt8) -> Unicode.Scalar {
            guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
            return Unicode.Scalar(upperHalf[Int(byte - 0x80)]) ?? "\u{FFFD}"
        }

        /// The characters 0x80...0x9F of Windows-1252 (WHATWG Encoding Standard, index windows-1252).
        private static let upperHalf: [UInt16] = [
            0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
            0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
            0x0153, 0x9D, 0x017E, 0x0178,
        ]
    }

    private static func isUTF8(_ bytes: some Collection<UInt8>) -> Bool {
        // The last character may lack up to three bytes.
        let bytes = Array(bytes)
        return (0...min(3, bytes.count)).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }
}
