public import Bibliography
public import Foundation

/// One entry of a job's event log, as all three views of it send it.
public struct EventMessage: Codable, Sendable {
    /// Counts from 1 within the job.
    public var id: Int
    public var jobId: String
    public var time: Date
    public var data: EventData
    public var type: String { data.type }

    public init(id: Int, jobId: String, time: Date, data: EventData) {
        self.id = id
        self.jobId = jobId
        self.time = time
        self.data = data
    }

    enum CodingKeys: String, CodingKey { case id, jobId, type, time, data }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(Int.self, forKey: .id)
        jobId = try fields.decode(String.self, forKey: .jobId)
        time = try fields.decode(Date.self, forKey: .time)
        data = try EventData(
            type: try fields.decode(String.self, forKey: .type), from: try fields.superDecoder(forKey: .data))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(jobId, forKey: .jobId)
        try fields.encode(type, forKey: .type)
        try fields.encode(time, forKey: .time)
        try fields.encode(data, forKey: .data)
    }
}

/// What an event tells.
///
/// A type this version does not know is kept as `unknown` and to be ignored.
public enum EventData: Encodable, Sendable {
    case progress(ProgressData)
    case photo(JobPhotoMessage)
    case segmented(SegmentedData)
    case bookProgress(BookProgressData)
    case result(ResultData)
    case enriched(EnrichedData)
    case enrichmentDegraded(DegradedData)
    case imported(ImportedData)
    case completed(CompletedData)
    case error(ErrorData)
    case canceled(CanceledData)
    case unknown(String)

    public var type: String {
        switch self {
        case .progress: "progress"
        case .photo: "photo"
        case .segmented: "segmented"
        case .bookProgress: "book_progress"
        case .result: "result"
        case .enriched: "enriched"
        case .enrichmentDegraded: "enrichment_degraded"
        case .imported: "imported"
        case .completed: "completed"
        case .error: "error"
        case .canceled: "canceled"
        case .unknown(let type): type
        }
    }

    public init(type: String, from decoder: any Decoder) throws {
        switch type {
        case "progress": self = .progress(try ProgressData(from: decoder))
        case "photo": self = .photo(try JobPhotoMessage(from: decoder))
        case "segmented": self = .segmented(try SegmentedData(from: decoder))
        case "book_progress": self = .bookProgress(try BookProgressData(from: decoder))
        case "result": self = .result(try ResultData(from: decoder))
        case "enriched": self = .enriched(try EnrichedData(from: decoder))
        case "enrichment_degraded": self = .enrichmentDegraded(try DegradedData(from: decoder))
        case "imported": self = .imported(try ImportedData(from: decoder))
        case "completed": self = .completed(try CompletedData(from: decoder))
        case "error": self = .error(try ErrorData(from: decoder))
        case "canceled": self = .canceled(try CanceledData(from: decoder))
        default: self = .unknown(type)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .progress(let data): try data.encode(to: encoder)
        case .photo(let data): try data.encode(to: encoder)
        case .segmented(let data): try data.encode(to: encoder)
        case .bookProgress(let data): try data.encode(to: encoder)
        case .result(let data): try data.encode(to: encoder)
        case .enriched(let data): try data.encode(to: encoder)
        case .enrichmentDegraded(let data): try data.encode(to: encoder)
        case .imported(let data): try data.encode(to: encoder)
        case .completed(let data): try data.encode(to: encoder)
        case .error(let data): try data.encode(to: encoder)
        case .canceled(let data): try data.encode(to: encoder)
        case .unknown: try [String: String]().encode(to: encoder)
        }
    }
}

public struct ProgressData: Codable, Hashable, Sendable {
    /// `uploading`, `analyzing`, `enriching` or `completed`.
    public var stage: String
    /// Of the whole job, 0...1.
    public var progress: Double
    public var message: String
    public var photo: Int?

    public init(stage: String, progress: Double, message: String, photo: Int? = nil) {
        self.stage = stage
        self.progress = progress
        self.message = message
        self.photo = photo
    }
}

public struct SegmentedData: Codable, Sendable {
    public var photo: Int
    /// URL of a JPEG with the spines drawn.
    public var image: String
    public var totalBooks: Int
    public var spines: [SpineOutline]

    public init(photo: Int, image: String, totalBooks: Int, spines: [SpineOutline]) {
        self.photo = photo
        self.image = image
        self.totalBooks = totalBooks
        self.spines = spines
    }
}

public struct BookProgressData: Codable, Hashable, Sendable {
    public var photo: Int
    public var current: Int
    public var total: Int
    public var stage: String

    public init(photo: Int, current: Int, total: Int, stage: String) {
        self.photo = photo
        self.current = current
        self.total = total
        self.stage = stage
    }
}

public struct ResultData: Codable, Sendable {
    public var photo: Int
    public var book: ScanBookMessage

    public init(photo: Int, book: ScanBookMessage) {
        self.photo = photo
        self.book = book
    }
}

public struct EnrichedData: Codable, Sendable {
    public var bookId: String
    public var enrichment: String
    @Null public var metadata: BookMetadata?
    public var current: Int
    public var total: Int

    public init(bookId: String, enrichment: String, metadata: BookMetadata?, current: Int, total: Int) {
        self.bookId = bookId
        self.enrichment = enrichment
        self.metadata = metadata
        self.current = current
        self.total = total
    }
}

public struct DegradedData: Codable, Hashable, Sendable {
    public var provider: String
    public var message: String
    public var retryAfterMs: Int?

    public init(provider: String, message: String, retryAfterMs: Int?) {
        self.provider = provider
        self.message = message
        self.retryAfterMs = retryAfterMs
    }
}

public struct ImportedData: Codable, Hashable, Sendable {
    public var photo: Int
    public var entries: Int
    public var needsReview: Int
    public var duplicates: Int

    public init(photo: Int, entries: Int, needsReview: Int, duplicates: Int) {
        self.photo = photo
        self.entries = entries
        self.needsReview = needsReview
        self.duplicates = duplicates
    }
}

public struct CompletedData: Codable, Sendable {
    public var resultsUrl: String
    public var summary: SummaryMessage

    public init(resultsUrl: String, summary: SummaryMessage) {
        self.resultsUrl = resultsUrl
        self.summary = summary
    }
}

public struct ErrorData: Codable, Hashable, Sendable {
    public var code: String
    public var message: String
    public var retryable: Bool
    public var photo: Int?

    public init(code: String, message: String, retryable: Bool, photo: Int?) {
        self.code = code
        self.message = message
        self.retryable = retryable
        self.photo = photo
    }
}

public struct CanceledData: Codable, Hashable, Sendable {
    public var message: String

    public init(message: String) { self.message = message }
}

/// A page of events, for polling.
public struct EventPage: Codable, Sendable {
    public var events: [EventMessage]
    public var lastEventId: Int
    /// No further event will come.
    public var done: Bool

    public init(events: [EventMessage], lastEventId: Int, done: Bool) {
        self.events = events
        self.lastEventId = lastEventId
        self.done = done
    }
}
