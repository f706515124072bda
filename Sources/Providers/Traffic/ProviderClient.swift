import Bibliography
import Concurrency
package import Foundation
import ShelflistAPI

/// The rate and time limits for requests to one provider.
package struct ProviderPolicy: Sendable {
    /// The average time between requests in seconds.
    package var interval: TimeInterval = 1
    /// The number of requests that may be sent without delay.
    package var burst = 3
    /// The maximum delay of a request in seconds, caused by the rate limit or an earlier `Retry-After`.
    package var longestWait: TimeInterval = 10
    /// The time limit of one attempt in seconds, from connecting to the last byte.
    package var timeout: TimeInterval = 8
    package var attempts = 3
    /// The maximum delay before the first retry in seconds; it doubles for each further retry.
    package var backoff: TimeInterval = 0.5
    /// The maximum size of a response in bytes.
    package var bodyLimit = 4_000_000
    /// The number of consecutive failures that open the circuit, and for how many seconds.
    package var failuresToRest = 5
    package var rest: TimeInterval = 30
    /// How long a response stays fresh, in seconds, if the provider does not specify it.
    package var freshness: TimeInterval = 86_400

    package init() {}
}

/// Sends requests to one provider, with rate limiting, retries, a circuit breaker and a cache.
actor ProviderClient {
    private let provider: ProviderName
    private let headers: [String: String]
    private let policy: ProviderPolicy
    private let transport: HTTPTransport
    private let clock: any WallClock
    private let cache: AnswerCache?
    private var rate: RateLimit
    private var breaker: CircuitBreaker
    /// The time of the latest `Retry-After`.
    private var blockedUntil = Date.distantPast
    private var isRefused = false

    /// - Parameter headers: sent with every request; they may contain keys, so messages and cache exclude them.
    init(
        _ provider: ProviderName, headers: [String: String], policy: ProviderPolicy, transport: HTTPTransport,
        cache: AnswerCache?, clock: any WallClock
    ) {
        (self.provider, self.headers, self.policy) = (provider, headers, policy)
        (self.transport, self.cache, self.clock) = (transport, cache, clock)
        rate = RateLimit(interval: policy.interval, burst: policy.burst)
        breaker = CircuitBreaker(threshold: policy.failuresToRest, rest: policy.rest)
    }

    var condition: ProviderCondition {
        let now = clock.now
        if let until = breaker.openUntil(now) { return .resting(until: until) }
        if blockedUntil > now { return .busy(until: blockedUntil) }
        return isRefused ? .refusing : .working
    }

    /// Fetches JSON and converts it with `records`; returns no records for status 404.
    nonisolated func records<Body: Decodable>(
        at url: URL, _ type: Body.Type, _ records: (Body) -> [Record]
    ) async throws(UnavailableSource) -> [Record] {
        do throws(Outage) {
            guard let bytes = try await json(at: url) else { return [] }
            // The decoding error is omitted because it would not help the user.
            guard let body = try? JSONDecoder().decode(type, from: Data(bytes)) else {
                throw Outage(reason: .unreadable("JSON of another shape"), retryAt: clock.now + 3600)
            }
            return records(body)
        } catch {
            throw error.unavailable(provider, now: clock.now)
        }
    }

    private func json(at url: URL) async throws(Outage) -> [UInt8]? {
        let cached = cache?.entry(for: url.absoluteString)
        if let cached, cached.head.freshUntil > clock.now { return cached.body.isEmpty ? nil : cached.body }
        var attempt = 0
        while true {
            do {
                return try await ask(url, cached)
            } catch {
                attempt += 1
                guard attempt < policy.attempts, let pause = pause(after: error, attempt: attempt) else { throw error }
                // If the task is cancelled, the next attempt throws.
                try? await clock.sleep(seconds: pause)
            }
        }
    }

    /// Returns the delay before a retry in seconds; nil if the request should not be retried.
    private func pause(after outage: Outage, attempt: Int) -> TimeInterval? {
        guard !Task.isCancelled else { return nil }
        let now = clock.now
        switch outage.reason {
        case .refused, .unreadable, .resting: return nil
        case .status(let status) where status < 500: return nil
        case .busy where blockedUntil > now:
            // Uses the provider's delay unless it exceeds the longest wait.
            let wait = blockedUntil.timeIntervalSince(now)
            return wait <= policy.longestWait ? wait : nil
        case .unreachable, .timeout, .busy, .status:
            var random = SystemRandomNumberGenerator()
            return Backoff.delay(attempt: attempt - 1, base: policy.backoff, using: &random)
        }
    }

    /// Sends one attempt.
    private func ask(_ url: URL, _ cached: AnswerCache.Entry?) async throws(Outage) -> [UInt8]? {
        let now = clock.now
        if blockedUntil.timeIntervalSince(now) > policy.longestWait {
            throw Outage(reason: .busy, retryAt: blockedUntil)
        }
        if let retryAt = breaker.admit(at: now) { throw Outage(reason: .resting, retryAt: retryAt) }
        guard let wait = rate.reserve(at: max(now, blockedUntil), longest: policy.longestWait) else {
            throw Outage(reason: .busy, retryAt: rate.free(longest: policy.longestWait))
        }
        let turn = max(0, blockedUntil.timeIntervalSince(now)) + wait
        if turn > 0 {
            try? await clock.sleep(seconds: turn)  // see `json(at:)`
        }
        var headers = headers
        headers["Accept"] = "application/json"
        headers["If-None-Match"] = cached?.head.etag
        do {
            let response = try await transport.get(
                url, headers: headers, seconds: policy.timeout, limit: policy.bodyLimit)
            return try answer(response, to: url, cached)
        } catch let outage as Outage {
            throw outage
        } catch HTTPTransport.Failure.timeout {
            throw failure(.timeout)
        } catch HTTPTransport.Failure.bodyTooLarge(let limit) {
            throw failure(.unreadable("more than \(limit / 1_000_000) MB"))
        } catch is CancellationError {
            // The caller cancelled the request, which is not a failure of the provider.
            throw Outage(reason: .timeout, retryAt: clock.now)
        } catch {
            throw failure(.unreachable)
        }
    }

    private func answer(
        _ response: HTTPTransport.Response, to url: URL, _ cached: AnswerCache.Entry?
    ) throws(Outage) -> [UInt8]? {
        isRefused = [401, 402, 403].contains(response.status)
        switch response.status {
        case 200:
            let type = response["Content-Type"]?.lowercased() ?? "nothing"
            guard type.contains("json") else { throw failure(.unreadable("\(type.prefix(60)) instead of JSON")) }
            guard let start = response.body.first(where: { $0 > 0x20 }), start == UInt8(ascii: "{"),
                // The parser's message would not help the user.
                (try? JSONSerialization.jsonObject(with: Data(response.body))) != nil
            else { throw failure(.unreadable("malformed JSON")) }
            breaker.succeeded()
            keep(response.body, response, url)
            return response.body
        case 304:
            guard let cached else { throw failure(.status(304)) }
            breaker.succeeded()
            keep(cached.body, response, url, etag: cached.head.etag)
            return cached.body.isEmpty ? nil : cached.body
        case 404:
            breaker.succeeded()
            keep([], response, url)
            return nil
        case 401, 402, 403:
            breaker.succeeded()  // the provider is up but rejects this client
            throw Outage(reason: .refused(response.status), retryAt: nil)
        case 429, 503:
            let now = clock.now
            if let retryAt = Backoff.retryAfter(response["Retry-After"], now: now) { blockedUntil = retryAt }
            throw failure(response.status == 429 ? .busy : .status(503), retryAt: max(now, blockedUntil))
        default:
            throw failure(.status(response.status))
        }
    }

    private func keep(_ body: [UInt8], _ response: HTTPTransport.Response, _ url: URL, etag: String? = nil) {
        guard let cache,
            let age = AnswerCache.freshness(
                cacheControl: response["Cache-Control"], fallback: policy.freshness)
        else { return }
        let head = AnswerCache.Entry.Head(
            question: url.absoluteString, etag: response["ETag"] ?? etag, freshUntil: clock.now.addingTimeInterval(age))
        cache.store(AnswerCache.Entry(head: head, body: body))
    }

    /// Records a failure of the provider.
    private func failure(_ reason: Outage.Reason, retryAt: Date? = nil) -> Outage {
        let now = clock.now
        breaker.failed(at: now)
        return Outage(reason: reason, retryAt: retryAt ?? now.addingTimeInterval(max(1, policy.backoff)))
    }
}
