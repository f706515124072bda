import Foundation

extension JobEvent {
    private enum CodingKeys: String, CodingKey { case id, jobId, type, time, data }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(Int.self, forKey: .id)
        jobId = try fields.decode(String.self, forKey: .jobId)
        time = try fields.decode(Date.self, forKey: .time)
        content = try Content(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, data: content.data) }

    /// Encodes the event with `data` in place of its own, for example with URLs added.
    public func encode(to encoder: any Encoder, data: any Encodable) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(jobId, forKey: .jobId)
        try fields.encode(type, forKey: .type)
        try fields.encode(time, forKey: .time)
        try fields.encode(data, forKey: .data)
    }

    public var type: String { content.type }
}

extension JobEvent.Content: Codable {
    private enum CodingKeys: String, CodingKey { case type, data }

    private struct Result: Codable {
        var photo: Int
        var book: ScanBook
    }

    private struct Completion: Codable {
        var summary: ScanSummary
    }

    private struct Cancellation: Encodable {
        var message = "The scan was cancelled."
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func data<Value: Decodable>() throws -> Value { try fields.decode(Value.self, forKey: .data) }
        let type = try fields.decode(String.self, forKey: .type)
        switch type {
        case "progress": self = .progress(try data())
        case "photo": self = .photo(try data())
        case "segmented": self = .segmented(try data())
        case "book_progress": self = .bookProgress(try data())
        case "result": self = .result((try data() as Result).book)
        case "enriched": self = .enriched(try data())
        case "enrichment_degraded": self = .enrichmentDegraded(try data())
        case "lookup_progress": self = .lookupProgress(try data())
        case "imported": self = .imported(try data())
        case "updated": self = .updated(try data())
        case "completed": self = .completed((try data() as Completion).summary)
        case "error": self = .error(try data())
        case "canceled": self = .canceled
        default: self = .unknown(type)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(type, forKey: .type)
        try fields.encode(data, forKey: .data)
    }

    /// The event's type, as stored and sent.
    public var type: String { wire.type }

    /// The field `data`, without URLs.
    public var data: any Encodable { wire.data }

    private var wire: (type: String, data: any Encodable) {
        switch self {
        case .progress(let progress): ("progress", progress)
        case .photo(let photo): ("photo", photo)
        case .segmented(let segmentation): ("segmented", segmentation)
        case .bookProgress(let progress): ("book_progress", progress)
        case .result(let book): ("result", Result(photo: book.photo, book: book))
        case .enriched(let enrichment): ("enriched", enrichment)
        case .enrichmentDegraded(let source): ("enrichment_degraded", source)
        case .lookupProgress(let progress): ("lookup_progress", progress)
        case .imported(let counts): ("imported", counts)
        case .updated(let update): ("updated", update)
        case .completed(let summary): ("completed", Completion(summary: summary))
        case .error(let problem): ("error", problem)
        case .canceled: ("canceled", Cancellation())
        case .unknown(let type): (type, [String: String]())
        }
    }
}
