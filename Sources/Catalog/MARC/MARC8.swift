import Foundation

/// Decodes MARC-8, the encoding of MARC 21 records before Unicode.
///
/// Two sets of 94 characters are active at a time, one for bytes below 0x80 and one for those above; escape sequences
/// switch them. Combining characters precede their letter. Source: Library of Congress, MARC 21 Specifications for
/// Record Structure, Character Sets and Exchange Media, "Character Sets: MARC-8 Encoding Environment".
package enum MARC8 {
    /// Returns the decoded text; unknown characters and the East Asian set (EACC) become U+FFFD.
    package static func decode(_ bytes: some Collection<UInt8>) -> String {
        var decoder = Decoder()
        let bytes = Array(bytes)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x1B {
                index += 1
                decoder.readEscape(bytes, &index)
            } else {
                index += decoder.decode(bytes, at: index)
            }
        }
        return decoder.finish()
    }

    private enum CharacterSet {
        case ascii, ansel, hebrew, cyrillic, extendedCyrillic, arabic, greek, symbols, subscripts, superscripts,
            eastAsian, unknown
    }

    private struct Decoder {
        private var low = CharacterSet.ascii
        private var high = CharacterSet.ansel
        private var output = String.UnicodeScalarView()
        private var accents: [Unicode.Scalar] = []

        /// Decodes the character at `index` and returns its length in bytes.
        mutating func decode(_ bytes: [UInt8], at index: Int) -> Int {
            let byte = bytes[index]
            let set = byte < 0x80 ? low : high
            if byte <= 0x20 || byte == 0x7F || (0x80..<0xA0).contains(byte) && !(0x88...0x8E).contains(byte) {
                if byte == 0x20 { put(" ") }
                return 1
            }
            switch byte {
            case 0x88, 0x89: return 1  // delimiters of text that sorting ignores
            case 0x8D: put("\u{200D}"); return 1
            case 0x8E: put("\u{200C}"); return 1
            default: break
            }
            if set == .eastAsian {
                put("\u{FFFD}")
                return min(3, bytes.count - index)
            }
            let scalar = MARC8.scalar(byte & 0x7F, in: set)
            if let scalar, scalar.properties.canonicalCombiningClass != .notReordered {
                accents.append(scalar)
            } else {
                put(scalar ?? "\u{FFFD}")
            }
            return 1
        }

        mutating func readEscape(_ bytes: [UInt8], _ index: inout Int) {
            guard index < bytes.count else { return }
            let first = bytes[index]
            index += 1
            switch first {
            case UInt8(ascii: "g"): low = .symbols
            case UInt8(ascii: "b"): low = .subscripts
            case UInt8(ascii: "p"): low = .superscripts
            case UInt8(ascii: "s"): low = .ascii
            case UInt8(ascii: "("), UInt8(ascii: ","): designate(bytes, &index) { $0.low = $1 }
            case UInt8(ascii: ")"), UInt8(ascii: "-"): designate(bytes, &index) { $0.high = $1 }
            case UInt8(ascii: "$"):
                var isHigh = false
                if index < bytes.count, [0x28, 0x2C, 0x29, 0x2D].contains(bytes[index]) {
                    isHigh = bytes[index] == 0x29 || bytes[index] == 0x2D
                    index += 1
                }
                designate(bytes, &index) { if isHigh { $0.high = $1 } else { $0.low = $1 } }
            default:
                index -= 1
            }
        }

        mutating func finish() -> String {
            output.append(contentsOf: accents)
            // All text in the catalog is composed.
            return String(output).precomposedStringWithCanonicalMapping
        }

        private mutating func designate(
            _ bytes: [UInt8], _ index: inout Int, _ set: (inout Decoder, CharacterSet) -> Void
        ) {
            if index < bytes.count, bytes[index] == UInt8(ascii: "!") { index += 1 }
            guard index < bytes.count else { return }
            let final = bytes[index]
            index += 1
            let chosen: CharacterSet =
                switch final {
                case UInt8(ascii: "B"): .ascii
                case UInt8(ascii: "E"): .ansel
                case UInt8(ascii: "2"): .hebrew
                case UInt8(ascii: "N"): .cyrillic
                case UInt8(ascii: "Q"): .extendedCyrillic
                case UInt8(ascii: "3"), UInt8(ascii: "4"): .arabic
                case UInt8(ascii: "S"): .greek
                case UInt8(ascii: "1"): .eastAsian
                default: .unknown
                }
            set(&self, chosen)
        }

        private mutating func put(_ scalar: Unicode.Scalar) {
            output.append(scalar)
            output.append(contentsOf: accents)
            accents = []
        }
    }

    private static func scalar(_ byte: UInt8, in set: CharacterSet) -> Unicode.Scalar? {
        let code = UInt32(byte)
        switch set {
        case .ascii:
            return Unicode.Scalar(byte)
        case .ansel:
            return ansel[byte]
        case .hebrew:
            return (0x60...0x7A).contains(code)
                ? Unicode.Scalar(0x05D0 + code - 0x60) : hebrewSigns[byte] ?? Unicode.Scalar(byte)
        case .cyrillic:
            return code >= 0x40 ? cyrillic[Int(code - 0x40)] : Unicode.Scalar(byte)
        case .arabic:
            switch code {
            case 0x41...0x5A: return Unicode.Scalar(0x0621 + code - 0x41)
            case 0x60...0x72: return Unicode.Scalar(0x0640 + code - 0x60)
            case 0x30...0x39: return Unicode.Scalar(0x0660 + code - 0x30)
            default: return arabicSigns[byte] ?? Unicode.Scalar(byte)
            }
        case .greek:
            return greek[byte]
        case .symbols:
            return [0x61: "α", 0x62: "β", 0x63: "γ"][byte]
        case .subscripts:
            return lowered(code, digits: 0x2080, signs: 0x208A) ?? Unicode.Scalar(byte)
        case .superscripts:
            let latin1: [UInt8: Unicode.Scalar] = [0x31: "¹", 0x32: "²", 0x33: "³"]
            return latin1[byte] ?? lowered(code, digits: 0x2070, signs: 0x207A) ?? Unicode.Scalar(byte)
        case .extendedCyrillic:
            // Small letters at 0x40, capitals at 0x60.
            guard (0x40...0x4E).contains(code & ~0x20) else { return nil }
            return code & 0x20 == 0 ? extendedCyrillic[Int(code - 0x40)] : extendedCyrillicCapitals[Int(code - 0x60)]
        case .eastAsian, .unknown:
            return nil
        }
    }

    /// Maps digits and the signs `+ - = ( )` to subscripts or superscripts, which Unicode has in this order.
    private static func lowered(_ code: UInt32, digits: UInt32, signs: UInt32) -> Unicode.Scalar? {
        switch code {
        case 0x30...0x39: Unicode.Scalar(digits + code - 0x30)
        case 0x2B: Unicode.Scalar(signs)
        case 0x2D: Unicode.Scalar(signs + 1)
        case 0x28: Unicode.Scalar(signs + 3)
        case 0x29: Unicode.Scalar(signs + 4)
        default: nil
        }
    }

    /// Extended Latin (ANSEL), by the byte without its high bit.
    private static let ansel: [UInt8: Unicode.Scalar] = [
        0x21: "Ł", 0x22: "Ø", 0x23: "Đ", 0x24: "Þ", 0x25: "Æ", 0x26: "Œ", 0x27: "\u{02B9}", 0x28: "·", 0x29: "♭",
        0x2A: "®", 0x2B: "±", 0x2C: "Ơ", 0x2D: "Ư", 0x2E: "\u{02BC}", 0x30: "\u{02BB}", 0x31: "ł", 0x32: "ø",
        0x33: "đ", 0x34: "þ", 0x35: "æ", 0x36: "œ", 0x37: "\u{02BA}", 0x38: "ı", 0x39: "£", 0x3A: "ð", 0x3C: "ơ",
        0x3D: "ư", 0x40: "°", 0x41: "ℓ", 0x42: "℗", 0x43: "©", 0x44: "♯", 0x45: "¿", 0x46: "¡", 0x47: "ß", 0x48: "€",
        0x60: "\u{0309}", 0x61: "\u{0300}", 0x62: "\u{0301}", 0x63: "\u{0302}", 0x64: "\u{0303}", 0x65: "\u{0304}",
        0x66: "\u{0306}", 0x67: "\u{0307}", 0x68: "\u{0308}", 0x69: "\u{030C}", 0x6A: "\u{030A}", 0x6B: "\u{FE20}",
        0x6C: "\u{FE21}", 0x6D: "\u{0315}", 0x6E: "\u{030B}", 0x6F: "\u{0310}", 0x70: "\u{0327}", 0x71: "\u{0328}",
        0x72: "\u{0323}", 0x73: "\u{0324}", 0x74: "\u{0325}", 0x75: "\u{0333}", 0x76: "\u{0332}", 0x77: "\u{0326}",
        0x78: "\u{031C}", 0x79: "\u{032E}", 0x7A: "\u{FE22}", 0x7B: "\u{FE23}", 0x7E: "\u{0313}",
    ]

    private static let cyrillic: [Unicode.Scalar] = Array(
        "юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧ\u{FFFD}".unicodeScalars)

    private static let extendedCyrillic: [Unicode.Scalar] = Array("ґђѓєёѕіїјљњћќўџ".unicodeScalars)
    private static let extendedCyrillicCapitals: [Unicode.Scalar] = Array("ҐЂЃЄЁЅІЇЈЉЊЋЌЎЏ".unicodeScalars)

    private static let hebrewSigns: [UInt8: Unicode.Scalar] = [
        0x22: "\u{05F4}", 0x27: "\u{05F3}", 0x2D: "\u{05BE}", 0x40: "\u{05B7}", 0x41: "\u{05B8}", 0x42: "\u{05B6}",
        0x43: "\u{05B5}", 0x44: "\u{05B4}", 0x45: "\u{05B9}", 0x46: "\u{05BB}", 0x47: "\u{05B0}", 0x48: "\u{05B2}",
        0x49: "\u{05B3}", 0x4A: "\u{05B1}", 0x4B: "\u{05BC}", 0x4C: "\u{05BF}", 0x4D: "\u{05C1}", 0x4E: "\u{FB1E}",
        0x7B: "\u{05F0}", 0x7C: "\u{05F1}", 0x7D: "\u{05F2}",
    ]

    private static let arabicSigns: [UInt8: Unicode.Scalar] = [
        0x25: "\u{066A}", 0x2A: "\u{066D}", 0x2C: "\u{060C}", 0x3B: "\u{061B}", 0x3F: "\u{061F}", 0x73: "\u{0671}",
        0x74: "\u{0670}", 0x78: "\u{066C}", 0x79: "”", 0x7A: "“",
    ]

    private static let greek: [UInt8: Unicode.Scalar] = {
        var table: [UInt8: Unicode.Scalar] = [:]
        let lower = Array("αβϐγδεϛϝζηθικλμνξοπϟρσςτυφχψωϡ".unicodeScalars)
        let upper = Array("ΑΒ\u{FFFD}ΓΔΕϚϜΖΗΘΙΚΛΜΝΞΟΠϞΡΣ\u{FFFD}ΤΥΦΧΨΩϠ".unicodeScalars)
        for (place, scalar) in lower.enumerated() { table[UInt8(0x61 + place)] = scalar }
        for (place, scalar) in upper.enumerated() { table[UInt8(0x41 + place)] = scalar }
        table.merge([0x30: "«", 0x31: "»", 0x32: "“", 0x33: "”", 0x34: "ʹ", 0x35: "͵", 0x3B: "·", 0x3F: ";"]) { $1 }
        let marks: [Unicode.Scalar] = [
            "\u{0300}", "\u{0301}", "\u{0308}", "\u{0342}", "\u{0313}", "\u{0314}", "\u{0345}",
        ]
        for (place, scalar) in marks.enumerated() { table[UInt8(0x21 + place)] = scalar }
        return table
    }()
}
