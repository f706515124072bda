package import Foundation
import ShelflistAPI
import Storage

/// The lock of the one server that may run on a data folder; held until the value is released or the process ends.
///
/// A second server would write its own memory over the accounts, and delete photos that are arriving at the first. The
/// commands do not take it: they work beside a server.
package struct ServerLock: Sendable {
    private let lock: FileLock

    /// Milliseconds for which the lock is tried, because a command that asks whether it is held holds it for a moment.
    private static let attempts = 200

    /// - Parameter folder: the data folder.
    /// - Throws: `ServerRunningError` if another server has the lock; `StorageError`.
    package init(_ folder: URL) throws {
        let file = folder.appending(path: "serve.lock")
        guard let lock = try FileLock(ifFree: file, attempts: Self.attempts) else {
            throw ServerRunningError(folder: folder.path, address: ServerAddress.local(in: folder))
        }
        self.lock = lock
    }
}

/// Another server runs on the data folder.
package struct ServerRunningError: ReportedError, Hashable {
    package let folder: String
    /// Where it serves this machine; nil if it is not known.
    package let address: String?

    package var problemCode: String { "server_running" }

    package var description: String {
        "Another server runs on the data folder \(folder)\(address.map { ": \($0)" } ?? ""). Use that one, stop it first, "
            + "or name another folder with --data."
    }
}
