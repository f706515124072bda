import Fixtures
import Foundation
import ServerFixtures
import ShelflistClient
import ShelflistClientTesting
import TestSupport
import Testing

/// How often requests are sent, and after which waits.
@Suite(.endsHangs) struct AttemptTests {
    /// A clock on which the time limits of requests and streams do not pass.
    private static var clock: InstantClock { InstantClock(limits: ClientLimits()) }

    /// A server that accepts every photo, and finds nothing.
    private static func scanServer() throws -> ScriptedServer {
        let summary = ScanSummary(
            photos: 1, photosFailed: 0, books: [], duplicatesFolded: 0, seconds: 0, suggestions: [])
        let server = ScriptedServer()
        try server.scan(
            [.completed(summary)],
            results: ScanResults(jobId: "1", status: .completed, books: [], summary: summary, undoToken: nil))
        return server
    }

    @Test("A photo is sent at most three times, after waits that double", arguments: [2, 3])
    func uploads(failures: Int) async throws {
        let (server, clock) = (try Self.scanServer(), Self.clock)
        server.fail(.offline, "PUT *", times: failures)
        let session = server.client(clock: clock).scan([.data(Data([1]))])
        if failures < 3 {
            #expect(try await session.results.jobId == "1")
        } else {
            let error = await #expect(throws: ShelflistError.self) { try await session.results }
            #expect(error?.category == .unreachable && error?.isRetryable == true)
        }
        #expect(server.requests.count { $0.hasPrefix("PUT ") } == 3)
        #expect(clock.sleeps == [.milliseconds(500), .seconds(1)])
    }

    @Test("Each scan of a script waits for a photo of its own")
    func scriptedScans() async throws {
        let (server, clock) = (try Self.scanServer(), Self.clock)
        let client = server.client(clock: clock)
        #expect(try await client.scan([.data(Data([1]))]).results.jobId == "1")
        server.fail(.offline, "PUT *", times: 3)
        let error = await #expect(throws: ShelflistError.self) { try await client.scan([.data(Data([1]))]).results }
        #expect(error?.category == .unreachable)
        let other = await #expect(throws: ShelflistError.self) { try await client.scans.status("12") }
        #expect(other?.category == .notFound)
    }

    @Test("A server that asks to wait gets the photo after that time")
    func uploadWaits() async throws {
        let (server, clock) = (try Self.scanServer(), Self.clock)
        server.fail(.rateLimited(.seconds(7)), "PUT *")
        #expect(try await server.client(clock: clock).scan([.data(Data([1]))]).results.jobId == "1")
        #expect(clock.sleeps == [.seconds(7)])
    }

    @Test("A busy server is asked again after the time that it names, at most three times")
    func honoursRetryAfter() async throws {
        let stub = try StubServer { number, _ in
            number == 0
                ? .answer(429, headers: ["Retry-After": "7", "Content-Type": "text/plain"])
                : .answer(
                    503, headers: ["Content-Type": Problem.contentType],
                    body: Array(
                        (try? WireJSON.encode(
                            Problem("stopping", status: 503, title: "", detail: "Stopping. Wait.", retryAfterMs: 1500)))
                            ?? Data()))
        }
        let clock = InstantClock()
        let client = ClientFixture.client(port: stub.port, clock: clock)
        let error = await #expect(throws: ShelflistError.self) { try await client.review.counts() }
        #expect(error?.category == .busy && error?.retryAfter == .milliseconds(1500))
        #expect(error?.message == "Stopping." && error?.recovery == "Wait.")
        #expect(clock.sleeps == [.seconds(7), .milliseconds(1500)])
        #expect(stub.requests.count == 3)
    }

    @Test(
        "A time to wait can be a date, which is read with the clock of the server",
        arguments: [
            ("Wed, 21 Oct 2015 07:28:30 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", Duration.seconds(30)),
            ("Wed, 21 Oct 2015 07:27:00 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", .zero),
            (" 12 ", "", .seconds(12)), ("-5", "", .zero),
        ])
    func dates(value: String, now: String, wait: Duration) async throws {
        let stub = try StubServer { number, _ in
            number == 0
                ? .answer(503, headers: ["Retry-After": value, "Date": now])
                : .json(#"{"version":"1"}"#)
        }
        let clock = InstantClock()
        let client = ClientFixture.client(port: stub.port, clock: clock)
        #expect(try await client.library.version() == "1")
        #expect(clock.sleeps == [wait])
    }

    @Test("A lost connection is tried again only if the request can be repeated")
    func repeatsOnlySafeRequests() async throws {
        let stub = try StubServer { _, _ in .cut }
        let clock = InstantClock()
        let client = ClientFixture.client(port: stub.port, clock: clock)
        await #expect(throws: ShelflistError.self) { try await client.review.verify("1") }
        #expect(stub.requests.count == 1 && clock.sleeps.isEmpty)
        let error = await #expect(throws: ShelflistError.self) { try await client.review.counts() }
        #expect(error?.category == .unreachable && error?.isRetryable == true)
        #expect(stub.requests.count == 4 && clock.sleeps.count == 2)
    }

    @Test("A server that says nothing is given up")
    func timesOut() async throws {
        let stub = try StubServer { _, _ in .silent }
        let clock = InstantClock()
        let client = ClientFixture.client(port: stub.port, clock: clock)
        let counts = Task { try await client.review.counts() }
        try await eventually { stub.requests.count == 1 }
        clock.expired = [ClientLimits.held.idle]
        let error = await #expect(throws: ShelflistError.self) { try await counts.value }
        #expect(error?.category == .timedOut && clock.sleeps.count == 2)
    }

    @Test("A cancelled request ends at once")
    func cancelsRequest() async throws {
        let stub = try StubServer { _, _ in .silent }
        let client = ClientFixture.client(port: stub.port)
        let request = Task { try await client.review.counts() }
        try await eventually { stub.requests.count == 1 }
        request.cancel()
        let result = await request.result
        let error = #expect(throws: ShelflistError.self) { try result.get() }
        #expect(error?.category == .cancelled)
    }
}
