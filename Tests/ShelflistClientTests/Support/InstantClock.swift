import ShelflistClient
import Synchronization
import TestSupport

/// A clock on which waits end at once, and time limits only if a test lets them expire.
final class InstantClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct Sleeper {
        var time: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var sleeps: [Duration] = []
        var last = 0
        var sleepers: [Int: Sleeper] = [:]
        var expired: Set<Duration> = []
        var holdsWaits = false

        func ends(_ time: Duration, _ limits: Set<Duration>) -> Bool {
            limits.contains(time) ? expired.contains(time) : !holdsWaits
        }

        /// Removes and returns the sleeps that end.
        mutating func takeOver(_ limits: Set<Duration>) -> [Sleeper] {
            let over = sleepers.filter { ends($0.value.time, limits) }
            for id in over.keys { sleepers[id] = nil }
            return Array(over.values)
        }
    }

    private let state = Mutex(State())
    private let limits: Set<Duration>

    /// - Parameter limits: those of the client. No wait may be as long as one of them.
    init(limits: ClientLimits = .held) {
        self.limits = [limits.idle, limits.silence, limits.handshake, limits.cancellation]
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .nanoseconds(1) }
    /// The waits so far, in order.
    var sleeps: [Duration] { state.withLock(\.sleeps) }

    /// The time limits that expire at once, those that have begun and later ones.
    var expired: Set<Duration> {
        get { state.withLock(\.expired) }
        set { change { $0.expired = newValue } }
    }

    /// Whether waits last until this is false again.
    var holdsWaits: Bool {
        get { state.withLock(\.holdsWaits) }
        set { change { $0.holdsWaits = newValue } }
    }

    private func change(_ change: (inout State) -> Void) {
        let over = state.withLock { state in
            change(&state)
            return state.takeOver(limits)
        }
        for sleeper in over { sleeper.continuation.resume() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        // Other tasks run although nothing is waited for.
        await Task.yield()
        let id = state.withLock { state in
            if !limits.contains(deadline.offset) { state.sleeps.append(deadline.offset) }
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(id, Sleeper(time: deadline.offset, continuation: continuation))
                // The handler found no sleeper if it ran before this one began.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func begin(_ id: Int, _ sleeper: Sleeper) {
        change { $0.sleepers[id] = sleeper }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}

extension ClientLimits {
    /// Time limits that no wait is as long as, so that a clock can distinguish them.
    static var held: ClientLimits {
        var limits = ClientLimits()
        // The only one that does not run on the clock.
        limits.connect = longestWait
        // The patience of a client counts them, so that they are not much longer than those of an app.
        let difference = Duration.seconds(1)
        limits.idle += difference
        limits.silence += difference
        limits.handshake += difference
        limits.cancellation += difference
        return limits
    }
}
