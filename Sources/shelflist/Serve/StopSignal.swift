import Foundation
import Synchronization
import Terminal

/// What SIGTERM and Ctrl-C do to a server: one that is still starting ends at once, and one that runs stops in order.
///
/// Create it before anything that takes time: in a container, where the program is the first process, the system ignores
/// signals that the program does not handle.
final class StopSignal {
    /// Whether the server can stop in order.
    private final class Phase: Sendable {
        let isRunning = Mutex(false)
    }

    private let phase: Phase
    private let stream: AsyncStream<Never>
    private let interruption: Interruption

    init() {
        let (phase, (stream, request)) = (Phase(), AsyncStream<Never>.makeStream())
        (self.phase, self.stream) = (phase, stream)
        interruption = Interruption { _ in
            // What a start has begun is complete or absent, as after a crash.
            if !phase.isRunning.withLock({ $0 }) { _exit(0) }
            request.finish()
        }
    }

    /// Returns a sequence that ends when the server is to stop; from now on, it is responsible for that.
    func requests() -> AsyncStream<Never> {
        phase.isRunning.withLock { $0 = true }
        return stream
    }
}
