/// Runs async operations one at a time, in the order in which they were submitted.
package actor SerialQueue {
    private var last: Task<Void, Never>?

    package init() {}

    /// Runs `operation` after every operation submitted before it has ended.
    ///
    /// - Throws: the errors of `operation`. An operation that fails does not affect the next one.
    package func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let previous = last
        let task = Task {
            await previous?.value
            return try await operation()
        }
        last = Task { _ = await task.result }
        return try await task.value
    }
}
