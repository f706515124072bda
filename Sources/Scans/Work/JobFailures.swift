/// Reports failures that no caller waits for.
struct JobFailures: Sendable {
    let report: @Sendable (any Error) -> Void

    /// Runs a step in the background that fails only where database or disk fail, and reports the failure.
    ///
    /// The job is unchanged then, and the next sweep runs the step again.
    ///
    /// - Returns: nil where the step failed.
    @discardableResult
    nonisolated(nonsending) func retriedBySweep<T>(_ step: () async throws -> T?) async -> T? {
        do {
            return try await step()
        } catch {
            if !(error is CancellationError) { report(error) }
            return nil
        }
    }
}
