package import Testing

/// The longest that a test waits for an event that it cannot await: far beyond what a busy machine needs.
package let longestWait = Duration.seconds(600)

/// How often tests look for an event that they cannot await; no result depends on it.
package let pollingPeriod = Duration.milliseconds(5)

/// Waits until `condition` holds, for what can only be polled: another process, a file, an answer of a server.
///
/// - Throws: `NeverHappened` after `longestWait`.
package func eventually(
    _ condition: () async throws -> Bool, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
) async throws {
    let start = ContinuousClock.now
    while try await !condition() {
        guard ContinuousClock.now - start < longestWait else {
            let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
            Issue.record("The condition did not hold within \(longestWait).", sourceLocation: place)
            throw NeverHappened()
        }
        try await Task.sleep(for: pollingPeriod)
    }
}

/// A condition did not hold in time.
package struct NeverHappened: Error {}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs: far beyond what a busy machine needs.
    package static var endsHangs: Self { .timeLimit(.minutes(30)) }
}
