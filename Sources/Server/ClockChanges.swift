package import Concurrency
package import Foundation
import Synchronization

/// Detects that the machine's clock was set, by comparison with one that runs evenly.
package final class ClockChanges: Sendable {
    private struct State {
        /// Seconds by which the machine's clock is ahead.
        var difference: TimeInterval
        var changedAt: Duration?
    }

    /// The difference in seconds between two checks that is not a change: clocks that are corrected slowly.
    package static let tolerance: TimeInterval = 60

    private let clock: SteadyClock
    private let date: @Sendable () -> Date
    private let state: Mutex<State>

    /// - Parameter date: returns the time by the machine's clock.
    package init(clock: SteadyClock, date: @escaping @Sendable () -> Date) {
        (self.clock, self.date) = (clock, date)
        state = Mutex(State(difference: date().timeIntervalSince(clock.now)))
    }

    /// Returns the time since a call of this method first found the clock changed; nil if it was not changed.
    package func sinceLast() -> Duration? {
        let difference = date().timeIntervalSince(clock.now)
        let uptime = clock.uptime
        return state.withLock { state in
            if abs(difference - state.difference) > Self.tolerance { state.changedAt = uptime }
            state.difference = difference
            return state.changedAt.map { uptime - $0 }
        }
    }
}
