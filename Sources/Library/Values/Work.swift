public import Bibliography
public import Foundation

/// A work of the library: what its editions and copies have in common.
public struct Work: Identifiable, Hashable, Codable, Sendable {
    public var id: RowID<Work>
    public var title: String
    public var subtitle: String?
    public var series: String?
    /// In the order of the title page.
    public var authors: [AuthorCredit]
    public var reviewStatus: ReviewStatus
    public var createdAt: Date
    public var changedAt: Date
    /// Grows with every change; what a client saw last goes into `ifRevision`.
    public var revision: Int
}

/// Who made a work, and as what.
public struct AuthorCredit: Hashable, Codable, Sendable {
    /// As printed, in natural order: `Simone de Beauvoir`.
    public var name: String
    public var role: Role

    public enum Role: String, Codable, CaseIterable, Sendable {
        case author, editor, translator, illustrator, contributor
    }

    public init(name: String, role: Role = .author) {
        self.name = name
        self.role = role
    }
}

/// An author as the library keeps one: the same person in all their works.
public struct Author: Identifiable, Hashable, Codable, Sendable {
    public var id: RowID<Author>
    public var name: String
    /// For how many works of the library.
    public var works: Int
}

/// One publication of a work.
public struct Edition: Identifiable, Hashable, Codable, Sendable {
    public var id: RowID<Edition>
    public var work: RowID<Work>
    public var isbn: ISBN?
    public var publisher: String?
    /// 1000...2100.
    public var year: Int?
    public var pages: Int?
    public var language: String?
    public var binding: String?
    /// Name of a file in the folder `covers`.
    public var cover: String?
    /// The catalog that described it, and its number there.
    public var source: String?
    public var sourceID: String?
}

/// What is known of a book apart from the user's own copy: the fields that a correction can change.
public struct BookDetails: Hashable, Codable, Sendable {
    public var title: String
    public var subtitle: String?
    public var series: String?
    public var authors: [AuthorCredit]
    public var isbn: ISBN?
    public var publisher: String?
    public var year: Int?
    public var pages: Int?
    public var language: String?
    public var binding: String?

    public init(
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

    /// Whether the record is of this book: the same ISBN, else the same title and author.
    public func isSameBook(as record: Record) -> Bool {
        if let isbn, let other = record.isbn.flatMap({ ISBN($0) }), isbn == other { return true }
        let theirs = BookKey(title: record.title, subtitle: record.subtitle, authors: record.authors)
        return BookKey(self).agreement(with: theirs) == .same
    }

    /// What a catalog says.
    ///
    /// An ISBN that is not valid is left out; headings (`Beauvoir, Simone de, 1908-1986`) become natural order.
    public init(_ record: Record) {
        self.init(
            title: record.title, subtitle: record.subtitle, series: record.series,
            authors: record.authors.flatMap(AuthorCredit.list), isbn: record.isbn.flatMap { ISBN($0) },
            publisher: record.publisher, year: record.year, pages: record.pages, language: record.language)
    }
}

extension AuthorCredit {
    /// The people named in one string: `Terry Pratchett & Neil Gaiman` are two.
    ///
    /// A string in which no name is recognised, such as one without letters, stands for itself.
    public static func list(_ text: String) -> [AuthorCredit] {
        let names = PersonName.list(text).map(\.displayName)
        return (names.isEmpty ? [text] : names).map { AuthorCredit(name: $0) }
    }
}
