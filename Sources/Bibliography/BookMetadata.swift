/// What catalogs and providers add to a book, as jobs keep it and as the API sends it.
public struct BookMetadata: Codable, Hashable, Sendable {
    public var title: String?
    public var subtitle: String?
    public var authors: [String]?
    public var isbn: String?
    /// Where the provider has the cover.
    public var coverURL: String?
    public var publisher: String?
    public var publishedDate: String?
    public var year: Int?
    public var pageCount: Int?
    public var format: String?
    public var language: String?
    public var series: String?
    public var description: String?
    public var source: String?
    /// Identifies the record within its source.
    public var sourceID: String?

    public init() {}

    enum CodingKeys: String, CodingKey {
        case title, subtitle, authors, isbn, publisher, publishedDate, year, pageCount, format, language, series
        case description, source, sourceID
        case coverURL = "coverUrl"
    }
}
