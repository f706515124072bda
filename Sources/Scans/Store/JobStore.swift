package import Foundation
import GRDB
import Library
import ShelflistAPI

/// Reads and writes `jobs.sqlite`.
///
/// Each change is one transaction together with the events that report it, and is synced before it returns: a restart
/// finds everything that clients were sent.
package struct JobStore: Sendable {
    private let database: DatabasePool

    /// Opens the file, or creates it.
    ///
    /// - Throws: `LibraryError.newerSchema`; `DatabaseError` for a file that is not a job database or not writable.
    package init(file: URL) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // WAL alone would lose the last transactions in a power cut: an accepted photo must not be among them.
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
        database = try DatabasePool(path: file.path, configuration: configuration)
        if try database.read({ try JobSchema.migrator.hasBeenSuperseded($0) }) {
            throw LibraryError.newerSchema(file.path)
        }
        try JobSchema.migrator.migrate(database)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await database.read(body)
    }

    /// Reads on this thread, for a transaction of the library.
    func readNow<T>(_ body: (Database) throws -> T) throws -> T { try database.read(body) }

    /// - Throws: `JobError.diskFull`, `DatabaseError`; the database is then unchanged.
    private func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do {
            return try await database.write(body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
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
                    """, arguments: ["time": time.timeIntervalSince1970])
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
