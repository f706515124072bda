package import Bibliography
package import Foundation

/// A work of the library: the data that its editions and copies share.
package struct Work: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Work>
    package var title: String
    package var subtitle: String?
    package var series: String?
    /// The authors in the order of the title page.
    package var authors: [AuthorCredit]
    package var reviewStatus: ReviewStatus
    package var createdAt: Date
    package var changedAt: Date
    /// The revision, which grows with every change; clients pass the one they saw as `ifRevision`.
    package var revision: Int
}

/// A contributor to a work, with the role.
package struct AuthorCredit: Hashable, Codable, Sendable {
    /// The name as printed, in natural order: `Simone de Beauvoir`.
    package var name: String
    package var role: Role

    package enum Role: String, Codable, CaseIterable, Sendable {
        case author, editor, translator, illustrator, contributor
    }

    package init(name: String, role: Role = .author) {
        self.name = name
        self.role = role
    }
}

/// A contributor of the library: the same person in all their works.
package enum Author {}

/// One publication of a work.
package struct Edition: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Edition>
    package var work: RowID<Work>
    package var isbn: ISBN?
    package var publisher: String?
    /// 1000...2100.
    package var year: Int?
    package var pages: Int?
    package var language: String?
    package var binding: String?
    /// A file name in the folder `covers`.
    package var cover: String?
    /// The catalog that described the edition, and its number there.
    package var source: String?
    package var sourceID: String?
}

/// The data of a book apart from the user's copy: the fields that a correction can change.
package struct BookDetails: Hashable, Codable, Sendable {
    package var title: String
    package var subtitle: String?
    package var series: String?
    package var authors: [AuthorCredit]
    package var isbn: ISBN?
    package var publisher: String?
    package var year: Int?
    package var pages: Int?
    package var language: String?
    package var binding: String?

    package init(
        title: String, subtitle: String? = nil, series: String? = nil, authors: [AuthorCredit] = [],
        isbn: ISBN? = nil, publisher: String? = nil, year: Int? = nil, pages: Int? = nil, language: String? = nil,
        binding: String? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.series = series
        self.authors = authors
        self.isbn = isbn
        self.publisher = publisher
        self.year = year
        self.pages = pages
        self.language = language
        self.binding = binding
    }

    /// The largest number of authors of a book.
    package static let authorLimit = 100

    /// The authors' names; nil if there are none.
    var authorLine: String? { authors.isEmpty ? nil : authors.map(\.name).joined(separator: ", ") }

    /// Returns whether the record is of this book: the same ISBN, or otherwise the same title and author.
    package func isSameBook(as record: BookRecord) -> Bool {
        if let isbn, let other = record.isbn.flatMap({ ISBN($0) }), isbn == other { return true }
        let theirs = BookKey(title: record.title, subtitle: record.subtitle, authors: record.authors)
        return BookKey(self).agreement(with: theirs) == .same
    }

    /// Creates the details from a catalog record.
    ///
    /// An invalid ISBN and impossible years and page counts are dropped. Headings (`Beauvoir, Simone de, 1908-1986`)
    /// are converted to natural order.
    package init(_ record: BookRecord) {
        self.init(
            title: record.title, subtitle: record.subtitle, series: record.series,
            // One more than a book may have, so that too many are refused.
            authors: record.authors.prefix(Self.authorLimit + 1).flatMap(AuthorCredit.list),
            isbn: record.isbn.flatMap { ISBN($0) },
            publisher: record.publisher,
            year: record.year.flatMap { Year.range.contains($0) ? $0 : nil },
            pages: record.pages.flatMap { PageCount.range.contains($0) ? $0 : nil }, language: record.language)
    }
}

extension BookDetails: BibliographicDescription {}

extension AuthorCredit {
    /// Returns the people named in one string: `Terry Pratchett & Neil Gaiman` are two.
    ///
    /// If no name is recognised, for example without letters, the whole string is one name.
    package static func list(_ text: String) -> [AuthorCredit] {
        let names = PersonName.list(text).map(\.displayName)
        return (names.isEmpty ? [text] : names).map { AuthorCredit(name: $0) }
    }
}
