import Bibliography

/// The state of a scan job.
public enum JobStatus: String, CaseIterable, Sendable, WireWord {
    case queued
    case running
    case completed
    /// No photo could be read. A job in which some photos fail still completes.
    case failed
    case canceled

    public static var unknownWord: JobStatus { .running }

    public var isFinal: Bool { self == .completed || self == .failed || self == .canceled }
}

/// The stage of a job.
public enum JobStage: String, CaseIterable, Sendable, WireWord {
    case uploading
    case analyzing
    case enriching
    case completed

    public static var unknownWord: JobStage { .analyzing }
}

/// One photo of a job.
public struct JobPhoto: Codable, Hashable, Sendable {
    /// The photo's number, from 1.
    public var index: Int
    public var status: PhotoStatus
    /// The file name given by the client, for display; never a path.
    @Null public var name: String?
    @Null public var bytes: Int?
    /// The number of books found; `nil` until the photo is done.
    @Null public var books: Int?
    /// The error of a failed photo.
    @Null public var problem: Problem?

    public init(
        index: Int, status: PhotoStatus, name: String? = nil, bytes: Int? = nil, books: Int? = nil,
        problem: Problem? = nil
    ) {
        (self.index, self.status, self.name) = (index, status, name)
        (self.bytes, self.books, self.problem) = (bytes, books, problem)
    }
}

/// The state of a photo.
public enum PhotoStatus: String, CaseIterable, Sendable, WireWord {
    /// Announced but not uploaded yet.
    case missing
    case queued
    case reading
    case done
    case failed
    case canceled

    public static var unknownWord: PhotoStatus { .reading }

    public var isFinal: Bool { self == .done || self == .failed || self == .canceled }
}

/// The error of a photo or a job: a stable code for programs and a message for users.
public struct JobProblem: Codable, Hashable, Sendable {
    public var code: String
    public var message: String
    public var retryable: Bool
    /// The number of the photo that failed; `nil` if the job failed.
    public var photo: Int?

    public init(code: String, message: String, retryable: Bool, photo: Int? = nil) {
        (self.code, self.message, self.retryable, self.photo) = (code, message, retryable, photo)
    }
}

extension Problem {
    /// Creates the problem of one photo.
    public init(_ problem: JobProblem) {
        self.init(
            problem.code, status: problem.retryable ? 503 : 422, title: "Photo not read", detail: problem.message,
            retryable: problem.retryable)
    }
}

/// The options of a job.
public struct JobOptions: Codable, Hashable, Sendable {
    /// Books below this confidence (0...1) need review.
    ///
    /// Defaults to the threshold in the settings.
    @Null public var threshold: Double?
    /// Whether the books are imported into the library as soon as their photo has been read.
    public var importsResults: Bool
    /// Whether the books wait until the user adds them; the results are kept until then.
    public var asksBeforeAdding: Bool?
    /// The shelf that the photos belong to.
    @Null public var shelf: String?
    /// Who reads the photos; `nil` for the setting.
    @Null public var reader: ReaderMode?
    @Null public var preprocessing: PreprocessingMode?
    /// What the photos are for; nil for photos of the user's shelves.
    @Known public var purpose: ScanPurpose?
    /// The protocol of the job's WebSocket if the client does not select one; `nil` for this API's own.
    ///
    /// Stored but not sent.
    public var app: OlderApp?

    /// An older app whose protocol the server also supports.
    public enum OlderApp: String, Codable, Sendable {
        /// The app that posts to `/api/scan-bookshelf`.
        case bookshelf
    }

    public init(
        threshold: Double? = nil, importsResults: Bool = false, asksBeforeAdding: Bool? = nil, shelf: String? = nil,
        reader: ReaderMode? = nil, preprocessing: PreprocessingMode? = nil, app: OlderApp? = nil
    ) {
        (self.threshold, self.importsResults) = (threshold, importsResults)
        (self.asksBeforeAdding, self.shelf, self.reader) = (asksBeforeAdding, shelf, reader)
        (self.preprocessing, self.app) = (preprocessing, app)
    }

    enum CodingKeys: String, CodingKey {
        case threshold, shelf, reader, purpose, app
        case importsResults = "import"
        case asksBeforeAdding = "askBeforeAdding"
        case preprocessing = "preprocess"
    }
}

/// What photos are for, other than to record a shelf.
public enum ScanPurpose: String, WireChoice {
    /// To see which of the books the library has: nothing is imported, no provider is asked, and the photos are deleted
    /// when they are read.
    case check
}

/// Whether a photo is preprocessed before it is read.
public enum PreprocessingMode: String, CaseIterable, Sendable, WireWord {
    /// Only if the photo's quality measures call for it.
    case auto
    case on
    case off

    public static var unknownWord: PreprocessingMode { .auto }
}

/// The counts of a job.
public struct ScanSummary: Codable, Hashable, Sendable {
    public var photos: Int
    public var photosFailed: Int
    public var books: Int
    public var needsReview: Int
    public var verify: Int
    public var ready: Int
    public var notChecked: Int
    public var duplicatesFolded: Int
    /// The total reading time of the photos.
    public var seconds: Double
    /// Suggestions for better results, each kind once.
    public var suggestions: [Suggestion]

    /// Counts books by tier.
    public init(
        photos: Int, photosFailed: Int, books: [DetectedBook], duplicatesFolded: Int, seconds: Double,
        suggestions: [Suggestion]
    ) {
        let tiers = books.map(\.tier)
        self.photos = photos
        self.photosFailed = photosFailed
        self.books = books.count
        needsReview = tiers.count { $0 == .needsReview }
        verify = tiers.count { $0 == .verify }
        ready = tiers.count { $0 == .ready }
        notChecked = tiers.count { $0 == .notChecked }
        self.duplicatesFolded = duplicatesFolded
        self.seconds = seconds
        self.suggestions = suggestions
    }
}

/// What to do about a photo that cannot be read well: a code for programs and a message for users.
public struct Suggestion: Codable, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, CaseIterable, Sendable, WireWord {
        case blur, dark, glare, tilt, cutAtEdge
        /// Spines are in letters that are not read: they are found, but have no title.
        case unknownLetters
        /// A word that this version does not know.
        case other

        public static var unknownWord: Code { .other }
    }

    public var code: Code
    /// One or two English sentences: what is wrong and what to do.
    public var message: String

    public init(code: Code, message: String) { (self.code, self.message) = (code, message) }

    public var description: String { message }
}
