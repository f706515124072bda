import Concurrency
package import Foundation
import Synchronization

/// A `HeldClock` with dates.
package final class ManualClock: WallClock {
    private struct State {
        var now: Date
        var sleeps: [TimeInterval] = []
    }

    private let held = HeldClock()
    private let state: Mutex<State>
    private let skipsSleeps: Bool

    /// - Parameter skipsSleeps: each sleep advances the clock by its length and returns at once.
    package init(now: Date = Date(timeIntervalSince1970: 1_800_000_000), skipsSleeps: Bool = false) {
        state = Mutex(State(now: now))
        self.skipsSleeps = skipsSleeps
    }

    package var now: Date { state.withLock(\.now) }

    package func sleep(seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        state.withLock { $0.sleeps.append(seconds) }
        if skipsSleeps { return advance(by: seconds) }
        try await held.sleep(for: Self.duration(seconds))
    }

    /// Returns once at least `count` tasks sleep.
    package func waitForSleepers(_ count: Int) async { await held.until { $0.count >= count } }

    /// Advances the time and wakes the tasks that have slept long enough.
    package func advance(by seconds: TimeInterval) {
        state.withLock { $0.now.addTimeInterval(seconds) }
        held.advance(by: Self.duration(seconds))
    }

    /// The seconds of every sleep begun so far, in order.
    package var sleeps: [TimeInterval] { state.withLock(\.sleeps) }

    /// Whole microseconds, so that 0.1 and 0.2 seconds are as long as 0.3.
    private static func duration(_ seconds: TimeInterval) -> Duration {
        .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
}
