package import Bibliography
import Imaging
package import ShelflistAPI
package import SpineReading

/// What the reader made of one spine.
///
/// Encodes to the fields of the scan result.
package struct DetectedBook: Codable, Identifiable, Sendable {
    /// Names the book within one scan.
    package var id: String
    /// As printed or, where a record was matched, as the catalog has it; `nil` where no title was read.
    package var title: String?
    package var author: String?
    package var isbn: String?
    /// Probability, 0...1, that title and author name the book on the shelf.
    package var confidence: Double
    package var reviewStatus: ReviewStatus
    /// Around the spine, not only its text.
    package var boundingBox: UnitRect
    /// The spine's outline, clockwise from its top left corner.
    package var quad: UnitQuad
    /// The lines on the spine in reading order.
    package var text: [ReadText]
    /// Records that were considered, best first.
    package var matches: [BookMatch]
}

/// Fields without a value are written as `null`, so that every book has the same fields.
extension DetectedBook {
    package func encode(to encoder: any Encoder) throws {
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
package struct ReadText: Codable, Hashable, Sendable {
    package var text: String
    /// Mean probability of its characters, 0...1.
    package var score: Double

    package init(text: String, score: Double) {
        self.text = text
        self.score = score
    }

    package init(_ line: TextLine) {
        self.init(text: line.text, score: (line.score * 1000).rounded() / 1000)
    }
}

/// A record offered for a spine.
package struct BookMatch: Codable, Hashable, Sendable {
    package var title: String
    package var subtitle: String?
    package var author: String?
    package var isbn: String?
    /// Probability, 0...1, that this record is the book on the shelf.
    package var confidence: Double
    /// The catalog that the record comes from.
    package var source: String
}

/// Fields without a value are written as `null`.
extension BookMatch {
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(title, forKey: .title)
        try fields.encode(subtitle, forKey: .subtitle)
        try fields.encode(author, forKey: .author)
        try fields.encode(isbn, forKey: .isbn)
        try fields.encode(confidence, forKey: .confidence)
        try fields.encode(source, forKey: .source)
    }
}
