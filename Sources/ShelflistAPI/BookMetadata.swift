public import Bibliography
import Foundation

/// A record as the API sends it with a book, and as jobs store it.
public struct BookMetadata: Codable, Hashable, Sendable {
    public var record: BookRecord

    public init(_ record: BookRecord) { self.record = record }

    private enum CodingKeys: String, CodingKey {
        case title, subtitle, authors, isbn, publisher, publishedDate, year, pageCount, language, series, source,
            sourceID
        case coverURL = "coverUrl"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
        record = BookRecord(
            id: try text(.sourceID) ?? "", title: try text(.title) ?? "", subtitle: try text(.subtitle),
            authors: try values.decodeIfPresent([String].self, forKey: .authors) ?? [], series: try text(.series),
            isbn: try text(.isbn), publisher: try text(.publisher),
            year: try values.decodeIfPresent(Int.self, forKey: .year),
            pages: try values.decodeIfPresent(Int.self, forKey: .pageCount), language: try text(.language),
            coverURL: try text(.coverURL).flatMap { URL(string: $0) }, source: try text(.source) ?? "")
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(record.title, forKey: .title)
        try values.encodeIfPresent(record.subtitle, forKey: .subtitle)
        try values.encode(record.authors, forKey: .authors)
        try values.encodeIfPresent(record.isbn, forKey: .isbn)
        try values.encodeIfPresent(record.coverURL.map(CoverAddress.init), forKey: .coverURL)
        try values.encodeIfPresent(record.publisher, forKey: .publisher)
        try values.encodeIfPresent(record.year.map(String.init), forKey: .publishedDate)
        try values.encodeIfPresent(record.year, forKey: .year)
        try values.encodeIfPresent(record.pages, forKey: .pageCount)
        try values.encodeIfPresent(record.language, forKey: .language)
        try values.encodeIfPresent(record.series, forKey: .series)
        try values.encode(record.source, forKey: .source)
        try values.encode(record.id, forKey: .sourceID)
    }
}
