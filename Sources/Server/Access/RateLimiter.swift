import Foundation
import Scanning
import Synchronization

/// Limits requests with one token bucket for each client and class of request.
final class RateLimiter: Sendable {
    /// The cost of a request; each class has its own limit.
    enum Class: String, Sendable {
        /// Uses much processor time: uploads, searches, imports.
        case work
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
    private let clock: JobClock
    private let buckets = Mutex<[String: Bucket]>([:])
    private static let maxBuckets = 10_000

    init(workPerMinute: Int, clock: JobClock) {
        self.clock = clock
        perMinute = [.work: workPerMinute, .preview: 300, .light: 20 * workPerMinute, .login: 10]
    }

    /// Takes one token from the client's bucket.
    ///
    /// - Returns: `nil` if the request is allowed, otherwise the time until the next one is.
    func take(_ kind: Class, client: String) -> Duration? {
        let now = clock.now
        let limit = Double(perMinute[kind] ?? 60)
        return buckets.withLock { buckets in
            if buckets.count >= Self.maxBuckets {
                // After a minute a bucket is full again, and equals a new one.
                buckets = buckets.filter { now.timeIntervalSince($0.value.filled) < 60 }
            }
            let key = "\(kind.rawValue) \(client)"
            var bucket = buckets[key] ?? Bucket(tokens: limit, filled: now)
            bucket.tokens = min(limit, bucket.tokens + limit / 60 * now.timeIntervalSince(bucket.filled))
            bucket.filled = now
            defer { buckets[key] = bucket }
            guard bucket.tokens >= 1 else { return .seconds((1 - bucket.tokens) * 60 / limit) }
            bucket.tokens -= 1
            return nil
        }
    }
}
