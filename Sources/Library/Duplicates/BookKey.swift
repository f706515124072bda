import Bibliography

/// The key by which two descriptions are the same book: folded title and the authors' names.
///
/// The title is used without leading articles, series and edition statements, but with the volume number, because the
/// volumes of a set are different books. Author names are compared by name parts and initials, not letter by letter.
package struct BookKey {
    /// The folded title, equal for the same title; indexed in the database.
    package let title: String
    /// The folded subtitle; empty if there is none.
    package let subtitle: String
    let authors: [PersonName]

    package init(title text: String, subtitle: String? = nil, authors: [String]) {
        self.init(Title(text), of: text, subtitle: subtitle, authors: authors)
    }

    /// - Parameter text: the text of which the title was read.
    init(_ title: Title, of text: String, subtitle: String?, authors: [String]) {
        self.title = Self.titleKey(title, of: text)
        self.subtitle = TextNormalisation.fold(subtitle ?? title.subtitle ?? "")
        self.authors = authors.compactMap(PersonName.init)
    }

    init(_ details: BookDetails) {
        self.init(title: details.title, subtitle: details.subtitle, authors: details.authors.map(\.name))
    }

    /// Title and authors as one text, under which decisions are remembered.
    package var text: String {
        let families = authors.map { $0.familyWords.joined(separator: " ") }.sorted()
        return title + "|" + families.joined(separator: ",")
    }

    static func titleKey(_ text: String) -> String { titleKey(Title(text), of: text) }

    private static func titleKey(_ title: Title, of text: String) -> String {
        var key = title.sortKey
        // A title without letters or digits, such as one of emoji only, has no sort key.
        if key.isEmpty { key = text.lowercased().trimmed }
        if let volume = title.volume { key += " #\(volume)" }
        return key
    }

    static func authorKey(_ name: String) -> String {
        let folded = TextNormalisation.fold(name)
        return folded.isEmpty ? name.lowercased() : folded
    }

    /// Returns how certain it is that both are the same book.
    func agreement(with other: BookKey) -> Agreement {
        guard title == other.title else { return .none }
        guard subtitleAgrees(with: other) else { return .similar }
        if authors.isEmpty && other.authors.isEmpty { return .same }
        if authors.isEmpty || other.authors.isEmpty { return .similar }
        return sharesAuthor(with: other) ? .same : .none
    }

    func subtitleAgrees(with other: BookKey) -> Bool {
        subtitle.isEmpty || other.subtitle.isEmpty || subtitle.hasPrefix(other.subtitle)
            || other.subtitle.hasPrefix(subtitle)
    }

    func sharesAuthor(with other: BookKey) -> Bool {
        authors.contains { mine in
            other.authors.contains { mine.agreement(with: $0) >= .surnameOnly || mine.hasSameWords(as: $0) }
        }
    }

    enum Agreement { case none, similar, same }
}

extension PersonName {
    /// Whether both have the same words in any order: `Liu Cixin` and `Cixin Liu`.
    fileprivate func hasSameWords(as other: PersonName) -> Bool {
        let words = TextNormalisation.words(displayName)
        return words.count > 1 && words.sorted() == TextNormalisation.words(other.displayName).sorted()
    }
}
