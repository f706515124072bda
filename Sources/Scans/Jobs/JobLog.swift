package import Concurrency
import Foundation
import GRDB
package import Library
package import ShelflistAPI
import Storage
import Synchronization

/// Reads and writes jobs in the library's database, and notifies their followers.
///
/// Each change is one transaction together with the events that report it and with what it changes in the library, and
/// is synced before it returns: a restart finds everything that clients were sent.
package final class JobLog: Sendable {
    package let clock: SteadyClock
    /// Written by the functions of this file only, which notify the followers.
    private let library: LibraryStore
    let following = Mutex(JobFollowers())

    init(_ library: LibraryStore, clock: SteadyClock) {
        self.library = library
        self.clock = clock
    }

    // MARK: Writing

    /// Runs `body` as one transaction on a job, then notifies the job's followers.
    ///
    /// - Returns: the value of `body`; nil where the job does not exist.
    /// - Throws: as `write`, and the errors of `body`.
    @discardableResult
    func change<T: Sendable>(
        _ id: String, _ body: @escaping @Sendable (JobChange) throws -> T?
    ) async throws -> T? {
        let time = clock.now
        return try await write(id) { db in
            try db.job(id).flatMap { try body(JobChange(db: db, job: $0, time: time)) }
        }
    }

    /// Adds a job and runs `body`, unless the client has sent the same key before.
    ///
    /// - Returns: the job, and whether it is new.
    func insert(
        _ job: ScanJob, key: String?, _ body: @escaping @Sendable (JobChange) throws -> Void
    ) async throws -> (job: ScanJob, isNew: Bool) {
        try await write(job.id) { db in
            if let key, let earlier = try db.job(client: job.client, key: key) { return (earlier, false) }
            try db.insert(job, key: key)
            let change = JobChange(db: db, job: job, time: job.createdAt)
            try body(change)
            return (try change.currentJob(), true)
        }
    }

    /// Deletes a job that is finished.
    ///
    /// - Returns: false where there is an unfinished job with this identifier.
    func deleteFinished(_ id: String) async throws -> Bool {
        try await write(id) { db in
            try db.execute(
                sql: "DELETE FROM job WHERE id = ? AND status NOT IN ('queued', 'running')", arguments: [id])
            return try !db.hasJob(id)
        }
    }

    /// Sets times in the future to the present: the machine's clock was wrong when they were stored, and jobs would be
    /// kept until that time.
    func clampFutureTimestamps() async throws {
        let time = clock.now.milliseconds
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE job SET finishedAt = min(finishedAt, :time), updatedAt = min(updatedAt, :time)
                    WHERE updatedAt > :time
                    """, arguments: ["time": time])
        }
    }

    /// Fails a job of which a row cannot be decoded, and deletes its results.
    ///
    /// Its photos are kept as long as those of other jobs, and can be read again.
    ///
    /// - Returns: false where every row can be decoded.
    func failDamaged(_ id: String) async throws -> Bool {
        let time = clock.now
        return try await write(id) { db in
            guard try db.isDamaged(id) else { return false }
            try db.removeDamage(of: id)
            if let job = try db.job(id) { try JobChange(db: db, job: job, time: time).endDamaged() }
            return true
        }
    }

    /// Runs `body` as a transaction that does not raise the library's revision, then notifies the followers of a job.
    ///
    /// - Throws: `JobError.diskFull`, `LibraryError`, `StorageError`; the database is then unchanged.
    private func write<T: Sendable>(
        _ id: String? = nil, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        do {
            let value = try await library.writeUnseen(body)
            if let id { announce(id) }
            return value
        } catch StorageError.diskFull {
            throw JobError.diskFull
        }
    }

    // MARK: Reading

    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await library.read(body)
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

    /// Returns the edits of a job by book.
    package func edits(of id: String) async throws -> [String: ScanBookEdit] {
        try await read { try $0.edits(of: id) }
    }

    /// Reads the file, for health checks.
    package func check() async throws { _ = try await library.readForCheck { try $0.jobCounts() } }
}
