import Concurrency
import Fixtures
import Foundation
import Imaging
import Providers
import ShelflistAPI
import TestSupport
import Testing

@Suite("Asking a model over a socket", .endsHangs)
struct ModelClientTests {
    private static let list =
        #"{"spines": [{"number": 1, "title": "Emma", "author": "Jane Austen", "confidence": 0.9}]}"#
    private static let key = "secret-key-0123456789"

    private static func question() throws -> ModelQuestion {
        let image = RGBImage(size: PixelSize(width: 300, height: 100))
        return ModelQuestion(.sheet(spines: 1), jpeg: try JPEGCodec.encode(image, quality: 90))
    }

    /// Runs a test with a client of a stub.
    private func with<Value>(
        _ provider: ModelProvider, _ server: StubServer, clock: ManualClock = ManualClock(skipsSleeps: true),
        requestClock: any WallClock = ManualClock(), cache: AnswerCache? = nil, policy: ServicePolicy? = nil,
        _ body: (ModelClient) async throws -> Value
    ) async throws -> Value {
        let transport = HTTPTransport(clock: requestClock)
        let base = provider == .openAI ? server.url.appending(path: "v1") : server.url
        let settings = ServiceSettings(
            userAgent: "Shelflist/test", key: APIKey(Self.key), base: base, policy: policy, clock: clock)
        let client = ModelClient(provider, settings, transport: transport, cache: cache)
        do {
            let value = try await body(client)
            await transport.close()
            return value
        } catch {
            await transport.close()
            throw error
        }
    }

    private func outage(of client: ModelClient) async throws -> UnavailableSource? {
        let question = try Self.question()
        do {
            _ = try await client.ask(question)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A request has the documented form, and its answer is read with its tokens", arguments: ModelProvider.allCases)
    func asks(_ provider: ModelProvider) async throws {
        let server = try StubServer.models { _, request in request.answer(Self.list, input: 1234, output: 87) }
        let reply = try await with(provider, server) { try await $0.ask(Self.question()) }
        #expect(reply.readings.map(\.title) == ["Emma"])
        #expect(reply.inputTokens == 1234 && reply.outputTokens == 87 && !reply.isKept)
        let request = try ModelRequest(try #require(server.requests.first))
        #expect(request.key == Self.key && request.model == provider.model && request.hasSchema)
        #expect(request.prompt.contains("JSON"))
        #expect(request.jpeg == (try Self.question().jpeg))
    }

    @Test("A server that rejects the schema is asked without it, and not offered it again")
    func withoutSchema() async throws {
        let server = try StubServer.models { _, request in
            guard request.hasSchema else { return request.answer("```json\n\(Self.list)\n```") }
            let body =
                #"{"error": {"message": "'response_format.type' must be 'text'", "type": "invalid_request_error"}}"#
            return .answer(400, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        }
        try await with(.openAI, server) { client in
            for _ in 0..<2 {
                let reply = try await client.ask(Self.question())
                #expect(reply.readings.count == 1)
            }
        }
        #expect(server.requests.count == 3)
    }

    @Test(
        "A server that rejects the schema with a status of failures is asked without it at once", arguments: [500, 501])
    func schemaFails(_ status: Int) async throws {
        let server = try StubServer.models { _, request in
            guard request.hasSchema else { return request.answer(Self.list) }
            return .answer(status, body: Array(#"{"error": {"message": "failed to parse grammar"}}"#.utf8))
        }
        var policy = ServicePolicy.model
        policy.failuresToRest = 1
        let reply = try await with(.openAI, server, policy: policy) { try await $0.ask(Self.question()) }
        #expect(reply.readings.count == 1 && server.requests.count == 2)
    }

    @Test("429 and 5xx are repeated after the requested pause or a growing one", arguments: ModelProvider.allCases)
    func retries(_ provider: ModelProvider) async throws {
        let server = try StubServer.models { number, request in
            switch number {
            case 0: .answer(429, headers: ["Retry-After": "7"])
            case 1: .answer(503)
            default: request.answer(Self.list)
            }
        }
        let clock = ManualClock(skipsSleeps: true)
        let reply = try await with(provider, server, clock: clock) { try await $0.ask(Self.question()) }
        #expect(reply.readings.count == 1 && server.requests.count == 3)
        let pauses = clock.sleeps
        #expect(pauses.count == 2 && abs(pauses[0] - 7) < 0.01 && (0...2).contains(pauses[1]))
    }

    @Test("A longer pause than a minute is not waited for, and nothing is sent during it")
    func longPause() async throws {
        let server = try StubServer.models { _, _ in .answer(429, headers: ["Retry-After": "3600"]) }
        try await with(.gemini, server) { client in
            let failure = try #require(try await outage(of: client))
            #expect(failure.source == "gemini" && failure.retryAfterMs == 3_600_000)
            #expect(failure.message == "Gemini accepts no more requests at the moment. Try again in 3600 s.")
            _ = try await outage(of: client)
        }
        #expect(server.requests.count == 1)
    }

    @Test("After three failures in a row the model is not asked for a minute")
    func breaker() async throws {
        let server = try StubServer.models { _, _ in .answer(500) }
        let clock = ManualClock(skipsSleeps: true)
        try await with(.openAI, server, clock: clock) { client in
            #expect(try await outage(of: client)?.message.contains("failed (status 500)") == true)
            #expect(server.requests.count == 3)
            #expect(try await outage(of: client)?.message.contains("is not asked for a while") == true)
            #expect(server.requests.count == 3)
            clock.advance(by: 61)
            _ = try await outage(of: client)
            #expect(server.requests.count > 3)
        }
    }

    @Test("A model that does not answer is given up after the time limit", arguments: [StubAnswer.silent, .drip])
    func slow(_ answer: StubAnswer) async throws {
        let server = try StubServer.models { _, _ in answer }
        let requestClock = ManualClock()
        let failure = try await with(.gemini, server, requestClock: requestClock) { client in
            async let failure = outage(of: client)
            try await requestClock.exceed(90, of: server, answer)
            return try await failure
        }
        #expect(failure?.message.hasPrefix("Gemini did not answer within 90 s.") == true)
        #expect(server.requests.count == 1, "it may have been charged")
    }

    @Test(
        "Answers that cannot be used are reported with what is wrong, and not repeated",
        arguments: [
            (StubAnswer.answer(200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8)), "text/html"),
            (.json(#"{"candidates": [{"content": {"par"#), "malformed JSON"), (.json("{}"), "no candidate"),
            (.answer(401), "rejects the key"), (.answer(403), "rejects the key"), (.answer(402), "no credit"),
            (.answer(404), "does not have the model “gemini-3.8-flash”"),
            (
                .answer(302, headers: ["Location": "https://elsewhere.example/x?y=1"]),
                "redirects to https://elsewhere.example/x,"
            ),
            (
                .answer(
                    400, headers: ["Content-Type": "application/json"],
                    body: Array(
                        #"{"error": {"status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}}"#.utf8)),
                "rejects the key"
            ),
            (
                .answer(
                    400, headers: ["Content-Type": "application/json"],
                    body: Array(#"{"error": {"message": "Bad picture for secret-key-0123456789"}}"#.utf8)),
                "status 400: Bad picture for •••"
            ),
            (.endless(30_000_000), "more than 4 MB"),
        ] as [(StubAnswer, String)])
    func unusable(_ answer: StubAnswer, _ words: String) async throws {
        let server = try StubServer.models { _, _ in answer }
        let failure = try await with(.gemini, server) { try await outage(of: $0) }
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "no failure")")
        #expect(failure?.message.contains(Self.key) == false)
        #expect(server.requests.count == 1)
    }

    @Test("A refusal and an answer without a list are reported", arguments: ModelProvider.allCases)
    func declines(_ provider: ModelProvider) async throws {
        let refusing = try StubServer.models { _, request in request.refusal }
        let refusal = try await with(provider, refusing) { try await outage(of: $0) }
        #expect(refusal?.message.contains("did not answer (") == true)
        let prose = try StubServer.models { _, request in request.answer("What a lovely shelf!") }
        let nonsense = try await with(provider, prose) { try await outage(of: $0) }
        #expect(nonsense?.message.contains("no list of spines") == true)
        #expect(refusing.requests.count == 1 && prose.requests.count == 1)
    }

    @Test("An account without credit is not asked again, although it answers 429")
    func credit() async throws {
        let server = try StubServer.models { _, _ in
            .answer(
                429, headers: ["Content-Type": "application/json"],
                body: Array(#"{"error": {"code": "insufficient_quota", "message": "You exceeded your quota."}}"#.utf8))
        }
        let failure = try await with(.openAI, server) { try await outage(of: $0) }
        #expect(failure?.message == "OpenAI has no credit left for this key. Check the account.")
        #expect(server.requests.count == 1)
    }

    @Test("The answer about a picture is kept for 30 days")
    func cache() async throws {
        let temporary = try TemporaryFolder()
        let server = try StubServer.models { _, request in request.answer(Self.list) }
        let clock = ManualClock(skipsSleeps: true)
        try await with(.gemini, server, clock: clock, cache: AnswerCache(folder: temporary.url)) { client in
            #expect(try await !client.ask(Self.question()).isKept)
            let kept = try await client.ask(Self.question())
            #expect(kept.isKept && kept.readings.map(\.title) == ["Emma"] && kept.inputTokens == 1000)
            clock.advance(by: 31 * 86_400)
            #expect(try await !client.ask(Self.question()).isKept)
        }
        #expect(server.requests.count == 2)
        for file in try FileManager.default.contentsOfDirectory(at: temporary.url, includingPropertiesForKeys: nil) {
            #expect(try !String(decoding: Data(contentsOf: file), as: UTF8.self).contains(Self.key))
        }
    }

    @Test("Prices are known by the model's name, with a vendor, a date and the end of an offer")
    func prices() throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        #expect(ModelPrice.of("openai/gpt-5.4-mini-2026-03-17", at: now) == ModelPrice.of("gpt-5.4-mini", at: now))
        #expect(ModelPrice.of("qwen2.5vl:7b", at: now) == nil)
        let mini = try #require(ModelPrice.of("gpt-5.4-mini", at: now))
        #expect(abs(mini.cost(input: 2_000_000, output: 100_000) - 1.95) < 1e-9)
        let before = try #require(ModelPrice.of("gemini-3.8-flash", at: now))
        let after = try #require(ModelPrice.of("gemini-3.8-flash", at: Date(timeIntervalSince1970: 1_798_761_600)))
        #expect(after.input == 2 * before.input && after.output == 2 * before.output)
    }
    @Test("The prices in docs/readers.md are those that costs are computed from")
    func documentedPrices() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/readers.md")
        let text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
        let rows = text.matches(of: #/\| `([a-z0-9.-]+)`([^|]*)\| ([0-9.]+) \| ([0-9.]+) \|/#)
        for row in rows {
            let year = row.2.contains("from 2027") ? 2027 : 2026
            let date = try #require(Calendar(identifier: .gregorian).date(from: DateComponents(year: year, month: 12)))
            let price = try #require(ModelPrice.of(String(row.1), at: date), "\(row.1)")
            #expect([price.input, price.output] == [Double(row.3), Double(row.4)], "\(row.1)")
        }
        for provider in ModelProvider.allCases {
            #expect(rows.contains { $0.1 == provider.model }, "\(provider.model), the default, has no row")
        }
    }
}
