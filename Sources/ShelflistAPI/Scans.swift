import Bibliography

/// How far a scan job is.
public enum JobStatus: String, Codable, CaseIterable, Sendable {
    case queued
    case running
    case completed
    /// No photo could be read. A bad photo among good ones does not fail the job.
    case failed
    case canceled

    public var isFinal: Bool { self == .completed || self == .failed || self == .canceled }
}

/// What is being done for a job.
public enum JobStage: String, Codable, CaseIterable, Sendable {
    case uploading
    case analyzing
    case enriching
    case completed
}

/// One photo of a job.
public struct JobPhoto: Codable, Hashable, Sendable {
    /// From 1.
    public var index: Int
    public var status: PhotoStatus
    /// The client's name for it, for people; never a path.
    @Null public var name: String?
    @Null public var bytes: Int?
    /// How many books were found, when done.
    @Null public var books: Int?
    /// Why it failed.
    @Null public var problem: Problem?

    public init(
        index: Int, status: PhotoStatus, name: String? = nil, bytes: Int? = nil, books: Int? = nil,
        problem: Problem? = nil
    ) {
        self.index = index
        self.status = status
        self.name = name
        self.bytes = bytes
        self.books = books
        self.problem = problem
    }
}

/// How far a photo of a job is.
public enum PhotoStatus: String, Codable, CaseIterable, Sendable {
    /// Announced and not uploaded yet.
    case missing
    case queued
    case reading
    case done
    case failed
    case canceled

    public var isFinal: Bool { self == .done || self == .failed || self == .canceled }
}

/// Why a photo or a job failed: a stable code for programs, a sentence for people.
public struct JobProblem: Codable, Hashable, Sendable {
    public var code: String
    public var message: String
    public var retryable: Bool
    /// The photo's number, where one photo failed.
    public var photo: Int?

    public init(code: String, message: String, retryable: Bool, photo: Int? = nil) {
        self.code = code
        self.message = message
        self.retryable = retryable
        self.photo = photo
    }
}

extension Problem {
    /// The problem of one photo.
    public init(_ problem: JobProblem) {
        self.init(
            problem.code, status: problem.retryable ? 503 : 422, title: "Photo not read", detail: problem.message,
            retryable: problem.retryable)
    }
}

/// How a job is done.
public struct JobOptions: Codable, Hashable, Sendable {
    /// A book below this confidence needs review, 0...1; the setting's value where `nil`.
    @Null public var threshold: Double?
    /// Put the books into the library as photos are read.
    public var importsResults: Bool
    /// The shelf that the photos belong to.
    @Null public var shelf: String?
    @Null public var reader: String?
    @Null public var preprocessing: PreprocessingMode?
    /// The protocol of the job's WebSocket for a client that asks for no other; this API's own where `nil`.
    ///
    /// Stored, not sent.
    public var app: OlderApp?

    /// An app whose protocol is served besides this API's own.
    public enum OlderApp: String, Codable, Sendable {
        /// The one that posts to `/api/scan-bookshelf`.
        case bookshelf
    }

    public init(
        threshold: Double? = nil, importsResults: Bool = false, shelf: String? = nil, reader: String? = nil,
        preprocessing: PreprocessingMode? = nil, app: OlderApp? = nil
    ) {
        self.threshold = threshold
        self.importsResults = importsResults
        self.shelf = shelf
        self.reader = reader
        self.preprocessing = preprocessing
        self.app = app
    }

    enum CodingKeys: String, CodingKey {
        case threshold, shelf, reader, app
        case importsResults = "import"
        case preprocessing = "preprocess"
    }
}

/// Whether a photo goes through the filters before it is read.
public enum PreprocessingMode: String, Codable, CaseIterable, Sendable {
    /// Where the photo's own quality measures ask for it.
    case auto
    case on
    case off
}

/// Counts of a job.
public struct ScanSummary: Codable, Hashable, Sendable {
    public var photos: Int
    public var photosFailed: Int
    public var books: Int
    public var needsReview: Int
    public var verify: Int
    public var ready: Int
    public var duplicatesFolded: Int
    /// Reading time of the photos, summed.
    public var seconds: Double
    /// What the photos suggest, each kind once.
    public var suggestions: [Suggestion]

    /// Counts books by tier.
    public init(
        photos: Int, photosFailed: Int, books: [DetectedBook], duplicatesFolded: Int, seconds: Double,
        suggestions: [Suggestion]
    ) {
        let tiers = books.map { ConfidenceTier(confidence: $0.confidence) }
        self.photos = photos
        self.photosFailed = photosFailed
        self.books = books.count
        needsReview = tiers.count { $0 == .needsReview }
        verify = tiers.count { $0 == .verify }
        ready = tiers.count { $0 == .ready }
        self.duplicatesFolded = duplicatesFolded
        self.seconds = seconds
        self.suggestions = suggestions
    }
}

/// What the person with the camera can do better, as a code for programs and a sentence for people.
public struct Suggestion: Codable, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, CaseIterable, Codable, Sendable {
        case blur, dark, glare, tilt, cutAtEdge
    }

    public var code: Code
    /// One or two English sentences: what is wrong, what to do.
    public var message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
