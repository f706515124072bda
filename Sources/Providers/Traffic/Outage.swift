import Foundation
import ShelflistAPI

/// Why a request to a provider failed, and when it is worth trying again.
struct Outage: Error {
    enum Reason: Equatable {
        /// No connection, or it was cut.
        case unreachable
        case timeout
        /// Too many requests (429), or more are waiting here than the provider takes.
        case busy
        /// A status of 500 and above, or one that makes no sense.
        case status(Int)
        /// The key is missing, wrong or used up (401, 402, 403).
        case refused(Int)
        /// Something other than the JSON that its documentation promises.
        case unreadable(String)
        /// It failed several times lately, and is not asked for a while.
        case resting
    }

    var reason: Reason
    /// Nil where only a change of the configuration helps.
    var retryAt: Date?

    /// This outage as callers see it.
    func unavailable(_ provider: ProviderName, now: Date) -> UnavailableSource {
        let problem =
            switch reason {
            case .unreachable: "cannot be reached."
            case .timeout: "did not answer in time."
            case .busy: "accepts no more requests at the moment."
            case .status(let status): "is out of order (status \(status))."
            case .refused(let status): "rejects the key (status \(status)). Check it in the configuration."
            case .unreadable(let why): "sent an answer that cannot be read (\(why))."
            case .resting: "failed several times and is not asked for a while."
            }
        let wait = retryAt.map { max(0, $0.timeIntervalSince(now)) }
        let advice = wait.map { " Try again in \(max(1, Int($0.rounded(.up)))) s." } ?? ""
        return UnavailableSource(
            source: provider.rawValue, message: "\(provider.title) \(problem)\(advice)",
            retryAfterMs: wait.map { Int($0 * 1000) })
    }
}
