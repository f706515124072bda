import Synchronization

/// A clock that stands still until a test advances it.
///
/// ```swift
/// model.text = "Emma"
/// await clock.untilSleeping(for: .milliseconds(300))
/// clock.advance(by: .milliseconds(300))
/// ```
public final class ManualClock: Clock {
    /// A point in time, since the creation of the clock.
    public struct Instant: InstantProtocol {
        let offset: Duration

        /// Returns a later instant.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the time until another instant.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Returns whether an instant is earlier.
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct Sleeper {
        var end: Duration
        var time: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        var last = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var waiting: [(time: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates a clock.
    public init() {}

    /// The current instant.
    public var now: Instant { Instant(offset: state.withLock(\.now)) }
    /// Any time can be measured.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Moves the time on, and ends the sleeps that are over.
    public func advance(by time: Duration) {
        let over = state.withLock { state in
            state.now += time
            let over = state.sleepers.filter { $0.value.end <= state.now }
            for id in over.keys { state.sleepers[id] = nil }
            return over.values.sorted { $0.end < $1.end }
        }
        for sleeper in over { sleeper.continuation.resume() }
    }

    /// Waits until a task sleeps for exactly this time.
    public func untilSleeping(for time: Duration) async {
        await withCheckedContinuation { continuation in
            let isSleeping = state.withLock { state in
                if state.sleepers.values.contains(where: { $0.time == time }) { return true }
                state.waiting.append((time, continuation))
                return false
            }
            if isSleeping { continuation.resume() }
        }
    }

    /// Sleeps until the clock was advanced to an instant.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(id, until: deadline.offset, continuation)
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                // The sleep may not have begun.
                if state.sleepers[id] == nil { state.cancelled.insert(id) }
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func begin(_ id: Int, until end: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        enum Step { case cancelled, over, sleeps([CheckedContinuation<Void, Never>]) }
        let step = state.withLock { state -> Step in
            if state.cancelled.remove(id) != nil { return .cancelled }
            guard end > state.now else { return .over }
            let time = end - state.now
            state.sleepers[id] = Sleeper(end: end, time: time, continuation: continuation)
            let waiting = state.waiting.filter { $0.time == time }
            state.waiting.removeAll { $0.time == time }
            return .sleeps(waiting.map(\.continuation))
        }
        switch step {
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .over: continuation.resume()
        case .sleeps(let waiting): for other in waiting { other.resume() }
        }
    }
}
