import GRDB
import Synchronization

/// The connection of health checks, which the first one opens.
final class CheckConnection: Sendable {
    private let path: String
    private let opened = Mutex<DatabaseQueue?>(nil)

    init(path: String) { self.path = path }

    /// - Throws: `DatabaseError` if the file cannot be opened.
    func queue() throws -> DatabaseQueue {
        try opened.withLock { opened in
            if let opened { return opened }
            var configuration = Configuration()
            configuration.label = "library check"
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            opened = queue
            return queue
        }
    }
}
