import Foundation
import GRDB
import Imaging
import Library
import Reading
import ShelflistAPI

/// Jobs.
extension Database {
    func job(client: String, key: String) throws -> ScanJob? {
        try String.fetchOne(
            self, sql: "SELECT id FROM job WHERE client = ? AND idempotencyKey = ?", arguments: [client, key]
        ).flatMap(job)
    }

    func job(_ id: String) throws -> ScanJob? {
        let query = try cachedStatement(
            sql: """
                SELECT client, status, options, photosExpected, needsReview, createdAt, updatedAt, finishedAt,
                    EXISTS (SELECT 1 FROM jobPhoto WHERE job = job.id AND asking) AS asking,
                    bookCount,
                    (SELECT coalesce(max(id), 0) FROM jobEvent WHERE job = job.id) AS lastEvent,
                    (SELECT coalesce(min(imported OR status <> 'done'), 0) AND coalesce(max(imported), 0)
                        FROM jobPhoto WHERE job = job.id) AS imported
                FROM job WHERE id = ?
                """)
        guard let row = try Row.fetchOne(query, arguments: [id]), let status = JobStatus(rawValue: row["status"]) else {
            return nil
        }
        let finishedAt: Int64? = row["finishedAt"]
        let isAsking: Bool = row["asking"]
        return ScanJob(
            id: id, client: row["client"], status: status, options: try JobJSON.decode(row["options"], of: id),
            photosExpected: row["photosExpected"], photos: try photos(of: id), books: row["bookCount"],
            needsReview: row["needsReview"], imported: row["imported"], isAsking: isAsking,
            lookups: isAsking ? try lookups(of: id) : nil, lastEvent: row["lastEvent"],
            createdAt: Date(milliseconds: row["createdAt"]),
            updatedAt: Date(milliseconds: row["updatedAt"]),
            finishedAt: finishedAt.map(Date.init(milliseconds:)))
    }

    /// How far the look-ups of a job's spines are; nil where none has begun.
    func lookups(of id: String) throws -> JobEvent.LookupProgress? {
        let content = try String.fetchOne(
            cachedStatement(
                sql: """
                    SELECT content FROM jobEvent WHERE job = ?
                        AND CASE WHEN json_valid(content) THEN json_extract(content, '$.type') END = 'lookup_progress'
                    ORDER BY id DESC LIMIT 1
                    """), arguments: [id])
        guard let content, case .lookupProgress(let progress) = try JobJSON.decode(content, of: id) as JobEvent.Content
        else { return nil }
        return progress
    }

    /// Newest first.
    ///
    /// - Parameters:
    ///   - client: also matches the client's devices and apps, which it precedes.
    ///   - before: the number of the last job of the page before.
    func jobs(
        client: String?, active: Bool, before: Int?, limit: Int
    ) throws -> (jobs: [(number: Int, job: ScanJob)], total: Int) {
        let condition = """
            (:client IS NULL OR client = :client OR instr(client, :client || ' ') = 1)
            AND (NOT :active OR status IN ('queued', 'running'))
            """
        let total = try Int.fetchOne(
            self, sql: "SELECT count(*) FROM job WHERE \(condition)", arguments: ["client": client, "active": active])
        let rows = try Row.fetchAll(
            self,
            sql: "SELECT id, number FROM job WHERE \(condition) AND number < :before ORDER BY number DESC LIMIT :limit",
            arguments: ["client": client, "active": active, "before": before ?? Int.max, "limit": limit])
        return (try rows.compactMap { row in try job(row["id"]).map { (row["number"], $0) } }, total ?? 0)
    }

    func jobIDs() throws -> Set<String> { try String.fetchSet(self, sql: "SELECT id FROM job") }

    func hasJob(_ id: String) throws -> Bool {
        try Bool.fetchOne(self, sql: "SELECT EXISTS (SELECT 1 FROM job WHERE id = ?)", arguments: [id]) ?? false
    }

    /// The jobs that a restart resumes, oldest first.
    func unfinishedJobs() throws -> [ScanJob] {
        try String.fetchAll(self, sql: "SELECT id FROM job WHERE status IN ('queued', 'running') ORDER BY number")
            .compactMap(job)
    }

    /// Jobs that finished before `time`.
    func jobsFinished(before time: Date) throws -> [String] {
        try String.fetchAll(
            self, sql: "SELECT id FROM job WHERE finishedAt < ?", arguments: [time.milliseconds])
    }

    /// Completed jobs that ask for an import and have photos that are not imported.
    func unimportedJobs() throws -> [ScanJob] {
        try String.fetchAll(
            self,
            sql: """
                SELECT id FROM job WHERE status = 'completed' AND json_extract(options, '$.import')
                    AND EXISTS (SELECT 1 FROM jobPhoto WHERE job = job.id AND status = 'done' AND NOT imported)
                """
        ).compactMap(job)
    }

    /// Counts the jobs of all devices of a client together, because a device chooses its own name.
    ///
    /// Jobs that wait for nothing but the disk do not count: the client cannot finish them.
    func jobsInFlight(client: String) throws -> Int {
        let caller = ScanJob.caller(of: client)
        return try Int.fetchOne(
            self,
            sql: """
                SELECT count(*) FROM job WHERE status IN ('queued', 'running')
                AND (client = :caller OR instr(client, :caller || ' device:') = 1)
                AND (EXISTS (SELECT 1 FROM jobPhoto WHERE job = job.id
                        AND status IN ('missing', 'queued', 'reading') AND problem IS NULL)
                    OR NOT EXISTS (SELECT 1 FROM jobPhoto WHERE job = job.id
                        AND status IN ('queued', 'reading') AND problem IS NOT NULL))
                """, arguments: ["caller": caller]) ?? 0
    }

    /// Jobs by status, and when the longest waiting photo was queued, except those that wait for the disk.
    func jobCounts() throws -> (byStatus: [JobStatus: Int], waiting: Int, oldestQueued: Date?) {
        var counts: [JobStatus: Int] = [:]
        for row in try Row.fetchAll(self, sql: "SELECT status, count(*) AS n FROM job GROUP BY status") {
            if let status = JobStatus(rawValue: row["status"]) { counts[status] = row["n"] }
        }
        let row = try Row.fetchOne(
            self,
            sql: """
                SELECT count(*) AS n, min(queuedAt) AS oldest FROM jobPhoto WHERE status = 'queued' AND problem IS NULL
                """)
        let oldest: Int64? = row?["oldest"]
        return (counts, row?["n"] ?? 0, oldest.map(Date.init(milliseconds:)))
    }

    func insert(_ job: ScanJob, key: String?) throws {
        try execute(
            sql: """
                INSERT INTO job (id, number, client, idempotencyKey, status, options, photosExpected,
                    createdAt, updatedAt)
                VALUES (:id, (SELECT coalesce(max(number), 0) + 1 FROM job), :client, :key, :status, :options,
                    :expected, :time, :time)
                """,
            arguments: [
                "id": job.id, "client": job.client, "key": key, "status": job.status.rawValue,
                "options": try StoredJSON.text(job.options), "expected": job.photosExpected,
                "time": job.createdAt.milliseconds,
            ])
        for photo in job.photos {
            try execute(
                sql: "INSERT INTO jobPhoto (job, number, status) VALUES (?, ?, ?)",
                arguments: [job.id, photo.index, photo.status.rawValue])
        }
    }
}

/// The photos of jobs.
extension Database {
    func photos(of id: String) throws -> [JobPhoto] {
        let query = try cachedStatement(
            sql: """
                SELECT number, status, name, bytes, problem, bookCount FROM jobPhoto WHERE job = ? ORDER BY number
                """)
        return try Row.fetchAll(query, arguments: [id]).compactMap { row in
            guard let status = PhotoStatus(rawValue: row["status"]) else { return nil }
            let problem: String? = row["problem"]
            return JobPhoto(
                index: row["number"], status: status, name: row["name"], bytes: row["bytes"], books: row["bookCount"],
                problem: try problem.map { try JobJSON.decode($0, of: id) })
        }
    }

    /// Returns a column of a photo; nil for an unknown photo.
    func value<Value: DatabaseValueConvertible>(_ column: String, of key: PhotoKey) throws -> Value? {
        try Value.fetchOne(
            self, sql: "SELECT \(column) FROM jobPhoto WHERE job = ? AND number = ?", arguments: [key.job, key.photo])
    }

    /// The SHA-256 of a photo as it was received; nil for one that has not arrived.
    func fingerprint(of key: PhotoKey) throws -> String? { try value("sha256", of: key) }

    func result(of key: PhotoKey) throws -> ScannedPhoto? {
        try (value("result", of: key) as String?).map { try JobJSON.decode($0, of: key.job) }
    }

    /// The result of a photo that is not imported, with its first sightings only, and the other spines; nil for an
    /// imported photo.
    func unimported(_ key: PhotoKey) throws -> (result: ScannedPhoto, repeated: [RepeatedSpine])? {
        guard try value("imported", of: key) == false, let result = try result(of: key) else { return nil }
        let books = try books(of: key.job)
        return (
            result.keeping(firstSightingsOf: books, photo: key.photo), books.repeated(in: key.photo, of: key.job)
        )
    }

    /// The latest spine outlines of a photo; nil where none are known yet.
    func spines(of key: PhotoKey) throws -> JobEvent.Segmentation? {
        let content = try String.fetchOne(
            self,
            sql: """
                SELECT content FROM jobEvent WHERE job = ? AND json_extract(content, '$.type') = 'segmented'
                    AND json_extract(content, '$.data.photo') = ?
                ORDER BY id DESC LIMIT 1
                """, arguments: [key.job, key.photo])
        guard let content, case .segmented(let found) = try JobJSON.decode(content, of: key.job) as JobEvent.Content
        else {
            return nil
        }
        return found
    }

    /// The deaths that each unfinished photo is charged with, in units of `JobLimits.deathsElsewhere`.
    func attempts() throws -> [PhotoKey: Int] {
        let rows = try Row.fetchAll(
            self, sql: "SELECT job, number, attempts FROM jobPhoto WHERE status IN ('queued', 'reading')")
        return Dictionary(
            rows.map { (PhotoKey(job: $0["job"], photo: $0["number"]), $0["attempts"]) }, uniquingKeysWith: max)
    }

    /// The photos about which sources are still to be asked, with the clients of their jobs.
    func photosToAskAbout() throws -> [(key: PhotoKey, client: String)] {
        try Row.fetchAll(
            self,
            sql: """
                SELECT job.id AS job, jobPhoto.number AS number, client FROM jobPhoto JOIN job ON job.id = job
                WHERE asking AND jobPhoto.status = 'done' ORDER BY job.number, jobPhoto.number
                """
        ).map { (PhotoKey(job: $0["job"], photo: $0["number"]), $0["client"]) }
    }
}
