public import Foundation

/// A catalog's description of one edition of a work, as opposed to the user's own copy.
public struct BookRecord: Hashable, Codable, Sendable {
    /// Identifies the record within its `source`.
    public var id: String
    /// Identifies the work within its `source`; nil if the catalog does not specify it.
    ///
    /// Editions of one work have the same value.
    public var work: String?
    public var title: String
    public var subtitle: String?
    /// Authors in the order of the title page, as the catalog writes them.
    public var authors: [String]
    public var series: String?
    /// The ISBN without hyphens; 13 digits if it is valid.
    public var isbn: String?
    public var publisher: String?
    public var year: Int?
    public var pages: Int?
    /// The language code as given by the source; the MARC code (`eng`) in imported catalogs.
    public var language: String?
    /// The source's ID of the cover image.
    public var cover: Int?
    /// The URL of the cover image; nil if the source does not have one or is disabled.
    public var coverURL: URL?
    /// The name of the source, for example `local`.
    public var source: String

    /// The source of the records of the user's catalog.
    public static let localSource = "local"
    /// The source of the records of the starter list.
    public static let starterSource = "starter"
    /// The source of the user's own books, as a person confirmed them or a list brought them.
    public static let librarySource = "library"

    public init(
        id: String, work: String? = nil, title: String, subtitle: String? = nil, authors: [String] = [],
        series: String? = nil, isbn: String? = nil, publisher: String? = nil, year: Int? = nil, pages: Int? = nil,
        language: String? = nil, cover: Int? = nil, coverURL: URL? = nil, source: String = localSource
    ) {
        self.id = id
        self.work = work
        self.title = title
        self.subtitle = subtitle
        self.authors = authors
        self.series = series
        self.isbn = isbn
        self.publisher = publisher
        self.year = year
        self.pages = pages
        self.language = language
        self.cover = cover
        self.coverURL = coverURL
        self.source = source
    }
}

extension BookRecord {
    /// A key that is equal for editions of one work: the catalog's work ID or, without one, the folded title and the
    /// first author's words in alphabetical order (so `Surname, Forename` equals `Forename Surname`).
    package var workKey: String {
        if let work { return work }
        let author =
            authors.first.map { TextNormalisation.words($0).filter { !$0.allSatisfy(\.isNumber) }.sorted() } ?? []
        return TextNormalisation.fold([title, subtitle ?? ""].joined(separator: " ")) + "\u{1}"
            + author.joined(separator: " ")
    }
}
