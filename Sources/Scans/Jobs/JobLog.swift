package import Concurrency
import Foundation
import GRDB
package import ShelflistAPI
import Synchronization

/// Reads and writes jobs, and notifies their followers.
///
/// The only writer of the job store, so that followers receive news of every change.
package final class JobLog: Sendable {
    package let clock: SteadyClock
    /// Written by the functions of this file only, which notify the followers.
    let store: JobStore
    let following = Mutex(JobFollowers())

    init(store: JobStore, clock: SteadyClock) {
        self.store = store
        self.clock = clock
    }

    // MARK: Writing

    /// Runs `body` as one transaction on a job, then notifies the job's followers.
    ///
    /// - Returns: the value of `body`; nil where the job does not exist.
    @discardableResult
    func change<T: Sendable>(
        _ id: String, _ body: @escaping @Sendable (JobChange) throws -> T?
    ) async throws -> T? {
        let value = try await store.change(id, at: clock.now, body)
        announce(id)
        return value
    }

    /// Adds a job and runs `body`, unless the client has sent the same key before.
    ///
    /// - Returns: the job, and whether it is new.
    func insert(
        _ job: ScanJob, key: String?, _ body: @escaping @Sendable (JobChange) throws -> Void
    ) async throws -> (job: ScanJob, isNew: Bool) {
        let inserted = try await store.insert(job, key: key, body: body)
        announce(inserted.job.id)
        return inserted
    }

    func delete(_ id: String) async throws {
        try await store.delete(id)
        announce(id)
    }

    func clampFutureTimestamps() async throws { try await store.clampFutureTimestamps(to: clock.now) }

    private func announce(_ id: String) { following.withLock { $0.announce(id, at: clock.uptime) } }

    // MARK: Reading

    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await store.read(body)
    }

    /// Returns a job that a client asks about, which renews it; nil for an unknown job.
    package func job(_ id: String) async throws -> ScanJob? {
        following.withLock { $0.renewIfKnown(id, at: clock.now) }
        return try await read { try $0.job(id) }
    }

    /// A page of jobs, newest first.
    ///
    /// - Parameter before: the number of the last job of the page before.
    package func jobs(
        client: String?, active: Bool, before: Int?, limit: Int
    ) async throws -> (jobs: [(number: Int, job: ScanJob)], total: Int) {
        try await read { try $0.jobs(client: client, active: active, before: before, limit: limit) }
    }

    /// The events after the one numbered `after`, oldest first.
    package func events(of id: String, after: Int, limit: Int = 500) async throws -> [JobEvent] {
        try await read { try $0.events(of: id, after: after, limit: limit) }
    }

    /// What was found so far; empty for an unknown job.
    package func results(of id: String) async throws -> JobResults { try await read { try $0.results(of: id) } }

    /// The books found so far.
    package func books(of id: String) async throws -> [ScanBook] { try await read { try $0.books(of: id) } }

    /// Nil for an unknown book.
    package func book(_ book: String, of id: String) async throws -> ScanBook? {
        try await read { try $0.book(book, of: id) }
    }

    /// Reads the file, for health checks.
    package func check() async throws { _ = try await read { try $0.jobCounts() } }
}
