/// A bibliographic description from a catalog: a work in one of its editions. Not the user's own copy.
public struct Record: Hashable, Codable, Sendable {
    /// Identifies the record within its `source`.
    public var id: String
    public var title: String
    public var subtitle: String?
    /// Authors in the order of the title page, as the catalog writes them.
    public var authors: [String]
    public var series: String?
    public var isbn: String?
    public var publisher: String?
    public var year: Int?
    public var language: String?
    /// The catalog that the record comes from, for example `local`.
    public var source: String

    public init(
        id: String, title: String, subtitle: String? = nil, authors: [String] = [], series: String? = nil,
        isbn: String? = nil, publisher: String? = nil, year: Int? = nil, language: String? = nil,
        source: String = "local"
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.authors = authors
        self.series = series
        self.isbn = isbn
        self.publisher = publisher
        self.year = year
        self.language = language
        self.source = source
    }
}
