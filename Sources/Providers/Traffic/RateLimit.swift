import Foundation

/// Spaces requests out: a burst may go at once, then one each `interval`.
///
/// A leaky bucket kept as one moment in time (the generic cell rate algorithm).
struct RateLimit {
    /// Seconds between requests in the long run.
    let interval: TimeInterval
    let burst: Int
    private var nextFree = Date.distantPast

    init(interval: TimeInterval, burst: Int = 1) { (self.interval, self.burst) = (interval, burst) }

    /// Reserves the next free moment.
    ///
    /// - Parameter longest: seconds that the caller would wait at most.
    /// - Returns: how many seconds to wait; nil, with nothing reserved, if that is too long.
    mutating func reserve(at now: Date, longest: TimeInterval) -> TimeInterval? {
        let start = max(nextFree, now)
        let wait = max(0, start.timeIntervalSince(now) - interval * Double(burst - 1))
        guard wait <= longest else { return nil }
        nextFree = start.addingTimeInterval(interval)
        return wait
    }

    /// When a request would not have to wait longer than `longest` seconds.
    func free(longest: TimeInterval) -> Date { nextFree.addingTimeInterval(-longest - interval * Double(burst - 1)) }
}
