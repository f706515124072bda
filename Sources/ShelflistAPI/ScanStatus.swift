public import Foundation

/// The response to an upload, sent after photos and job have been stored.
public struct ScanAccepted: Codable, Sendable {
    public var jobId: String
    /// Gives access to this job only.
    public var token: String
    public var statusUrl: ServerPath
    public var eventsUrl: ServerPath
    public var resultsUrl: ServerPath
    public var webSocketUrl: ServerPath
    /// Replace `{n}` by the photo's number.
    public var photoUrl: ServerPath
    public var expiresAt: Date
    public var job: ScanStatus

    public init(job: ScanStatus, token: String, expiresAt: Date) {
        let urls = JobURLs(job.id)
        jobId = job.id
        self.token = token
        statusUrl = urls.status
        eventsUrl = urls.events
        resultsUrl = urls.results
        webSocketUrl = urls.webSocket
        photoUrl = "\(urls.status)/photos/{n}"
        self.expiresAt = expiresAt
        self.job = job
    }
}

/// The state of a scan job.
public struct ScanStatus: Codable, Identifiable, Sendable {
    public var id: String
    public var status: JobStatus
    public var stage: JobStage
    /// 0...1.
    public var progress: Double
    /// A sentence about the progress, for users.
    public var message: String
    public var photos: [ScanPhoto]
    public var photosExpected: Int
    public var books: Int
    public var needsReview: Int
    public var options: JobOptions
    public var imported: Bool
    /// Whether providers are still being asked about the books; also after the job is completed.
    public var asking: Bool
    /// How far they are; nil while none is asked, and from an earlier version.
    public var lookups: JobEvent.LookupProgress?
    public var lastEventId: Int
    public var createdAt: Date
    public var updatedAt: Date
    @Null public var finishedAt: Date?
    @Null public var expiresAt: Date?
    public var statusUrl: ServerPath
    public var eventsUrl: ServerPath
    public var resultsUrl: ServerPath

    public init(id: String, status: JobStatus, photosExpected: Int, options: JobOptions, createdAt: Date) {
        let urls = JobURLs(id)
        self.id = id
        self.status = status
        stage = .uploading
        progress = 0
        message = ""
        photos = []
        self.photosExpected = photosExpected
        books = 0
        needsReview = 0
        self.options = options
        imported = false
        asking = false
        lastEventId = 0
        self.createdAt = createdAt
        updatedAt = createdAt
        statusUrl = urls.status
        eventsUrl = urls.events
        resultsUrl = urls.results
    }
}

/// A photo of a job with its URLs, encoded as one object.
public struct ScanPhoto: Codable, Hashable, Sendable {
    public var photo: JobPhoto
    public var url: ServerPath
    public var annotatedUrl: ServerPath

    public init(_ photo: JobPhoto, of urls: JobURLs) {
        self.photo = photo
        url = urls.photo(photo.index)
        annotatedUrl = urls.annotated(photo.index)
    }

    private enum CodingKeys: String, CodingKey { case url, annotatedUrl }

    public init(from decoder: any Decoder) throws {
        photo = try JobPhoto(from: decoder)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        url = try fields.decode(ServerPath.self, forKey: .url)
        annotatedUrl = try fields.decode(ServerPath.self, forKey: .annotatedUrl)
    }

    public func encode(to encoder: any Encoder) throws {
        try photo.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(url, forKey: .url)
        try fields.encode(annotatedUrl, forKey: .annotatedUrl)
    }
}

/// A page of events, for polling.
public struct EventPage<Event> {
    public var events: [Event]
    public var lastEventId: Int
    /// Whether the job has no further events.
    public var done: Bool

    public init(events: [Event], lastEventId: Int, done: Bool) {
        (self.events, self.lastEventId, self.done) = (events, lastEventId, done)
    }
}

extension EventPage: Encodable where Event: Encodable {}
extension EventPage: Decodable where Event: Decodable {}
extension EventPage: Sendable where Event: Sendable {}
