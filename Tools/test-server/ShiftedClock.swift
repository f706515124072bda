import Concurrency
import Foundation
import Synchronization

/// A clock that runs with the machine's, and ahead of it by as much as a test says.
final class ShiftedClock: Sendable {
    private struct Sleeper {
        let end: TimeInterval
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var offset: TimeInterval = 0
        /// The uptime at which it was stopped.
        var stopped: TimeInterval?
        var sleepers: [UUID: Sleeper] = [:]
    }

    private let start = ContinuousClock.now
    private let startDate = Date()
    private let state = Mutex(State())

    /// Seconds since the start, with those that the test added.
    fileprivate var uptime: TimeInterval {
        let running = start.duration(to: .now) / .seconds(1)
        return state.withLock { ($0.stopped ?? running) + $0.offset }
    }

    var date: Date { startDate.addingTimeInterval(uptime) }

    /// Returns a clock for the server, which shows a time of its own.
    ///
    /// It is a little behind `date`.
    func steady() -> SteadyClock { SteadyClock(start: date, clock: UptimeClock(shifted: self)) }

    var providers: any WallClock { LimitClock(shifted: self) }

    /// Stops it, so that only `advance` moves it.
    func stop() {
        let running = start.duration(to: .now) / .seconds(1)
        state.withLock { $0.stopped = $0.stopped ?? running }
    }

    func advance(seconds: TimeInterval) {
        state.withLock { $0.offset += seconds }
        let now = uptime
        let woken = state.withLock { state in
            let woken = state.sleepers.filter { $0.value.end <= now }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Sleeps until an uptime, which only `advance` reaches.
    ///
    /// - Throws: `CancellationError`.
    fileprivate func sleepUntilAdvanced(to end: TimeInterval) async throws {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[id] = Sleeper(end: end, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id)?.continuation }?.resume()
        }
        try Task.checkCancellation()
    }

    /// Sleeps until an uptime.
    ///
    /// - Throws: `CancellationError`.
    fileprivate func sleep(until end: TimeInterval) async throws {
        while uptime < end {
            try await withThrowingTaskGroup { group in
                group.addTask { try await Task.sleep(for: .seconds(max(0.01, end - self.uptime))) }
                group.addTask { try await self.sleepUntilAdvanced(to: end) }
                try await group.next()
                group.cancelAll()
            }
        }
    }
}

/// The uptime as a clock of the standard library.
private struct UptimeClock: Clock {
    struct Instant: InstantProtocol {
        var uptime: Duration

        func advanced(by duration: Duration) -> Instant { Instant(uptime: uptime + duration) }
        func duration(to other: Instant) -> Duration { other.uptime - uptime }
        static func < (a: Instant, b: Instant) -> Bool { a.uptime < b.uptime }
    }

    let shifted: ShiftedClock

    var now: Instant { Instant(uptime: .seconds(shifted.uptime)) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await shifted.sleep(until: deadline.uptime / .seconds(1))
    }
}

/// The clock of the providers.
///
/// Long sleeps are limits, of an answer for example: they end only when the test advances the
/// clock, so that a busy machine cannot exceed one.
private struct LimitClock: WallClock {
    /// From this many seconds on, a sleep is a limit.
    private static let longest: TimeInterval = 5

    let shifted: ShiftedClock

    var now: Date { shifted.date }

    func sleep(seconds: TimeInterval) async throws {
        let end = shifted.uptime + seconds
        if seconds < Self.longest {
            try await shifted.sleep(until: end)
        } else {
            try await shifted.sleepUntilAdvanced(to: end)
        }
    }
}
