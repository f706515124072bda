public import Bibliography

/// Fraction of the EXIF-upright photo, origin at its top left corner.
public struct BoxMessage: Codable, Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// Four corners, clockwise from the top left, each `[x, y]` as fractions of the EXIF-upright photo.
public typealias QuadMessage = [[Double]]

public struct TextMessage: Codable, Hashable, Sendable {
    public var text: String
    public var score: Double

    public init(text: String, score: Double) {
        self.text = text
        self.score = score
    }
}

/// A record offered for a spine.
public struct MatchMessage: Codable, Hashable, Sendable {
    public var title: String
    @Null public var subtitle: String?
    @Null public var author: String?
    @Null public var isbn: String?
    public var confidence: Double
    public var source: String

    public init(
        title: String, subtitle: String?, author: String?, isbn: String?, confidence: Double, source: String
    ) {
        self.title = title
        self.subtitle = subtitle
        self.author = author
        self.isbn = isbn
        self.confidence = confidence
        self.source = source
    }
}

/// A place where a book was seen.
public struct PositionMessage: Codable, Hashable, Sendable {
    public var photo: Int
    public var bookId: String
    public var boundingBox: BoxMessage
    public var quad: QuadMessage

    public init(photo: Int, bookId: String, boundingBox: BoxMessage, quad: QuadMessage) {
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
    public var boundingBox: BoxMessage
    public var quad: QuadMessage
    public var text: [TextMessage]
    public var matches: [MatchMessage]
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
        boundingBox: BoxMessage, quad: QuadMessage, text: [TextMessage], matches: [MatchMessage], photo: Int,
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
