import Bibliography
import Foundation
import GRDB
import ShelflistAPI

/// One transaction on one job, valid inside `JobStore.change`.
struct JobChange {
    let db: Database
    /// The job as it was when the transaction began.
    let job: ScanJob
    /// The time that is stored with everything the transaction writes.
    let time: Date
    var id: String { job.id }

    /// Appends an event to the job's log.
    func emit(_ content: JobEvent.Content) throws {
        // Dozens a photo: compiled once.
        try db.cachedStatement(
            sql: """
                INSERT INTO event (job, id, time, content)
                VALUES (:job, (SELECT coalesce(max(id), 0) + 1 FROM event WHERE job = :job), :time, :content)
                """
        ).execute(
            arguments: ["job": id, "time": time.timeIntervalSince1970, "content": try JobRows.encode(content)])
        try db.cachedStatement(sql: "UPDATE job SET updatedAt = ? WHERE id = ?")
            .execute(arguments: [time.timeIntervalSince1970, id])
    }

    /// Sets a photo's status and logs it.
    func set(_ status: PhotoStatus, photo number: Int, problem: JobProblem? = nil, books: Int? = nil) throws {
        try db.execute(
            sql: """
                UPDATE photo SET status = :status, problem = :problem,
                    queuedAt = CASE WHEN :status = 'queued' THEN :time ELSE queuedAt END,
                    attempts = attempts + (:status = 'reading')
                WHERE job = :job AND number = :number
                """,
            arguments: [
                "status": status.rawValue, "problem": try problem.map { try JobRows.encode(Problem($0)) },
                "time": time.timeIntervalSince1970, "job": id, "number": number,
            ])
        guard var photo = try JobRows.photos(of: id, in: db).first(where: { $0.index == number }) else { return }
        photo.books = books ?? photo.books
        try emit(.photo(photo))
    }

    /// Queues a photo whose file is on disk.
    func receive(_ photo: ReceivedPhoto, as number: Int) throws {
        try db.execute(
            sql: "UPDATE photo SET name = ?, bytes = ? WHERE job = ? AND number = ?",
            arguments: [photo.name, photo.bytes, id, number])
        try set(.queued, photo: number)
    }

    /// Removes the photos that have not arrived.
    func close() throws {
        try db.execute(sql: "DELETE FROM photo WHERE job = ? AND status = 'missing'", arguments: [id])
        try db.execute(
            sql: """
                UPDATE job SET photosExpected = max(1, (SELECT count(*) FROM photo WHERE job = :job)) WHERE id = :job
                """,
            arguments: ["job": id])
    }

    func attempts(photo number: Int) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT attempts FROM photo WHERE job = ? AND number = ?", arguments: [id, number]) ?? 0
    }

    func resetAttempts(photo number: Int) throws {
        try db.execute(
            sql: "UPDATE photo SET attempts = 0 WHERE job = ? AND number = ?", arguments: [id, number])
    }

    func status(photo number: Int) throws -> PhotoStatus? {
        try JobRows.photos(of: id, in: db).first { $0.index == number }?.status
    }

    func currentJob() throws -> ScanJob { try JobRows.job(id, in: db) ?? job }

    /// Stores a photo's result and merges its books into the job's.
    ///
    /// - Parameter asks: whether sources are to be asked about the books.
    /// - Returns: the books that are new or changed.
    func store(_ result: ScannedPhoto, photo number: Int, asks: Bool) throws -> [ScanBook] {
        try db.execute(
            sql: """
                UPDATE photo SET result = :result, asking = :asks, named = :named, attempts = 0,
                    merged = (SELECT coalesce(max(merged), 0) + 1 FROM photo WHERE job = :job)
                WHERE job = :job AND number = :number
                """,
            arguments: [
                "result": try JobRows.encode(result), "asks": asks, "named": result.books.count, "job": id,
                "number": number,
            ])
        var merged = MergedBooks(books: try books(), folded: try folded())
        let changed = merged.add(result.books, photo: number)
        try save(merged)
        return changed
    }

    func books() throws -> [ScanBook] { try JobRows.books(of: id, in: db) }

    /// Stores what was found about a book.
    func setEnrichment(_ state: EnrichmentState, metadata: BookMetadata?, of book: String) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO enrichment (job, book, state, metadata) VALUES (?, ?, ?, ?)",
            arguments: [id, book, state.rawValue, try metadata.map { try JobRows.encode($0) }])
    }

    func book(_ book: String) throws -> ScanBook? { try JobRows.book(book, of: id, in: db) }

    func folded() throws -> Int {
        try Int.fetchOne(db, sql: "SELECT folded FROM job WHERE id = ?", arguments: [id]) ?? 0
    }

    func save(_ merged: MergedBooks) throws {
        try db.execute(
            sql: "UPDATE job SET books = ?, folded = ?, needsReview = ? WHERE id = ?",
            arguments: [
                try JobRows.encode(merged.books), merged.folded,
                merged.books.filter { $0.book.reviewStatus == .needsReview }.count, id,
            ])
    }

    func markImported(photo number: Int) throws {
        try db.execute(
            sql: "UPDATE photo SET imported = 1 WHERE job = ? AND number = ?", arguments: [id, number])
    }

    func isImported(photo number: Int) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT imported FROM photo WHERE job = ? AND number = ?", arguments: [id, number]) ?? false
    }

    /// Deletes what was found, and keeps the job.
    func deleteResults() throws {
        try db.execute(
            sql: """
                UPDATE photo SET result = NULL, asking = 0 WHERE job = :job;
                UPDATE job SET books = '[]', folded = 0, needsReview = 0 WHERE id = :job;
                DELETE FROM enrichment WHERE job = :job;
                DELETE FROM event WHERE job = :job
                    AND json_extract(content, '$.type') IN ('result', 'segmented', 'updated');
                """, arguments: ["job": id])
    }

    func set(_ status: JobStatus) throws {
        try db.execute(
            sql: "UPDATE job SET status = ?, updatedAt = ?, finishedAt = ? WHERE id = ?",
            arguments: [
                status.rawValue, time.timeIntervalSince1970, status.isFinal ? time.timeIntervalSince1970 : nil, id,
            ])
    }
}

/// Rows to values and back.
enum JobRows {
    static func job(client: String, key: String, in db: Database) throws -> ScanJob? {
        try String.fetchOne(
            db, sql: "SELECT id FROM job WHERE client = ? AND idempotencyKey = ?", arguments: [client, key]
        ).flatMap { try job($0, in: db) }
    }

    static func job(_ id: String, in db: Database) throws -> ScanJob? {
        let query = try db.cachedStatement(
            sql: """
                SELECT client, status, options, photosExpected, needsReview, createdAt, updatedAt, finishedAt,
                    EXISTS (SELECT 1 FROM photo WHERE job = job.id AND asking) AS asking,
                    json_array_length(books) AS books,
                    (SELECT coalesce(max(id), 0) FROM event WHERE job = job.id) AS lastEvent,
                    (SELECT coalesce(min(imported OR status <> 'done'), 0) AND coalesce(max(imported), 0)
                        FROM photo WHERE job = job.id) AS imported
                FROM job WHERE id = ?
                """)
        guard let row = try Row.fetchOne(query, arguments: [id]), let status = JobStatus(rawValue: row["status"]) else {
            return nil
        }
        let finishedAt: Double? = row["finishedAt"]
        return ScanJob(
            id: id, client: row["client"], status: status, options: try decode(row["options"]),
            photosExpected: row["photosExpected"], photos: try photos(of: id, in: db), books: row["books"],
            needsReview: row["needsReview"], imported: row["imported"], isAsking: row["asking"],
            lastEvent: row["lastEvent"],
            createdAt: Date(timeIntervalSince1970: row["createdAt"]),
            updatedAt: Date(timeIntervalSince1970: row["updatedAt"]),
            finishedAt: finishedAt.map(Date.init(timeIntervalSince1970:)))
    }

    static func photos(of id: String, in db: Database) throws -> [JobPhoto] {
        let query = try db.cachedStatement(
            sql: """
                SELECT number, status, name, bytes, problem, json_array_length(result, '$.books') AS books
                FROM photo WHERE job = ? ORDER BY number
                """)
        return try Row.fetchAll(query, arguments: [id]).compactMap { row in
            guard let status = PhotoStatus(rawValue: row["status"]) else { return nil }
            let problem: String? = row["problem"]
            return JobPhoto(
                index: row["number"], status: status, name: row["name"], bytes: row["bytes"], books: row["books"],
                problem: try problem.map { try decode($0) })
        }
    }

    /// The books of a job with what was found about each.
    static func books(of id: String, in db: Database) throws -> [ScanBook] {
        guard let json = try String.fetchOne(db, sql: "SELECT books FROM job WHERE id = ?", arguments: [id]) else {
            return []
        }
        let rows = try Row.fetchAll(
            db, sql: "SELECT book, state, metadata FROM enrichment WHERE job = ?", arguments: [id])
        let found = Dictionary(rows.map { ($0["book"] as String, $0) }) { _, last in last }
        return try (decode(json) as [ScanBook]).map { try $0.enriched(by: found[$0.id]) }
    }

    static func book(_ book: String, of id: String, in db: Database) throws -> ScanBook? {
        let arguments: StatementArguments = ["job": id, "book": book]
        let json = try String.fetchOne(
            db,
            sql: """
                SELECT value FROM job, json_each(job.books)
                WHERE job.id = :job AND json_extract(value, '$.id') = :book
                """, arguments: arguments)
        let found = try Row.fetchOne(
            db, sql: "SELECT state, metadata FROM enrichment WHERE job = :job AND book = :book", arguments: arguments)
        return try json.map { try (decode($0) as ScanBook).enriched(by: found) }
    }

    static func insert(_ job: ScanJob, key: String?, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO job (id, number, client, idempotencyKey, status, options, photosExpected,
                    createdAt, updatedAt)
                VALUES (:id, (SELECT coalesce(max(number), 0) + 1 FROM job), :client, :key, :status, :options,
                    :expected, :time, :time)
                """,
            arguments: [
                "id": job.id, "client": job.client, "key": key, "status": job.status.rawValue,
                "options": try encode(job.options), "expected": job.photosExpected,
                "time": job.createdAt.timeIntervalSince1970,
            ])
        for photo in job.photos {
            try db.execute(
                sql: "INSERT INTO photo (job, number, status) VALUES (?, ?, ?)",
                arguments: [job.id, photo.index, photo.status.rawValue])
        }
    }

    static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func decode<T: Decodable>(_ text: String) throws -> T {
        try JSONDecoder().decode(T.self, from: Data(text.utf8))
    }
}

extension ScanBook {
    fileprivate func enriched(by row: Row?) throws -> ScanBook {
        guard let row, let state = EnrichmentState(rawValue: row["state"]) else { return self }
        var book = self
        let metadata: String? = row["metadata"]
        (book.enrichment, book.metadata) = (state, try metadata.map { try JobRows.decode($0) })
        return book
    }
}
