import Bounds
import Foundation

/// The folding of each character beyond ASCII, computed once from Unicode data.
///
/// Han characters and Hangul syllables, two thirds of the basic plane, are computed instead of stored.
struct FoldingTable: Sendable {
    static let shared = FoldingTable()

    /// The concatenated UTF-8 of all foldings; a space is a word boundary.
    private let bytes: [UInt8]
    /// The start of slot n's folding in `bytes`, followed by the end of the last one.
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

    /// Calls `body` with the folded UTF-8 of a scalar beyond ASCII; it is empty for combining marks.
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

    // MARK: - Folding with Unicode data

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

    /// Returns the conjoining letters of a Hangul syllable (The Unicode Standard, section 3.12).
    private static func hangulParts(of value: UInt32) -> [UInt8] {
        let index = value - 0xAC00
        let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28] + (index % 28 > 0 ? [0x11A7 + index % 28] : [])
        return letters.compactMap(Unicode.Scalar.init).flatMap { Array(String($0).utf8) }
    }

    /// Folds all values together: decomposing one long text is a hundred times faster than one text per character.
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
            // Removes accents (with a combining class); vowel signs of Indic scripts change the sound and are kept.
            return properties.canonicalCombiningClass != .notReordered ? [] : Array(String(scalar).utf8)
        case .decimalNumber:
            return properties.numericValue.map { [UInt8(0x30 + Int(saturating: $0) % 10)] } ?? [0x20]
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

    /// The spelling that library catalogs use for letters that Unicode does not decompose (ALA romanisation, German
    /// and Scandinavian filing rules).
    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d",
        "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ł": "l", "Ł": "l", "ħ": "h", "Ħ": "h", "ı": "i", "ŋ": "n", "Ŋ": "n",
        "ŧ": "t", "Ŧ": "t", "ĸ": "k", "ƀ": "b", "ɓ": "b", "ƒ": "f", "ɖ": "d", "ɗ": "d", "ɨ": "i", "ƙ": "k", "ƚ": "l",
        "ς": "σ", "\u{2044}": " ",
        // One letter in Arabic and in Persian spelling; the tatweel only stretches a word.
        "\u{0643}": "\u{06A9}", "\u{064A}": "\u{06CC}", "\u{0649}": "\u{06CC}", "\u{0629}": "\u{0647}",
        "\u{06C1}": "\u{0647}", "\u{06D5}": "\u{0647}", "\u{0640}": "",
    ]
}
