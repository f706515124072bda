public import Foundation

/// A check of which copies of some shelves are still there, over days and by several people.
public struct Stocktake: Codable, Hashable, Identifiable, Sendable {
    /// Numbers of copies.
    public struct Counts: Codable, Hashable, Sendable {
        /// All copies that are to be seen.
        public var expected = 0
        /// Those that were seen.
        public var seen = 0
        /// Those of `seen` that were seen on another shelf than theirs.
        public var misplaced = 0
        /// Those that were not seen, and are neither lent nor known to be missing.
        public var unseen = 0
        /// Those that were not seen because they are lent.
        public var lent = 0
        /// Those that were missing before, and were not seen.
        public var missing = 0

        public init() {}
    }

    /// The progress on one shelf.
    public struct Place: Codable, Hashable, Sendable {
        /// Nil for copies that are on no shelf.
        @Null public var shelf: ShelfReference?
        public var counts: Counts
        /// Whether a photo shows it since the stocktake began.
        public var photographed: Bool

        public init(shelf: ShelfReference?, counts: Counts, photographed: Bool) {
            (self.shelf, self.counts, self.photographed) = (shelf, counts, photographed)
        }
    }

    public var id: String
    public var name: String
    public var startedAt: Date
    @Null public var startedBy: String?
    /// Nil while it goes on.
    @Null public var closedAt: Date?
    public var counts: Counts
    /// In the order of the shelves; only in the response for a single stocktake.
    public var places: [Place]?
    /// Of the change that the message answers.
    public var undoToken: String?

    public init(id: String, name: String, startedAt: Date, startedBy: String?, closedAt: Date?, counts: Counts) {
        (self.id, self.name, self.startedAt) = (id, name, startedAt)
        (self.startedBy, self.closedAt, self.counts) = (startedBy, closedAt, counts)
    }
}

/// A copy of a stocktake.
public struct StocktakeCopy: Codable, Hashable, Sendable {
    public enum State: String, WireChoice {
        case seen
        /// It was seen on another shelf than its own.
        case misplaced
        case unseen
        /// It was not seen, and is lent.
        case lent
        /// It was not seen, and was missing before.
        case missing
    }

    /// How a copy was seen.
    public enum Method: String, WireChoice {
        case photo
        case barcode
        case hand
        /// It came back from a loan.
        case returned
    }

    public var entryId: String
    public var title: String
    public var author: String
    /// The shelf on which it is recorded.
    @Null public var shelf: ShelfReference?
    @Null public var callNumber: String?
    @Null public var barcode: String?
    @Null public var price: Money?
    @Known public var state: State?
    @Null public var seenAt: Date?
    @Known public var seenBy: Method?
    /// The shelf on which it was seen.
    @Null public var seenOn: ShelfReference?
    /// The time of the latest photo that shows it, also before the stocktake.
    @Null public var lastPhotoAt: Date?
    /// That photo; nil if it is not stored.
    @Null public var photoUrl: ServerPath?

    public init(entryId: String, title: String, author: String, state: State) {
        (self.entryId, self.title, self.author, self.state) = (entryId, title, author, state)
    }
}

/// A stocktake to start: of shelves with those inside them, of tags, of copies, or of everything if none is given.
public struct NewStocktake: Codable, Hashable, Sendable {
    /// Nil for the day.
    public var name: String?
    /// Identifiers of shelves.
    public var shelves: [String]?
    public var tags: [String]?
    /// Identifiers of copies.
    public var copies: [String]?

    public init(name: String? = nil, shelves: [String]? = nil, tags: [String]? = nil, copies: [String]? = nil) {
        (self.name, self.shelves, self.tags, self.copies) = (name, shelves, tags, copies)
    }
}

/// Copies that a person has seen, or a barcode.
public struct SeenCopies: Codable, Hashable, Sendable {
    /// Identifiers of copies.
    public var copies: [String]?
    /// What a barcode says: that of a copy, or the number on its label.
    public var barcode: String?
    /// The shelf on which they were seen; nil for their own.
    public var shelf: String?
    /// The spine of a photo that shows the only copy of `copies`, and was not recognised.
    public var detection: String?
    /// False takes back that they were seen; nil for true.
    public var seen: Bool?

    public init(copies: [String]) { self.copies = copies }

    public init(barcode: String, shelf: String? = nil) { (self.barcode, self.shelf) = (barcode, shelf) }
}

/// The result of seeing copies.
public struct SeenOutcome: Codable, Hashable, Sendable {
    /// The number of copies that were not seen before, or whose sighting was taken back.
    public var changed: Int
    /// The copies of the request as they are now.
    public var copies: [StocktakeCopy]
    @Null public var undoToken: String?

    public init(changed: Int, copies: [StocktakeCopy], undoToken: String?) {
        (self.changed, self.copies, self.undoToken) = (changed, copies, undoToken)
    }
}

/// A spine that was photographed during a stocktake and is not recognised for sure.
package struct UnsureSpine: Codable, Hashable, Sendable {
    package var detectionId: String
    /// The lines that were read.
    package var text: String
    @Null package var cropUrl: ServerPath?
    @Null package var shelf: ShelfReference?
    /// The unseen copies of the shelf that it may be, the most similar first.
    package var candidates: [StocktakeCopy]

    package init(detectionId: String, text: String, cropUrl: ServerPath?, shelf: ShelfReference?) {
        (self.detectionId, self.text, self.cropUrl, self.shelf) = (detectionId, text, cropUrl, shelf)
        candidates = []
    }
}
