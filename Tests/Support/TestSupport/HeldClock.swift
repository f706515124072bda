import Synchronization
import Testing

/// A clock that stands still until a test advances it.
///
/// Cancelled sleeps end at once.
package final class HeldClock: Clock {
    package struct Instant: InstantProtocol {
        fileprivate var offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct Sleeper {
        var end: Duration
        var time: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Waiter {
        var id: Int
        /// Of the lengths of all sleeps.
        var isMet: @Sendable ([Duration]) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Duration.zero
        private var last = 0
        var sleepers: [Int: Sleeper] = [:]
        var waiters: [Waiter] = []

        mutating func nextID() -> Int {
            last += 1
            return last
        }

        /// Removes and returns the waiters whose condition is met.
        mutating func takeMetWaiters() -> [Waiter] {
            let times = sleepers.values.map(\.time)
            defer { waiters.removeAll { $0.isMet(times) } }
            return waiters.filter { $0.isMet(times) }
        }

        /// Removes and returns the sleepers that are over, in their order.
        mutating func take(_ isOver: (Sleeper) -> Bool) -> [Sleeper] {
            let over = sleepers.filter { isOver($0.value) }
            for id in over.keys { sleepers[id] = nil }
            return over.values.sorted { $0.end < $1.end }
        }
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Instant { Instant(offset: state.withLock(\.now)) }
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// Advances the time and wakes the tasks that have slept long enough.
    package func advance(by time: Duration) {
        let woken = state.withLock { state in
            let now = state.now + time
            state.now = now
            return state.take { $0.end <= now }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Ends the sleeps of these lengths without advancing the time.
    package func endSleeps(where isOver: (Duration) -> Bool) {
        for sleeper in state.withLock({ $0.take { isOver($0.time) } }) { sleeper.continuation.resume() }
    }

    /// Returns once a task sleeps that was to sleep for exactly this time, or the caller is cancelled.
    package func untilSleeping(for time: Duration) async { await until { $0.contains(time) } }

    /// Returns once the lengths of all sleeps meet a condition, or the caller is cancelled.
    package func until(_ isMet: @escaping @Sendable ([Duration]) -> Bool) async {
        let id = state.withLock { $0.nextID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let met = state.withLock { state in
                    state.waiters.append(Waiter(id: id, isMet: isMet, continuation: continuation))
                    return state.takeMetWaiters()
                }
                for waiter in met { waiter.continuation.resume() }
                // The handler found no waiter if it ran before this one was added.
                if Task.isCancelled { stopWaiting(id) }
            }
        } onCancel: {
            stopWaiting(id)
        }
    }

    /// Waits until a task sleeps for exactly this time, then lets the time pass.
    ///
    /// For a task that is certain to sleep; `passing` also serves where it may end before.
    package func pass(_ time: Duration) async {
        await untilSleeping(for: time)
        if Task.isCancelled {
            let times = state.withLock { $0.sleepers.values.map(\.time) }
            Issue.record("No task sleeps for \(time); others sleep for \(times).")
        }
        advance(by: time)
    }

    /// Lets the time pass whenever a task sleeps for exactly this time, until `body` ends.
    package func passing<T>(_ time: Duration, during body: () async throws -> T) async rethrows -> T {
        // Unstructured, because a structured task would run on the thread that a test may block.
        let passing = Task {
            while true {
                await untilSleeping(for: time)
                if Task.isCancelled { return }
                advance(by: time)
            }
        }
        defer { passing.cancel() }
        return try await body()
    }

    private func stopWaiting(_ id: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume()
    }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await sleep(until: deadline.offset) {}
    }

    /// - Parameter begun: called once the sleep can be ended.
    package func sleep(for time: Duration, begun: () -> Void) async throws {
        try await sleep(until: state.withLock(\.now) + time, begun: begun)
    }

    private func sleep(until end: Duration, begun: () -> Void) async throws {
        let id = state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(id, until: end, continuation)
                begun()
                // The handler found no sleeper if it ran before this one began.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func begin(_ id: Int, until end: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        let (isOver, met) = state.withLock { state -> (Bool, [Waiter]) in
            guard end > state.now else { return (true, []) }
            state.sleepers[id] = Sleeper(end: end, time: end - state.now, continuation: continuation)
            return (false, state.takeMetWaiters())
        }
        if isOver { continuation.resume() }
        for waiter in met { waiter.continuation.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}

/// Waits until the task is cancelled, for a part that never answers.
package func untilCancelled() async throws { try await HeldClock().sleep(for: .seconds(1)) }
