import Bibliography
import Imaging
import ShelflistAPI
package import SpineReading

extension SpineOpinion {
    /// Titles this similar are the same, misprints and spellings aside.
    private static let sameTitle = 0.85
    /// Words this similar are the same, misread letters aside.
    private static let sameWord = 0.75
    /// Names this similar are the same.
    private static let sameName = 0.8

    /// Whether the opinion names the book that a record describes: the same title proper, and one author in common
    /// where both name one.
    package func names(title other: String, authors: [String]) -> Bool {
        let (own, theirs) = (Title(title).sortKey, Title(other).sortKey)
        guard !own.isEmpty, Spelling.similarity(own, theirs, minimum: Self.sameTitle) >= Self.sameTitle else {
            return false
        }
        let names = (author.map(Self.names) ?? [], authors.flatMap(Self.names))
        guard !names.0.isEmpty, !names.1.isEmpty else { return true }
        return names.0.contains { name in
            names.1.contains { Spelling.similarity(name, $0, minimum: Self.sameName) >= Self.sameName }
        }
    }

    func names(_ record: BookRecord) -> Bool { names(title: record.title, authors: record.authors) }

    /// Returns the share of the words of title and author that are among others, 0...1.
    package func support(by read: [String]) -> Double {
        let words = TextNormalisation.words([title, author ?? ""].joined(separator: " "))
        let found = words.count { word in
            read.contains { Spelling.similarity(word, $0, minimum: Self.sameWord) >= Self.sameWord }
        }
        return Double(found) / Double(max(1, words.count))
    }

    /// The words of a name without initials and years.
    private static func names(in text: String) -> [String] {
        TextNormalisation.words(text).filter { $0.count >= 3 && !$0.allSatisfy(\.isNumber) }
    }

    /// The opinion as a record, to be compared with the text of a spine.
    var record: BookRecord {
        BookRecord(
            id: title + "\u{1}" + (author ?? ""), title: title, authors: author.map { [$0] } ?? [], source: reader)
    }

    /// The opinion as a candidate for a spine.
    ///
    /// - Parameter confidence: 0...1.
    func match(confidence: Double) -> BookMatch {
        BookMatch(title: title, author: author, confidence: confidence.thousandths, source: reader)
    }
}
