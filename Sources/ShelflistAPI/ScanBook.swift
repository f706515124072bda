public import Bibliography

/// A book of a job, after copies seen twice were folded into one.
///
/// Encoded as one object: the fields of the detected book and its own.
public struct ScanBook: Identifiable, Sendable {
    /// The best reading.
    ///
    /// Its `id` is the book's in the job, `PHOTO-ID` of its first sighting; it stays the same when a better reading
    /// comes from a later photo.
    public var book: DetectedBook
    /// The photo of the best reading, from 1.
    public var photo: Int
    /// Every place where it was seen, the first sighting first.
    public var positions: [Position]
    public var enrichment: EnrichmentState
    /// What catalogs and providers added.
    public var metadata: BookMetadata?

    public var id: String { book.id }

    public init(book: DetectedBook, photo: Int, positions: [Position]) {
        self.book = book
        self.photo = photo
        self.positions = positions
        enrichment = .none
    }

    /// A place where a book was seen.
    public struct Position: Codable, Hashable, Sendable {
        /// From 1.
        public var photo: Int
        /// The book's name in the scan of this photo.
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

/// Whether catalogs and providers were asked for more about a book.
public enum EnrichmentState: String, Codable, Sendable {
    case none
    case pending
    case enriched
    case notFound
    case failed
}
