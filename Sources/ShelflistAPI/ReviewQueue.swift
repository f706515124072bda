public import Bibliography
public import Foundation

/// A book that was reviewed, or an item of the queue.
public struct ReviewQueueItem: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    /// `detection`, `duplicateQuestion`, `failedRow`, `missing`, `incomplete` or another word.
    public var kind: String
    @Null public var workId: String?
    @Null public var entryId: String?
    @Null public var title: String?
    @Null public var author: String?
    @Null public var isbn: String?
    /// 0...1.
    @Null public var confidence: Double?
    @Null public var tier: String?
    @Null public var reviewStatus: ReviewStatus?
    @Null public var resolvedTitle: String?
    @Null public var resolvedAuthor: String?
    @Null public var boundingBox: UnitRect?
    public var quad: UnitQuad?
    @Null public var photoId: String?
    /// The photo of the spine.
    @Null public var cropUrl: ServerPath?
    @Null public var coverUrl: ServerPath?
    public var text: [ReadText]
    /// Records that were considered, best first.
    public var matches: [BookMatch]
    @Null public var shelf: ShelfReference?
    /// What is wrong with the row of a list.
    public var problem: String?
    public var duplicates: [PossibleDuplicate]
    /// The version of the book, to be sent with changes.
    public var etag: String
    /// Of the change that the message answers.
    public var undoToken: String?

    public init(
        id: String, kind: String = "detection", text: [ReadText] = [], matches: [BookMatch] = [],
        duplicates: [PossibleDuplicate] = [], etag: String = "r1"
    ) {
        self.id = id
        self.kind = kind
        self.text = text
        self.matches = matches
        self.duplicates = duplicates
        self.etag = etag
    }

    /// The tier by which the queue groups the item; nil for an item that is not a book, or an unknown tier.
    public var confidenceTier: ConfidenceTier? { tier.flatMap(ConfidenceTier.init) }
}

/// A possible duplicate that needs a decision.
public struct PossibleDuplicate: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    public var kind: String
    @Null public var detectionId: String?
    @Null public var entryId: String?
    public var title: String
    public var authors: [String]
    public var existing: Existing

    /// The work in the library.
    public struct Existing: Codable, Hashable, Sendable {
        public var workId: String
        public var title: String
        public var authors: [String]
        public var entryIds: [String]
        public var coverUrl: ServerPath?
        public var cropUrl: ServerPath?

        public init(
            workId: String, title: String, authors: [String], entryIds: [String], coverUrl: ServerPath? = nil,
            cropUrl: ServerPath? = nil
        ) {
            self.workId = workId
            self.title = title
            self.authors = authors
            self.entryIds = entryIds
            self.coverUrl = coverUrl
            self.cropUrl = cropUrl
        }
    }

    public init(
        id: String, kind: String, detectionId: String? = nil, entryId: String? = nil, title: String,
        authors: [String], existing: Existing
    ) {
        self.id = id
        self.kind = kind
        self.detectionId = detectionId
        self.entryId = entryId
        self.title = title
        self.authors = authors
        self.existing = existing
    }
}

/// The number of items in the review queue, by kind and tier.
public struct ReviewQueueCounts: Codable, Hashable, Sendable {
    /// The number of items that wait for the user.
    public var total = 0
    public var needsReview = 0
    public var verify = 0
    public var ready = 0
    public var notChecked = 0
    /// Rows of imported lists that did not become books.
    public var failedRows = 0
    /// Open questions on duplicates, about books inside or outside the queue.
    public var duplicateQuestions = 0
    /// Copies that the latest photos of their shelf do not show.
    public var missing = 0
    /// Books without a record or cover; they do not count as waiting.
    public var incomplete = 0
    /// Books that were changed automatically and that the user has not seen since, inside or outside the queue.
    public var automaticChanges = 0

    public init() {}

    /// The number of books in a tier.
    public subscript(tier: ConfidenceTier) -> Int {
        get { self[keyPath: Self.count(of: tier)] }
        set { self[keyPath: Self.count(of: tier)] = newValue }
    }

    private static func count(of tier: ConfidenceTier) -> WritableKeyPath<ReviewQueueCounts, Int> {
        switch tier {
        case .notChecked: \.notChecked
        case .needsReview: \.needsReview
        case .verify: \.verify
        case .ready: \.ready
        }
    }

    /// The number of books that need review.
    package var books: Int { needsReview + verify + ready + notChecked }
}

/// A page of the review queue with the counts of the whole queue.
public struct ReviewQueuePage: Codable, Hashable, Sendable {
    public var items: [ReviewQueueItem]
    @Null public var nextCursor: String?
    public var total: Int
    public var counts: ReviewQueueCounts

    public init(items: [ReviewQueueItem], nextCursor: String?, total: Int, counts: ReviewQueueCounts) {
        self.items = items
        self.nextCursor = nextCursor
        self.total = total
        self.counts = counts
    }
}

/// What was changed of a book without a decision of the user.
public struct AutomaticEdit: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    public var time: Date
    /// `identified`, or `withdrawn` for a book that was removed.
    public var action: String
    public var workId: String
    @Null public var entryId: String?
    public var before: [String: String?]
    @Null public var after: [String: String?]?
    @Null public var source: String?
    /// Of the copy that the spine shows now; nil if it shows none.
    @Null public var reviewStatus: String?
    @Null public var cropUrl: ServerPath?
    public var undoable: Bool
    public var seen: Bool

    public init(
        id: String, time: Date, action: String, workId: String, before: [String: String?], after: [String: String?]?,
        undoable: Bool, seen: Bool
    ) {
        self.id = id
        self.time = time
        self.action = action
        self.workId = workId
        self.before = before
        self.after = after
        self.undoable = undoable
        self.seen = seen
    }
}

/// What a book that looks like one in the library is.
public enum DuplicateDecision: String, Codable, CaseIterable, Sendable {
    /// The same book; it is not added.
    case skip
    /// Another copy of the same book.
    case addCopy
    /// The very copy that the library has.
    case existing
    /// Another book.
    case different
}
