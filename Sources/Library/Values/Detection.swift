import Bibliography
public import Foundation
public import Imaging

/// A stored photo of shelves.
public struct Photo: Identifiable, Hashable, Codable, Sendable {
    public var id: RowID<Photo>
    /// Name of a file in the folder `photos`; nil once the photo was cleaned up.
    public var file: String?
    /// Pixels of the EXIF-upright photo as it came.
    public var width: Int
    public var height: Int
    public var shelf: RowID<Shelf>?
    public var addedAt: Date
}

/// What the reader made of one spine, and what became of it.
public struct Detection: Identifiable, Hashable, Codable, Sendable {
    public var id: RowID<Detection>
    /// The scan that found it, and the book's name there.
    public var job: String
    public var book: String
    public var photo: RowID<Photo>
    public var entry: RowID<LibraryEntry>?
    public var outcome: Outcome
    /// Fractions of the EXIF-upright photo, origin top left.
    public var boundingBox: UnitRect
    /// The spine's outline; the box where the reader gave none.
    public var quad: UnitQuad?
    /// As read, or as the matched record had it.
    public var readTitle: String?
    public var readAuthor: String?
    public var readISBN: String?
    /// An edit that was made before approval.
    public var editedTitle: String?
    public var editedAuthor: String?
    /// Probability, 0...1; nil where the reader gave none.
    public var confidence: Double?
    public var text: [SpineLine]
    /// Records that were considered, best first.
    public var matches: [OfferedMatch]

    /// The edit if there is one, else what was read.
    public var resolvedTitle: String? { editedTitle ?? readTitle }
    /// The edit if there is one, else what was read.
    public var resolvedAuthor: String? { editedAuthor ?? readAuthor }

    public enum Outcome: String, Codable, CaseIterable, Sendable {
        /// It is, or shows, a copy in the library.
        case entry
        /// It waits for the answer to a question on duplicates.
        case pending
        /// It was left out as a duplicate.
        case skipped
        /// A person said that it is no book.
        case rejected
        /// Its copy was taken out of the library since.
        case removed
    }
}

/// A line of read text and its score.
public struct SpineLine: Hashable, Codable, Sendable {
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
/// Taken over with `applyMatch(_:with:)` and `Record(_:)`.
public struct OfferedMatch: Hashable, Codable, Sendable {
    public var title: String
    public var subtitle: String?
    public var author: String?
    public var isbn: String?
    /// Probability, 0...1.
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
