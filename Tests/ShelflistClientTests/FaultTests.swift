import Fixtures
import Foundation
import Imaging
import NIOCore
import Reading
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import ShelflistAPI
import ShelflistClient
import Synchronization
import TestSupport
import Testing

/// Scans over connections that break, against a real server behind a proxy.
@Suite(.serialized, .endsHangs) struct FaultTests {
    /// Checks that a scan has every event of the server's log once and in order, and its results.
    static func check(_ session: ScanSession, of fixture: ClientFixture, books: Int) async throws {
        let seen = try await session.jobEvents()
        #expect(seen.map(\.id) == Array(1...max(1, seen.count)))
        let results = try await session.results
        #expect(results.books.count == books && results.status == .completed)
        let log = try await fixture.server.jobs.log.events(of: results.jobId, after: 0, limit: 10_000)
        #expect(seen.map { "\($0.id) \($0.type)" } == log.map { "\($0.id) \($0.type)" })
    }

    // MARK: Each stage

    /// Bytes after which a connection breaks: before the request or response, within its head, within its body, within
    /// a later one of the same connection.
    static let stages: [Fault] = [Fault.Kind.cut, .halfClose, .blackHole].flatMap { kind in
        [0, 20, 150, 600, 3000].flatMap { after in
            Fault.Direction.allCases.map { Fault(kind: kind, direction: $0, after: after) }
        }
    }

    /// Every second connection breaks, so that each of the three attempts of a request is needed.
    @Test("A connection that is cut, half closed or a black hole from any stage loses nothing", arguments: stages)
    func breaks(fault: Fault) async throws {
        try await withClient(plan: { $0.isMultiple(of: 2) ? fault : nil }) { fixture in
            let session = fixture.client.scan(
                [.script("books:Emma|Dune|Ulysses"), .script("books:Middlemarch")],
                options: ScanOptions(addsToLibrary: false))
            try await Self.check(session, of: fixture, books: 4)
        }
    }

    @Test("A network that delivers a few bytes at a time loses nothing")
    func pieces() async throws {
        try await withClient { fixture in
            fixture.proxy.set(pieces: 7)
            let session = fixture.client.scan([.script("books:Emma|Dune")])
            try await Self.check(session, of: fixture, books: 2)
        }
    }

    @Test("Messages that arrive together with the answer to the upgrade are not lost")
    func messagesInOnePacket() async throws {
        try await withClient { fixture in
            let photos: [PhotoSource] = [.script("books:Emma|Dune|Ulysses"), .script("wait:Faust")]
            let first = fixture.direct.scan(photos, options: ScanOptions(addsToLibrary: false))
            // The server does not close the connection before the job ends.
            for try await case .job(let event) in first.events {
                if case .photo(let photo) = event.content, photo.index == 1, photo.status == .done { break }
            }
            fixture.proxy.set(gathered: 1000)
            let session = fixture.client.follow(try #require(first.jobID))
            var ways: [String] = []
            for try await event in session.events {
                if case .connection(let way) = event { ways.append("\(way)") }
                if case .job(let event) = event, case .photo(let photo) = event.content, photo.status == .done {
                    fixture.server.reader.release()
                }
            }
            #expect(ways == ["webSocket"])
            try await Self.check(session, of: fixture, books: 4)
        }
    }

    // MARK: The server

    @Test("A server that was away is followed again, and one that stays away ends the session")
    func patience() async throws {
        try await withClient { fixture in
            // Sent without the proxy: an upload that is cut ends the session before its patience does.
            let sender = fixture.direct.scan([.script("wait:Emma")])
            try await eventually { sender.jobID != nil }
            let id = try #require(sender.jobID)
            let session = fixture.client.follow(id)
            try await eventually { fixture.server.jobs.log.followers == 2 }
            fixture.proxy.set(target: 1)
            fixture.proxy.cutAll()
            let error = await #expect(throws: ShelflistError.self) { try await session.results }
            #expect(error?.isRetryable == true)
            var waited = Duration.zero
            do {
                for try await case .connection(.waiting(let wait, _)) in session.events { waited += wait }
            } catch {}
            let (patience, longest) = (ClientOptions().patience, Duration.seconds(fixture.limits.backoff.longest))
            #expect(waited <= patience && waited > patience - longest)
            fixture.proxy.set(target: fixture.server.port)
            fixture.server.reader.release()
            #expect(try await fixture.client.follow(id).results.books.count == 1)
        }
    }

    @Test("A server that stops in the middle of a job and starts again finishes it for its follower")
    func restarts() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let proxy = try await FaultProxy.started(to: 1)
        let clock = InstantClock()
        let client = ClientFixture.client(port: proxy.port, clock: clock)
        let session = try await withServer(folder: folder, reader: StuckReader()) { server in
            proxy.set(target: server.port)
            let session = client.scan([.script("books:Emma|Dune")], options: ScanOptions(addsToLibrary: false))
            for try await case .job(let event) in session.events {
                if case .photo(let photo) = event.content, photo.status == .reading { break }
            }
            // The patience of the client lasts until the server is back.
            clock.holdsWaits = true
            return session
        }
        proxy.set(target: 1)
        proxy.cutAll()
        try await withServer(folder: folder) { server in
            proxy.set(target: server.port)
            clock.holdsWaits = false
            let seen = try await session.jobEvents().map(\.id)
            let results = try await session.results
            #expect(results.books.count == 2)
            #expect(seen == Array(1...seen.count))
            let log = try await server.jobs.log.events(of: results.jobId, after: 0, limit: 10_000).map(\.id)
            #expect(seen == log)
        }
        await proxy.stop()
    }

    @Test(
        "A session whose server shows another certificate ends with the reason", arguments: ["localhost", "127.0.0.1"])
    func certificateChanges(host: String) async throws {
        let one = try TemporaryFolder()
        let two = try TemporaryFolder()
        let (trusted, other) = (LocalAuthority(folder: one.url), LocalAuthority(folder: two.url))
        try trusted.prepare(names: [host])
        try other.prepare(names: [host])
        let (files, otherFiles) = (trusted.serverFiles, other.serverFiles)
        let root = try Data(contentsOf: trusted.authorityFile)
        try await withClient(configure: { settings, _ in settings.tls = files }) { fixture in
            try await withServer(configure: { settings, _ in settings.tls = otherFiles }) { impostor in
                let client = try fixture.client(
                    at: try #require(URL(string: "https://\(host):\(fixture.proxy.port)")),
                    options: ClientOptions(trustRoots: root))
                let session = client.scan([.script("wait:Emma")])
                try await eventually { fixture.server.jobs.log.followers == 1 }
                fixture.proxy.set(target: impostor.port)
                fixture.proxy.cutAll()
                let error = await #expect(throws: ShelflistError.self) { try await session.results }
                #expect(error?.category == .certificate && error?.isRetryable == false)
                fixture.server.reader.release()
            }
        }
    }

    @Test("A server's clock that is wrong by half a century changes nothing", arguments: [0.0, 4e9])
    func clockSkew(start: Double) async throws {
        try await withServer(date: Date(timeIntervalSince1970: start)) { server in
            let client = ClientFixture.client(port: server.port)
            let session = client.scan([.script("books:Emma")])
            #expect(try await session.results.books.count == 1)
            let events = try await session.jobEvents()
            #expect(events.map(\.id) == Array(1...events.count))
            #expect(abs(try #require(events.first).time.timeIntervalSince1970 - start) < 10)
        }
    }
}

/// A reader that never finishes a photo, until the server stops.
private struct StuckReader: ScriptedReading {
    let scripted = ScriptedReader()

    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        report(.stage(.decode))
        try await untilCancelled()
        throw CancellationError()
    }
}
