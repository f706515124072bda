import Synchronization

/// Collects the reported failures.
final class Failures: Sendable {
    private let state = Mutex<[String]>([])
    var all: [String] { state.withLock { $0 } }
    func add(_ reason: String) { state.withLock { $0.append(reason) } }
}
