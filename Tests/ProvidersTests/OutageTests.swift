import Bibliography
import Fixtures
import Foundation
import Providers
import Synchronization
import Testing

@Suite("When providers misbehave")
struct OutageTests {
    private func ask(_ harness: Harness) async throws -> ProviderAnswer {
        try await harness.run { await $0.search("ring", scope: .title, limit: 5) }
    }

    @Test(
        "whatever comes is an outage, never “nothing found”",
        arguments: [
            (StubAnswer.cut, Outage.Reason.unreachable),
            (.silent(3), .timeout),
            (.drip, .timeout),
            (.answer(500), .status(500)),
            (.answer(302, headers: ["Location": "http://127.0.0.1:1/"]), .status(302)),
            (.answer(429), .busy),
            (.answer(401), .refused(401)),
            (.answer(403), .refused(403)),
            (
                .answer(200, headers: ["Content-Type": "text/html"], body: Array("<h1>Down</h1>".utf8)),
                .unreadable("text/html instead of JSON")
            ),
            (.json("{\"docs\": ["), .unreadable("malformed JSON")),
            (.json(""), .unreadable("malformed JSON")),
            (.json("{\"docs\": 5}"), .unreadable("JSON of another shape")),
            (.endless(50_000_000), .unreadable("more than 4 MB")),
        ])
    func misbehaves(_ answer: StubAnswer, _ reason: Outage.Reason) async throws {
        let harness = try Harness { policy in
            policy.attempts = 1
            policy.timeout = 0.7
        } answer: { _, _ in
            answer
        }
        let outage = try #require(try await ask(harness).outage)
        #expect(outage.reason == reason)
        #expect(outage.provider == .openLibrary)
        #expect("\(outage)".hasPrefix("Open Library "))
    }

    @Test("nobody there is an outage")
    func nobody() async throws {
        var server: StubServer? = try StubServer { _, _ in .json("{}") }
        let url = server?.url
        server = nil
        let transport = HTTPTransport()
        var policy = ProviderPolicy()
        policy.attempts = 1
        let provider = Providers.make(
            .openLibrary, ProviderSettings(userAgent: "x", base: url, policy: policy), transport: transport)
        #expect(await provider.search("ring", scope: .all, limit: 1).outage?.reason == .unreachable)
        await transport.close()
    }

    @Test("passing failures are tried again", arguments: [StubAnswer.answer(500), .answer(503), .cut])
    func retries(_ failure: StubAnswer) async throws {
        let harness = try Harness { number, _ in number < 2 ? failure : .json(Recorded.openLibrarySearch) }
        #expect(try await ask(harness).records.count == 2)
        #expect(harness.server.requests.count == 3)
    }

    @Test("what trying again cannot mend is not tried again", arguments: [401, 400, 418])
    func noRetries(_ status: Int) async throws {
        let harness = try Harness { _, _ in .answer(status) }
        #expect(try await ask(harness).outage != nil)
        #expect(harness.server.requests.count == 1)
    }

    @Test("a short Retry-After is waited for")
    func retryAfter() async throws {
        let harness = try Harness { number, _ in
            number == 0 ? .answer(429, headers: ["Retry-After": "1"]) : .json(Recorded.openLibrarySearch)
        }
        #expect(try await ask(harness).records.count == 2)
        let requests = harness.server.requests
        #expect(requests.count == 2)
        #expect(requests[1].date.timeIntervalSince(requests[0].date) > 0.9)
    }

    @Test("a long Retry-After is reported and kept: nothing is asked before")
    func longRetryAfter() async throws {
        let harness = try Harness { _, _ in .answer(429, headers: ["Retry-After": "120"]) }
        try await harness.run { provider in
            for _ in 0..<3 {
                let outage = try #require(await provider.search("ring", scope: .all, limit: 5).outage)
                #expect(outage.reason == .busy)
                #expect((100...121).contains(outage.retryAt?.timeIntervalSinceNow ?? 0))
            }
        }
        #expect(harness.server.requests.count == 1)
    }

    @Test("after failures in a row the provider is left in peace, then probed, then used again")
    func circuit() async throws {
        let harness = try Harness { policy in
            policy.attempts = 1
            policy.failuresToRest = 3
            policy.rest = 2
        } answer: { number, _ in
            number < 3 ? .answer(500) : .json(Recorded.openLibrarySearch)
        }
        try await harness.run { provider in
            for _ in 0..<3 { _ = await provider.search("ring", scope: .all, limit: 5) }
            let resting = try #require(await provider.search("ring", scope: .all, limit: 5).outage)
            #expect(resting.reason == .resting)
            #expect(resting.retryAt != nil)
            #expect(harness.server.requests.count == 3, "nobody was asked")
            #expect(await provider.condition() == resting.retryAt.map { .resting(until: $0) })
            try await Task.sleep(for: .seconds(2.1))
            #expect(await provider.search("ring", scope: .all, limit: 5).records.count == 2)
            #expect(await provider.search("rings", scope: .all, limit: 5).records.count == 2)
            #expect(await provider.condition() == .working)
        }
        #expect(harness.server.requests.count == 5)
    }

    @Test("requests keep their distance, and too many are turned away")
    func rate() async throws {
        let harness = try Harness { policy in
            policy.interval = 0.3
            policy.burst = 1
            policy.longestWait = 0.7
        } answer: { _, _ in
            .json(Recorded.openLibrarySearch)
        }
        let answers = try await harness.run { provider in
            await withTaskGroup(of: ProviderAnswer.self) { group in
                for number in 0..<6 {
                    group.addTask { await provider.search("ring \(number)", scope: .all, limit: 5) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        let dates = harness.server.requests.map(\.date).sorted()
        #expect(dates.count < 6)
        for (earlier, later) in zip(dates, dates.dropFirst()) { #expect(later.timeIntervalSince(earlier) > 0.15) }
        #expect(answers.filter { $0.outage?.reason == .busy }.count == 6 - dates.count)
    }

    @Test("what was asked before is answered from disk; what is stale is asked about with its ETag")
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
            let first = await provider.search("ring", scope: .all, limit: 5)
            #expect(await provider.search("ring", scope: .all, limit: 5) == first)
            #expect(harness.server.requests.count == 1)
            try await Task.sleep(for: .seconds(2.1))
            #expect(await provider.search("ring", scope: .all, limit: 5) == first)
            #expect(harness.server.requests.last?.headers["if-none-match"] == "\"v1\"")
            #expect(await provider.search("ring", scope: .all, limit: 5) == first)
            #expect(harness.server.requests.count == 2, "fresh again")
        }
    }

    @Test("an answer that cannot be stored is given all the same, and the failure told")
    func brokenCache() async throws {
        let told = Mutex<[String]>([])
        let harness = try Harness(
            cached: true, answer: { _, _ in .json(Recorded.openLibrarySearch) },
            onCacheFailure: { reason in told.withLock { $0.append(reason) } })
        try Data().write(to: harness.folder)
        try await harness.run { provider in
            for _ in 0..<2 { #expect(await provider.search("ring", scope: .all, limit: 5).outage == nil) }
        }
        #expect(harness.server.requests.count == 2)
        #expect(told.withLock { $0.contains { $0.contains("cannot be kept in \(harness.folder.path)") } })
    }

    @Test("an answer that must not be stored is not", arguments: ["no-store", "private, No-Store, max-age=60"])
    func noStore(_ control: String) async throws {
        let harness = try Harness(cached: true) { _, _ in
            .json(Recorded.openLibrarySearch, headers: ["Cache-Control": control])
        }
        try await harness.run { provider in
            for _ in 0..<2 { _ = await provider.search("ring", scope: .all, limit: 5) }
        }
        #expect(harness.server.requests.count == 2)
    }
}
