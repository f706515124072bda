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

    @Test("Each version lists each book once, with its cover", arguments: SwiftWingApp.Version.allCases)
    func eachBookOnce(version: SwiftWingApp.Version) async throws {
        try await withServer(online: .at([.openLibrary: Self.stub()])) { server in
            let app = SwiftWingApp(version: version, device: "phone", server: server)
            let outcome = try app.scan(ScriptedReader.picture("books:Emma"))
            #expect(outcome.books.map(\.title) == ["Emma"])
            #expect(outcome.books.first?.enrichmentStatus == .success)
            let cover = try #require(outcome.books.first?.coverUrl)
            #expect(cover.absoluteString.hasPrefix("http"))
            #expect(outcome.events.last == "completed")
        }
    }

    @Test("A book on two photos is listed once", arguments: SwiftWingApp.Version.allCases)
    func twoPhotos(version: SwiftWingApp.Version) async throws {
        try await withServer { server in
            let app = SwiftWingApp(version: version, device: "phone", server: server)
            let outcome = try app.scan(
                ScriptedReader.picture("books:Dune|Emma"), ScriptedReader.picture("books:Emma|Persuasion"))
            #expect(outcome.books.map(\.title).sorted() == ["Dune", "Emma", "Persuasion"])
            #expect(outcome.books.allSatisfy { $0.enrichmentStatus == nil }, "no source was asked")
        }
    }

    @Test("An empty photo completes the scan without a book", arguments: SwiftWingApp.Version.allCases)
    func emptyPhoto(version: SwiftWingApp.Version) async throws {
        try await withServer { server in
            let outcome = try SwiftWingApp(version: version, device: "phone", server: server).scan(
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
        try await withServer(online: .at([.openLibrary: Self.stub(gate)])) { server in
            let app = SwiftWingApp(version: .third, device: "phone", server: server)
            let scan = try app.upload([ScriptedReader.picture("books:Emma")])
            let cut = try app.open(scan)
            let before = try cut.read(through: "Looking up 1 book.")
            #expect(!before.contains("event: result"))
            cut.cut()
            let ids = before.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }
            let last = try #require(ids.last?.dropFirst(4))
            #expect(last.contains("-"), "the id names the book that was not sent")

            let resumed = try app.open(scan, after: String(last))
            server.clock.advance(by: tick * 6)
            let late = try await server.clock.passing(tick) { try resumed.read(through: #""title":"Emma"}"#) }
            #expect(late.contains(#""enrichmentStatus":"pending""#))
            gate.signal()
            #expect(!(try resumed.read(through: "event: completed\n").contains("event: result")))

            let whole = try app.follow(scan)
            #expect(whole.books.map(\.title) == ["Emma"])
            #expect(whole.books.first?.enrichmentStatus == .success, "as it is now")
        }
    }

    // MARK: Events

    @Test("Progress is sent while the spines are read")
    func progressWhileReading() async throws {
        try await withServer { server in
            let app = SwiftWingApp(version: .first, device: "phone", server: server)
            let connection = try app.open(app.upload([ScriptedReader.bytes("wait-read:Emma")]))
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
                let first = try SwiftWingApp(version: .first, device: "scan-\(scan)", server: server).scan(photo)
                #expect(first.messages.contains { $0.contains("Google") })
                #expect(first.books.count == 1)
                let third = try SwiftWingApp(version: .third, device: "phone", server: server).scan(photo)
                #expect(third.events.filter { $0 == "enrichment_degraded" }.count == (scan == 1 ? 0 : 1))
                #expect(third.messages.contains { $0.contains("Google") })
            }
        }
    }

    @Test("A photo that cannot be read is the last event, and not repeated", arguments: SwiftWingApp.Version.allCases)
    func failure(version: SwiftWingApp.Version) async throws {
        try await withServer { server in
            let app = SwiftWingApp(version: version, device: "phone", server: server)
            let scan = try app.upload([ScriptedReader.bytes("fail")])
            let outcome = try app.follow(scan)
            #expect(outcome.events.last == "error")
            #expect(outcome.failure.map { scan.base.hasSuffix("/\($0.jobId)") } == true)
            #expect(outcome.failure?.message == "The JPEG file is damaged.")
            #expect(outcome.failure?.code == "image_damaged")
            #expect(outcome.failure?.retryable == false)
        }
    }

    @Test("A stream ends with an error if the server stops, and the scan continues after the restart")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let scan = try await withServer(folder: folder.url) { server in
            let app = SwiftWingApp(version: .third, device: "phone", server: server)
            let scan = try app.upload([ScriptedReader.bytes("wait:Emma")])
            let connection = try app.open(scan)
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
            let app = SwiftWingApp(version: .third, device: "phone", server: server)
            let outcome = try app.follow(scan)
            #expect(outcome.books.map(\.title) == ["Emma"])
        }
    }

    // MARK: Status and limits

    @Test("The status has the app's words")
    func statusWords() async throws {
        try await withServer { server in
            let app = SwiftWingApp(version: .third, device: "phone", server: server)
            func status(_ scan: SwiftWingApp.Scan) throws -> (String?, String?) {
                let answer = try server.send("GET", scan.base, headers: app.headers(scan))
                return (answer["data", "status"] as? String, answer["data", "stage"] as? String)
            }
            let (reading, waiting) = (
                try app.upload([ScriptedReader.bytes("wait:Emma")]),
                try app.upload([ScriptedReader.bytes("books:Dune")])
            )
            _ = try app.open(reading).read(through: "event: segmented\n")
            #expect(try status(reading) == ("processing", "identifying_books"))
            #expect(try status(waiting) == ("initialized", "analyzing_image"))
            server.reader.release()
            _ = try app.open(waiting).answer()
            #expect(try status(waiting) == ("completed", "complete"))
            let failed = try app.upload([ScriptedReader.bytes("fail")])
            _ = try app.open(failed).answer()
            #expect(try status(failed) == ("failed", "complete"))
        }
    }
}
