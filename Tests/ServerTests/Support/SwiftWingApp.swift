import Foundation
import ServerFixtures
import Testing

/// What all versions of SwiftWing decode, with the fields and words of the document.
enum SwiftWingMessage {
    struct Book: Decodable {
        enum Status: String, Decodable {
            case pending, success, error
            case notFound = "not_found"
        }

        let title: String
        let author: String
        let coverUrl: URL?
        let enrichmentStatus: Status?
    }

    struct Segmented: Decodable {
        let image: Data
        let totalBooks: Int
    }

    struct Progress: Decodable {
        let current: Int
        let total: Int
    }

    /// The third version shows no countdown for another document.
    struct Problem: Decodable {
        let success: Bool
        let type, title, detail, code: String
        let status: Int
        let retryable: Bool
        let retryAfterMs: Int?
        let instance: String?
        let metadata: [String: String]?
    }

    struct Outage: Decodable {
        let jobId: String
        let reason: String
        let timestamp: String
    }

    struct Failure: Decodable {
        let message: String
        let code: String
        let retryable: Bool
        let jobId: String
    }
}

/// Adds books to its list as one version of SwiftWing does.
struct SwiftWingApp {
    enum Version: CaseIterable { case first, second, third }

    let version: Version
    let device: String
    let server: TestServer

    /// What a scan leaves in the app.
    struct Outcome {
        var books: [SwiftWingMessage.Book] = []
        var events: [String] = []
        var messages: [String] = []
        var failure: SwiftWingMessage.Failure?
    }

    struct Scan {
        /// The path of the job.
        let base: String
        let token: String
        var stream: String { base + "/stream" }
    }

    func upload(_ photos: [[UInt8]]) throws -> Scan {
        let answer = try server.send(
            "POST", "/v3/jobs/scans", headers: ["X-Device-ID": device, "Content-Type": Form.contentType],
            body: Form.body(photos: photos, part: "photos[]"))
        #expect(answer.status == 202 && answer["success"] as? Bool == true)
        #expect(answer["data", "status"] as? String == "initialized")
        let id = try #require(answer["data", "jobId"] as? String)
        let scan = Scan(base: "/v3/jobs/scans/\(id)", token: try #require(answer["data", "authToken"] as? String))
        #expect(answer["data", "sseUrl"] as? String == Self.origin + scan.stream)
        #expect(answer["data", "statusUrl"] as? String == Self.origin + scan.base)
        return scan
    }

    static let origin = "http://localhost"

    func headers(_ scan: Scan, after id: String? = nil) -> [String: String] {
        var headers = ["Authorization": "Bearer \(scan.token)", "X-Device-ID": device, "Accept": "text/event-stream"]
        headers["Last-Event-ID"] = id
        return headers
    }

    func open(_ scan: Scan, after id: String? = nil) throws -> Connection {
        let connection = try Connection(port: server.port)
        try connection.send(TestServer.request("GET", scan.stream, headers: headers(scan, after: id)))
        return connection
    }

    /// Uploads photos and follows the stream to its end.
    func scan(_ photos: [UInt8]...) throws -> Outcome { try follow(upload(photos)) }

    /// Reads the events to the end.
    func events(_ scan: Scan, after id: String? = nil) throws -> [TestServer.Event] {
        TestServer.Event.list(try open(scan, after: id).answer().text)
    }

    func follow(_ scan: Scan) throws -> Outcome {
        var outcome = Outcome()
        for event in try events(scan) {
            let data = Data(event.data.utf8)
            outcome.events.append(event.type)
            func decode<T: Decodable>(_: T.Type = T.self) throws -> T {
                try JSONDecoder().decode(T.self, from: data)
            }
            switch event.type {
            case "progress": outcome.messages.append(try #require(decode([String: String].self)["message"]))
            case "segmented": #expect(try decode(SwiftWingMessage.Segmented.self).totalBooks >= 0)
            case "book_progress":
                let progress = try decode(SwiftWingMessage.Progress.self)
                #expect(progress.current <= progress.total)
            case "result": outcome.books.append(try decode())
            case "enrichment_degraded" where version == .third:
                outcome.messages.append(try decode(SwiftWingMessage.Outage.self).reason)
            case "completed": outcome.books += try rest(try decode([String: String].self), scan)
            case "error": outcome.failure = try decode()
            case "canceled": break
            default: Issue.record("Version \(version) ends the scan at '\(event.type)'.")
            }
        }
        return outcome
    }

    /// The books that a version adds when the scan is completed.
    private func rest(_ completed: [String: String], _ scan: Scan) throws -> [SwiftWingMessage.Book] {
        guard version != .first else { return [] }
        let url = try #require(completed["resultsUrl"].flatMap { URL(string: $0) })
        let path = url.path + "?" + (url.query.map { $0 + "&" } ?? "") + "format=lite"
        let answer = try server.send("GET", path, headers: headers(scan))
        struct Results: Decodable {
            struct Data: Decodable { let results: [SwiftWingMessage.Book] }
            let success: Bool
            let data: Data
        }
        let results = try JSONDecoder().decode(Results.self, from: Data(answer.body))
        #expect(results.success)
        return results.data.results
    }
}
