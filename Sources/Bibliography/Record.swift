public import Foundation

/// A bibliographic description from a catalog: a work in one of its editions.
///
/// Not the user's own copy.
public struct Record: Hashable, Codable, Sendable {
    /// Identifies the record within its `source`.
    public var id: String
    /// Identifies the work within its `source`; nil where the catalog does not say.
    ///
    /// Editions of one work share it.
    public var work: String?
    public var title: String
    public var subtitle: String?
    /// Authors in the order of the title page, as the catalog writes them.
    public var authors: [String]
    public var series: String?
    /// Without hyphens; 13 digits where the number was valid.
    public var isbn: String?
    public var publisher: String?
    public var year: Int?
    public var pages: Int?
    /// As the catalog writes it; MARC's three letters (`eng`) in imported catalogs.
    public var language: String?
    /// The source's number of the cover picture.
    public var cover: Int?
    /// Where the source has the cover picture; nil where it has none, or may not be asked.
    public var coverURL: URL?
    /// The catalog that the record comes from, for example `local`.
    public var source: String

    public init(
        id: String, work: String? = nil, title: String, subtitle: String? = nil, authors: [String] = [],
        series: String? = nil, isbn: String? = nil, publisher: String? = nil, year: Int? = nil, pages: Int? = nil,
        language: String? = nil, cover: Int? = nil, coverURL: URL? = nil, source: String = "local"
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

extension Record {
    /// Equal for editions of one work: the catalog's own number where it has one, else folded title and the first
    /// author's words in alphabetical order (so `Surname, Forename` equals `Forename Surname`).
    package var workKey: String {
        if let work { return work }
        let author =
            authors.first.map { TextNormalisation.words($0).filter { !$0.allSatisfy(\.isNumber) }.sorted() } ?? []
        return TextNormalisation.fold([title, subtitle ?? ""].joined(separator: " ")) + "\u{1}"
            + author.joined(separator: " ")
    }
}
