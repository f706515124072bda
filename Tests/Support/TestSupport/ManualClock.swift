import Concurrency
package import Foundation
import Synchronization

/// A clock that stands still until a test advances it.
package final class ManualClock: WallClock {
    private struct Sleeper {
        var end: Date
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Waiter {
        var count: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Date
        var sleeps: [TimeInterval] = []
        var sleepers: [UUID: Sleeper] = [:]
        var waiters: [Waiter] = []

        /// Removes and returns the waiters whose number of sleepers is reached.
        mutating func takeSatisfiedWaiters() -> [Waiter] {
            let count = sleepers.count
            defer { waiters.removeAll { $0.count <= count } }
            return waiters.filter { $0.count <= count }
        }
    }

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
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let satisfied = state.withLock { state in
                    state.sleepers[id] = Sleeper(
                        end: state.now.addingTimeInterval(seconds), continuation: continuation)
                    return state.takeSatisfiedWaiters()
                }
                for waiter in satisfied { waiter.continuation.resume() }
                // The handler found no sleeper if it ran before this one was added.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: UUID) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Returns once at least `count` tasks sleep.
    package func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let satisfied = state.withLock { state in
                state.waiters.append(Waiter(count: count, continuation: continuation))
                return state.takeSatisfiedWaiters()
            }
            for waiter in satisfied { waiter.continuation.resume() }
        }
    }

    /// Advances the time and wakes the tasks that have slept long enough.
    package func advance(by seconds: TimeInterval) {
        let woken = state.withLock { state in
            state.now.addTimeInterval(seconds)
            let now = state.now
            let woken = state.sleepers.filter { $0.value.end <= now }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// The seconds of every sleep begun so far, in order.
    package var sleeps: [TimeInterval] { state.withLock(\.sleeps) }
}
