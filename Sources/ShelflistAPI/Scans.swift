public import Foundation

/// The answer to an upload: photos and job are on disk.
public struct ScanAccepted: Codable, Sendable {
    public var jobId: String
    public var token: String
    public var statusUrl: String
    public var eventsUrl: String
    public var resultsUrl: String
    public var webSocketUrl: String
    /// Replace `{n}` by the photo's number.
    public var photoUrl: String
    public var expiresAt: Date
    public var job: JobMessage

    public init(
        jobId: String, token: String, statusUrl: String, eventsUrl: String, resultsUrl: String, webSocketUrl: String,
        photoUrl: String, expiresAt: Date, job: JobMessage
    ) {
        self.jobId = jobId
        self.token = token
        self.statusUrl = statusUrl
        self.eventsUrl = eventsUrl
        self.resultsUrl = resultsUrl
        self.webSocketUrl = webSocketUrl
        self.photoUrl = photoUrl
        self.expiresAt = expiresAt
        self.job = job
    }
}

/// The state of a scan job.
public struct JobMessage: Codable, Sendable {
    public var id: String
    public var status: String
    public var stage: String
    public var progress: Double
    public var message: String
    public var photos: [JobPhotoMessage]
    public var photosExpected: Int
    public var books: Int
    public var needsReview: Int
    public var options: ScanOptionsMessage
    public var imported: Bool
    public var lastEventId: Int
    public var createdAt: Date
    public var updatedAt: Date
    @Null public var finishedAt: Date?
    @Null public var expiresAt: Date?
    public var statusUrl: String
    public var eventsUrl: String
    public var resultsUrl: String

    public init(
        id: String, status: String, stage: String, progress: Double, message: String, photos: [JobPhotoMessage],
        photosExpected: Int, books: Int, needsReview: Int, options: ScanOptionsMessage, imported: Bool,
        lastEventId: Int, createdAt: Date, updatedAt: Date, finishedAt: Date?, expiresAt: Date?, statusUrl: String,
        eventsUrl: String, resultsUrl: String
    ) {
        self.id = id
        self.status = status
        self.stage = stage
        self.progress = progress
        self.message = message
        self.photos = photos
        self.photosExpected = photosExpected
        self.books = books
        self.needsReview = needsReview
        self.options = options
        self.imported = imported
        self.lastEventId = lastEventId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.finishedAt = finishedAt
        self.expiresAt = expiresAt
        self.statusUrl = statusUrl
        self.eventsUrl = eventsUrl
        self.resultsUrl = resultsUrl
    }
}

/// One photo of a job.
public struct JobPhotoMessage: Codable, Sendable {
    public var index: Int
    public var status: String
    @Null public var name: String?
    @Null public var bytes: Int?
    @Null public var books: Int?
    @Null public var problem: Problem?
    public var url: String
    public var annotatedUrl: String

    public init(
        index: Int, status: String, name: String?, bytes: Int?, books: Int?, problem: Problem?, url: String,
        annotatedUrl: String
    ) {
        self.index = index
        self.status = status
        self.name = name
        self.bytes = bytes
        self.books = books
        self.problem = problem
        self.url = url
        self.annotatedUrl = annotatedUrl
    }
}

public struct ScanOptionsMessage: Codable, Hashable, Sendable {
    @Null public var threshold: Double?
    public var `import`: Bool
    @Null public var shelf: String?
    @Null public var reader: String?
    @Null public var preprocess: String?

    public init(threshold: Double?, imports: Bool, shelf: String?, reader: String?, preprocess: String?) {
        self.threshold = threshold
        self.import = imports
        self.shelf = shelf
        self.reader = reader
        self.preprocess = preprocess
    }
}

/// Counts of a job.
public struct SummaryMessage: Codable, Hashable, Sendable {
    public var photos: Int
    public var photosFailed: Int
    public var books: Int
    public var needsReview: Int
    public var verify: Int
    public var ready: Int
    public var duplicatesFolded: Int
    public var seconds: Double
    public var suggestions: [SuggestionMessage]

    public init(
        photos: Int, photosFailed: Int, books: Int, needsReview: Int, verify: Int, ready: Int, duplicatesFolded: Int,
        seconds: Double, suggestions: [SuggestionMessage]
    ) {
        self.photos = photos
        self.photosFailed = photosFailed
        self.books = books
        self.needsReview = needsReview
        self.verify = verify
        self.ready = ready
        self.duplicatesFolded = duplicatesFolded
        self.seconds = seconds
        self.suggestions = suggestions
    }
}

/// What to do better with the next photo.
public struct SuggestionMessage: Codable, Hashable, Sendable {
    public var code: String
    public var message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
