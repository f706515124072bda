import Concurrency
package import Foundation
import Storage
import Synchronization

/// The folder in which all processes of a data folder keep the rate limits of the services.
package struct RateFolder: Sendable {
    let url: URL
    let onFailure: @Sendable (String) -> Void

    /// - Parameters:
    ///   - url: created on first use.
    ///   - onFailure: receives one sentence per service whose limit cannot be shared.
    package init(_ url: URL, onFailure: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.url, self.onFailure) = (url, onFailure)
    }
}

/// The rate limit of one service, shared by all clients and processes that use the same folder.
///
/// If the folder cannot be used, the limit applies to this client alone, and the failure is reported once.
final class SharedRate: Sendable {
    private let limit: RateLimit
    private let file: URL?
    private let title: String
    private let onFailure: @Sendable (String) -> Void
    /// The latest state that this client saw.
    private let own = Mutex(RateState())
    private let hasReported = Mutex(false)

    /// Attempts to lock the file, a millisecond apart: far more than other processes need to read and write it.
    private static let attempts = 500
    /// The maximum size of the file in bytes.
    private static let sizeLimit = 1000

    init(_ service: any Service, _ limit: RateLimit, folder: RateFolder?) {
        (self.limit, title) = (limit, service.title)
        file = folder?.url.appending(path: "\(service.rawValue).json")
        onFailure = { folder?.onFailure($0) }
    }

    func reserve(at now: Date) async -> RateLimit.Turn {
        await update(at: now) { [limit] state in limit.reserve(at: now, in: &state) }
    }

    /// Sends no request of any client before this time.
    func block(until time: Date, at now: Date) async {
        await update(at: now) { $0.blockedUntil = max($0.blockedUntil, time) }
    }

    /// Returns until when the service requested a pause; a time in the past for none.
    func blockedUntil(at now: Date) async -> Date { await update(at: now) { $0.blockedUntil } }

    @discardableResult
    private func update<Value: Sendable>(
        at now: Date, _ change: @Sendable (inout RateState) -> Value
    ) async -> Value {
        if let file {
            let result = await BlockingExecutor.interactive.run {
                Result { () throws(StorageError) in try Self.update(file, at: now, change) }
            }
            switch result {
            case .success(let outcome):
                own.withLock { $0 = outcome.state }
                return outcome.value
            case .failure(let failure):
                report(failure, file)
            }
        }
        return own.withLock { change(&$0) }
    }

    /// Reads the state and writes the changed one under a lock, so that no process sees a part of it.
    private static func update<Value: Sendable>(
        _ file: URL, at now: Date, _ change: @Sendable (inout RateState) -> Value
    ) throws(StorageError) -> (value: Value, state: RateState) {
        try DurableFile.createFolder(of: file)
        guard let lock = try FileLock(ifFree: file, attempts: attempts) else {
            throw .cannotWrite(file.path, reason: "another process keeps it locked")
        }
        // An empty or damaged file counts as a new one: it says nothing of earlier requests.
        let stored = try? JSONDecoder().decode(RateState.self, from: Data(lock.content(limit: sizeLimit)))
        let before = (stored ?? RateState()).plausible(at: now)
        var state = before
        let value = change(&state)
        if state != before, let bytes = try? JSONEncoder().encode(state) { try lock.overwrite(Array(bytes)) }
        return (value, state)
    }

    private func report(_ failure: StorageError, _ file: URL) {
        let isFirst = hasReported.withLock { hasReported in
            defer { hasReported = true }
            return !hasReported
        }
        guard isFirst else { return }
        onFailure(
            "The rate limit of \(title) cannot be shared with other processes, so each limits only its own requests. "
                + failure.description)
    }
}
