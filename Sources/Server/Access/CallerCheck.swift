import Concurrency

/// Checks again whether a caller may go on, for connections that outlive a request.
struct CallerCheck: Sendable {
    private let gatekeeper: Gatekeeper
    private let caller: Caller

    init(_ gatekeeper: Gatekeeper, _ caller: Caller) { (self.gatekeeper, self.caller) = (gatekeeper, caller) }

    var isValid: Bool { gatekeeper.isStillValid(caller) }

    /// Returns within `Gatekeeper.checkInterval` after the caller's session, token or key has ended, or the role was
    /// lowered.
    ///
    /// - Throws: `CancellationError`.
    func waitUntilInvalid() async throws {
        while isValid { try await gatekeeper.clock.sleep(for: gatekeeper.checkInterval) }
    }
}
