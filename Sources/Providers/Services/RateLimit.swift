import Foundation

/// What is known of a service's rate limit; equal for all clients that share it.
struct RateState: Codable, Equatable, Sendable {
    /// When the next request is due at the average rate.
    var nextFree = Date.distantPast
    /// The time of the latest `Retry-After`.
    var blockedUntil = Date.distantPast

    /// The longest pause that a service may request, in seconds: a day.
    static let longestBlock: TimeInterval = 86_400

    /// The state without times so late that only a changed system clock explains them.
    func plausible(at now: Date) -> RateState {
        RateState(
            nextFree: nextFree > now.addingTimeInterval(600) ? .distantPast : nextFree,
            blockedUntil: blockedUntil > now.addingTimeInterval(Self.longestBlock) ? .distantPast : blockedUntil)
    }
}

/// Limits the request rate: a burst is allowed immediately, then one request per `interval`.
///
/// A leaky bucket stored as a single time (the generic cell rate algorithm).
struct RateLimit: Sendable {
    /// The average time between requests in seconds.
    let interval: TimeInterval
    let burst: Int
    /// The maximum wait in seconds, and the longest `Retry-After` that is waited for.
    let longestWait: TimeInterval

    enum Turn: Equatable, Sendable {
        /// The request may be sent after this many seconds.
        case after(TimeInterval)
        /// The wait would be too long; nothing is reserved.
        case notBefore(Date)
    }

    func reserve(at now: Date, in state: inout RateState) -> Turn {
        guard state.blockedUntil.timeIntervalSince(now) <= longestWait else { return .notBefore(state.blockedUntil) }
        let opens = max(now, state.blockedUntil)
        let start = max(state.nextFree, opens)
        let ahead = interval * Double(burst - 1)
        let wait = max(0, start.timeIntervalSince(opens) - ahead)
        guard wait <= longestWait else { return .notBefore(state.nextFree.addingTimeInterval(-longestWait - ahead)) }
        state.nextFree = start.addingTimeInterval(interval)
        return .after(opens.timeIntervalSince(now) + wait)
    }
}
