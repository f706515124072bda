import Bibliography

/// What makes two descriptions the same book: folded title and the authors' names.
///
/// The title proper without leading articles, series and edition statements, and the number of the volume, because the
/// volumes of a set are different books. Authors are compared as a librarian would, not letter by letter.
package struct BookKey {
    /// Equal where titles are the same: indexed in the database.
    package let title: String
    /// Folded; empty without one.
    package let subtitle: String
    let authors: [PersonName]

    package init(title text: String, subtitle: String? = nil, authors: [String]) {
        title = Self.titleKey(text)
        self.subtitle = TextNormalisation.fold(subtitle ?? Title(text).subtitle ?? "")
        self.authors = authors.compactMap(PersonName.init)
    }

    init(_ details: BookDetails) {
        self.init(title: details.title, subtitle: details.subtitle, authors: details.authors.map(\.name))
    }

    /// One text for title and authors: under it decisions are remembered.
    package var text: String {
        let families = authors.map { $0.familyWords.joined(separator: " ") }.sorted()
        return title + "|" + families.joined(separator: ",")
    }

    static func titleKey(_ text: String) -> String {
        let title = Title(text)
        var key = title.sortKey
        // A title without letters or digits, of emoji perhaps, stands for itself.
        if key.isEmpty { key = text.lowercased().trimmed }
        if let volume = title.volume { key += " #\(volume)" }
        return key
    }

    static func authorKey(_ name: String) -> String {
        let folded = TextNormalisation.fold(name)
        return folded.isEmpty ? name.lowercased() : folded
    }

    /// How sure it is that both are the same book.
    func agreement(with other: BookKey) -> Agreement {
        guard title == other.title else { return .none }
        guard
            subtitle.isEmpty || other.subtitle.isEmpty || subtitle.hasPrefix(other.subtitle)
                || other.subtitle.hasPrefix(subtitle)
        else { return .similar }
        if authors.isEmpty && other.authors.isEmpty { return .same }
        if authors.isEmpty || other.authors.isEmpty { return .similar }
        return sharesAuthor(with: other) ? .same : .none
    }

    func sharesAuthor(with other: BookKey) -> Bool {
        authors.contains { mine in other.authors.contains { mine.agreement(with: $0) >= .surnameOnly } }
    }

    enum Agreement { case none, similar, same }
}
