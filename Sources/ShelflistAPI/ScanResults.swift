public import Bibliography

/// The results of a job, which may still be running.
///
/// The photos as they were read are in the message too; only programs that study recognition need them.
public struct ScanResults: Codable, Sendable {
    public var jobId: String
    public var status: JobStatus
    /// Surest first.
    public var books: [ScanResultBook]
    public var summary: ScanSummary
    /// Undoes that the server added the books; nil if there is nothing to undo.
    @Null public var undoToken: String?
    /// Questions about the labels of shelves in the photos, once their books are in the library; nil from an earlier
    /// version.
    public var labelQuestions: [LabelQuestion]?

    public init(
        jobId: String, status: JobStatus, books: [ScanResultBook], summary: ScanSummary, undoToken: String?
    ) {
        (self.jobId, self.status, self.books, self.summary, self.undoToken) = (jobId, status, books, summary, undoToken)
    }
}

/// A book of a scan with what became of it, encoded and read as one object: `book.title`, `book.library.state`.
@dynamicMemberLookup
public struct ScanResultBook: Codable, Identifiable, Sendable {
    public var book: ScanBook
    /// The photo of the spine.
    public var cropUrl: ServerPath
    public var library: ScanBookOutcome
    /// Whether the library has it; nil unless the photo was taken to see that.
    ///
    /// Without copies and series for a token without the scope `read`, or that of the job.
    public var own: OwnAnswer?

    public init(book: ScanBook, cropUrl: ServerPath, library: ScanBookOutcome) {
        (self.book, self.cropUrl, self.library) = (book, cropUrl, library)
    }

    public var id: String { book.id }

    /// A field of the book as it was found.
    public subscript<Value>(dynamicMember field: KeyPath<ScanBook, Value>) -> Value { book[keyPath: field] }

    private enum CodingKeys: String, CodingKey { case cropUrl, library, own }

    public init(from decoder: any Decoder) throws {
        book = try ScanBook(from: decoder)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        cropUrl = try fields.decode(ServerPath.self, forKey: .cropUrl)
        library = try fields.decode(ScanBookOutcome.self, forKey: .library)
        own = try fields.decodeIfPresent(OwnAnswer.self, forKey: .own)
    }

    public func encode(to encoder: any Encoder) throws {
        try book.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(cropUrl, forKey: .cropUrl)
        try fields.encode(library, forKey: .library)
        try fields.encodeIfPresent(own, forKey: .own)
    }
}

/// What became of a book of a scan.
public struct ScanBookOutcome: Codable, Hashable, Sendable {
    public enum State: String, CaseIterable, Sendable, WireWord {
        /// Not added yet.
        case open
        /// In the library, verified or edited.
        case added
        /// In the library and in the review queue.
        case review
        /// Waits for the answer to a duplicate question.
        case question
        /// Skipped as a duplicate.
        case skipped
        /// Not a book.
        case rejected
        /// Removed from the library.
        case removed
        /// A word that this version does not know.
        case unknown

        public static var unknownWord: State { .unknown }
    }

    public var state: State
    @Null public var entryId: String?
    @Null public var detectionId: String?
    @Null public var reviewStatus: ReviewStatus?
    /// The library's or the edited values; nil where the values are as read.
    @Null public var title: String?
    @Null public var author: String?
    @Null public var isbn: String?

    public init(_ state: State) { self.state = state }
}

/// What a user makes of a book of a scan: an edit, a match or "Not a book"; absent fields are kept.
public struct ScanBookChange: Codable, Hashable, Sendable {
    public var title: String?
    public var authors: [String]?
    public var isbn = FieldPatch<String>.keep
    public var record: SearchRecord?
    public var rejected: Bool?

    public init(title: String? = nil, authors: [String]? = nil) { (self.title, self.authors) = (title, authors) }

    /// Matches the book with a record.
    public init(_ record: SearchRecord) { self.record = record }

    /// Marks the book as "Not a book".
    public static var notABook: ScanBookChange {
        var change = ScanBookChange()
        change.rejected = true
        return change
    }
}

/// A book of a scan after a change.
public struct ChangedScanBook: Codable, Sendable {
    public var book: ScanResultBook
    @Null public var undoToken: String?

    public init(book: ScanResultBook, undoToken: String?) { (self.book, self.undoToken) = (book, undoToken) }
}

/// What to add of a scan to the library.
public struct ScanImportRequest: Codable, Hashable, Sendable {
    /// The identifiers of books; nil for all.
    public var books: [String]?
    /// 0...1.
    public var minConfidence: Double?
    /// What to do with books that the library has: `ask` (the default), `skip`, `addCopy` or `existing`.
    public var duplicates: String?
    /// The identifier of a shelf.
    public var shelf: String?

    public init(
        books: [String]? = nil, minConfidence: Double? = nil, duplicates: String? = nil, shelf: String? = nil
    ) {
        (self.books, self.minConfidence, self.duplicates, self.shelf) = (books, minConfidence, duplicates, shelf)
    }
}

/// What was added of a scan.
public struct ScanImportOutcome: Codable, Hashable, Sendable {
    public struct Imported: Codable, Hashable, Sendable {
        public var bookId: String
        public var entryId: String
        @Null public var detectionId: String?
        public var reviewStatus: ReviewStatus

        public init(bookId: String, entryId: String, detectionId: String?, reviewStatus: ReviewStatus) {
            (self.bookId, self.entryId) = (bookId, entryId)
            (self.detectionId, self.reviewStatus) = (detectionId, reviewStatus)
        }
    }

    public struct Duplicate: Codable, Hashable, Sendable {
        public var bookId: String
        public var certainty: String
        public var question: PossibleDuplicate

        public init(bookId: String, certainty: String, question: PossibleDuplicate) {
            (self.bookId, self.certainty, self.question) = (bookId, certainty, question)
        }
    }

    public var imported: [Imported] = []
    /// The identifiers of books that were skipped.
    public var skipped: [String] = []
    public var duplicates: [Duplicate] = []
    @Null public var undoToken: String?

    public init() {}
}
