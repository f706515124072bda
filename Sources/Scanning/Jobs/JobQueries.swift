import Foundation
import GRDB
import Imaging
import ShelflistAPI

/// Reads `jobs.sqlite`.
struct JobQueries: Sendable {
    let database: DatabasePool

    /// A read that touches the file, for health checks.
    func check() async throws {
        _ = try await database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM job") }
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

    /// The photos that were read, and the books merged over them.
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

    /// The result of a photo that is not imported, with its first sightings only; nil for an imported photo.
    func unimportedResult(of key: PhotoKey) async throws -> ScannedPhoto? {
        try await database.read { db in
            let result = try String.fetchOne(
                db, sql: "SELECT result FROM photo WHERE job = ? AND number = ? AND NOT imported",
                arguments: [key.job, key.photo])
            let photo: ScannedPhoto? = try result.map { try JobRows.decode($0) }
            return photo?.keeping(firstSightingsOf: try JobRows.books(of: key.job, in: db), photo: key.photo)
        }
    }

    /// The latest spine outlines of a photo; nil where none are known yet.
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

    /// What a restart resumes: the unfinished jobs, oldest first, and the identifiers of all jobs.
    func unfinished() async throws -> (jobs: [ScanJob], all: Set<String>) {
        try await database.read { db in
            let ids = try String.fetchAll(
                db, sql: "SELECT id FROM job WHERE status IN ('queued', 'running') ORDER BY number")
            let jobs = try ids.compactMap { try JobRows.job($0, in: db) }
            return (jobs, try String.fetchSet(db, sql: "SELECT id FROM job"))
        }
    }

    /// How many times reading of each unfinished photo has started.
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

    /// The photos about which sources are still to be asked, with the clients of their jobs.
    func asking() async throws -> [(key: PhotoKey, client: String)] {
        try await database.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT job.id AS job, photo.number AS number, client FROM photo JOIN job ON job.id = photo.job
                    WHERE asking AND photo.status = 'done' ORDER BY job.number, photo.number
                    """)
            return rows.map { (PhotoKey(job: $0["job"], photo: $0["number"]), $0["client"]) }
        }
    }

    /// Completed jobs that ask for an import and have photos that are not imported.
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
