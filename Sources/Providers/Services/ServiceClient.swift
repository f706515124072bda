import Concurrency
package import Foundation
import ShelflistAPI

/// What a service sent that could not be used.
package struct ServiceRefusals: Hashable, Sendable {
    /// The number of answers, for example pages of HTML.
    package var answers = 0
    /// The number of records in other answers, for example without a title.
    package var records = 0
    /// Describes the latest of them.
    package var latest: String?

    package init() {}
}

/// The condition of a service, derived from recent requests.
package enum ServiceCondition: Equatable, Sendable {
    /// The service answers, or has not been used yet.
    case working
    /// The service failed several times; no request is sent before this time.
    case resting(until: Date)
    /// The service requested a pause until this time.
    case busy(until: Date)
    /// The service rejects the key.
    case refusing
}

/// A request for JSON.
struct ServiceRequest<Value: Sendable>: Sendable {
    var url: URL
    /// JSON to send; nil for a GET request.
    var body: [UInt8]?
    /// Identifies the answer in the cache.
    var name: String
    /// What status 404 means; nil if it is a failure.
    var missing: Value?
    /// Converts the body of an answer.
    ///
    /// - Throws: `declined` from a service that works, otherwise `unreadable`.
    var read: @Sendable (Data) throws(ServiceFailure.Reason) -> Value
    /// Whether a failure is not worth repeating the request, because the caller sends another one.
    var isFinal: @Sendable (ServiceFailure) -> Bool = { _ in false }
    /// Whether a failure with status 500 or above says that the service works but rejects the form of the request, so
    /// that it counts like status 400.
    var isRejection: @Sendable (ServiceFailure) -> Bool = { _ in false }
}

struct ServiceAnswer<Value: Sendable>: Sendable {
    var value: Value
    /// Whether the answer was in the cache.
    var isKept: Bool
}

/// Sends requests to one service, with rate limiting, retries, a circuit breaker and a cache.
actor ServiceClient {
    nonisolated let service: any Service
    nonisolated let settings: ServiceSettings
    private nonisolated let policy: ServicePolicy
    private let headers: [String: String]
    private let transport: HTTPTransport
    private let cache: AnswerCache?
    private let rate: SharedRate
    private var breaker: CircuitBreaker
    private var isRefused = false
    private(set) var refusals = ServiceRefusals()

    /// - Parameters:
    ///   - headers: sent with every request; they may contain keys, so messages and cache exclude them.
    ///   - policy: applies unless the settings replace it.
    init(
        _ service: any Service, _ settings: ServiceSettings, headers: [String: String] = [:],
        policy: ServicePolicy = ServicePolicy(), transport: HTTPTransport, cache: AnswerCache?
    ) {
        var policy = settings.policy ?? policy
        if !settings.retries { policy.attempts = 1 }
        (self.service, self.settings, self.policy) = (service, settings, policy)
        (self.transport, self.cache) = (transport, cache)
        self.headers = headers.merging(["User-Agent": settings.userAgent, "Accept": "application/json"]) { $1 }
        let limit = RateLimit(interval: policy.interval, burst: policy.burst, longestWait: policy.longestWait)
        rate = SharedRate(service, limit, folder: settings.rates)
        breaker = CircuitBreaker(threshold: policy.failuresToRest, rest: policy.rest)
    }

    private var now: Date { settings.clock.now }

    var condition: ServiceCondition {
        get async {
            if let until = breaker.openUntil(now) { return .resting(until: until) }
            let blockedUntil = await rate.blockedUntil(at: now)
            if blockedUntil > now { return .busy(until: blockedUntil) }
            return isRefused ? .refusing : .working
        }
    }

    nonisolated func unavailable(_ failure: ServiceFailure) -> UnavailableSource {
        failure.unavailable(service, settings, policy)
    }

    /// Counts records of an answer that were left out.
    func leaveOut(_ records: Int) {
        refusals.records += records
        refusals.latest = "a record without a title, or of another shape"
    }

    /// Returns the answer from the cache or the service, which is asked again after transient failures.
    func answer<Value>(to request: ServiceRequest<Value>) async throws(ServiceFailure) -> ServiceAnswer<Value> {
        let kept = cache?.entry(for: request.name).flatMap { Kept($0, request) }
        if let kept, kept.head.freshUntil > now { return ServiceAnswer(value: kept.value, isKept: true) }
        var failures = 0
        while true {
            do throws(ServiceFailure) {
                return try await attempt(request, kept)
            } catch {
                failures += 1
                guard failures < policy.attempts, !request.isFinal(error), !request.isRejection(error),
                    let pause = await pause(after: error, failures)
                else { throw error }
                // If the task is cancelled, the next attempt throws.
                try? await settings.clock.sleep(seconds: pause)
            }
        }
    }

    /// A cached answer.
    private struct Kept<Value: Sendable>: Sendable {
        var head: AnswerCache.Entry.Head
        var body: [UInt8]
        var value: Value

        /// Nil for an answer that cannot be read, for example by a newer version; an empty one was status 404.
        init?(_ entry: AnswerCache.Entry, _ request: ServiceRequest<Value>) {
            guard let value = entry.body.isEmpty ? request.missing : (try? request.read(Data(entry.body))) else {
                return nil
            }
            (head, body, self.value) = (entry.head, entry.body, value)
        }
    }

    /// Returns the delay before a retry in seconds; nil if the request should not be retried.
    private func pause(after failure: ServiceFailure, _ failures: Int) async -> TimeInterval? {
        guard !Task.isCancelled, failure.isTransient(repeatingTimeouts: policy.repeatsTimeouts) else { return nil }
        let wait = await rate.blockedUntil(at: now).timeIntervalSince(now)
        guard wait > 0 else { return Backoff(first: policy.backoff).delay(after: failures) }
        return wait <= policy.longestWait ? wait : nil
    }

    private func attempt<Value>(
        _ request: ServiceRequest<Value>, _ kept: Kept<Value>?
    ) async throws(ServiceFailure) -> ServiceAnswer<Value> {
        let blockedUntil = await rate.blockedUntil(at: now)
        if blockedUntil.timeIntervalSince(now) > policy.longestWait {
            throw ServiceFailure(reason: .busy, retryAt: blockedUntil)
        }
        if let retryAt = breaker.admit(at: now) { throw ServiceFailure(reason: .resting, retryAt: retryAt) }
        switch await rate.reserve(at: now) {
        case .notBefore(let time): throw ServiceFailure(reason: .busy, retryAt: time)
        case .after(let wait):
            if wait > 0 {
                try? await settings.clock.sleep(seconds: wait)  // see `answer(to:)`
            }
        }
        let response = try await send(request, etag: kept?.head.etag)
        isRefused = [401, 402, 403].contains(response.status)
        if response.status == 304, let kept {
            breaker.succeeded()
            keep(kept.body, of: response, as: request.name, etag: kept.head.etag)
            return ServiceAnswer(value: kept.value, isKept: true)
        }
        if response.status == 404, let missing = request.missing {
            breaker.succeeded()
            keep([], of: response, as: request.name)
            return ServiceAnswer(value: missing, isKept: false)
        }
        guard response.status == 200 else { throw await failure(response, to: request) }
        let value = try read(response, request)
        keep(response.body, of: response, as: request.name)
        return ServiceAnswer(value: value, isKept: false)
    }

    private func send<Value>(
        _ request: ServiceRequest<Value>, etag: String?
    ) async throws(ServiceFailure) -> HTTPTransport.Response {
        var headers = headers
        do {
            if let body = request.body {
                return try await transport.post(
                    request.url, json: body, headers: headers, seconds: policy.timeout, limit: policy.bodyLimit)
            }
            headers["If-None-Match"] = etag
            return try await transport.get(
                request.url, headers: headers, seconds: policy.timeout, limit: policy.bodyLimit)
        } catch HTTPTransport.Failure.timeout {
            throw failure(.timeout)
        } catch HTTPTransport.Failure.bodyTooLarge(let limit) {
            throw refused("more than \(limit / 1_000_000) MB")
        } catch is CancellationError {
            // The caller cancelled the request, which is not a failure of the service.
            throw ServiceFailure(reason: .timeout, retryAt: now)
        } catch {
            throw failure(.unreachable)
        }
    }

    private func read<Value>(
        _ response: HTTPTransport.Response, _ request: ServiceRequest<Value>
    ) throws(ServiceFailure) -> Value {
        if let problem = ProviderAnswer.problem(response.body, type: response["Content-Type"]) {
            throw refused(problem)
        }
        do throws(ServiceFailure.Reason) {
            let value = try request.read(Data(response.body))
            breaker.succeeded()
            return value
        } catch .unreadable(let why) {
            throw refused(why)
        } catch {
            // Another question may be answered.
            throw rejected(error)
        }
    }

    private func failure<Value>(
        _ response: HTTPTransport.Response, to request: ServiceRequest<Value>
    ) async -> ServiceFailure {
        let body = Array(response.body.prefix(20_000))
        let text = String(decoding: body, as: UTF8.self)
        switch response.status {
        case 301, 302, 303, 307, 308:
            let target = ProviderAnswer.target(of: response, from: request.url)
            return refused("a redirect to \(target)", .redirected(target))
        case 401, 403: return rejected(.badKey(response.status))
        case 400 where text.contains("API_KEY_INVALID"): return rejected(.badKey(response.status))
        case 402: return rejected(.noCredit)
        case 429 where text.contains("insufficient_quota"): return rejected(.noCredit)
        case 500... where request.isRejection(ServiceFailure(reason: .status(response.status, body), retryAt: nil)):
            return rejected(.status(response.status, body))
        case 408, 429, 500...:
            let now = now
            if let wait = RetryAfter.seconds(response["Retry-After"], now: now) {
                await rate.block(until: now.addingTimeInterval(min(wait, RateState.longestBlock)), at: now)
            }
            let blockedUntil = await rate.blockedUntil(at: now)
            return failure(
                response.status == 429 ? .busy : .status(response.status, body),
                retryAt: blockedUntil > now ? blockedUntil : nil)
        case 400...: return rejected(.status(response.status, body))
        default: return failure(.status(response.status, body))
        }
    }

    private func keep(_ body: [UInt8], of response: HTTPTransport.Response, as name: String, etag: String? = nil) {
        let age =
            policy.heedsCacheControl
            ? AnswerCache.freshness(cacheControl: response["Cache-Control"], fallback: policy.freshness)
            : policy.freshness
        guard let cache, let age else { return }
        let head = AnswerCache.Entry.Head(
            question: name, etag: response["ETag"] ?? etag, freshUntil: now.addingTimeInterval(age))
        cache.store(AnswerCache.Entry(head: head, body: body))
    }

    /// Records an answer that cannot be used.
    private func refused(_ what: String, _ reason: ServiceFailure.Reason? = nil) -> ServiceFailure {
        refusals.answers += 1
        refusals.latest = what
        return failure(reason ?? .unreadable(what))
    }

    /// Records that the service works but does not answer this client or this request.
    private func rejected(_ reason: ServiceFailure.Reason) -> ServiceFailure {
        breaker.succeeded()
        return ServiceFailure(reason: reason, retryAt: nil)
    }

    /// Records a failure of the service.
    private func failure(_ reason: ServiceFailure.Reason, retryAt: Date? = nil) -> ServiceFailure {
        breaker.failed(at: now)
        return ServiceFailure(reason: reason, retryAt: retryAt ?? now.addingTimeInterval(max(1, policy.backoff)))
    }
}
