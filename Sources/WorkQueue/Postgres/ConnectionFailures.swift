import ShelflistAPI

/// The failures since the connection last worked.
struct ConnectionFailures {
    private static let backoff = Backoff(first: 0.1, longest: 10)
    private var number = 0
    /// When to connect again.
    private(set) var retryAt = ContinuousClock.now
    /// The reason of the last failure; empty before the first.
    private(set) var reason = ""

    mutating func add(_ reason: String) {
        self.reason = reason.isEmpty ? "a statement took too long" : reason
        number += 1
        retryAt = .now.advanced(by: .seconds(Self.backoff.delay(after: number)))
    }

    mutating func end() { number = 0 }
}
