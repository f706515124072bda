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

    private struct State {
        var sleeps: [Duration] = []
        var expired: Set<Duration> = []
        var holdsWaits = false
    }

    private let state = Mutex(State())
    private let held = HeldClock()
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
        set {
            state.withLock { $0.expired = newValue }
            endSleeps()
        }
    }

    /// Whether waits last until this is false again.
    var holdsWaits: Bool {
        get { state.withLock(\.holdsWaits) }
        set {
            state.withLock { $0.holdsWaits = newValue }
            endSleeps()
        }
    }

    private func endSleeps() {
        let (expired, holdsWaits) = state.withLock { ($0.expired, $0.holdsWaits) }
        held.endSleeps { limits.contains($0) ? expired.contains($0) : !holdsWaits }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        // Other tasks run although nothing is waited for.
        await Task.yield()
        let time = deadline.offset
        if !limits.contains(time) { state.withLock { $0.sleeps.append(time) } }
        try await held.sleep(for: time, begun: endSleeps)
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
