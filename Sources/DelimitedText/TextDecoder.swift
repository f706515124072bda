extension TextEncoding {
    /// Converts a file to UTF-8 piece by piece.
    package struct Decoder {
        private(set) var encoding: TextEncoding
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
            case .utf16LittleEndian, .utf16BigEndian:
                return decodeUTF16(chunk)
            default:
                return chunk.flatMap { Array(String(Self.windows1252Scalar($0)).utf8) }
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
}

private func isUTF8(_ bytes: some Collection<UInt8>) -> Bool { String(validating: bytes, as: UTF8.self) != nil }
