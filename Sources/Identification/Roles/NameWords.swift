import Foundation

/// How strongly a single word suggests a person's name rather than a title.
///
/// The words are counted in a list of well-known works; Scripts/fitting/name_words.py writes them.
enum NameWords {
    /// The log odds, in nats, that a folded word is part of a name and not of a title; `nil` for words not listed.
    static func odds(_ word: String) -> Double? { table.words[word]?.odds }

    /// The same for any word, judged by its ending; 0 for rare endings.
    static func oddsByEnding(_ word: String) -> Double {
        word.count < 5 ? 0 : table.endings[String(word.suffix(3))] ?? 0
    }

    static func isGiven(_ word: String) -> Bool { table.words[word]?.isGiven ?? false || GivenNames.contains(word) }

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
