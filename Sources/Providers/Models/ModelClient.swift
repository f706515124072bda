import Concurrency
import Foundation
package import ShelflistAPI

/// Asks one model about pictures, with retries, a circuit breaker and a cache of answers.
package actor ModelClient {
    /// A longer answer is refused, in bytes; a list of 400 spines has 60 KB.
    package static let answerLimit = 4_000_000
    /// The longest pause of a provider that is waited for, in seconds.
    private static let longestWait: TimeInterval = 60
    /// How long the answer about a picture is kept, in seconds.
    private static let freshness: TimeInterval = 30 * 86_400

    package nonisolated let provider: ModelProvider
    package nonisolated let settings: ModelSettings
    private let transport: HTTPTransport
    private let cache: AnswerCache?
    private var breaker = CircuitBreaker(threshold: 3, rest: 60)
    private var blockedUntil = Date.distantPast
    /// False once the server rejected a request with a schema and accepted the same without it.
    private var takesSchema = true

    /// - Parameter cache: keeps answers, so that the same picture is paid for once; nil for none.
    package init(
        _ provider: ModelProvider, _ settings: ModelSettings, transport: HTTPTransport, cache: AnswerCache? = nil
    ) {
        (self.provider, self.settings, self.transport, self.cache) = (provider, settings, transport, cache)
    }

    private var now: Date { settings.clock.now }

    /// - Throws: `UnavailableSource` if the model does not answer, declines, or answers without a list of spines.
    package func ask(_ question: ModelQuestion) async throws(UnavailableSource) -> ModelReply {
        do throws(ModelOutage) {
            return try await reply(to: question)
        } catch {
            throw error.unavailable(provider, settings, now: now)
        }
    }

    private func reply(to question: ModelQuestion) async throws(ModelOutage) -> ModelReply {
        // One name for the picture, whatever form the request has.
        let whole = provider.wire.body(question, model: settings.model, withSchema: true).bytes
        let name = cache == nil ? "" : cacheName(whole)
        if let kept = kept(name) { return kept }
        var attempt = 0
        while true {
            do throws(ModelOutage) {
                let (reply, body) = try await ask(question, whole)
                keep(body, name)
                return reply
            } catch {
                attempt += 1
                guard attempt < settings.attempts, error.reason.isPassing, !Task.isCancelled,
                    let pause = pause(attempt)
                else { throw error }
                // If the task is cancelled, the next attempt throws.
                try? await settings.clock.sleep(seconds: pause)
            }
        }
    }

    /// Returns the delay before a retry in seconds; nil if the provider requested a longer one than is waited for.
    private func pause(_ attempt: Int) -> TimeInterval? {
        let wait = blockedUntil.timeIntervalSince(now)
        guard wait > 0 else { return Backoff.delay(attempt: attempt - 1, base: settings.backoff) }
        return wait <= Self.longestWait ? wait : nil
    }

    private func ask(
        _ question: ModelQuestion, _ whole: [UInt8]
    ) async throws(ModelOutage) -> (ModelReply, [UInt8]) {
        if blockedUntil.timeIntervalSince(now) > Self.longestWait {
            throw ModelOutage(reason: .busy, retryAt: blockedUntil)
        }
        if let retryAt = breaker.admit(at: now) { throw ModelOutage(reason: .resting, retryAt: retryAt) }
        if takesSchema {
            let response = try await send(whole)
            guard Self.mayRejectSchema(response) else { return try reply(in: response) }
            let plain = try reply(in: try await sendPlain(question))
            takesSchema = false
            return plain
        }
        return try reply(in: try await sendPlain(question))
    }

    private func sendPlain(_ question: ModelQuestion) async throws(ModelOutage) -> HTTPTransport.Response {
        try await send(provider.wire.body(question, model: settings.model, withSchema: false).bytes)
    }

    private func send(_ body: [UInt8]) async throws(ModelOutage) -> HTTPTransport.Response {
        var headers = settings.key.map(provider.wire.headers) ?? [:]
        headers["User-Agent"] = settings.userAgent
        headers["Accept"] = "application/json"
        do {
            return try await transport.post(
                provider.wire.url(base: settings.base, model: settings.model), json: body, headers: headers,
                seconds: settings.timeout, limit: Self.answerLimit)
        } catch HTTPTransport.Failure.timeout {
            throw failure(.timeout)
        } catch HTTPTransport.Failure.bodyTooLarge(let limit) {
            throw failure(.unreadable("more than \(limit / 1_000_000) MB"))
        } catch is CancellationError {
            // The caller cancelled the request, which is not a failure of the provider.
            throw ModelOutage(reason: .timeout, retryAt: now)
        } catch {
            throw failure(.unreachable)
        }
    }

    // MARK: Answers

    private func reply(in response: HTTPTransport.Response) throws(ModelOutage) -> (ModelReply, [UInt8]) {
        guard response.status == 200 else { throw outage(response) }
        if let problem = ProviderAnswer.problem(response.body, type: response["Content-Type"]) {
            throw failure(.unreadable(problem))
        }
        let reply: ModelReply
        do throws(ModelOutage.Reason) {
            reply = try read(response.body)
        } catch {
            // The provider works; another picture may be answered.
            breaker.succeeded()
            throw ModelOutage(reason: error, retryAt: nil)
        }
        breaker.succeeded()
        return (reply, response.body)
    }

    private func read(_ body: [UInt8]) throws(ModelOutage.Reason) -> ModelReply {
        let text = try provider.wire.text(in: Data(body))
        guard let readings = ModelReading.readings(in: text.text) else { throw .unreadable("no list of spines") }
        return ModelReply(readings: readings, inputTokens: text.inputTokens, outputTokens: text.outputTokens)
    }

    private func outage(_ response: HTTPTransport.Response) -> ModelOutage {
        let words = Self.words(response.body)
        switch response.status {
        case 301, 302, 303, 307, 308:
            return failure(.redirected(ProviderAnswer.target(of: response, from: settings.base)))
        case 401, 403: return rejected(.badKey)
        case 402: return rejected(.noCredit)
        case 404: return rejected(.noModel)
        case 400 where String(decoding: response.body, as: UTF8.self).contains("API_KEY_INVALID"):
            return rejected(.badKey)
        case 429:
            if String(decoding: response.body, as: UTF8.self).contains("insufficient_quota") {
                return rejected(.noCredit)
            }
            block(response)
            return failure(.busy, retryAt: max(now, blockedUntil))
        case 400..<500: return rejected(.status(response.status, words))
        default:
            block(response)
            return failure(.status(response.status, words), retryAt: max(now, blockedUntil))
        }
    }

    /// Whether a server may have rejected the schema rather than the picture.
    private static func mayRejectSchema(_ response: HTTPTransport.Response) -> Bool {
        guard [400, 404, 415, 422, 500, 501].contains(response.status) else { return false }
        let body = String(decoding: response.body.prefix(20_000), as: UTF8.self).lowercased()
        return [
            "response_format", "json_schema", "responseschema", "response_schema", "max_completion_tokens", "grammar",
        ]
        .contains { body.contains($0) }
    }

    private func block(_ response: HTTPTransport.Response) {
        if let time = Backoff.retryAfter(response["Retry-After"], now: now) { blockedUntil = max(blockedUntil, time) }
    }

    /// Returns what an error says, as both protocols write it.
    private static func words(_ body: [UInt8]) -> String? {
        struct Problem: Decodable {
            struct Detail: Decodable { var message: String? }
            var error: Detail?
        }
        let problem =
            ProviderAnswer.decode(Problem.self, Data(body)) ?? ProviderAnswer.decode([Problem].self, Data(body))?.first
        return problem?.error?.message
    }

    /// The provider works but does not answer this client or this request.
    private func rejected(_ reason: ModelOutage.Reason) -> ModelOutage {
        breaker.succeeded()
        return ModelOutage(reason: reason, retryAt: nil)
    }

    private func failure(_ reason: ModelOutage.Reason, retryAt: Date? = nil) -> ModelOutage {
        breaker.failed(at: now)
        return ModelOutage(reason: reason, retryAt: retryAt ?? now.addingTimeInterval(max(1, settings.backoff)))
    }

    // MARK: Cache

    private func cacheName(_ body: [UInt8]) -> String {
        let url = provider.wire.url(base: settings.base, model: settings.model)
        return "\(url.absoluteString) \(ContentName.of(String(decoding: body, as: UTF8.self)))"
    }

    private func kept(_ name: String) -> ModelReply? {
        guard let entry = cache?.entry(for: name), entry.head.freshUntil > now else { return nil }
        // An answer that an older version kept and this one cannot read is asked for again.
        guard var reply = try? read(entry.body) else { return nil }
        reply.isKept = true
        return reply
    }

    private func keep(_ body: [UInt8], _ name: String) {
        let head = AnswerCache.Entry.Head(
            question: name, etag: nil, freshUntil: now.addingTimeInterval(Self.freshness))
        cache?.store(AnswerCache.Entry(head: head, body: body))
    }
}
