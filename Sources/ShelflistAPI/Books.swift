public import Bibliography

/// A place where a book was seen.
public struct PositionMessage: Codable, Hashable, Sendable {
    public var photo: Int
    public var bookId: String
    public var boundingBox: UnitRect
    public var quad: UnitQuad

    public init(photo: Int, bookId: String, boundingBox: UnitRect, quad: UnitQuad) {
        self.photo = photo
        self.bookId = bookId
        self.boundingBox = boundingBox
        self.quad = quad
    }
}

/// A book of a job, duplicates folded.
public struct ScanBookMessage: Codable, Hashable, Sendable, Identifiable {
    public var id: String
    @Null public var title: String?
    @Null public var author: String?
    @Null public var isbn: String?
    public var confidence: Double
    public var reviewStatus: ReviewStatus
    public var boundingBox: UnitRect
    public var quad: UnitQuad
    public var text: [ReadText]
    public var matches: [BookMatch]
    /// The photo of the best reading, from 1.
    public var photo: Int
    public var positions: [PositionMessage]
    public var cropUrl: String
    public var enrichment: String
    @Null public var metadata: BookMetadata?
    public var entryId: String?
    public var detectionId: String?

    public init(
        id: String, title: String?, author: String?, isbn: String?, confidence: Double, reviewStatus: ReviewStatus,
        boundingBox: UnitRect, quad: UnitQuad, text: [ReadText], matches: [BookMatch], photo: Int,
        positions: [PositionMessage], cropUrl: String, enrichment: String, metadata: BookMetadata?
    ) {
        self.id = id
        self.title = title
        self.author = author
        self.isbn = isbn
        self.confidence = confidence
        self.reviewStatus = reviewStatus
        self.boundingBox = boundingBox
        self.quad = quad
        self.text = text
        self.matches = matches
        self.photo = photo
        self.positions = positions
        self.cropUrl = cropUrl
        self.enrichment = enrichment
        self.metadata = metadata
    }
}
