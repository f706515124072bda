package import Foundation

/// A date that advances evenly when the machine's clock is set, so that a change of the clock neither deletes results
/// early nor keeps them indefinitely.
package struct SteadyClock: Sendable {
    private let start: Date
    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - start: the date at the beginning.
    ///   - clock: measures the time since then.
    package init(start: Date = Date(), clock: some Clock<Duration> = ContinuousClock()) {
        let origin = clock.now
        self.start = start
        elapsed = { origin.duration(to: clock.now) }
        wait = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// - Parameter uptime: returns the time since `start`. Sleeps have their full length, whatever it returns.
    package init(start: Date, uptime: @escaping @Sendable () -> Duration) {
        self.start = start
        elapsed = uptime
        wait = { try await Task.sleep(for: $0 - uptime()) }
    }

    package var now: Date { start.addingTimeInterval(uptime / .seconds(1)) }

    /// The time since the clock was created.
    package var uptime: Duration { elapsed() }

    /// Waits until the clock has run for `uptime`.
    ///
    /// - Throws: `CancellationError`.
    package func sleep(until uptime: Duration) async throws { try await wait(uptime) }

    /// - Throws: `CancellationError`.
    package func sleep(for time: Duration) async throws { try await wait(uptime + time) }
}
