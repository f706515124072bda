public import Foundation

/// A shelf of the library.
public struct LibraryShelf: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    public var name: String
    /// The identifier of the shelf that it is in.
    @Null public var parent: String?
    /// Its name after those of the shelves around it: `Home / Study / Bookcase 2`.
    public var path: String
    /// What its label shows: `SL-` and five characters.
    public var code: String
    @Null public var note: String?
    /// By what it is sorted; nil if it has no rule of its own.
    @Known public var sort: ShelfSort?
    /// The number of books on it.
    public var entries: Int
    /// The number of books on it and on the shelves inside it.
    public var entriesInside: Int
    /// The version of the shelf, to be sent with changes.
    public var etag: String
    /// Of the change that the message answers.
    public var undoToken: String?

    /// - Parameter path: nil for a shelf that is in no other.
    public init(
        id: String, name: String, path: String? = nil, code: String = "", entries: Int, entriesInside: Int? = nil,
        etag: String
    ) {
        (self.id, self.name, self.path, self.code) = (id, name, path ?? name, code)
        (self.entries, self.entriesInside, self.etag) = (entries, entriesInside ?? entries, etag)
    }
}

/// A shelf as its photos show it.
public struct LibraryShelfView: Codable, Hashable, Sendable {
    public struct Spine: Codable, Hashable, Sendable {
        public enum State: String, WireChoice {
            /// The latest photo of this place shows the copy.
            case present
            /// The latest photo of this place does not show the copy, which the user found there since.
            case found
            /// The latest photo of this place does not show the copy.
            case missing
            /// As `missing`, and the copy is lent.
            case lent
            /// The latest scan shows the copy here, but it is recorded on another shelf or on none.
            case elsewhere
        }

        public var entry: LibraryBook
        @Known public var state: State?
        /// The latest detection of the copy on this shelf.
        public var detectionId: String
        public var photoId: String
        @Null public var cropUrl: ServerPath?
        /// The size of the detection's box in its photo, in pixels.
        public var width: Int
        public var height: Int
        /// Where the copy belongs; nil if it is in order, or the shelf has no sort rule.
        public var outOfOrder: OutOfOrder?
        /// Whether the latest scan added the copy to a shelf of which others were known; nil if not.
        public var isNew: Bool?

        public init(
            entry: LibraryBook, state: State, detectionId: String, photoId: String, cropUrl: ServerPath?, width: Int,
            height: Int
        ) {
            (self.entry, self.state, self.detectionId, self.photoId) = (entry, state, detectionId, photoId)
            (self.cropUrl, self.width, self.height) = (cropUrl, width, height)
        }
    }

    public var shelfId: String
    /// The time of the latest scan; nil if no photo shows the shelf.
    @Null public var scannedAt: Date?
    /// The spines of each board, from left to right; boards from top to bottom.
    public var boards: [[Spine]]
    /// Books on the shelf that no photo shows.
    public var unseen: [LibraryBook]

    public init(shelfId: String, scannedAt: Date?, boards: [[Spine]], unseen: [LibraryBook]) {
        (self.shelfId, self.scannedAt, self.boards, self.unseen) = (shelfId, scannedAt, boards, unseen)
    }
}

/// A scan of a shelf compared with its books.
public struct ShelfInventory: Codable, Hashable, Sendable {
    /// A book of the scan that is not in the library.
    public struct Unadded: Codable, Hashable, Sendable {
        /// The scan that shows it.
        @Null public var jobId: String?
        @Null public var bookId: String?
        @Null public var title: String?
        @Null public var author: String?
        public var confidence: Double
        @Null public var cropUrl: ServerPath?

        public init(
            jobId: String?, bookId: String?, title: String?, author: String?, confidence: Double, cropUrl: ServerPath?
        ) {
            (self.jobId, self.bookId, self.title) = (jobId, bookId, title)
            (self.author, self.confidence, self.cropUrl) = (author, confidence, cropUrl)
        }
    }

    public var shelfId: String
    /// Whether the shelf was not scanned before and no other book is recorded on it; then no book is new.
    public var isFirst: Bool
    public var present: [LibraryBook] = []
    public var new: [LibraryBook] = []
    /// Not in the scan, although it shows their places.
    public var missing: [LibraryBook] = []
    /// Not in the scan, which does not show the places where earlier photos show them.
    public var notShown: [LibraryBook] = []
    public var lent: [LibraryBook] = []
    public var moved: [LibraryBook] = []
    public var notAdded: [Unadded] = []
    public var questions: [PossibleDuplicate] = []

    public init(shelfId: String, isFirst: Bool) { (self.shelfId, self.isFirst) = (shelfId, isFirst) }
}
