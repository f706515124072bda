import Foundation

/// What each character beyond ASCII folds to, worked out once from Unicode's own data.
///
/// Han characters and Hangul syllables, two thirds of the basic plane, are computed instead of stored.
struct FoldingTable: Sendable {
    static let shared = FoldingTable()

    /// UTF-8 of all foldings, one after the other; a space in it is a word boundary.
    private let bytes: [UInt8]
    /// Where the folding of slot n begins in `bytes`; one more at the end.
    private let starts: [UInt32]

    private init() {
        var bytes: [UInt8] = []
        var starts: [UInt32] = [0]
        let stored = Self.storedRanges.flatMap { $0 }
        for folding in Self.foldings(of: stored) {
            bytes += folding
            starts.append(UInt32(bytes.count))
        }
        self.bytes = bytes
        self.starts = starts
    }

    /// Calls `body` with the folded UTF-8 of a scalar beyond ASCII: empty where it vanishes (combining marks).
    func withFolding(of scalar: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        if let slot = Self.slot(of: scalar) {
            bytes.withUnsafeBufferPointer { body(.init(rebasing: $0[Int(starts[slot])..<Int(starts[slot + 1])])) }
        } else {
            Self.compute(scalar).withUnsafeBufferPointer(body)
        }
    }

    private static let storedRanges: [Range<UInt32>] = [0x80..<0x3400, 0xA000..<0xAC00, 0xF900..<0x10000]

    private static func slot(of scalar: UInt32) -> Int? {
        var base = 0
        for range in storedRanges {
            if range.contains(scalar) { return base + Int(scalar - range.lowerBound) }
            base += range.count
        }
        return nil
    }

    // MARK: - Folding by Unicode's data

    private static func compute(_ value: UInt32) -> [UInt8] {
        switch value {
        case 0x3400..<0xA000, 0x20000..<0x32000:
            return Unicode.Scalar(value).map { [0x20] + Array(String($0).utf8) + [0x20] } ?? [0x20]
        case 0xAC00...0xD7A3:
            return hangulParts(of: value)
        default:
            return foldings(of: [value])[0]
        }
    }

    /// The conjoining letters of a Hangul syllable (The Unicode Standard, section 3.12).
    private static func hangulParts(of value: UInt32) -> [UInt8] {
        let index = value - 0xAC00
        let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28] + (index % 28 > 0 ? [0x11A7 + index % 28] : [])
        return letters.compactMap(Unicode.Scalar.init).flatMap { Array(String($0).utf8) }
    }

    /// One decomposition of a long text is a hundred times faster than one for each character.
    private static func foldings(of values: [UInt32]) -> [[UInt8]] {
        var text = String.UnicodeScalarView()
        let separator: Unicode.Scalar = "\u{1}"
        for value in values {
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
            text.append(separator)
        }
        var result: [[UInt8]] = []
        var current: [UInt8] = []
        for scalar in String(text).decomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar == separator {
                result.append(current)
                current = []
            } else {
                current += fold(decomposed: scalar)
            }
        }
        return result
    }

    private static func fold(decomposed scalar: Unicode.Scalar) -> [UInt8] {
        if let replacement = replacements[scalar] { return Array(replacement.utf8) }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return [] }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark:
            // Accents (with a combining class) go; vowel signs of Indic scripts carry sound and stay.
            return properties.canonicalCombiningClass != .notReordered ? [] : Array(String(scalar).utf8)
        case .decimalNumber:
            return properties.numericValue.map { [UInt8(0x30 + Int($0) % 10)] } ?? [0x20]
        case .letterNumber, .otherNumber, .modifierLetter, .otherLetter, .lowercaseLetter, .uppercaseLetter,
            .titlecaseLetter:
            return letter(scalar)
        default:
            return [0x20]
        }
    }

    private static func letter(_ scalar: Unicode.Scalar) -> [UInt8] {
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
            .filter { $0.properties.canonicalCombiningClass == .notReordered }
            .map { replacements[$0] ?? String($0) }.joined()
        let isSpaceless = scalar.properties.isIdeographic || (0x3040...0x30FF).contains(scalar.value)
        return Array((isSpaceless ? " \(lower) " : lower).utf8)
    }

    /// Letters that Unicode does not decompose, in the spelling that catalogues use for them (ALA romanisation,
    /// German and Scandinavian filing rules).
    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d",
        "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ł": "l", "Ł": "l", "ħ": "h", "Ħ": "h", "ı": "i", "ŋ": "n", "Ŋ": "n",
        "ŧ": "t", "Ŧ": "t", "ĸ": "k", "ƀ": "b", "ɓ": "b", "ƒ": "f", "ɖ": "d", "ɗ": "d", "ɨ": "i", "ƙ": "k", "ƚ": "l",
        "ς": "σ", "\u{2044}": " ",
    ]
}
