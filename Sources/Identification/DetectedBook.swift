public import Bibliography
public import Imaging
public import SpineReading

/// What the reader made of one spine.
///
/// Encodes to the fields of the scan result.
public struct DetectedBook: Codable, Identifiable, Sendable {
    /// Names the book within one scan.
    public var id: String
    /// As printed or, where a record was matched, as the catalog has it; `nil` where no title was read.
    public var title: String?
    public var author: String?
    public var isbn: String?
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
}

/// Fields without a value are written as `null`, so that every book has the same fields.
extension DetectedBook {
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(title, forKey: .title)
        try fields.encode(author, forKey: .author)
        try fields.encode(isbn, forKey: .isbn)
        try fields.encode(confidence, forKey: .confidence)
        try fields.encode(reviewStatus, forKey: .reviewStatus)
        try fields.encode(boundingBox, forKey: .boundingBox)
        try fields.encode(quad, forKey: .quad)
        try fields.encode(text, forKey: .text)
        try fields.encode(matches, forKey: .matches)
    }
}

/// A line of read text and its score.
public struct ReadText: Codable, Hashable, Sendable {
    public var text: String
    /// Mean probability of its characters, 0...1.
    public var score: Double

    public init(text: String, score: Double) {
        self.text = text
        self.score = score
    }

    public init(_ line: TextLine) {
        self.init(text: line.text, score: (line.score * 1000).rounded() / 1000)
    }
}

/// A record offered for a spine.
public struct BookMatch: Codable, Hashable, Sendable {
    public var title: String
    public var subtitle: String?
    public var author: String?
    public var isbn: String?
    /// Probability, 0...1, that this record is the book on the shelf.
    public var confidence: Double
    /// The catalog that the record comes from.
    public var source: String
}

/// Fields without a value are written as `null`.
extension BookMatch {
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(title, forKey: .title)
        try fields.encode(subtitle, forKey: .subtitle)
        try fields.encode(author, forKey: .author)
        try fields.encode(isbn, forKey: .isbn)
        try fields.encode(confidence, forKey: .confidence)
        try fields.encode(source, forKey: .source)
    }
}
