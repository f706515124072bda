import Bibliography
import Foundation

/// Numbers of volumes in the notations of spines and catalogs: `7`, `VII`, `Vol. 7`, `第7巻`, `七`, `⑦`, and `上`, `中`,
/// `下` for the parts of a work in two or three volumes.
enum VolumeNumber {
    /// A title whose last number is that of a volume.
    struct Title: Hashable, Sendable {
        /// The folded words without the number and the word before it (`Vol.`); equal for the volumes of one work.
        let base: [String]
        /// The number in digits, or `上`, `中`, `下`; nil without one.
        let number: String?

        init(_ text: String) {
            let tokens = VolumeNumber.tokens(text)
            let values = tokens.map(VolumeNumber.value)
            let last = values.lastIndex { $0 != nil }
            number = last.flatMap { values[$0] }
            base = tokens.indices.flatMap { index in
                if index == last { return [String]() }
                // Numbers before the last belong to the title; their notation does not matter.
                if let value = values[index] { return [value] }
                let words = TextNormalisation.words(tokens[index])
                return index + 1 == last && words.allSatisfy(volumeWords.contains) ? [] : words
            }
        }
    }

    /// Whether a folded word stands before the number of a volume.
    static func isVolumeWord(_ word: String) -> Bool { volumeWords.contains(word) }

    /// Returns the numbers in a text, in digits.
    static func all(in text: String) -> [String] { tokens(text).compactMap(value) }

    /// Splits at everything but letters and digits; compatibility forms such as `⑦` and `Ⅶ` become plain ones.
    ///
    /// Decimals and ranges (`796.4` on a library's label, `1-3`) are left out: they are not the number of one volume.
    private static func tokens(_ text: String) -> [String] {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let text = isASCII ? text : text.precomposedStringWithCompatibilityMapping
        // Few titles have decimals, and looking for a pattern takes long.
        let mayHave = zip(text.utf8, text.utf8.dropFirst()).contains { isFigure($0) && separators.contains($1) }
        let plain = mayHave ? text.replacing(decimals, with: " ") : text  // allowed: reads numbers
        if isASCII { return plain.utf8.split { !isLetter($0) && !isFigure($0) }.map { String(Substring($0)) } }
        return plain.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Decimals and ranges.
    private static var decimals: Regex<Substring> { /[0-9]+(?:[.,\/–-][0-9]+)+/ }

    /// The first bytes of what divides decimals and ranges.
    private static let separators = Array(".,/-".utf8) + [0xE2]

    private static func isFigure(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    /// Returns the number that a token is as a whole; nil for other words.
    private static func value(_ token: String) -> String? {
        // The only numbers of Latin letters; no other rule applies to these.
        if token.utf8.allSatisfy(isLetter) { return romans[token].map(String.init) }
        if let part = parts[token] { return part }
        var core = token[...]
        if let first = core.first, "第제".contains(first) { core = core.dropFirst() }
        if let last = core.last, counters.contains(last), core.count > 1 { core = core.dropLast() }
        let bare = core.drop { $0.isLetter && $0.isASCII }
        if bare.count < core.count,
            volumeWords.contains(TextNormalisation.fold(String(core.prefix(core.count - bare.count))))
        {
            core = bare
        }
        guard !core.isEmpty, core.count <= 6 else { return nil }
        if core.allSatisfy(\.isWholeNumber), let number = Int(core.map { "\($0.wholeNumberValue ?? 0)" }.joined()),
            core.allSatisfy({ !chineseDigits.keys.contains($0) })
        {
            return String(number)
        }
        return chinese(core).map(String.init) ?? roman(core).map(String.init)
    }

    private static let parts = [
        "上": "上", "上巻": "上", "上卷": "上", "上册": "上", "上冊": "上", "中": "中", "中巻": "中", "中卷": "中", "中册": "中",
        "中冊": "中", "下": "下", "下巻": "下", "下卷": "下", "下册": "下", "下冊": "下",
    ]
    private static let counters: Set<Character> = ["巻", "卷", "冊", "册", "集", "部", "권", "부"]

    /// Folded words before a number.
    private static let volumeWords: Set<String> = [
        "vol", "volume", "volumen", "volum", "tomo", "tom", "tome", "t", "т", "том", "часть", "выпуск", "кн", "ч",
        "вып", "book", "bk", "libro", "llibre", "part",
        "parte",
        "partie", "band", "bd", "teil", "no", "nr", "num", "number", "volym", "del", "bind", "osa", "deel", "svazek",
    ]

    private static let chineseDigits: [Character: Int] = [
        "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    ]

    /// Reads 1...99 in Han numerals: `十二` is 12, `二十` is 20.
    private static func chinese(_ text: Substring) -> Int? {
        let parts = text.split(separator: "十", omittingEmptySubsequences: false)
        let digits = parts.map { part in
            part.count == 1 ? part.first.flatMap { chineseDigits[$0] } : part.isEmpty ? 0 : nil
        }
        switch (parts.count, digits.first ?? nil, digits.last ?? nil) {
        case (1, let ones?, _) where ones > 0: return ones
        case (2, let tens?, let ones?): return max(1, tens) * 10 + ones
        default: return nil
        }
    }

    /// Reads 1...39 in capital Roman numerals.
    private static func roman(_ text: Substring) -> Int? { romans[String(text)] }

    private static let romans: [String: Int] = {
        let tens = ["", "X", "XX", "XXX"]
        let ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
        let pairs = tens.indices.flatMap { ten in ones.indices.map { (tens[ten] + ones[$0], ten * 10 + $0) } }
        return Dictionary(pairs.dropFirst(), uniquingKeysWith: { first, _ in first })
    }()
}
