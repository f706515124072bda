import Bibliography
import Fixtures
import Foundation
import Providers
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("Rate limits that programs share", .endsHangs)
struct SharedRateTests {
    private static let found = StubAnswer.json(#"{"numFound": 1, "docs": [{"key": "/works/OL1W", "title": "Emma"}]}"#)

    /// Two clients as two programs have them: nothing in common but the folder.
    private struct Pair {
        let transport = HTTPTransport(clock: ManualClock())
        let clients: [any BookProvider]
        let server: StubServer
        let reported = Reports()

        init(
            _ folder: URL, _ clock: ManualClock, contact: String? = "ada@example.org",
            _ answer: @escaping @Sendable (Int, StubServer.Request) -> StubAnswer
        ) throws {
            server = try StubServer(answer)
            let (server, transport, reported) = (server, transport, reported)
            clients = (0..<2).map { _ in
                ProviderName.openLibrary.provider(
                    ServiceSettings(
                        userAgent: ServiceSettings.userAgent(version: "1", contact: contact), base: server.url,
                        rates: RateFolder(folder) { reason in reported.add(reason) }, clock: clock),
                    transport: transport)
            }
        }
    }

    private final class Reports: Sendable {
        private let list = Mutex<[String]>([])
        var all: [String] { list.withLock { $0 } }
        func add(_ reason: String) { list.withLock { $0.append(reason) } }
    }

    @Test(
        "Two clients of one folder send 3 requests a second with a contact, 1 without",
        arguments: [("ada@example.org", 1.0 / 3), (nil, 1)] as [(String?, Double)])
    func together(_ contact: String?, _ interval: Double) async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock(skipsSleeps: true)
        let pair = try Pair(folder.url.appending(path: "cache/rates"), clock, contact: contact) { _, _ in Self.found }
        let start = clock.now
        for number in 0..<6 { #expect(await failure(of: pair.clients[number % 2], "ring \(number)") == nil) }
        // The first request is sent at once.
        #expect(abs(clock.now.timeIntervalSince(start) - 5 * interval) < 0.001)
        #expect(clock.sleeps.count == 5)
        #expect(pair.server.requests.count == 6)
        #expect(pair.reported.all.isEmpty)
        await pair.transport.close()
    }

    @Test("Requests that are sent at the same time get different times")
    func simultaneous() async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock()
        let pair = try Pair(folder.url, clock) { _, _ in Self.found }
        let clients = pair.clients
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { #expect(await failure(of: clients[number % 2], "ring \(number)") == nil) }
            }
            await clock.waitForSleepers(7)
            let waits = clock.sleeps.map { ($0 * 3).rounded() }.sorted()
            #expect(waits == [1, 2, 3, 4, 5, 6, 7])
            clock.advance(by: 3)
            try await group.waitForAll()
        }
        #expect(pair.server.requests.count == 8)
        await pair.transport.close()
    }

    @Test("A Retry-After that one client received holds for the other")
    func retryAfter() async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock(skipsSleeps: true)
        let pair = try Pair(folder.url, clock) { number, _ in
            number == 0 ? .answer(429, headers: ["Retry-After": "120"]) : Self.found
        }
        for client in [pair.clients[0], pair.clients[1], pair.clients[1]] {
            #expect(await failure(of: client)?.retryAfterMs == 120_000)
            #expect(await client.condition() == .busy(until: clock.now + 120))
        }
        #expect(pair.server.requests.count == 1)
        clock.advance(by: 120)
        #expect(await pair.clients[1].condition() == .working)
        #expect(await failure(of: pair.clients[1]) == nil)
        await pair.transport.close()
    }

    @Test("A folder that cannot be used is reported once, and each client limits its own requests")
    func unusableFolder() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "file")
        try Data().write(to: file)
        let clock = ManualClock(skipsSleeps: true)
        let pair = try Pair(file, clock) { _, _ in Self.found }
        for number in 0..<4 { #expect(await failure(of: pair.clients[0], "ring \(number)") == nil) }
        #expect(abs(clock.sleeps.reduce(0, +) - 1) < 0.001)
        #expect(pair.reported.all.count == 1)
        #expect(pair.reported.all.first?.hasPrefix("The rate limit of Open Library cannot be shared") == true)
        #expect(pair.reported.all.first?.contains(file.path) == true)
        await pair.transport.close()
    }

    @Test(
        "A damaged file, or one with times that only a changed clock explains, blocks nothing",
        arguments: [
            "", "not JSON", String(repeating: "x", count: 10_000),
            #"{"nextFree": 9e9, "blockedUntil": 9e9}"#, #"{"nextFree": "soon"}"#,
        ])
    func damaged(_ content: String) async throws {
        let folder = try TemporaryFolder()
        try Data(content.utf8).write(to: folder.url.appending(path: "openlibrary.json"))
        let clock = ManualClock(skipsSleeps: true)
        let pair = try Pair(folder.url, clock) { _, _ in Self.found }
        #expect(await failure(of: pair.clients[0], "a ring") == nil)
        #expect(clock.sleeps.isEmpty)
        #expect(await failure(of: pair.clients[1], "another") == nil)
        #expect(clock.sleeps.count == 1, "the file is used again")
        #expect(pair.reported.all.isEmpty)
        await pair.transport.close()
    }
}
