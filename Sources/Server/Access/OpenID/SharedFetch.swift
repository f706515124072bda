import Concurrency
import Foundation

/// Keeps a value that was fetched, and shares one fetch among all callers that wait for it.
actor SharedFetch<Value: Sendable> {
    private let clock: SteadyClock
    private let fetch: @Sendable () async throws -> Value
    private var kept: (value: Value, at: Date)?
    private var running: Task<Value, any Error>?

    /// - Parameter fetch: fetches the value. It must end by itself, because no caller cancels it.
    init(clock: SteadyClock, _ fetch: @escaping @Sendable () async throws -> Value) {
        (self.clock, self.fetch) = (clock, fetch)
    }

    /// Returns the value, which is fetched if that was not done in the last `age` seconds.
    ///
    /// - Throws: the errors of the fetch. The next call fetches again.
    func value(within age: TimeInterval) async throws -> Value {
        if let kept, clock.now.timeIntervalSince(kept.at) < age { return kept.value }
        if let running { return try await running.value }
        let time = clock.now
        let task = Task { [fetch] in try await fetch() }
        running = task
        defer { running = nil }
        let value = try await task.value
        kept = (value, time)
        return value
    }
}
