/// Cyrillic words in Latin letters, as English-speaking libraries write them.
///
/// The romanisation of the Library of Congress without its marks, so that names which are listed in either script are found
/// by the other.
package enum Transliteration {
    /// Returns a folded word in Latin letters; a word without Cyrillic letters unchanged.
    package static func latin(_ word: String) -> String {
        guard word.unicodeScalars.contains(where: isCyrillic) else { return word }
        return word.unicodeScalars.map { letters[$0] ?? String($0) }.joined()
    }

    /// Whether a scalar is a Cyrillic letter of a language that is written today.
    package static func isCyrillic(_ scalar: Unicode.Scalar) -> Bool { 0x400...0x52F ~= scalar.value }

    /// Russian, then what Ukrainian, Belarusian, Serbian and Macedonian have besides; hard and soft signs are dropped.
    private static let letters: [Unicode.Scalar: String] = [
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z", "и": "i", "й": "i",
        "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f",
        "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "iu",
        "я": "ia",
        "і": "i", "ї": "i", "є": "ie", "ґ": "g", "ў": "u", "ђ": "dj", "ј": "j", "љ": "lj", "њ": "nj", "ћ": "c",
        "џ": "dz", "ѓ": "g", "ќ": "k", "ѕ": "dz",
    ]
}
