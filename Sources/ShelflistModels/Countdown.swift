import Observation

/// The time until a moment, in whole seconds.
@MainActor @Observable final class Countdown {
    /// Nil while nothing is counted down.
    private(set) var remaining: Duration?
    @ObservationIgnored private let ticking = LatestTask()

    func start(_ time: Duration, on clock: some Clock<Duration>) {
        let end = clock.now.advanced(by: time)
        remaining = time.inWholeSeconds
        ticking.start { [weak self] in
            while !Task.isCancelled {
                // From the end, so that late wake-ups do not add up.
                let left = clock.now.duration(to: end).inWholeSeconds
                self?.remaining = left
                guard left > .zero else { return }
                let next = end.advanced(by: .seconds(1) - left)
                do { try await clock.sleep(until: next, tolerance: nil) } catch { return }
            }
        }
    }

    func stop() {
        ticking.cancel()
        remaining = nil
    }
}

extension Duration {
    /// Rounded up, and not negative.
    fileprivate var inWholeSeconds: Duration {
        let (seconds, rest) = components
        return .seconds(max(0, rest > 0 ? seconds + 1 : seconds))
    }
}
