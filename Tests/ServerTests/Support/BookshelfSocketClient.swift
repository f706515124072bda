import Foundation
import ServerFixtures
import Testing

/// The socket of BooksTracker.
struct BookshelfSocketClient {
    let connection: Connection

    /// - Parameters:
    ///   - query: what follows `/ws/progress?`.
    ///   - isReady: whether the app says that it is ready. It does for one photo; a batch may begin before the answer.
    init(
        _ server: TestServer, base: String = "", query: String, protocols: String? = nil, isReady: Bool = true
    ) throws {
        connection = try Connection(port: server.port)
        let answer = try connection.upgrade("\(base)/ws/progress?\(query)", protocols: protocols)
        try #require(answer.status == 101, "\(answer.text)")
        guard isReady else { return }
        try send(#"{"type":"ready","timestamp":1}"#)
        let acknowledged = try message()
        try #require(acknowledged.type == "ready_ack" && acknowledged.payload.timestamp != nil)
    }

    func send(_ text: String) throws { try connection.sendFrame(1, Array(text.utf8)) }

    /// Returns the next message, or the code of a close frame.
    func next() throws -> (text: String, code: Int?) {
        let (opcode, payload) = try connection.frame()
        guard opcode == 8 else { return (String(decoding: payload, as: UTF8.self), nil) }
        return ("", payload.prefix(2).reduce(0) { $0 * 256 + Int($1) })
    }

    func message() throws -> BookshelfTestMessage { try BookshelfTestMessage(try next().text) }

    /// Reads messages, of the app or of this API, to the first of one of the types, and returns its type.
    func type(of types: String...) throws -> String {
        struct Message: Decodable { var type: String }
        while true {
            let type = try JSONDecoder().decode(Message.self, from: Data(try next().text.utf8)).type
            if types.contains(type) { return type }
        }
    }

    /// Reads messages to the first of one of the types.
    func messages(to types: String...) throws -> [BookshelfTestMessage] {
        var messages: [BookshelfTestMessage] = []
        while messages.last.map({ !types.contains($0.type) }) ?? true { messages.append(try message()) }
        return messages
    }
}

/// One message of the socket, with the fields that the apps decode.
@dynamicMemberLookup struct BookshelfTestMessage {
    struct Fields: Decodable {
        var type: String
        var jobId: String?
        var pipeline: String?
        var version: String?
        var totalBooksFound: Int?
        var payload: Body?
        /// What the app of October 2025 decodes.
        var data: Body?
    }

    /// The contents of messages of all types.
    struct Body: Decodable {
        var type: String?
        var timestamp: Int?
        var keepAlive: Bool?
        var progress: Double?
        var currentItem: String?
        var currentStatus: String?
        var processedItems: Int?
        var processedCount: Int?
        var totalCount: Int?
        var photoStatus: String?
        var photos: [Photo]?
        var totalBooks: Int?
        var totalBooksFound: Int?
        var resultsUrl: String?
        var code: String?
        var retryable: Bool?
        var totalDetected: Int?
        var approved: Int?
        var needsReview: Int?
        var summary: Outcome?
        var result: Outcome?

        var counts: [Int?] { [totalDetected, approved, needsReview] }
    }

    struct Photo: Decodable {
        var status: String
        var booksFound: Int?
        var error: String?
    }

    struct Outcome: Decodable {
        struct Book: Decodable {
            var title: String
            var confidence: Double
        }

        var resourceId: String?
        var books: [Book]?
        var totalDetected: Int?
        var approved: Int?
        var needsReview: Int?

        var counts: [Int?] { [totalDetected, approved, needsReview] }
    }

    let text: String
    private let fields: Fields

    init(_ text: String) throws {
        self.text = text
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        fields = try decoder.decode(Fields.self, from: Data(text.utf8))
    }

    subscript<Value>(dynamicMember field: KeyPath<Fields, Value>) -> Value { fields[keyPath: field] }

    var payload: Body { fields.payload ?? Body() }
}

/// The types of a JSON value's fields: `{books: [{title: text}], count: number}`.
///
/// A list has the type of its first element.
indirect enum JSONShape: Decodable, CustomStringConvertible {
    case simple(String)
    case list(JSONShape?)
    case object([String: JSONShape])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .simple("null")
        } else if (try? value.decode(Bool.self)) != nil {
            self = .simple("flag")
        } else if (try? value.decode(Double.self)) != nil {
            self = .simple((try? value.decode(Int.self)) != nil ? "integer" : "number")
        } else if (try? value.decode(String.self)) != nil {
            self = .simple("text")
        } else if let list = try? value.decode([JSONShape].self) {
            self = .list(list.first)
        } else {
            self = .object(try value.decode([String: JSONShape].self))
        }
    }

    var description: String {
        switch self {
        case .simple(let name): name
        case .list(let element): "[\(element.map { "\($0)" } ?? "")]"
        case .object(let fields):
            "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
        }
    }

    static func of(_ text: String) throws -> JSONShape {
        try JSONDecoder().decode(JSONShape.self, from: Data(text.utf8))
    }

    /// Returns the shape of a field, by its path; lists count as their first element.
    subscript(path: String...) -> String {
        var shape: JSONShape? = self
        for name in path {
            if case .list(let element) = shape { shape = element }
            guard case .object(let fields) = shape else { return "absent" }
            shape = fields[name]
        }
        return shape.map { "\($0)" } ?? "absent"
    }
}

extension TestServer {
    /// Uploads photos as BooksTracker does.
    ///
    /// - Returns: the job's identifier, which the app chooses.
    func bookshelfJob(_ scripts: String..., job: String = UUID().uuidString) throws -> String {
        #expect(try scan(scripts, path: "/api/scan-bookshelf?jobId=\(job)").status == 202)
        return job
    }
}
