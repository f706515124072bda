import Foundation
import ShelflistAPI

/// Why a request to a provider failed, and when to retry.
struct Outage: Error {
    enum Reason: Equatable {
        /// The connection failed or was interrupted.
        case unreachable
        case timeout
        /// The provider returned 429, or too many requests are waiting for the rate limit.
        case busy
        /// A status of 500 or above, or an unexpected one.
        case status(Int)
        /// The key is missing or invalid, or its quota is exhausted (401, 402, 403).
        case refused(Int)
        /// The response redirects to this address, which is not followed.
        case redirected(String)
        /// The response is not the documented JSON.
        case unreadable(String)
        /// The circuit is open after several failures.
        case resting
    }

    var reason: Reason
    /// Nil if retrying does not help until the configuration is changed.
    var retryAt: Date?

    /// Whether a smaller request may succeed: the provider refuses to process this one, or does not finish it.
    var isWorthDividing: Bool {
        switch reason {
        case .status(let status): (400...501).contains(status)
        case .timeout: true
        default: false
        }
    }

    /// Returns the outage in the form reported to callers.
    func unavailable(_ provider: ProviderName, now: Date) -> UnavailableSource {
        let problem =
            switch reason {
            case .unreachable: "cannot be reached."
            case .timeout: "did not answer in time."
            case .busy: "accepts no more requests at the moment."
            case .status(let status): "is out of order (status \(status))."
            case .refused(let status) where provider == .openLibrary:
                "refuses this program (status \(status)). Set your e-mail address or URL as SHELFLIST_CONTACT."
            case .refused(let status): "rejects the key (status \(status)). Check it in the configuration."
            case .redirected(let target):
                "redirects to \(target), which is not followed. Check the provider's address in the configuration."
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
