import Dispatch
import Foundation

/// Runs tasks that block their thread (inference, decoding, SQLite) on separate threads, so that they do not occupy the
/// few threads of Swift's cooperative pool.
package final class BlockingExecutor: TaskExecutor {
    /// For work that a user waits for: images, searches, passwords.
    package static let interactive = BlockingExecutor(label: "shelflist.interactive", qos: .userInitiated)
    /// For answers whose computing takes long, such as reports of a whole library.
    package static let reports = BlockingExecutor(label: "shelflist.reports", qos: .userInteractive)
    /// For long work: reading photos, imports, exports, backups.
    package static let background = BlockingExecutor(label: "shelflist.background", qos: .utility)
    /// For work of minutes to hours that photos and imports should not wait for: downloads of catalogs.
    package static let lengthy = BlockingExecutor(label: "shelflist.lengthy", qos: .background)

    /// For reading lists that were uploaded, one at a time: seconds that photos and backups should not wait for.
    package static let lists = BlockingExecutor(label: "shelflist.lists", qos: .utility, isSerial: true)

    private let queue: DispatchQueue
    private static let marker = DispatchSpecificKey<Bool>()

    /// Whether the current thread may block because it belongs to one of these executors.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: marker) == true }

    /// Traps where the current thread is not one of these executors', in debug builds and in tests of release builds,
    /// which set `SHELFLIST_CHECK_THREADS`.
    package static func assertCurrent() {
        guard isChecked else { return }
        precondition(isCurrent, "Blocking work has to run on a BlockingExecutor: use run(_:).")
    }

    private static let isChecked: Bool = {
        #if DEBUG
            true
        #else
            getenv("SHELFLIST_CHECK_THREADS") != nil
        #endif
    }()

    /// - Parameters:
    ///   - qos: selects one of Dispatch's thread pools, each with one thread per core. Must not be `.default`, which the
    ///     cooperative pool uses on Linux. Work in one class does not delay work in another.
    ///   - isSerial: whether one task runs at a time. Dispatch gives a serial queue a thread beyond those of its class, so
    ///     neither delays the other.
    private init(label: String, qos: DispatchQoS, isSerial: Bool = false) {
        queue = DispatchQueue(label: label, qos: qos, attributes: isSerial ? [] : .concurrent)
        queue.setSpecific(key: Self.marker, value: true)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs blocking `work` on this executor and returns its result.
    ///
    /// - Throws: the errors of `work`.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withTaskExecutorPreference(self) { () async throws(Failure) -> Value in try await Self.perform(work) }
    }

    /// Nonisolated, so that it runs on the preferred executor and not on the caller's actor.
    @concurrent private static func perform<Value: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try work()
    }
}
