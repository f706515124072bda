import Bibliography
import Bounds

/// A search for records that contain every one of these words.
package struct WordQuery: Hashable, Sendable {
    package var title: [String]
    package var author: [String]
    /// Words of the title or of an author's name.
    package var anywhere: [String]

    package init(title: [String] = [], author: [String] = [], anywhere: [String] = []) {
        (self.title, self.author, self.anywhere) = (title, author, anywhere)
    }

    package var isEmpty: Bool { title.isEmpty && author.isEmpty && anywhere.isEmpty }

    /// The query with folded words, each once: without any character or word that a query language reserves.
    var folded: WordQuery {
        WordQuery(title: Self.folded(title), author: Self.folded(author), anywhere: Self.folded(anywhere))
    }

    private static func folded(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.flatMap(TextNormalisation.words).filter { seen.insert($0).inserted }
    }

    /// Removes the last word, those of `anywhere` first and those of the title last.
    mutating func removeLastWord() {
        if anywhere.popLast() == nil, author.popLast() == nil { _ = title.popLast() }
    }
}

extension [[BookRecord]] {
    /// The records by their rank in any of the lists, each once.
    var interleaved: [BookRecord] {
        var seen: Set<String> = []
        return Range(from: 0, upTo: map(\.count).max() ?? 0).flatMap { rank in
            compactMap { rank < $0.count ? $0[rank] : nil }
        }.filter { seen.insert($0.id).inserted }
    }
}
