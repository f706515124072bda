import Bibliography
package import Foundation
import GRDB
import Imaging
package import ShelflistAPI

/// What was found so far.
package struct JobResults: Sendable {
    /// The photos already read, by number.
    package var photos: [Photo]
    package var books: [ScanBook]
    /// How many sightings were folded into others.
    package var folded: Int

    package struct Photo: Sendable {
        package var number: Int
        package var result: ScannedPhoto
    }

    /// A photo's result without the books that an earlier photo showed already.
    package func onlyFirstSightings(in result: ScannedPhoto, photo: Int) -> ScannedPhoto {
        let first = Set(
            books.compactMap { book in book.positions.first.flatMap { $0.photo == photo ? $0.bookID : nil } })
        var result = result
        result.books.removeAll { !first.contains($0.id) }
        return result
    }

    package func summary(of job: ScanJob) -> ScanSummary {
        var seen: Set<Suggestion.Code> = []
        return ScanSummary(
            photos: photos.count, photosFailed: job.photos.filter { $0.status == .failed }.count,
            books: books.map(\.book), duplicatesFolded: folded, seconds: photos.reduce(0) { $0 + $1.result.seconds },
            suggestions: photos.flatMap(\.result.quality.suggestions).filter { seen.insert($0.code).inserted })
    }
}

/// The durable half of the jobs: `jobs.sqlite`.
///
/// Every change is one transaction, synced before it returns, and carries the events that tell of it: what a client
/// was told is what a restart finds.
package struct JobStore: Sendable {
    private let database: DatabasePool

    /// Opens the file, or makes it.
    ///
    /// - Throws: `DatabaseError` for a file that is no database of ours, or not writable.
    package init(file: URL) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // WAL alone would lose the last transactions in a power cut: an accepted photo must not be among them.
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
        database = try DatabasePool(path: file.path, configuration: configuration)
        try JobSchema.migrator.migrate(database)
    }

    /// A read that touches the file, for health checks.
    package func check() async throws {
        _ = try await database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM job") }
    }

    package func close() throws { try database.close() }

    /// - Throws: `JobError.diskFull`, `DatabaseError`; nothing is changed then.
    private func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do {
            return try await database.write(body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            throw JobError.diskFull
        }
    }

    /// Times that lie ahead become now: the machine's clock was wrong when they were noted, and what is kept for a day
    /// would be kept until that day comes.
    func settleClock(at time: Date) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE job SET finishedAt = min(finishedAt, :time), updatedAt = min(updatedAt, :time)
                    WHERE updatedAt > :time
                    """, arguments: ["time": time.timeIntervalSince1970])
        }
    }

    /// Runs changes of one job as one transaction.
    ///
    /// - Returns: what `body` returns; `nil` where there is no such job.
    func change<T: Sendable>(_ id: String, _ body: @escaping @Sendable (JobChange) throws -> T) async throws -> T? {
        try await write { db in
            guard let job = try JobRows.job(id, in: db) else { return nil }
            return try body(JobChange(db: db, job: job))
        }
    }

    /// Adds a job, unless the client has sent the same key before.
    ///
    /// - Returns: the job, and whether it is new.
    func insert(
        _ job: ScanJob, key: String?, body: @escaping @Sendable (JobChange) throws -> Void
    ) async throws -> (job: ScanJob, isNew: Bool) {
        try await write { db in
            if let key, let earlier = try JobRows.job(client: job.client, key: key, in: db) { return (earlier, false) }
            try JobRows.insert(job, key: key, in: db)
            let change = JobChange(db: db, job: job)
            try body(change)
            guard let stored = try JobRows.job(job.id, in: db) else { return (job, true) }
            return (stored, true)
        }
    }

    func job(client: String, key: String) async throws -> ScanJob? {
        try await database.read { db in try JobRows.job(client: client, key: key, in: db) }
    }

    func job(_ id: String) async throws -> ScanJob? {
        try await database.read { db in try JobRows.job(id, in: db) }
    }

    /// Newest first.
    ///
    /// - Parameter before: the number of the last job of the page before.
    func jobs(
        client: String?, active: Bool, before: Int?, limit: Int
    ) async throws -> (jobs: [(number: Int, job: ScanJob)], total: Int) {
        try await database.read { db in
            let condition = """
                (:client IS NULL OR client = :client) AND (NOT :active OR status IN ('queued', 'running'))
                """
            let total =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM job WHERE \(condition)",
                    arguments: ["client": client, "active": active]) ?? 0
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, number FROM job WHERE \(condition) AND number < :before ORDER BY number DESC LIMIT :limit
                    """,
                arguments: ["client": client, "active": active, "before": before ?? Int.max, "limit": limit])
            return (
                try rows.compactMap { row in try JobRows.job(row["id"], in: db).map { (row["number"], $0) } }, total
            )
        }
    }

    func events(of id: String, after: Int, limit: Int) async throws -> [JobEvent] {
        try await database.read { db in
            let query = try db.cachedStatement(
                sql: "SELECT id, time, content FROM event WHERE job = ? AND id > ? ORDER BY id LIMIT ?")
            return try Row.fetchAll(query, arguments: [id, after, limit]).map { row in
                JobEvent(
                    id: row["id"], jobId: id, time: Date(timeIntervalSince1970: row["time"]),
                    content: try JobRows.decode(row["content"]))
            }
        }
    }

    /// The photos that were read, and the books folded over them.
    func results(of id: String) async throws -> JobResults {
        try await database.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT number, result FROM photo WHERE job = ? AND result IS NOT NULL ORDER BY number",
                arguments: [id])
            let photos: [(Int, ScannedPhoto)] = try rows.map { ($0["number"], try JobRows.decode($0["result"])) }
            let folded = try Int.fetchOne(db, sql: "SELECT folded FROM job WHERE id = ?", arguments: [id])
            return JobResults(
                photos: photos.map { JobResults.Photo(number: $0.0, result: $0.1) },
                books: try JobRows.books(of: id, in: db), folded: folded ?? 0)
        }
    }

    func books(of id: String) async throws -> [ScanBook] {
        try await database.read { db in try JobRows.books(of: id, in: db) }
    }

    func result(of id: String, photo: Int) async throws -> ScannedPhoto? {
        try await database.read { db in
            try String.fetchOne(
                db, sql: "SELECT result FROM photo WHERE job = ? AND number = ?", arguments: [id, photo]
            ).map { try JobRows.decode($0) }
        }
    }

    /// Where the spines of a photo stand by what is known so far; `nil` where nothing is.
    func spines(of id: String, photo: Int) async throws -> JobEvent.Segmentation? {
        try await database.read { db in
            let content = try String.fetchOne(
                db,
                sql: """
                    SELECT content FROM event WHERE job = ? AND json_extract(content, '$.type') = 'segmented'
                        AND json_extract(content, '$.data.photo') = ?
                    ORDER BY id DESC LIMIT 1
                    """, arguments: [id, photo])
            guard let content, case .segmented(let found) = try JobRows.decode(content) as JobEvent.Content else {
                return nil
            }
            return found
        }
    }

    /// What a restart has to go on with: unfinished jobs, oldest first, and every job there is.
    func unfinished() async throws -> (jobs: [ScanJob], all: Set<String>) {
        try await database.read { db in
            let ids = try String.fetchAll(
                db, sql: "SELECT id FROM job WHERE status IN ('queued', 'running') ORDER BY number")
            let jobs = try ids.compactMap { try JobRows.job($0, in: db) }
            return (jobs, try String.fetchSet(db, sql: "SELECT id FROM job"))
        }
    }

    /// How often the reading of each unsettled photo was begun.
    func attempts() async throws -> [PhotoKey: Int] {
        try await database.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT job, number, attempts FROM photo WHERE status IN ('queued', 'reading')")
            return Dictionary(
                rows.map { (PhotoKey(job: $0["job"], photo: $0["number"]), $0["attempts"]) }, uniquingKeysWith: max)
        }
    }

    /// Jobs that finished before `time`.
    func finished(before time: Date) async throws -> [String] {
        try await database.read { db in
            try String.fetchAll(
                db, sql: "SELECT id FROM job WHERE finishedAt < ?", arguments: [time.timeIntervalSince1970])
        }
    }

    /// Completed jobs whose books were to be put into the library and are not all there.
    func unimported() async throws -> [ScanJob] {
        try await database.read { db in
            let ids = try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM job WHERE status = 'completed' AND json_extract(options, '$.import')
                        AND EXISTS (SELECT 1 FROM photo WHERE job = job.id AND status = 'done' AND NOT imported)
                    """)
            return try ids.compactMap { try JobRows.job($0, in: db) }
        }
    }

    /// Deletes what was found, not the job itself.
    func forgetResults(of id: String) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE photo SET result = NULL WHERE job = :job;
                    UPDATE job SET books = '[]', folded = 0, needsReview = 0 WHERE id = :job;
                    DELETE FROM enrichment WHERE job = :job;
                    DELETE FROM event WHERE job = :job
                        AND json_extract(content, '$.type') IN ('result', 'segmented');
                    """, arguments: ["job": id])
        }
    }

    func delete(_ id: String) async throws {
        try await write { db in try db.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id]) }
    }

    /// Jobs by status, and when the longest waiting photo was queued.
    func counts() async throws -> (byStatus: [JobStatus: Int], waiting: Int, oldestQueued: Date?) {
        try await database.read { db in
            var counts: [JobStatus: Int] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT status, count(*) AS n FROM job GROUP BY status") {
                if let status = JobStatus(rawValue: row["status"]) { counts[status] = row["n"] }
            }
            let row = try Row.fetchOne(
                db, sql: "SELECT count(*) AS n, min(queuedAt) AS oldest FROM photo WHERE status = 'queued'")
            let oldest: Double? = row?["oldest"]
            return (counts, row?["n"] ?? 0, oldest.map(Date.init(timeIntervalSince1970:)))
        }
    }

    func inFlight(client: String) async throws -> Int {
        try await database.read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM job WHERE client = ? AND status IN ('queued', 'running')",
                arguments: [client]) ?? 0
        }
    }
}
