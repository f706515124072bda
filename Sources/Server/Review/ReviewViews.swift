import Concurrency
import Foundation
import Synchronization

/// Remembers when members last opened the review queue, so that each view is recorded once.
final class ReviewViews: Sendable {
    private let clock: SteadyClock
    private let last = Mutex<[String: Date]>([:])

    /// Seconds during which further requests belong to the same view.
    static let view: TimeInterval = 15 * 60

    init(clock: SteadyClock) { self.clock = clock }

    /// Whether a request begins a new view.
    ///
    /// Requests with tokens are programs reading the list, and record nothing.
    func isNew(_ caller: Caller) -> Bool {
        if case .token = caller.kind { return false }
        let now = clock.now
        return last.withLock { last in
            last = last.filter { now.timeIntervalSince($0.value) < Self.view }
            guard last[caller.client] == nil else { return false }
            last[caller.client] = now
            return true
        }
    }
}
