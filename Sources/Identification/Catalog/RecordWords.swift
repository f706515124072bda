import Foundation
import Bibliography

/// The words of one record as a spine may carry them.
package struct RecordWords: Sendable {
    enum Field: Sendable {
        case title
        case subtitle
        case author
        case series
    }

    struct Word: Sendable {
        let bytes: [UInt8]
        let field: Field
        let weight: Double
        /// The part of an author's name that spines print alone.
        let isSurname: Bool
    }

    let record: Record
    let words: [Word]
    /// Folded main title, spaces left out: what glued or split words are compared with.
    let compactTitle: [UInt8]

    init(_ record: Record, weights: WordWeights) throws {
        self.record = record
        let (main, rest) = Self.split(record.title)
        var words: [Word] = []
        func add(_ text: String?, _ field: Field, surname: Set<String> = []) throws {
            for word in TextNormalisation.words(text ?? "") {
                words.append(
                    Word(
                        bytes: Array(word.utf8), field: field, weight: try weights.weight(of: word),
                        isSurname: surname.contains(word)))
            }
        }
        try add(main, .title)
        try add(rest, .subtitle)
        try add(record.subtitle, .subtitle)
        for author in record.authors.prefix(4) {
            let (text, surname) = Self.name(author)
            try add(text, .author, surname: surname)
        }
        try add(record.series, .series)
        self.words = words
        compactTitle = Array(TextNormalisation.fold(main).utf8.filter { $0 != UInt8(ascii: " ") })
    }

    /// A title as catalogs write it, cut where a subtitle begins.
    package static func split(_ title: String) -> (main: String, rest: String?) {
        for mark in [" : ", ": ", " ; ", "; ", " / ", " - ", " – ", " — ", " ("] {
            if let range = title.firstRange(of: mark), range.lowerBound > title.startIndex {
                let main = String(title[..<range.lowerBound])
                if !TextNormalisation.words(main).isEmpty { return (main, String(title[range.upperBound...])) }
            }
        }
        return (title, nil)
    }

    /// The name without dates, and its surname's words.
    private static func name(_ author: String) -> (text: String, surname: Set<String>) {
        let parts = author.split(separator: ",").map(String.init)
        if parts.count >= 2, parts[1].contains(where: \.isLetter) {
            return (parts[0] + " " + parts[1], Set(TextNormalisation.words(parts[0])))
        }
        let words = TextNormalisation.words(author).filter { !$0.allSatisfy(\.isNumber) }
        return (words.joined(separator: " "), Set(words.suffix(1)))
    }
}

/// How much a word says: its inverse document frequency in the catalog, within bounds.
final class WordWeights {
    private let catalog: any RecordSearch
    private var known: [String: Double] = [:]
    private let works: Double

    init(catalog: any RecordSearch) {
        self.catalog = catalog
        works = Double(max(1, catalog.workCount))
    }

    /// ln of works ÷ works with the word, 0.3...9.
    ///
    /// A short list knows little of how common words are, so the commonest words of the languages are capped.
    func weight(of word: String) throws -> Double {
        if let weight = known[word] { return weight }
        let frequency = Double(try catalog.documentFrequency(of: word))
        let size = max(works, 5000)
        let scaled = works < size ? frequency * (size / works).squareRoot() : frequency
        var weight = min(9, max(0.3, log((size + 1) / (scaled + 0.5))))
        if CommonWords.contains(word) { weight = min(weight, 0.8) }
        if word.utf8.count <= 2 { weight = min(weight, 1.5) }
        known[word] = weight
        return weight
    }
}
