import Foundation

/// Keeps a failing provider from being asked again and again.
///
/// Closed: requests pass. After `threshold` failures in a row it opens: none pass for `rest`. Then it is half-open: a
/// single request probes; its success closes the circuit, its failure opens it for twice as long, up to `longestRest`.
struct CircuitBreaker {
    private enum State {
        case closed(failures: Int)
        case open(until: Date, rest: TimeInterval)
        case halfOpen(since: Date, rest: TimeInterval)
    }

    private let threshold: Int
    private let rest: TimeInterval
    private let longestRest: TimeInterval
    private var state = State.closed(failures: 0)

    /// - Parameters: rests in seconds.
    init(threshold: Int = 5, rest: TimeInterval = 30, longestRest: TimeInterval = 600) {
        (self.threshold, self.rest, self.longestRest) = (threshold, rest, longestRest)
    }

    /// Asks to let a request pass.
    ///
    /// - Returns: nil if it may; otherwise when to ask again.
    mutating func admit(at now: Date) -> Date? {
        switch state {
        case .closed:
            return nil
        case .open(let until, let rest):
            guard now >= until else { return until }
            state = .halfOpen(since: now, rest: rest)
            return nil
        case .halfOpen(let since, let rest):
            // A probe that was cancelled reports nothing; another may go once it would be over by any measure.
            guard now.timeIntervalSince(since) > rest else { return since.addingTimeInterval(rest) }
            state = .halfOpen(since: now, rest: rest)
            return nil
        }
    }

    /// Until when requests are held back; nil where they pass.
    ///
    /// Changes nothing.
    func openUntil(_ now: Date) -> Date? {
        if case .open(let until, _) = state, until > now { until } else { nil }
    }

    mutating func succeeded() { state = .closed(failures: 0) }

    mutating func failed(at now: Date) {
        switch state {
        case .closed(let failures):
            state =
                failures + 1 < threshold
                ? .closed(failures: failures + 1)
                : .open(until: now.addingTimeInterval(rest), rest: rest)
        case .halfOpen(_, let rest):
            let longer = min(2 * rest, longestRest)
            state = .open(until: now.addingTimeInterval(longer), rest: longer)
        case .open:
            break  // a request that was under way when the circuit opened
        }
    }
}
