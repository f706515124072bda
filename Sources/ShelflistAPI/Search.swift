public import Bibliography
import Foundation

/// A record that a search found.
public struct SearchRecord: Codable, Hashable, Identifiable, Sendable {
    /// The first source's record, its gaps filled from the others; its cover is a path of the server that sent it.
    public var record: BookRecord
    /// All sources that have it.
    public var sources: [String]
    /// The copy of this book that the library has.
    public var inLibrary: String?

    public var id: String { record.id }

    /// - Parameter sources: nil for the record's own.
    public init(_ record: BookRecord, sources: [String]? = nil) {
        self.record = record
        self.sources = sources ?? [record.source]
    }

    private enum CodingKeys: String, CodingKey {
        case id, source, title, subtitle, authors, isbn, publisher, year, pages, language, series, coverUrl, work,
            sources, inLibrary
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
            try values.decodeIfPresent(Value.self, forKey: key)
        }
        record = BookRecord(
            id: try values.decode(String.self, forKey: .id), work: try optional(.work),
            title: try values.decode(String.self, forKey: .title), subtitle: try optional(.subtitle),
            authors: try values.decode([String].self, forKey: .authors), series: try optional(.series),
            isbn: try optional(.isbn), publisher: try optional(.publisher), year: try optional(.year),
            pages: try optional(.pages), language: try optional(.language),
            coverURL: try (optional(.coverUrl) as String?).flatMap { URL(string: $0) },
            source: try values.decode(String.self, forKey: .source))
        sources = try optional(.sources) ?? [record.source]
        inLibrary = try optional(.inLibrary)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(record.id, forKey: .id)
        try values.encode(record.source, forKey: .source)
        try values.encode(record.title, forKey: .title)
        try values.encode(record.subtitle, forKey: .subtitle)
        try values.encode(record.authors, forKey: .authors)
        try values.encode(record.isbn, forKey: .isbn)
        try values.encode(record.publisher, forKey: .publisher)
        try values.encode(record.year, forKey: .year)
        try values.encode(record.pages, forKey: .pages)
        try values.encode(record.language, forKey: .language)
        try values.encode(record.series, forKey: .series)
        try values.encode(record.coverURL.map(CoverAddress.init), forKey: .coverUrl)
        try values.encodeIfPresent(record.work, forKey: .work)
        try values.encode(sources, forKey: .sources)
        try values.encodeIfPresent(inLibrary, forKey: .inLibrary)
    }
}

/// The address of a cover: of a provider, or a path of this server.
struct CoverAddress: Encodable {
    let url: URL

    func encode(to encoder: any Encoder) throws {
        let text = url.absoluteString
        if text.hasPrefix("/") { try ServerPath(text).encode(to: encoder) } else { try text.encode(to: encoder) }
    }
}

/// What was found, and the status of each source.
public struct SearchResults: Codable, Hashable, Sendable {
    public struct Source: Codable, Hashable, Sendable {
        public var source: String
        /// `ok`, `degraded`, `off` or another word.
        public var state: String
        public var message: String?
        public var retryAfterMs: Int?
        public var count: Int

        public init(
            source: String, state: String, message: String? = nil, retryAfterMs: Int? = nil, count: Int
        ) {
            (self.source, self.state) = (source, state)
            (self.message, self.retryAfterMs, self.count) = (message, retryAfterMs, count)
        }
    }

    /// Best first.
    public var items: [SearchRecord]
    public var sources: [Source]

    public init(items: [SearchRecord], sources: [Source]) { (self.items, self.sources) = (items, sources) }
}

/// What matching a book with a record changes, or has changed.
public struct MatchChanges: Codable, Hashable, Sendable {
    public struct Field: Codable, Hashable, Sendable {
        public var field: String
        @Null public var from: String?
        @Null public var to: String?

        public init(field: String, from: String?, to: String?) { (self.field, self.from, self.to) = (field, from, to) }
    }

    /// False for a preview.
    public var applied: Bool
    public var changes: [Field]
    /// What the user's copy has that stays: `shelf`, `photo`, `notes`, `tags`, `status`, `dates`, `rating`.
    public var keeps: [String]
    @Null public var workId: String?
    @Null public var undoToken: String?
    /// The version of the book, to be sent with changes.
    public var etag: String

    public init(
        applied: Bool, changes: [Field], keeps: [String], workId: String?, undoToken: String?, etag: String
    ) {
        (self.applied, self.changes, self.keeps) = (applied, changes, keeps)
        (self.workId, self.undoToken, self.etag) = (workId, undoToken, etag)
    }
}

/// Where to search for records.
public enum SearchSources: String, CaseIterable, Sendable {
    /// The catalog and all providers that are on.
    case all
    /// Only the catalog on the server.
    case local
    /// Only the providers that are on.
    case providers
}
