public import Bibliography
public import Foundation

/// A book that was reviewed, or an item of the queue.
public struct ReviewQueueItem: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    @Known public var kind: InboxKind?
    @Null public var workId: String?
    @Null public var entryId: String?
    @Null public var title: String?
    @Null public var author: String?
    @Null public var isbn: String?
    /// 0...1.
    @Null public var confidence: Double?
    /// The tier by which the queue groups the item; nil for an item that is not a book.
    @Known public var tier: ConfidenceTier?
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
    /// What a label on its spine says.
    public var callNumber: String?
    /// What is wrong with the row of a list.
    public var problem: String?
    public var duplicates: [PossibleDuplicate]
    /// The version of the book, to be sent with changes.
    public var etag: String
    /// Of the change that the message answers.
    public var undoToken: String?

    public init(
        id: String, kind: InboxKind = .detection, text: [ReadText] = [], matches: [BookMatch] = [],
        duplicates: [PossibleDuplicate] = [], etag: String = "r1"
    ) {
        (self.id, self.kind, self.text) = (id, kind, text)
        (self.matches, self.duplicates, self.etag) = (matches, duplicates, etag)
    }
}

/// The kinds of items that wait for the user, in their order.
public enum InboxKind: String, WireChoice {
    /// A book that needs review.
    case detection
    /// Two books that may be the same.
    case duplicateQuestion
    /// A copy that the latest photos of its shelf do not show.
    case missing
    /// A row of a list that did not become a book.
    case failedRow
    /// A book without a record or cover.
    case incomplete

    /// All kinds but incomplete books, which need no decision.
    package static let waiting = allCases.filter { $0 != .incomplete }
}

extension ConfidenceTier: WireChoice {}

/// A possible duplicate that needs a decision.
public struct PossibleDuplicate: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    @Known public var kind: DuplicateKind?
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
            (self.workId, self.title, self.authors) = (workId, title, authors)
            (self.entryIds, self.coverUrl, self.cropUrl) = (entryIds, coverUrl, cropUrl)
        }
    }

    public init(
        id: String, kind: DuplicateKind, detectionId: String? = nil, entryId: String? = nil, title: String,
        authors: [String], existing: Existing
    ) {
        (self.id, self.kind, self.detectionId, self.entryId) = (id, kind, detectionId, entryId)
        (self.title, self.authors, self.existing) = (title, authors, existing)
    }
}

/// The reason why two books may be the same.
public enum DuplicateKind: String, WireChoice {
    case isbn
    case titleAndAuthor
    /// The titles are nearly the same.
    case similar
    /// The same text was read before and corrected to the other work.
    case readBefore
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
        (self.items, self.nextCursor, self.total, self.counts) = (items, nextCursor, total, counts)
    }
}

/// A decision about a book: the user's, or an automatic one.
public enum ReviewJudgement: String, WireChoice {
    case verified, corrected, rejected, matched, recropped
    /// Identified again, automatically, after sources answered.
    case identified
    /// Removed automatically: its text belongs to another book.
    case withdrawn
}

/// What was changed of a book without a decision of the user: one that did not wait for review any more, or that left the
/// library.
///
/// A book is listed once, however often it was changed while sources answered.
public struct AutomaticEdit: Codable, Hashable, Identifiable, Sendable {
    /// That of the last change.
    public var id: String
    public var time: Date
    /// `identified`, or `withdrawn` for a book that was removed.
    @Known public var action: ReviewJudgement?
    public var workId: String
    /// The copy that the spine shows now, and the status of its work; nil if it shows none.
    @Null public var entryId: String?
    @Null public var reviewStatus: ReviewStatus?
    /// Title and author before the first change.
    public var before: [String: String?]
    /// Title, author and ISBN after the last change; nil for a book that was removed.
    @Null public var after: [String: String?]?
    /// The name of the source whose record gave title and author; nil if they are as read.
    @Null public var source: String?
    /// Nil if the spine cannot be shown.
    @Null public var cropUrl: ServerPath?
    /// False if the book has changed since, or the change is too old.
    public var undoable: Bool
    public var seen: Bool

    public init(
        id: String, time: Date, action: ReviewJudgement, workId: String, before: [String: String?],
        after: [String: String?]?,
        undoable: Bool, seen: Bool
    ) {
        (self.id, self.time, self.action, self.workId) = (id, time, action, workId)
        (self.before, self.after, self.undoable, self.seen) = (before, after, undoable, seen)
    }
}

/// What a book that looks like one in the library is.
public enum DuplicateDecision: String, WireChoice {
    /// The same book; it is not added.
    case skip
    /// Another copy of the same book.
    case addCopy
    /// The very copy that the library has.
    case existing
    /// Another book.
    case different
}
