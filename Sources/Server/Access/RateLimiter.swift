package import Concurrency
import Foundation
import Synchronization

/// Limits requests with one token bucket for each client and class of request.
package final class RateLimiter: Sendable {
    /// The cost of a request; each class has its own limit.
    package enum Class: String, Sendable {
        /// Uses much processor time: uploads, searches, imports.
        case work
        /// Pictures for which a photo may have to be decoded; a page of results shows one for each book.
        case picture
        /// Viewfinder frames.
        case preview
        /// Everything else.
        case light
        /// A sign-in attempt.
        case login
    }

    private struct Bucket {
        var tokens: Double
        var filled: Date
    }

    private let perMinute: [Class: Int]
    private let clock: SteadyClock
    private let state = Mutex(State())

    private struct State {
        var buckets: [String: Bucket] = [:]
        /// When full buckets were last removed.
        var swept = Date.distantPast
    }

    package static let maxBuckets = 10_000
    /// Seconds between two removals, which look at every bucket.
    private static let sweepInterval: TimeInterval = 10

    package init(workPerMinute: Int, clock: SteadyClock) {
        self.clock = clock
        perMinute = [
            .work: workPerMinute, .picture: 10 * workPerMinute, .preview: 300, .light: 20 * workPerMinute, .login: 10,
        ]
    }

    /// The number of clients that are remembered.
    package var clients: Int { state.withLock { $0.buckets.count } }

    /// Takes one token from the client's bucket.
    ///
    /// - Returns: `nil` if the request is allowed, otherwise the time until the next one is.
    package func take(_ kind: Class, client: String) -> Duration? {
        let now = clock.now
        let isAnonymous = client.hasPrefix("ip:")
        let limit = Double(perMinute[kind] ?? 60)
        return state.withLock { state in
            if state.buckets.count >= Self.maxBuckets, now.timeIntervalSince(state.swept) >= Self.sweepInterval {
                // After a minute a bucket is full again, and equals a new one.
                state.buckets = state.buckets.filter { now.timeIntervalSince($0.value.filled) < 60 }
                state.swept = now
            }
            var key = "\(kind.rawValue) \(client)"
            // Members are few. Further addresses share one bucket until others are idle.
            if isAnonymous, state.buckets.count >= Self.maxBuckets, state.buckets[key] == nil {
                key = "\(kind.rawValue) others"
            }
            var bucket = state.buckets[key] ?? Bucket(tokens: limit, filled: now)
            bucket.tokens = min(limit, bucket.tokens + limit / 60 * now.timeIntervalSince(bucket.filled))
            bucket.filled = now
            defer { state.buckets[key] = bucket }
            guard bucket.tokens >= 1 else { return .seconds((1 - bucket.tokens) * 60 / limit) }
            bucket.tokens -= 1
            return nil
        }
    }
}
