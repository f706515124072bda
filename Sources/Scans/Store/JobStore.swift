import Foundation
import GRDB
import Library
import ShelflistAPI
import Storage

/// Reads and writes the rows of jobs in the library's database.
///
/// Each change is one transaction together with the events that report it and with what it changes in the library, and
/// is synced before it returns: a restart finds everything that clients were sent.
struct JobStore: Sendable {
    private let library: LibraryStore

    init(_ library: LibraryStore) { self.library = library }

    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await library.read(body)
    }

    /// Runs `body` as a transaction, which does not raise the library's revision.
    ///
    /// - Throws: `JobError.diskFull`, `LibraryError`, `StorageError`; the database is then unchanged.
    private func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do {
            return try await library.writeUnseen(body)
        } catch StorageError.diskFull {
            throw JobError.diskFull
        }
    }

    /// Sets times in the future to `time`: the machine's clock was wrong when they were stored, and jobs would be kept
    /// until that time.
    func clampFutureTimestamps(to time: Date) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE job SET finishedAt = min(finishedAt, :time), updatedAt = min(updatedAt, :time)
                    WHERE updatedAt > :time
                    """, arguments: ["time": time.milliseconds])
        }
    }

    /// Runs `body` as one transaction on one job.
    ///
    /// - Returns: the value of `body`; nil where the job does not exist.
    func change<T: Sendable>(
        _ id: String, at time: Date, _ body: @escaping @Sendable (JobChange) throws -> T?
    ) async throws -> T? {
        try await write { db in
            try db.job(id).flatMap { try body(JobChange(db: db, job: $0, time: time)) }
        }
    }

    /// Adds a job and runs `body`, unless the client has sent the same key before.
    ///
    /// - Returns: the job, and whether it is new.
    func insert(
        _ job: ScanJob, key: String?, body: @escaping @Sendable (JobChange) throws -> Void
    ) async throws -> (job: ScanJob, isNew: Bool) {
        try await write { db in
            if let key, let earlier = try db.job(client: job.client, key: key) { return (earlier, false) }
            try db.insert(job, key: key)
            let change = JobChange(db: db, job: job, time: job.createdAt)
            try body(change)
            return (try change.currentJob(), true)
        }
    }

    func delete(_ id: String) async throws {
        try await write { db in try db.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id]) }
    }
}
