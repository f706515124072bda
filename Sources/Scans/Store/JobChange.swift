import Bibliography
import Foundation
import GRDB
import Library
import Reading
import ShelflistAPI

/// One transaction on one job, valid inside `JobLog.change`.
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
                INSERT INTO jobEvent (job, id, time, content)
                VALUES (:job, (SELECT coalesce(max(id), 0) + 1 FROM jobEvent WHERE job = :job), :time, :content)
                """
        ).execute(
            arguments: ["job": id, "time": time.milliseconds, "content": try StoredJSON.text(content)])
        try db.cachedStatement(sql: "UPDATE job SET updatedAt = ? WHERE id = ?")
            .execute(arguments: [time.milliseconds, id])
    }

    /// Sets a photo's status and logs it.
    func set(_ status: PhotoStatus, photo number: Int, problem: JobProblem? = nil) throws {
        try updatePhoto(
            number,
            set: """
                status = :status, problem = :problem,
                queuedAt = CASE WHEN :status = 'queued' THEN :time ELSE queuedAt END
                """,
            [
                "status": status.rawValue, "problem": try problem.map { try StoredJSON.text(Problem($0)) },
                "time": time.milliseconds,
            ])
        if let photo = try db.photos(of: id).first(where: { $0.index == number }) { try emit(.photo(photo)) }
    }

    /// Sets a photo's status without an event, and keeps its problem.
    func setSilently(_ status: PhotoStatus, photo number: Int) throws {
        try updatePhoto(number, set: "status = :status", ["status": status.rawValue])
    }

    /// Ends a photo that cannot be read, and logs why.
    func fail(photo number: Int, with problem: JobProblem) throws {
        try set(.failed, photo: number, problem: problem)
        try emit(.error(problem))
    }

    /// Queues a photo whose file is on disk.
    func receive(_ photo: ReceivedPhoto, as number: Int) throws {
        try updatePhoto(
            number, set: "name = :name, bytes = :bytes, sha256 = :sha256",
            ["name": photo.name, "bytes": photo.bytes, "sha256": photo.sha256])
        try set(.queued, photo: number)
    }

    /// Removes the photos that have not arrived.
    func close() throws {
        try db.execute(sql: "DELETE FROM jobPhoto WHERE job = ? AND status = 'missing'", arguments: [id])
        try db.execute(
            sql: """
                UPDATE job SET photosExpected = max(1, (SELECT count(*) FROM jobPhoto WHERE job = :job)) WHERE id = :job
                """,
            arguments: ["job": id])
    }

    /// The deaths of the process that a photo is charged with, in units of `JobLimits.deathsElsewhere`.
    func attempts(photo number: Int) throws -> Int { try value("attempts", photo: number) ?? 0 }

    /// Charges a photo with one death, until `resetAttempts`.
    func countAttempt(photo number: Int, _ attempt: Attempt) throws {
        try updatePhoto(number, set: "attempts = attempts + :units", ["units": attempt.units])
    }

    /// - Parameter attempts: as before an attempt that ended: only those at which the process died count.
    func resetAttempts(photo number: Int, to attempts: Int = 0) throws {
        try updatePhoto(number, set: "attempts = :attempts", ["attempts": attempts])
    }

    func status(photo number: Int) throws -> PhotoStatus? {
        try (value("status", photo: number) as String?).flatMap(PhotoStatus.init)
    }

    func currentJob() throws -> ScanJob { try db.job(id) ?? job }

    func value<Value: DatabaseValueConvertible>(_ column: String, photo number: Int) throws -> Value? {
        try db.value(column, of: PhotoKey(job: id, photo: number))
    }

    /// Sets columns of a photo.
    func updatePhoto(
        _ number: Int, set columns: String, _ arguments: StatementArguments = StatementArguments()
    ) throws {
        try db.execute(
            sql: "UPDATE jobPhoto SET \(columns) WHERE job = :job AND number = :number",
            arguments: arguments &+ ["job": id, "number": number])
    }

    /// Stores a photo's result and merges its books into the job's.
    ///
    /// - Parameter asks: whether sources are to be asked about the books.
    /// - Returns: the books that are new or changed.
    func store(_ result: ScannedPhoto, photo number: Int, asks: Bool) throws -> [ScanBook] {
        try updatePhoto(
            number,
            set: """
                result = :result, bookCount = :named, asking = :asks, named = :named, attempts = 0,
                merged = (SELECT coalesce(max(merged), 0) + 1 FROM jobPhoto WHERE job = :job)
                """, ["result": try StoredJSON.text(result), "asks": asks, "named": result.books.count])
        var merged = MergedBooks(books: try db.books(of: id), folded: try db.folded(of: id))
        let changed = merged.add(result.books, photo: number)
        try save(merged)
        return changed
    }

    /// Stores what was found about a book.
    func setEnrichment(_ state: EnrichmentState, metadata: BookMetadata?, of book: String) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO jobEnrichment (job, book, state, metadata) VALUES (?, ?, ?, ?)",
            arguments: [id, book, state.rawValue, try metadata.map { try StoredJSON.text($0) }])
    }

    func save(_ merged: MergedBooks) throws {
        try db.execute(
            sql: "UPDATE job SET books = ?, bookCount = ?, folded = ?, needsReview = ? WHERE id = ?",
            arguments: [
                // What was found about them is stored apart.
                try StoredJSON.text(
                    merged.books.map { ScanBook(book: $0.book, photo: $0.photo, positions: $0.positions) }),
                merged.books.count, merged.folded,
                merged.books.count { $0.book.reviewStatus == .needsReview }, id,
            ])
    }

    func markImported(photo number: Int) throws { try updatePhoto(number, set: "imported = 1") }

    /// Deletes what was found, and keeps the job.
    func deleteResults() throws {
        try db.execute(
            sql: """
                UPDATE jobPhoto SET result = NULL, bookCount = NULL, asking = 0 WHERE job = :job;
                UPDATE job SET books = '[]', bookCount = 0, folded = 0, needsReview = 0 WHERE id = :job;
                DELETE FROM jobEnrichment WHERE job = :job;
                DELETE FROM jobEvent WHERE job = :job
                    AND json_extract(content, '$.type') IN ('result', 'segmented', 'updated');
                """, arguments: ["job": id])
    }

    func set(_ status: JobStatus) throws {
        try db.execute(
            sql: "UPDATE job SET status = ?, updatedAt = ?, finishedAt = ? WHERE id = ?",
            arguments: [
                status.rawValue, time.milliseconds, status.isFinal ? time.milliseconds : nil, id,
            ])
    }

    /// Deletes the results of a damaged job, and fails it: its photos are read again only if a client asks for it.
    ///
    /// A job that was cancelled or has failed stays so.
    func endDamaged() throws {
        try deleteResults()
        guard !job.isFinished || job.status == .completed else { return }
        try close()
        for photo in try db.photos(of: id) where !photo.status.isFinal || photo.status == .done {
            try set(.failed, photo: photo.index, problem: Self.damaged)
        }
        try set(.failed)
        try emit(.error(Self.damaged))
    }

    private static let damaged = JobProblem(
        code: "reading_failed", message: "The scan was damaged on the server's disk. Read its photos again.",
        retryable: true)
}

/// A part of an attempt to read a photo that the process may not survive.
enum Attempt {
    /// This process reads the photo.
    case here
    /// Other machines read it.
    case elsewhere
    /// After `elsewhere`, this process works on what they read.
    case began

    fileprivate var units: Int {
        switch self {
        case .here: JobLimits.deathsElsewhere
        case .elsewhere: 1
        case .began: JobLimits.deathsElsewhere - 1
        }
    }
}
