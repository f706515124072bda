import Concurrency
package import Foundation
import Synchronization

/// The folder in which all processes of a data folder keep the rate limits of the providers.
package struct RateFolder: Sendable {
    let url: URL
    let onFailure: @Sendable (String) -> Void

    /// - Parameters:
    ///   - url: created on first use.
    ///   - onFailure: receives one sentence per provider whose limit cannot be shared.
    package init(_ url: URL, onFailure: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.url, self.onFailure) = (url, onFailure)
    }
}

/// The rate limit of one provider, shared by all clients and processes that use the same folder.
///
/// If the folder cannot be used, the limit applies to this client alone, and the failure is reported once.
final class SharedRate: Sendable {
    private let limit: RateLimit
    private let file: StateFile?
    private let provider: ProviderName
    private let onFailure: @Sendable (String) -> Void
    /// The latest state that this client saw.
    private let own = Mutex(RateState())
    private let hasReported = Mutex(false)

    init(_ provider: ProviderName, _ limit: RateLimit, folder: RateFolder?) {
        (self.limit, self.provider) = (limit, provider)
        file = folder.map { StateFile(url: $0.url.appending(path: "\(provider.rawValue).json")) }
        onFailure = { folder?.onFailure($0) }
    }

    func reserve(at now: Date) async -> RateLimit.Turn {
        await update(at: now) { [limit] state in limit.reserve(at: now, in: &state) }
    }

    /// Sends no request of any client before this time.
    func block(until time: Date, at now: Date) async {
        await update(at: now) { $0.blockedUntil = max($0.blockedUntil, time) }
    }

    /// Returns until when the provider requested a pause; a time in the past for none.
    func blockedUntil(at now: Date) async -> Date { await update(at: now) { $0.blockedUntil } }

    @discardableResult
    private func update<Value: Sendable>(
        at now: Date, _ change: @Sendable (inout RateState) -> Value
    ) async -> Value {
        if let file {
            let result = await BlockingExecutor.interactive.run {
                Result { () throws(StateFile.Failure) in try file.update(at: now, change) }
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

    private func report(_ failure: StateFile.Failure, _ file: StateFile) {
        let isFirst = hasReported.withLock { hasReported in
            defer { hasReported = true }
            return !hasReported
        }
        guard isFirst else { return }
        onFailure(
            "The rate limit of \(provider.title) cannot be shared with other processes in \(file.url.path) "
                + "(\(failure.reason)). Each process limits only its own requests. Check the folder and the disk.")
    }
}

/// A small file with a `RateState` that several processes change.
///
/// The state is read and written under an exclusive lock and in one piece, so that no process sees half of it.
private struct StateFile: Sendable {
    let url: URL

    struct Failure: Error {
        var reason: String

        static var last: Failure { Failure(reason: String(cString: strerror(errno))) }
    }

    /// The file's size in bytes; the state is padded with spaces.
    private static let size = 128
    /// Attempts to lock, a millisecond apart: far more than other processes need to read and write 128 bytes.
    private static let attempts = 500

    func update<Value: Sendable>(
        at now: Date, _ change: @Sendable (inout RateState) -> Value
    ) throws(Failure) -> (value: Value, state: RateState) {
        let descriptor = try opened()
        defer { _ = close(descriptor) }
        try lock(descriptor)
        // A child process that is being started holds a copy of the descriptor, so closing alone would not unlock.
        defer { _ = flock(descriptor, LOCK_UN) }
        let before = read(descriptor).plausible(at: now)
        var state = before
        let value = change(&state)
        if state != before { try write(state, descriptor) }
        return (value, state)
    }

    private func opened() throws(Failure) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC
        var descriptor = open(url.path, flags, 0o600)
        if descriptor < 0, errno == ENOENT {
            do {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            } catch {
                throw Failure(reason: error.localizedDescription)
            }
            descriptor = open(url.path, flags, 0o600)
        }
        guard descriptor >= 0 else { throw .last }
        return descriptor
    }

    private func lock(_ descriptor: Int32) throws(Failure) {
        for _ in 0..<Self.attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .last }
            usleep(1000)
        }
        throw Failure(reason: "another process keeps it locked")
    }

    /// An empty or damaged file counts as a new one: it says nothing of earlier requests.
    private func read(_ descriptor: Int32) -> RateState {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return RateState() }
        return (try? JSONDecoder().decode(RateState.self, from: Data(bytes[..<count]))) ?? RateState()
    }

    private func write(_ state: RateState, _ descriptor: Int32) throws(Failure) {
        guard var bytes = try? Array(JSONEncoder().encode(state)), bytes.count < Self.size else {
            throw Failure(reason: "the state is too long")
        }
        bytes += [UInt8](repeating: UInt8(ascii: " "), count: Self.size - bytes.count - 1) + [UInt8(ascii: "\n")]
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, ftruncate(descriptor, off_t(Self.size)) == 0
        else { throw .last }
    }
}
