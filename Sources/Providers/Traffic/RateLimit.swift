import Foundation

/// Limits the request rate: a burst is allowed immediately, then one request per `interval`.
///
/// A leaky bucket stored as a single time (the generic cell rate algorithm).
struct RateLimit {
    /// The average time between requests in seconds.
    let interval: TimeInterval
    let burst: Int
    private var nextFree = Date.distantPast

    init(interval: TimeInterval, burst: Int = 1) { (self.interval, self.burst) = (interval, burst) }

    /// Reserves the next free time.
    ///
    /// - Parameter longest: the maximum wait in seconds.
    /// - Returns: the seconds to wait; nil, without a reservation, if the wait would exceed `longest`.
    mutating func reserve(at now: Date, longest: TimeInterval) -> TimeInterval? {
        let start = max(nextFree, now)
        let wait = max(0, start.timeIntervalSince(now) - interval * Double(burst - 1))
        guard wait <= longest else { return nil }
        nextFree = start.addingTimeInterval(interval)
        return wait
    }

    /// Returns the time from which a request waits at most `longest` seconds.
    func free(longest: TimeInterval) -> Date { nextFree.addingTimeInterval(-longest - interval * Double(burst - 1)) }
}
