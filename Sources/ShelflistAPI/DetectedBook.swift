public import Bibliography

/// What the reader made of one spine.
///
/// Fields without a value are written as `null`, so that every book has the same fields.
public struct DetectedBook: Codable, Hashable, Identifiable, Sendable {
    /// Names the book within one scan.
    public var id: String
    /// As printed or, where a record was matched, as the catalog has it; `nil` where no title was read.
    @Null public var title: String?
    @Null public var author: String?
    @Null public var isbn: String?
    /// Probability, 0...1, that title and author name the book on the shelf.
    public var confidence: Double
    public var reviewStatus: ReviewStatus
    /// Around the spine, not only its text.
    public var boundingBox: UnitRect
    /// The spine's outline, clockwise from its top left corner.
    public var quad: UnitQuad
    /// The lines on the spine in reading order.
    public var text: [ReadText]
    /// Records that were considered, best first.
    public var matches: [BookMatch]

    public init(
        id: String, title: String?, author: String? = nil, isbn: String? = nil, confidence: Double,
        reviewStatus: ReviewStatus, outline: SpineOutline, text: [ReadText], matches: [BookMatch]
    ) {
        self.id = id
        self.title = title
        self.author = author
        self.isbn = isbn
        self.confidence = confidence
        self.reviewStatus = reviewStatus
        boundingBox = outline.boundingBox
        quad = outline.quad
        self.text = text
        self.matches = matches
    }

    public var outline: SpineOutline { SpineOutline(quad: quad, boundingBox: boundingBox) }
}

/// Where a spine is in the photo.
public struct SpineOutline: Codable, Hashable, Sendable {
    public var quad: UnitQuad
    public var boundingBox: UnitRect

    public init(quad: UnitQuad, boundingBox: UnitRect) {
        self.quad = quad
        self.boundingBox = boundingBox
    }
}

/// A line of read text.
public struct ReadText: Codable, Hashable, Sendable {
    public var text: String
    /// Mean probability of its characters, 0...1.
    public var score: Double

    public init(text: String, score: Double) {
        self.text = text
        self.score = score
    }
}

/// A record offered for a spine.
///
/// Fields without a value are written as `null`.
public struct BookMatch: Codable, Hashable, Sendable {
    public var title: String
    @Null public var subtitle: String?
    @Null public var author: String?
    @Null public var isbn: String?
    /// Probability, 0...1, that this record is the book on the shelf.
    public var confidence: Double
    /// The catalog that the record comes from.
    public var source: String

    public init(
        title: String, subtitle: String? = nil, author: String? = nil, isbn: String? = nil, confidence: Double,
        source: String
    ) {
        self.title = title
        self.subtitle = subtitle
        self.author = author
        self.isbn = isbn
        self.confidence = confidence
        self.source = source
    }
}
