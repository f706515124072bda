public import Bibliography

/// The book identified on one spine.
///
/// Missing values are encoded as `null`, so that every book has the same fields.
public struct DetectedBook: Codable, Hashable, Identifiable, Sendable {
    /// Unique within one scan.
    public var id: String
    /// The catalog's title if a record matched, otherwise the title as printed; `nil` if none was read.
    @Null public var title: String?
    @Null public var author: String?
    @Null public var isbn: String?
    /// Probability, 0...1, that title and author name the book on the shelf; for a book that was not checked, only how
    /// well it was read.
    public var confidence: Double
    /// Whether a source of records was asked about the spine.
    public var checked: Bool
    public var reviewStatus: ReviewStatus
    /// Encloses the whole spine, not only its text.
    public var boundingBox: UnitRect
    /// The spine's outline, clockwise from its top left corner.
    public var quad: UnitQuad
    /// The lines on the spine in reading order.
    public var text: [ReadText]
    /// The call number on a library's label, `796.323 Joh`; `nil` without one.
    @Null public var callNumber: String?
    /// Records that were considered, best first.
    public var matches: [BookMatch]

    public init(
        id: String, title: String?, author: String? = nil, isbn: String? = nil, confidence: Double,
        checked: Bool, reviewStatus: ReviewStatus, outline: SpineOutline, text: [ReadText],
        callNumber: String? = nil, matches: [BookMatch]
    ) {
        self.id = id
        self.title = title
        self.author = author
        self.isbn = isbn
        self.confidence = confidence
        self.checked = checked
        self.reviewStatus = reviewStatus
        boundingBox = outline.boundingBox
        quad = outline.quad
        self.text = text
        self.callNumber = callNumber
        self.matches = matches
    }

    public var outline: SpineOutline { SpineOutline(quad: quad, boundingBox: boundingBox) }

    public var tier: ConfidenceTier { ConfidenceTier(confidence: confidence, checked: checked) }

    /// The name of the catalog or provider whose record gave title and author; nil if they are as read.
    public var source: String? { record?.source }

    private var record: BookMatch? { matches.record(title: title, author: author, isbn: isbn) }

    /// Returns whether the book is sure enough to be accepted without a review.
    ///
    /// - Parameter threshold: 0...1.
    public func status(threshold: Double) -> ReviewStatus {
        ReviewStatus(confidence: confidence, checked: checked, record: record, threshold: threshold)
    }
}

extension [BookMatch] {
    /// Returns the record that gave a book its title and author; nil if they are as read.
    package func record(title: String?, author: String?, isbn: String?) -> BookMatch? {
        first { $0.title == title && $0.author == author && $0.isbn == isbn }
    }
}

extension ReviewStatus {
    /// The status of a book that no person has reviewed.
    ///
    /// A book that was not checked needs a review, and so does one whose title and author are as read, by this machine or
    /// by a model: the record that names the book has to be as sure, however low the threshold.
    ///
    /// - Parameters:
    ///   - confidence: 0...1.
    ///   - record: of title and author; nil if they are as read.
    ///   - threshold: 0...1.
    package init(confidence: Double, checked: Bool, record: BookMatch?, threshold: Double) {
        guard checked, confidence >= threshold, let record, record.isRecord, record.confidence >= threshold else {
            self = .needsReview
            return
        }
        self = .verified
    }
}

/// The position of a spine in the photo.
public struct SpineOutline: Codable, Hashable, Sendable {
    public var quad: UnitQuad
    public var boundingBox: UnitRect

    public init(quad: UnitQuad, boundingBox: UnitRect) { (self.quad, self.boundingBox) = (quad, boundingBox) }

    /// Creates the outline of an upright spine that fills its box.
    public init(_ box: UnitRect) { self.init(quad: UnitQuad(box), boundingBox: box) }
}

/// A line of recognized text.
public struct ReadText: Codable, Hashable, Sendable {
    public var text: String
    /// Mean probability of its characters, 0...1.
    public var score: Double
    /// In the photo; nil for a spine that an earlier version read.
    public var direction: ReadingDirection?

    public init(text: String, score: Double, direction: ReadingDirection? = nil) {
        (self.text, self.score, self.direction) = (text, score, direction)
    }
}

/// The direction in which a line runs in the photo, to the nearest quarter turn, clockwise from `upright`.
public enum ReadingDirection: String, CaseIterable, Codable, Sendable {
    case upright
    case topToBottom
    case upsideDown
    case bottomToTop
}

/// A candidate record for a spine.
///
/// Missing values are encoded as `null`.
public struct BookMatch: Codable, Hashable, Sendable {
    public var title: String
    @Null public var subtitle: String?
    @Null public var author: String?
    @Null public var isbn: String?
    /// The series as the record has it, with the number: `Earthsea, #2`; nil without one.
    public var series: String?
    /// Probability, 0...1, that this record is the book on the shelf.
    public var confidence: Double
    /// The name of the catalog that has the record, or of the reader that read title and author on the spine (`gemini`,
    /// `openai`).
    public var source: String

    public init(
        title: String, subtitle: String? = nil, author: String? = nil, isbn: String? = nil, confidence: Double,
        source: String
    ) {
        (self.title, self.subtitle, self.author) = (title, subtitle, author)
        (self.isbn, self.confidence, self.source) = (isbn, confidence, source)
    }

    /// Whether a catalog or provider has this book; otherwise a model read it on the spine.
    public var isRecord: Bool { source != ReaderMode.gemini.rawValue && source != ReaderMode.openai.rawValue }
}
