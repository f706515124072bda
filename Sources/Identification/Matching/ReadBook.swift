package import Bibliography

/// Title and author as read on a spine, and the probability that they name the book.
package struct ReadBook: Sendable {
    package var title: String?
    package var author: String?
    /// 0...1.
    package var probability: Double

    /// For spines of which no title was read.
    private static let withoutTitle = 0.02
    /// Words at least this similar are the same, misread letters aside.
    private static let sameWord = 0.7
    /// Titles of one word with fewer letters are rare.
    private static let leastTitle = 5

    package init(title: String? = nil, author: String? = nil, probability: Double? = nil) {
        (self.title, self.author, self.probability) = (title, author, probability ?? Self.withoutTitle)
    }

    /// Returns the same with all words as the author's name.
    ///
    /// - Parameter lines: of the spine, in reading order.
    package func asName(on lines: [UprightLine]) -> ReadBook {
        let words = lines.flatMap(\.words)
        func place(_ text: String) -> Int {
            TextNormalisation.words(text).first.flatMap(words.firstIndex) ?? words.count
        }
        let parts = [title, author].compactMap(\.self).sorted { place($0) < place($1) }
        return ReadBook(title: nil, author: parts.isEmpty ? nil : parts.joined(separator: " "))
    }

    /// Whether nothing was read but the name of a record's author, of two words or more, which was divided into title and author
    /// or is the title.
    package func isName(of record: BookRecord) -> Bool {
        let words = TextNormalisation.words([title, author].compactMap(\.self).joined(separator: " "))
            .filter { $0.count > 1 }
        let names = record.authors.flatMap(TextNormalisation.words).filter { $0.count > 1 }
        return words.count > 1
            && words.allSatisfy { word in
                names.contains { Spelling.similarity($0, word, minimum: Self.sameWord) >= Self.sameWord }
            }
    }

    /// Whether the title is that of a record, and the author one word that no catalog has, or the other way round with a short
    /// one: such a word is a scrap or was misread.
    ///
    /// - Parameter isKnown: whether a catalog has a word.
    package func hasScrap(besides record: BookRecord, isKnown: (String) throws -> Bool) rethrows -> Bool {
        func bare(_ title: String) -> [String] {
            TextNormalisation.withoutLeadingArticles(TextNormalisation.words(RecordWords.split(title).main))
        }
        guard let title, let author else { return false }
        let (titleWords, authorWords) = (bare(title), TextNormalisation.words(author))
        if authorWords.count == 1, titleWords == bare(record.title) { return try !isKnown(authorWords[0]) }
        let isAuthor = ReadBook(author: author).isName(of: record)
        return try isAuthor && titleWords.count == 1 && titleWords[0].count < Self.leastTitle && !isKnown(titleWords[0])
    }
}
