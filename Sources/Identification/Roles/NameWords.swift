import Bibliography
import Foundation

/// How strongly a single word suggests a person's name rather than a title.
///
/// The words are counted in a list of well-known works; Scripts/fitting/name_words.py writes them.
enum NameWords {
    /// The log odds, in nats, that a folded word is part of a name and not of a title; `nil` for words not listed.
    static func odds(_ word: String) -> Double? { table.words[Transliteration.latin(word)]?.odds }

    /// Returns the log odds of each word of a line, in nats: the list knows whole words, `NameLetters` any word beside its
    /// neighbours.
    ///
    /// The sum of both has to be reduced, because they agree on most words. Either alone is right for fewer spines.
    static func odds(of words: [String]) -> [Double] {
        zip(words, NameLetters.odds(of: words.map(Transliteration.latin))).map { 0.65 * (listed($0) + $1) }
    }

    /// Whether the words of these lines are more likely to be people's names than titles.
    static func areNames(_ lines: [[String]]) -> Bool {
        let words = lines.flatMap(\.self)
        guard !words.contains(where: { CommonWords.contains($0) && !NameInLine.joins($0) }) else { return false }
        return lines.flatMap(odds).reduce(0, +) > 0.5 * Double(words.count)
    }

    /// Returns the log odds of a word by itself; 0 for words without evidence.
    private static func listed(_ word: String) -> Double {
        if word.count == 1 { return word.first?.isNumber == true ? -2 : 1 }
        if let odds = odds(word) { return isGiven(word) ? max(odds, 2) : odds }
        if isGiven(word) || isPatronymic(word) { return 3 }
        if CommonWords.contains(word) || word.contains(where: \.isNumber) { return -3 }
        return word.count < 5 ? 0 : table.endings[String(Transliteration.latin(word).suffix(3))] ?? 0
    }

    static func isGiven(_ word: String) -> Bool {
        let word = Transliteration.latin(word)
        return table.words[word]?.isGiven ?? false || GivenNames.contains(word)
    }

    /// Whether a word is a Russian name from the father's: `николаевич`.
    private static func isPatronymic(_ word: String) -> Bool {
        word.count >= 6 && ["ович", "евич", "овна", "евна"].contains { word.hasSuffix($0) }
    }

    private static let table: (words: [String: (odds: Double, isGiven: Bool)], endings: [String: Double]) = {
        var words: [String: (odds: Double, isGiven: Bool)] = [:]
        var endings: [String: Double] = [:]
        for line in NameWordList.text.utf8.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard let mark = fields.first, let level = Int(mark.dropLast()) else { continue }
            for field in fields.dropFirst() {
                if mark.last == "e" {
                    endings[field] = Double(level) / 2
                } else {
                    words[field] = (Double(level) / 2, mark.last == "g")
                }
            }
        }
        return (words, endings)
    }()
}
