import Bibliography
import Concurrency
import Fixtures
import Foundation
import Providers
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("When providers misbehave", .endsHangs)
struct OutageTests {
    @Test(
        "Every failure is an outage, not “nothing found”",
        arguments: [
            (StubAnswer.cut, "cannot be reached."),
            (.answer(500), "failed (status 500)."),
            (
                .answer(302, headers: ["Location": "http://127.0.0.1:1/?q=secret"]),
                "redirects to http://127.0.0.1:1/, which is not followed. Check SHELFLIST_OPENLIBRARY_URL."
            ),
            (.answer(301), "redirects to nowhere, which is not followed."),
            (.answer(429), "accepts no more requests at the moment."),
            (.answer(401), "refuses this program (status 401). Set your e-mail address or URL as SHELFLIST_CONTACT."),
            (.answer(403), "refuses this program (status 403). Set your e-mail address or URL as SHELFLIST_CONTACT."),
            (
                .answer(200, headers: ["Content-Type": "text/html"], body: Array("<h1>Down</h1>".utf8)),
                "sent an answer that cannot be read (text/html instead of JSON)."
            ),
            (.json("{\"docs\": ["), "sent an answer that cannot be read (malformed JSON)."),
            (.json(""), "sent an answer that cannot be read (malformed JSON)."),
            (.json("<html>Down</html>"), "sent an answer that cannot be read (HTML instead of JSON)."),
            (.json("[]"), "sent an answer that cannot be read (malformed JSON)."),
            (
                .json("{\"docs\": [], \"error\": \"Solr is\\u001b down\"}"),
                "sent an answer that cannot be read (an error: Solr is down)."
            ),
            (
                .json("{\"error\": {\"code\": 500, \"message\": \"Backend\"}}"),
                "sent an answer that cannot be read (an error: Backend)."
            ),
            (.json("{\"docs\": 5}"), "sent an answer that cannot be read (JSON of another shape)."),
            (.endless(50_000_000), "sent an answer that cannot be read (more than 10 MB)."),
        ])
    func misbehaves(_ answer: StubAnswer, _ problem: String) async throws {
        let harness = try Harness {
            $0.attempts = 1
        } answer: { _, _ in
            answer
        }
        let outage = try #require(try await harness.run { await failure(of: $0) })
        #expect(outage.source == "openlibrary")
        #expect(outage.message.hasPrefix("Open Library " + problem))
    }

    @Test("A response that does not end in time is an outage", arguments: [StubAnswer.silent, .drip])
    func timeout(_ answer: StubAnswer) async throws {
        let requestClock = ManualClock()
        let harness = try Harness(requestClock: requestClock) {
            $0.attempts = 1
        } answer: { _, _ in
            answer
        }
        let outage = try await harness.run { provider in
            async let outage = failure(of: provider)
            try await requestClock.exceed(ServicePolicy().timeout, of: harness.server, answer)
            return try #require(await outage)
        }
        #expect(outage.message.hasPrefix("Open Library did not answer within 8 s."))
    }

    @Test("A closed port is an outage")
    func closedPort() async throws {
        // The port of a server that has ended might be another test's by now.
        let url = URL(string: "http://127.0.0.1:9")
        let transport = HTTPTransport(clock: ManualClock())
        var policy = ServicePolicy()
        policy.attempts = 1
        let provider = ProviderName.openLibrary.provider(
            ServiceSettings(userAgent: "x", base: url, policy: policy, clock: ManualClock()), transport: transport)
        #expect(await failure(of: provider)?.message.hasPrefix("Open Library cannot be reached.") == true)
        await transport.close()
    }

    @Test("Temporary failures are retried after a pause", arguments: [StubAnswer.answer(500), .answer(503), .cut])
    func retries(_ failure: StubAnswer) async throws {
        let harness = try Harness { number, _ in number < 2 ? failure : .json(Recorded.openLibrarySearch) }
        let found = try await harness.run { try await $0.search("ring", scope: .title, limit: 5) }
        #expect(found.count == 2)
        #expect(harness.server.requests.count == 3)
        let pauses = harness.clock.sleeps
        try #require(pauses.count == 2)
        #expect((0...0.5).contains(pauses[0]))
        #expect((0...1).contains(pauses[1]))
    }

    @Test("A permanent failure is not retried", arguments: [401, 400, 418])
    func noRetries(_ status: Int) async throws {
        let harness = try Harness { _, _ in .answer(status) }
        #expect(try await harness.run { await failure(of: $0) } != nil)
        #expect(harness.server.requests.count == 1)
    }

    @Test("A request waits for a short Retry-After")
    func retryAfter() async throws {
        let harness = try Harness { number, _ in
            number == 0 ? .answer(429, headers: ["Retry-After": "1"]) : .json(Recorded.openLibrarySearch)
        }
        let found = try await harness.run { try await $0.search("ring", scope: .title, limit: 5) }
        #expect(found.count == 2)
        #expect(harness.server.requests.count == 2)
        #expect(abs(harness.clock.sleeps.reduce(0, +) - 1) < 0.001)
    }

    @Test("A long Retry-After is reported, and no request is sent before it ends")
    func longRetryAfter() async throws {
        let harness = try Harness { _, _ in .answer(429, headers: ["Retry-After": "120"]) }
        try await harness.run { provider in
            for _ in 0..<3 {
                let outage = try #require(await failure(of: provider))
                #expect(outage.message == "Open Library accepts no more requests at the moment. Try again in 120 s.")
                #expect(outage.retryAfterMs == 120_000)
            }
        }
        #expect(harness.server.requests.count == 1)
        #expect(harness.clock.sleeps.isEmpty)
    }

    @Test("After consecutive failures the provider is paused, then probed, then used again")
    func circuit() async throws {
        let harness = try Harness { policy in
            policy.attempts = 1
            policy.failuresToRest = 3
            policy.rest = 2
        } answer: { number, _ in
            number < 3 ? .answer(500) : .json(Recorded.openLibrarySearch)
        }
        try await harness.run { provider in
            for _ in 0..<3 { _ = await failure(of: provider) }
            let resting = try #require(await failure(of: provider))
            #expect(resting.message.hasPrefix("Open Library failed several times and is not asked for a while."))
            #expect(resting.retryAfterMs == 2000)
            #expect(harness.server.requests.count == 3, "no request was sent")
            #expect(await provider.condition() == .resting(until: harness.clock.now + 2))
            harness.clock.advance(by: 2)
            #expect(try await provider.search("ring", scope: .all, limit: 5).count == 2)
            #expect(await provider.condition() == .working)
            #expect(try await provider.search("other", scope: .all, limit: 5).count == 2)
        }
        #expect(harness.server.requests.count == 5)
    }

    @Test("The request rate is limited, and requests that would wait too long are rejected")
    func rate() async throws {
        let harness = try Harness(clock: ManualClock()) { policy in
            policy.interval = 0.3
            policy.burst = 1
            policy.longestWait = 0.7
            policy.attempts = 1
        } answer: { _, _ in
            .json(Recorded.openLibrarySearch)
        }
        try await harness.run { provider in
            try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<6 {
                    group.addTask { await failure(of: provider, "ring \(number)")?.message }
                }
                // One request is sent immediately, three are rejected, two wait for the rate limit.
                var problems: [String?] = []
                for _ in 0..<4 { problems.append(try await group.next() ?? nil) }
                #expect(problems.compactMap(\.self).count == 3)
                #expect(problems.allSatisfy { $0?.contains("accepts no more requests") ?? true })
                await harness.clock.waitForSleepers(2)
                #expect(harness.clock.sleeps.map { ($0 * 10).rounded() } == [3, 6])
                #expect(harness.server.requests.count == 1)
                harness.clock.advance(by: 0.6)
                for try await problem in group { #expect(problem == nil) }
            }
        }
        #expect(harness.server.requests.count == 3)
    }

    @Test("Cached responses are read from disk, and stale ones are revalidated with their ETag")
    func cache() async throws {
        let harness = try Harness(cached: true) { number, request in
            if request.headers["if-none-match"] == "\"v1\"" {
                return .answer(304, headers: ["Cache-Control": "max-age=60"])
            }
            return .json(
                Recorded.openLibrarySearch,
                headers: ["ETag": "\"v1\"", "Cache-Control": number == 0 ? "max-age=2" : "max-age=60"])
        }
        try await harness.run { provider in
            let first = try await provider.search("ring", scope: .all, limit: 5)
            #expect(try await provider.search("ring", scope: .all, limit: 5) == first)
            #expect(harness.server.requests.count == 1)
            harness.clock.advance(by: 3)
            #expect(try await provider.search("ring", scope: .all, limit: 5) == first)
            #expect(harness.server.requests.last?.headers["if-none-match"] == "\"v1\"")
            #expect(try await provider.search("ring", scope: .all, limit: 5) == first)
            #expect(harness.server.requests.count == 2, "the response is fresh again")
        }
    }

    @Test("A response that cannot be stored is returned, and the failure is reported")
    func brokenCache() async throws {
        let reported = Mutex<[String]>([])
        let harness = try Harness(
            cached: true, answer: { _, _ in .json(Recorded.openLibrarySearch) },
            onCacheFailure: { reason in reported.withLock { $0.append(reason) } })
        try Data().write(to: harness.folder)
        try await harness.run { provider in
            for _ in 0..<2 { #expect(await failure(of: provider) == nil) }
        }
        #expect(harness.server.requests.count == 2)
        #expect(reported.withLock { $0.contains { $0.contains("cannot be kept in \(harness.folder.path)") } })
    }

    @Test("A response that must not be stored is not stored", arguments: ["no-store", "private, No-Store, max-age=60"])
    func noStore(_ control: String) async throws {
        let harness = try Harness(cached: true) { _, _ in
            .json(Recorded.openLibrarySearch, headers: ["Cache-Control": control])
        }
        try await harness.run { provider in
            for _ in 0..<2 { _ = await failure(of: provider) }
        }
        #expect(harness.server.requests.count == 2)
    }
}
