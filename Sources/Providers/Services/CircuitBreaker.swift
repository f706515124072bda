import Foundation

/// Stops requests to a failing service.
///
/// Closed: all requests pass. After `threshold` consecutive failures it opens: no request passes for `rest` seconds.
/// Then it is half-open: a single request probes the service; success closes the circuit, failure opens it for twice
/// as long, up to ten minutes.
struct CircuitBreaker {
    private enum State {
        case closed(failures: Int)
        case open(until: Date, rest: TimeInterval)
        case halfOpen(since: Date, rest: TimeInterval)
    }

    private let threshold: Int
    private let rest: TimeInterval
    private static let longestRest: TimeInterval = 600
    private var state = State.closed(failures: 0)

    /// - Parameter rest: in seconds.
    init(threshold: Int, rest: TimeInterval) { (self.threshold, self.rest) = (threshold, rest) }

    /// Requests permission to send a request.
    ///
    /// - Returns: nil if the request may be sent; otherwise when to try again.
    mutating func admit(at now: Date) -> Date? {
        switch state {
        case .closed:
            return nil
        case .open(let until, let rest):
            guard now >= until else { return until }
            state = .halfOpen(since: now, rest: rest)
            return nil
        case .halfOpen(let since, let rest):
            // A cancelled probe does not report its outcome, so another one is allowed after `rest` seconds.
            guard now.timeIntervalSince(since) > rest else { return since.addingTimeInterval(rest) }
            state = .halfOpen(since: now, rest: rest)
            return nil
        }
    }

    /// Returns until when the circuit rejects requests; nil if it is not open.
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
            let longer = min(2 * rest, Self.longestRest)
            state = .open(until: now.addingTimeInterval(longer), rest: longer)
        case .open:
            break  // the request was sent before the circuit opened
        }
    }
}
