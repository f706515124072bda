package import Foundation

/// The current date and a way to wait, injected so that tests decide how time passes.
package protocol WallClock: Sendable {
    var now: Date { get }
    /// Waits for at least `seconds`.
    ///
    /// - Throws: `CancellationError`.
    func sleep(seconds: TimeInterval) async throws
}

/// The machine's clock.
package struct SystemClock: WallClock {
    package init() {}

    package var now: Date { Date() }

    package func sleep(seconds: TimeInterval) async throws { try await Task.sleep(for: .seconds(seconds)) }
}
