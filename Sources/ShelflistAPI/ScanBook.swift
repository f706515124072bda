public import Bibliography

/// A book of a job, after repeated sightings were merged.
///
/// Encoded as one object with the fields of `book` and its own, and read as one: `book.title`.
@dynamicMemberLookup
public struct ScanBook: Identifiable, Sendable {
    /// The best reading.
    ///
    /// Its `id` is `PHOTO-ID` of the first sighting, is unique within the job, and does not change when a later photo
    /// gives a better reading.
    public var book: DetectedBook
    /// The photo of the best reading, from 1.
    public var photo: Int
    /// Every place where it was seen, in order.
    public var positions: [Position]
    public var enrichment: EnrichmentState
    /// The data found by catalogs and providers.
    public var metadata: BookMetadata?

    public var id: String { book.id }

    /// A field of the best reading.
    public subscript<Value>(dynamicMember field: KeyPath<DetectedBook, Value>) -> Value { book[keyPath: field] }

    public init(book: DetectedBook, photo: Int, positions: [Position]) {
        self.book = book
        self.photo = photo
        self.positions = positions
        enrichment = .none
    }

    /// A place where a book was seen.
    public struct Position: Codable, Hashable, Sendable {
        /// The photo's number, from 1.
        public var photo: Int
        /// The book's identifier in the scan of this photo.
        public var bookID: String
        public var boundingBox: UnitRect
        public var quad: UnitQuad

        public init(photo: Int, book: DetectedBook) {
            self.photo = photo
            bookID = book.id
            boundingBox = book.boundingBox
            quad = book.quad
        }

        enum CodingKeys: String, CodingKey {
            case photo, boundingBox, quad
            case bookID = "bookId"
        }
    }
}

extension ScanBook: Codable {
    private enum CodingKeys: String, CodingKey { case photo, positions, enrichment, metadata }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        book = try DetectedBook(from: decoder)
        photo = try fields.decode(Int.self, forKey: .photo)
        positions = try fields.decode([Position].self, forKey: .positions)
        enrichment = try fields.decode(EnrichmentState.self, forKey: .enrichment)
        metadata = try fields.decodeIfPresent(BookMetadata.self, forKey: .metadata)
    }

    public func encode(to encoder: any Encoder) throws {
        try book.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(photo, forKey: .photo)
        try fields.encode(positions, forKey: .positions)
        try fields.encode(enrichment, forKey: .enrichment)
        try fields.encode(metadata, forKey: .metadata)
    }
}

/// A book with what its confidence means and where its record is from.
///
/// Encoded as one object with the fields of `book`, `tier` and `source`.
public struct UpdatedBook: Identifiable, Sendable {
    public var book: ScanBook

    public init(_ book: ScanBook) { self.book = book }

    public var id: String { book.id }
    public var tier: ConfidenceTier { book.book.tier }
    /// The name of the catalog or provider whose record the book is; nil if it is named by its text alone.
    public var source: String? { book.book.source }
}

extension UpdatedBook: Codable {
    private enum CodingKeys: String, CodingKey { case tier, source }

    public init(from decoder: any Decoder) throws { book = try ScanBook(from: decoder) }

    public func encode(to encoder: any Encoder) throws {
        try book.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(tier.rawValue, forKey: .tier)
        try fields.encode(source, forKey: .source)
    }
}

/// The state of a book's lookup in catalogs and providers.
public enum EnrichmentState: String, Sendable, WireWord {
    case none
    case pending
    case enriched
    case notFound
    case failed

    public static var unknownWord: EnrichmentState { .none }
}
