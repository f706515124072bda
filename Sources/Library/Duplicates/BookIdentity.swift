import Bibliography

/// What distinguishes two books, letter by letter, where `BookKey` only finds what may be the same.
struct BookIdentity {
    private let key: BookKey
    /// The folded title proper, and its words with those of the subtitle.
    private let main: String
    private let words: [String]
    /// The marks of the title proper and the subtitle that make other letters.
    private let titleMarks: String
    private let subtitleMarks: String
    /// The number in the title or at the end of the series.
    private let volume: Int?

    init(title text: String, subtitle: String?, series: String?, authors: [String]) {
        let title = Title(text)
        key = BookKey(title, of: text, subtitle: subtitle, authors: authors)
        main = title.sortKey
        let rest = subtitle ?? title.subtitle ?? ""
        words = TextNormalisation.withoutLeadingArticles(TextNormalisation.words("\(title.main) \(rest)"))
        titleMarks = TextNormalisation.letterMarks(of: title.main)
        subtitleMarks = TextNormalisation.letterMarks(of: rest)
        volume = title.volume ?? series.flatMap { Title.numbered($0).number }
    }

    init(_ details: BookDetails) {
        self.init(
            title: details.title, subtitle: details.subtitle, series: details.seriesText,
            authors: details.authors.map(\.name))
    }

    /// Returns how far the title and the author of another book agree; a value that one of them lacks does not count
    /// against it.
    func agreement(with other: BookIdentity) -> Agreement {
        guard titleMarks == other.titleMarks, volume == nil || other.volume == nil || volume == other.volume,
            key.subtitle != other.key.subtitle || subtitleMarks == other.subtitleMarks
        else { return .none }
        return switch key.agreement(with: other.key) {
        case .none: .none
        case .similar: .similar
        case .same: isWithin(other) ? .identical : .same
        }
    }

    /// Whether the other book has everything that this one says of subtitle and volume.
    private func isWithin(_ other: BookIdentity) -> Bool {
        (key.subtitle.isEmpty || key.subtitle == other.key.subtitle) && (volume == nil || volume == other.volume)
    }

    /// Whether two books with one ISBN are one book; otherwise the number was used again, or is that of a set.
    func sharesNumber(with other: BookIdentity) -> Bool {
        guard titleMarks == other.titleMarks, volume == nil || other.volume == nil || volume == other.volume,
            key.authors.isEmpty || other.key.authors.isEmpty || key.sharesAuthor(with: other.key)
        else { return false }
        let (mine, theirs) = (words, other.words)
        if mine == theirs || main == other.main && key.subtitleAgrees(with: other.key) { return true }
        let numbers = { (words: [String]) in words.filter { $0.contains(where: \.isNumber) } }
        return numbers(mine) == numbers(theirs)
            && Spelling.similarity(
                mine.joined(separator: " "), theirs.joined(separator: " "), minimum: Self.misprint) > 0
    }

    /// The lowest likeness of two spellings of one title, 0...1; two titles of a publisher who used one number twice,
    /// such as `Harbour Birds` and `Harbour Ships`, have 0.7.
    private static let misprint = 0.85

    enum Agreement { case none, similar, same, identical }
}
