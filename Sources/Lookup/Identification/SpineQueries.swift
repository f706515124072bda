import Bibliography
import Identification
package import Providers
package import ShelflistAPI

/// The queries that find the record of a spine, surest first.
///
/// Online catalogs require every word of a query to occur, so one misread word finds nothing. The first queries use what
/// was read as title and author; the later ones use fewer words, chosen by score and length, and leave one out each time.
package struct SpineQueries: Sendable {
    /// At most `limit` queries, without repeats.
    package private(set) var queries: [WordQuery] = []

    package static let limit = 5

    /// Lines below this score are left out.
    private static let leastScore = 0.6
    /// Words of lines below this score are not searched for without the rest of their line.
    private static let leastSureScore = 0.8
    /// A title with fewer letters, such as *It*, is searched for only with its author.
    private static let leastTitleLetters = 6
    private static let leastSureLetters = 4
    /// More words make a misread one likelier and the result hardly more certain.
    private static let mostWords = 8

    /// - Parameters:
    ///   - text: the lines of the spine.
    ///   - title: as read; nil if no line is the title.
    ///   - author: as read; nil if no line is the author.
    package init(text: [ReadText], title: String?, author: String?) {
        let title = Self.telling(TextNormalisation.words(title ?? ""))
        let surname = author.flatMap(PersonName.init)?.familyWords.last { $0.utf8.count >= 3 }
        // Not by field: what was read as title may be the author.
        if let surname, !title.isEmpty { add(WordQuery(anywhere: title + [surname])) }
        if title.joined().utf8.count >= Self.leastTitleLetters { add(WordQuery(title: title)) }

        let lines = text.filter { $0.score >= Self.leastScore }.map {
            Line(words: TextNormalisation.words($0.text), score: $0.score)
        }
        if let line = Self.surestLine(lines) { add(WordQuery(anywhere: line)) }
        for words in Self.sureWords(lines) { add(WordQuery(anywhere: words)) }
    }

    private struct Line {
        var words: [String]
        var score: Double

        /// The number of letters, counted less the likelier a misread one is.
        var weight: Double { Double(words.joined().count) * score * score * score }

        var isImprint: Bool { Publishers.isPublisher(words) || Publishers.isOrganisation(words) }
    }

    private struct Word {
        var text: String
        var line: Int
        var weight: Double
    }

    private mutating func add(_ query: WordQuery) {
        var query = query
        query.title = Self.distinct(query.title)
        query.anywhere = Self.distinct(query.anywhere)
        let isNew = !queries.contains {
            Set($0.title) == Set(query.title) && Set($0.anywhere) == Set(query.anywhere)
        }
        if isNew, !query.isEmpty, queries.count < Self.limit { queries.append(query) }
    }

    private static func distinct(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return Array(words.filter { seen.insert($0).inserted }.prefix(mostWords))
    }

    /// Returns the words without function words, which records often lack; all of them if there are no others.
    private static func telling(_ words: [String]) -> [String] {
        let telling = words.filter { $0.count > 1 && !CommonWords.contains($0) }
        return telling.isEmpty ? words : telling
    }

    /// Returns the words of the longest line that is neither a publisher nor a number, the score considered.
    private static func surestLine(_ lines: [Line]) -> [String]? {
        lines.filter { !$0.isImprint }.sorted { $0.weight > $1.weight }.lazy
            .map { line in line.words.filter { $0.count > 1 && !CommonWords.contains($0) && !isNumber($0) } }
            .first { $0.count >= 2 }
    }

    /// Returns pairs of the three longest sure words, the surest pair first; a long word alone if there is only one.
    private static func sureWords(_ lines: [Line]) -> [[String]] {
        var words: [Word] = []
        for (index, line) in lines.enumerated() where line.score >= leastSureScore && !line.isImprint {
            for word in line.words where word.count >= leastSureLetters && isSelective(word) {
                guard !words.contains(where: { $0.text == word }) else { continue }
                words.append(Word(text: word, line: index, weight: Double(word.count) * line.score * line.score))
            }
        }
        let longest = words.sorted { ($1.weight, $0.text) < ($0.weight, $1.text) }.prefix(3)
        if longest.count == 1 { return longest.filter { $0.text.count >= leastTitleLetters }.map { [$0.text] } }
        let pairs = longest.indices.flatMap { first in
            longest.indices.filter { $0 > first }.map { (longest[first], longest[$0]) }
        }
        return pairs.sorted { weight($0) > weight($1) }.map { [$0.0.text, $0.1.text] }
    }

    /// Words of two lines are likelier title and author, which few books share.
    private static func weight(_ pair: (Word, Word)) -> Double {
        pair.0.weight + pair.1.weight + (pair.0.line == pair.1.line ? 0 : 4)
    }

    private static func isSelective(_ word: String) -> Bool {
        !CommonWords.contains(word) && !Publishers.isDecoration(word) && !isNumber(word)
    }

    private static func isNumber(_ word: String) -> Bool { word.allSatisfy(\.isNumber) }
}
