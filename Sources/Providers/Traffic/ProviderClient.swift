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
    package var bodyLimit = 10_000_000
    /// The number of consecutive failures that open the circuit, and for how many seconds.
    package var failuresToRest = 5
    package var rest: TimeInterval = 30
    /// How long a response stays fresh, in seconds, if the provider does not specify it.
    package var freshness: TimeInterval = 86_400

    package init() {}
}

/// What a provider sent that could not be used.
package struct ProviderRefusals: Hashable, Sendable {
    /// The number of answers, for example pages of HTML.
    package var answers = 0
    /// The number of records in other answers, for example without a title.
    package var records = 0
    /// Describes the latest of them.
    package var latest: String?

    package init() {}
}

/// Sends requests to one provider, with rate limiting, retries, a circuit breaker and a cache.
actor ProviderClient {
    /// Converts the body of an answer; nil for one of another shape, and for a record that cannot be used, which is
    /// counted and left out.
    typealias Reader = @Sendable (Data) -> [Record?]?

    let provider: ProviderName
    private let headers: [String: String]
    private let policy: ProviderPolicy
    private let transport: HTTPTransport
    private let clock: any WallClock
    private let cache: AnswerCache?
    private let rate: SharedRate
    private var breaker: CircuitBreaker
    private var isRefused = false
    private(set) var refusals = ProviderRefusals()

    /// - Parameters:
    ///   - headers: sent with every request; they may contain keys, so messages and cache exclude them.
    ///   - policy: applies unless the settings replace it.
    init(
        _ provider: ProviderName, _ settings: ProviderSettings, headers: [String: String] = [:],
        policy: ProviderPolicy = ProviderPolicy(), transport: HTTPTransport, cache: AnswerCache?
    ) {
        var policy = settings.policy ?? policy
        if !settings.retries { policy.attempts = 1 }
        (self.provider, self.policy, self.transport, self.cache) = (provider, policy, transport, cache)
        self.headers = headers.merging(["User-Agent": settings.userAgent]) { $1 }
        clock = settings.clock
        let limit = RateLimit(interval: policy.interval, burst: policy.burst, longestWait: policy.longestWait)
        rate = SharedRate(provider, limit, folder: settings.rates)
        breaker = CircuitBreaker(threshold: policy.failuresToRest, rest: policy.rest)
    }

    var condition: ProviderCondition {
        get async {
            let now = clock.now
            if let until = breaker.openUntil(now) { return .resting(until: until) }
            let blockedUntil = await rate.blockedUntil(at: now)
            if blockedUntil > now { return .busy(until: blockedUntil) }
            return isRefused ? .refusing : .working
        }
    }

    /// Fetches JSON and converts it with `read`; returns no records for status 404.
    nonisolated func records(at url: URL, _ read: Reader) async throws(UnavailableSource) -> [Record] {
        do throws(Outage) {
            return try await answer(at: url, read)
        } catch {
            throw unavailable(error)
        }
    }

    nonisolated func unavailable(_ outage: Outage) -> UnavailableSource { outage.unavailable(provider, now: clock.now) }

    /// Fetches JSON and converts it with `read`.
    ///
    /// - Parameter isDivisible: whether the caller sends a request that fails in parts, so that it is not repeated.
    func answer(at url: URL, isDivisible: Bool = false, _ read: Reader) async throws(Outage) -> [Record] {
        let cached = cache?.entry(for: url.absoluteString).flatMap { Known($0, read) }
        if let cached, cached.entry.head.freshUntil > clock.now { return cached.records }
        var attempt = 0
        while true {
            do {
                return try await ask(url, cached, read)
            } catch {
                attempt += 1
                guard attempt < policy.attempts, !(isDivisible && error.isWorthDividing),
                    let pause = await pause(after: error, attempt: attempt)
                else { throw error }
                // If the task is cancelled, the next attempt throws.
                try? await clock.sleep(seconds: pause)
            }
        }
    }

    /// A cached answer with its records.
    private struct Known: Sendable {
        var entry: AnswerCache.Entry
        var records: [Record]

        /// Nil for an answer that cannot be read; an empty one means that there are no records.
        init?(_ entry: AnswerCache.Entry, _ read: Reader) {
            guard let records = entry.body.isEmpty ? [] : read(Data(entry.body)) else { return nil }
            (self.entry, self.records) = (entry, records.compactMap(\.self))
        }
    }

    /// Returns the delay before a retry in seconds; nil if the request should not be retried.
    private func pause(after outage: Outage, attempt: Int) async -> TimeInterval? {
        guard !Task.isCancelled else { return nil }
        let now = clock.now
        switch outage.reason {
        case .refused, .unreadable, .redirected, .resting: return nil
        case .status(let status) where status < 500: return nil
        case .unreachable, .timeout, .busy, .status:
            let blockedUntil = await rate.blockedUntil(at: now)
            if outage.reason == .busy, blockedUntil > now {
                // Uses the provider's delay unless it exceeds the longest wait.
                let wait = blockedUntil.timeIntervalSince(now)
                return wait <= policy.longestWait ? wait : nil
            }
            return Backoff.delay(attempt: attempt - 1, base: policy.backoff)
        }
    }

    private func ask(_ url: URL, _ cached: Known?, _ read: Reader) async throws(Outage) -> [Record] {
        let blockedUntil = await rate.blockedUntil(at: clock.now)
        if blockedUntil.timeIntervalSince(clock.now) > policy.longestWait {
            throw Outage(reason: .busy, retryAt: blockedUntil)
        }
        if let retryAt = breaker.admit(at: clock.now) { throw Outage(reason: .resting, retryAt: retryAt) }
        switch await rate.reserve(at: clock.now) {
        case .notBefore(let time): throw Outage(reason: .busy, retryAt: time)
        case .after(let wait):
            if wait > 0 {
                try? await clock.sleep(seconds: wait)  // see `answer(at:)`
            }
        }
        var headers = headers
        headers["Accept"] = "application/json"
        headers["If-None-Match"] = cached?.entry.head.etag
        do {
            let response = try await transport.get(
                url, headers: headers, seconds: policy.timeout, limit: policy.bodyLimit)
            return try await records(of: response, to: url, cached, read)
        } catch let outage as Outage {
            throw outage
        } catch HTTPTransport.Failure.timeout {
            throw failure(.timeout)
        } catch HTTPTransport.Failure.bodyTooLarge(let limit) {
            throw refused("more than \(limit / 1_000_000) MB")
        } catch is CancellationError {
            // The caller cancelled the request, which is not a failure of the provider.
            throw Outage(reason: .timeout, retryAt: clock.now)
        } catch {
            throw failure(.unreachable)
        }
    }

    private func records(
        of response: HTTPTransport.Response, to url: URL, _ cached: Known?, _ read: Reader
    ) async throws(Outage) -> [Record] {
        isRefused = [401, 402, 403].contains(response.status)
        switch response.status {
        case 200:
            if let problem = ProviderAnswer.problem(response.body, type: response["Content-Type"]) {
                throw refused(problem)
            }
            guard let found = read(Data(response.body)) else { throw refused("JSON of another shape") }
            let records = found.compactMap(\.self)
            if records.count < found.count {
                refusals.records += found.count - records.count
                refusals.latest = "a record without a title, or of another shape"
            }
            breaker.succeeded()
            keep(response.body, response, url)
            return records
        case 304:
            guard let cached else { throw failure(.status(304)) }
            breaker.succeeded()
            keep(cached.entry.body, response, url, etag: cached.entry.head.etag)
            return cached.records
        case 404:
            breaker.succeeded()
            keep([], response, url)
            return []
        case 301, 302, 303, 307, 308:
            let target = ProviderAnswer.target(of: response, from: url)
            throw refused("a redirect to \(target)", .redirected(target))
        case 401, 402, 403:
            breaker.succeeded()  // the provider is up but rejects this client
            throw Outage(reason: .refused(response.status), retryAt: nil)
        case 429, 503:
            let now = clock.now
            if let retryAt = Backoff.retryAfter(response["Retry-After"], now: now) {
                await rate.block(until: retryAt, at: now)
            }
            let retryAt = max(now, await rate.blockedUntil(at: now))
            throw failure(response.status == 429 ? .busy : .status(503), retryAt: retryAt)
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

    /// Records an answer that cannot be used.
    private func refused(_ what: String, _ reason: Outage.Reason? = nil) -> Outage {
        refusals.answers += 1
        refusals.latest = what
        return failure(reason ?? .unreadable(what))
    }

    /// Records a failure of the provider.
    private func failure(_ reason: Outage.Reason, retryAt: Date? = nil) -> Outage {
        let now = clock.now
        breaker.failed(at: now)
        return Outage(reason: reason, retryAt: retryAt ?? now.addingTimeInterval(max(1, policy.backoff)))
    }
}
