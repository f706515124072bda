import Bibliography
import Dispatch
import Fixtures
import Foundation
import Imaging
import Lookup
import Providers
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import Synchronization
import TestSupport
import Testing

/// The chapter "SwiftWing" of `docs/api/compatibility.md`, for each version of the app.
@Suite("SwiftWing", .serialized, .endsHangs) struct SwiftWingTests {
    // MARK: The app

    /// What all versions decode, with the fields and words of the document.
    private enum Message {
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

    /// Adds books to its list as one version of the app does.
    private struct App {
        enum Version: CaseIterable { case first, second, third }

        let version: Version
        let device: String
        let server: TestServer

        /// What a scan leaves in the app.
        struct Outcome {
            var books: [Message.Book] = []
            var events: [String] = []
            var messages: [String] = []
            var failure: Message.Failure?
        }

        func upload(_ photos: [[UInt8]]) throws -> (stream: String, token: String) {
            let answer = try server.send(
                "POST", "/v3/jobs/scans", headers: ["X-Device-ID": device, "Content-Type": Form.contentType],
                body: Form.body(photos: photos, part: "photos[]"))
            #expect(answer.status == 202 && answer["success"] as? Bool == true)
            #expect(answer["data", "status"] as? String == "initialized")
            let url = try #require((answer["data", "sseUrl"] as? String).flatMap { URL(string: $0) })
            return (url.path, try #require(answer["data", "authToken"] as? String))
        }

        func headers(_ token: String, after id: String? = nil) -> [String: String] {
            var headers = ["Authorization": "Bearer \(token)", "X-Device-ID": device, "Accept": "text/event-stream"]
            headers["Last-Event-ID"] = id
            return headers
        }

        func open(_ stream: String, _ token: String, after id: String? = nil) throws -> Connection {
            let connection = try Connection(port: server.port)
            try connection.send(TestServer.request("GET", stream, headers: headers(token, after: id)))
            return connection
        }

        /// Uploads photos and follows the stream to its end.
        func scan(_ photos: [UInt8]...) throws -> Outcome {
            let (stream, token) = try upload(photos)
            return try follow(try open(stream, token).answer().text, token)
        }

        func follow(_ text: String, _ token: String, known: Outcome = Outcome()) throws -> Outcome {
            var outcome = known
            for event in TestServer.Event.list(text) {
                let data = Data(event.data.utf8)
                outcome.events.append(event.type)
                func decode<T: Decodable>(_: T.Type = T.self) throws -> T {
                    try JSONDecoder().decode(T.self, from: data)
                }
                switch event.type {
                case "progress": outcome.messages.append(try #require(decode([String: String].self)["message"]))
                case "segmented": #expect(try decode(Message.Segmented.self).totalBooks >= 0)
                case "book_progress":
                    let progress = try decode(Message.Progress.self)
                    #expect(progress.current <= progress.total)
                case "result": outcome.books.append(try decode())
                case "enrichment_degraded" where version == .third:
                    outcome.messages.append(try decode(Message.Outage.self).reason)
                case "completed": outcome.books += try rest(try decode([String: String].self), token)
                case "error": outcome.failure = try decode()
                case "canceled": break
                default: Issue.record("Version \(version) ends the scan at '\(event.type)'.")
                }
            }
            return outcome
        }

        /// The books that a version adds when the scan is completed.
        private func rest(_ completed: [String: String], _ token: String) throws -> [Message.Book] {
            guard version != .first else { return [] }
            let url = try #require(completed["resultsUrl"].flatMap { URL(string: $0) })
            let path = url.path + "?" + (url.query.map { $0 + "&" } ?? "") + "format=lite"
            let answer = try server.send("GET", path, headers: headers(token))
            struct Results: Decodable {
                struct Data: Decodable { let results: [Message.Book] }
                let success: Bool
                let data: Data
            }
            let results = try JSONDecoder().decode(Results.self, from: Data(answer.body))
            #expect(results.success)
            return results.data.results
        }
    }

    // MARK: Sources

    /// - Parameter gate: passed before each answer.
    private static func stub(_ gate: DispatchSemaphore? = nil) throws -> StubServer {
        try StubServer { _, _ in
            gate?.wait()
            gate?.signal()
            return .json(
                """
                {"docs": [{"key": "/works/OL1W", "title": "Emma", "author_name": ["Writer"],
                  "first_publish_year": 1815, "cover_i": 7, "publisher": ["Penguin"], "number_of_pages_median": 512}]}
                """)
        }
    }

    // MARK: Books

    @Test("Each version lists each book once, with its cover", arguments: App.Version.allCases)
    private func eachBookOnce(version: App.Version) async throws {
        try await withServer(online: .at([.openLibrary: Self.stub()])) { server in
            let app = App(version: version, device: "phone", server: server)
            let outcome = try app.scan(ScriptedReader.picture("books:Emma"))
            #expect(outcome.books.map(\.title) == ["Emma"])
            #expect(outcome.books.first?.enrichmentStatus == .success)
            let cover = try #require(outcome.books.first?.coverUrl)
            #expect(cover.absoluteString.hasPrefix("http"))
            #expect(outcome.events.last == "completed")
        }
    }

    @Test("A book on two photos is listed once", arguments: App.Version.allCases)
    private func twoPhotos(version: App.Version) async throws {
        try await withServer { server in
            let app = App(version: version, device: "phone", server: server)
            let outcome = try app.scan(
                ScriptedReader.picture("books:Dune|Emma"), ScriptedReader.picture("books:Emma|Persuasion"))
            #expect(outcome.books.map(\.title).sorted() == ["Dune", "Emma", "Persuasion"])
            #expect(outcome.books.allSatisfy { $0.enrichmentStatus == nil }, "no source was asked")
        }
    }

    @Test("An empty photo completes the scan without a book", arguments: App.Version.allCases)
    private func emptyPhoto(version: App.Version) async throws {
        try await withServer { server in
            let outcome = try App(version: version, device: "phone", server: server).scan(
                ScriptedReader.bytes("books:|"))
            #expect(outcome.books.isEmpty)
            #expect(outcome.events.last == "completed")
        }
    }

    @Test("A book waits five seconds for its details, and is sent once, also after a reconnection")
    func booksWithoutDetails() async throws {
        let gate = DispatchSemaphore(value: 0)
        // The stream looks every second which books are due.
        let tick = Duration.seconds(1)
        try await withServer(
            online: .at([.openLibrary: Self.stub(gate)]), configure: { settings, _ in settings.keepAlive = tick }
        ) { server in
            let app = App(version: .third, device: "phone", server: server)
            let (stream, token) = try app.upload([ScriptedReader.picture("books:Emma")])
            let cut = try app.open(stream, token)
            let start = try cut.read(through: "Looking up 1 books")
            await server.clock.pass(tick)
            let before = try start + cut.read(through: ": ping\n")
            #expect(!before.contains("event: result"))
            cut.cut()
            let ids = before.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }
            let last = try #require(ids.last?.dropFirst(4))
            #expect(last.contains("-"), "the id names the book that was not sent")

            let resumed = try app.open(stream, token, after: String(last))
            server.clock.advance(by: tick * 6)
            let late = try await server.clock.passing(tick) { try resumed.read(through: #""title":"Emma"}"#) }
            #expect(late.contains(#""enrichmentStatus":"pending""#))
            gate.signal()
            #expect(!(try resumed.read(through: "event: completed\n").contains("event: result")))

            let whole = try app.follow(app.open(stream, token).answer().text, token)
            #expect(whole.books.map(\.title) == ["Emma"])
            #expect(whole.books.first?.enrichmentStatus == .success, "as it is now")
        }
    }

    // MARK: Events

    @Test("Progress is sent while the spines are read")
    func progressWhileReading() async throws {
        try await withServer { server in
            let app = App(version: .first, device: "phone", server: server)
            let (stream, token) = try app.upload([ScriptedReader.bytes("wait-read:Emma")])
            let connection = try app.open(stream, token)
            let text = try connection.read(through: "event: book_progress\n")
            #expect(!text.contains("event: result"))
            server.reader.release()
            _ = try connection.read(through: "event: completed\n")
        }
    }

    @Test("Only versions that know it receive enrichment_degraded")
    func outages() async throws {
        let (empty, broken) = (
            try StubServer { _, _ in .json(#"{"numFound": 0, "docs": []}"#) }, try StubServer { _, _ in .answer(500) }
        )
        try await withServer(online: .at([.openLibrary: empty, .googleBooks: broken])) { server in
            let photo = try ScriptedReader.picture("books:Emma")
            for scan in 1...2 {
                let first = try App(version: .first, device: "scan-\(scan)", server: server).scan(photo)
                #expect(first.messages.contains { $0.contains("Google") })
                #expect(first.books.count == 1)
                let third = try App(version: .third, device: "phone", server: server).scan(photo)
                #expect(third.events.filter { $0 == "enrichment_degraded" }.count == (scan == 1 ? 0 : 1))
                #expect(third.messages.contains { $0.contains("Google") })
            }
        }
    }

    @Test("A photo that cannot be read is the last event, and not repeated", arguments: App.Version.allCases)
    private func failure(version: App.Version) async throws {
        try await withServer { server in
            let outcome = try App(version: version, device: "phone", server: server).scan(
                ScriptedReader.bytes("fail"))
            #expect(outcome.events.last == "error")
            #expect(outcome.failure?.message == "The JPEG file is damaged.")
            #expect(outcome.failure?.code == "image_damaged")
            #expect(outcome.failure?.retryable == false)
        }
    }

    @Test("A stream ends with an error if the server stops, and the scan continues after the restart")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let scan = try await withServer(folder: folder.url) { server in
            let app = App(version: .third, device: "phone", server: server)
            let scan = try app.upload([ScriptedReader.bytes("wait:Emma")])
            let connection = try app.open(scan.stream, scan.token)
            _ = try connection.read(through: "event: segmented\n")
            let stopping = Task { await server.jobs.stop() }
            let text = try connection.read(through: "event: error\n") + connection.read(through: "\n\n")
            #expect(text.contains(#""code":"stopping""#) && text.contains(#""retryable":false"#))
            server.reader.release()
            await stopping.value
            return scan
        }
        try await withServer(folder: folder.url) { server in
            server.reader.release()
            let app = App(version: .third, device: "phone", server: server)
            let outcome = try app.follow(app.open(scan.stream, scan.token).answer().text, scan.token)
            #expect(outcome.books.map(\.title) == ["Emma"])
        }
    }

    // MARK: Status and limits

    @Test("The status has the app's words")
    func statusWords() async throws {
        try await withServer { server in
            let app = App(version: .third, device: "phone", server: server)
            func status(_ scan: (stream: String, token: String)) throws -> (String?, String?) {
                let path = scan.stream.replacingOccurrences(of: "/stream", with: "")
                let answer = try server.send("GET", path, headers: app.headers(scan.token))
                return (answer["data", "status"] as? String, answer["data", "stage"] as? String)
            }
            let (reading, waiting) = (
                try app.upload([ScriptedReader.bytes("wait:Emma")]),
                try app.upload([ScriptedReader.bytes("books:Dune")])
            )
            _ = try app.open(reading.stream, reading.token).read(through: "event: segmented\n")
            #expect(try status(reading) == ("processing", "identifying_books"))
            #expect(try status(waiting) == ("initialized", "analyzing_image"))
            server.reader.release()
            _ = try app.open(waiting.stream, waiting.token).answer()
            #expect(try status(waiting) == ("completed", "complete"))
            let failed = try app.upload([ScriptedReader.bytes("fail")])
            _ = try app.open(failed.stream, failed.token).answer()
            #expect(try status(failed) == ("failed", "complete"))
        }
    }

    @Test("Too many uploads are refused with the time to wait, for each version")
    func rateLimit() async throws {
        try await withServer(configure: { settings, _ in settings.requestsPerMinute = 1 }) { server in
            func upload() throws -> Answer {
                try server.scan(
                    ["books:Dune"], headers: ["X-Device-ID": "phone"], path: "/v3/jobs/scans", part: "photos[]")
            }
            #expect(try upload().status == 202)
            let refused = try upload()
            #expect(refused.status == 429)
            /// The third version's type: it shows no countdown for another document.
            struct Problem: Decodable {
                let success: Bool
                let type, title, detail, code: String
                let status: Int
                let retryable: Bool
                let retryAfterMs: Int?
                let instance: String?
                let metadata: [String: String]?
            }
            let problem = try JSONDecoder().decode(Problem.self, from: Data(refused.body))
            #expect(!problem.success && problem.retryable)
            #expect(try #require(problem.retryAfterMs) > 0)
            #expect(try #require(refused.headers["retry-after"].flatMap(Double.init)) > 0, "the other versions")
        }
    }
}
