import Foundation
import GRDB
import Library
import Reading
import ShelflistAPI

/// Books and events of jobs.
extension Database {
    /// The photos that were read, and the books merged over them.
    func results(of id: String) throws -> JobResults {
        let rows = try Row.fetchAll(
            self,
            sql: "SELECT number, result, sha256 FROM jobPhoto WHERE job = ? AND result IS NOT NULL ORDER BY number",
            arguments: [id])
        return JobResults(
            photos: try rows.map { row in
                .init(number: row["number"], result: try JobJSON.decode(row["result"], of: id), sha256: row["sha256"])
            }, books: try books(of: id),
            folded: try folded(of: id))
    }

    /// How many sightings of books were folded into others.
    func folded(of id: String) throws -> Int {
        try Int.fetchOne(self, sql: "SELECT folded FROM job WHERE id = ?", arguments: [id]) ?? 0
    }

    /// The books of a job with what was found about each.
    func books(of id: String) throws -> [ScanBook] {
        guard let json = try String.fetchOne(self, sql: "SELECT books FROM job WHERE id = ?", arguments: [id]) else {
            return []
        }
        let rows = try Row.fetchAll(
            self, sql: "SELECT book, state, metadata FROM jobEnrichment WHERE job = ?", arguments: [id])
        let found = Dictionary(rows.map { ($0["book"] as String, $0) }) { _, last in last }
        return try (JobJSON.decode(json, of: id) as [ScanBook]).map { try $0.enriched(by: found[$0.id], of: id) }
    }

    func book(_ book: String, of id: String) throws -> ScanBook? {
        let arguments: StatementArguments = ["job": id, "book": book]
        let json = try String.fetchOne(
            self,
            sql: """
                SELECT value FROM job, json_each(job.books)
                WHERE job.id = :job AND json_extract(value, '$.id') = :book
                """, arguments: arguments)
        let found = try Row.fetchOne(
            self, sql: "SELECT state, metadata FROM jobEnrichment WHERE job = :job AND book = :book",
            arguments: arguments)
        return try json.map { try (JobJSON.decode($0, of: id) as ScanBook).enriched(by: found, of: id) }
    }

    func events(of id: String, after: Int, limit: Int) throws -> [JobEvent] {
        let query = try cachedStatement(
            sql: "SELECT id, time, content FROM jobEvent WHERE job = ? AND id > ? ORDER BY id LIMIT ?")
        return try Row.fetchAll(query, arguments: [id, after, limit]).map { row in
            JobEvent(
                id: row["id"], jobId: id, time: Date(milliseconds: row["time"]),
                content: try JobJSON.decode(row["content"], of: id))
        }
    }
}

extension ScanBook {
    fileprivate func enriched(by row: Row?, of job: String) throws -> ScanBook {
        guard let row, let state = EnrichmentState(rawValue: row["state"]) else { return self }
        var book = self
        let metadata: String? = row["metadata"]
        (book.enrichment, book.metadata) = (state, try metadata.map { try JobJSON.decode($0, of: job) })
        return book
    }
}

/// Values that a row of a job holds as JSON.
enum JobJSON {
    /// - Parameter job: the job to which the value belongs.
    /// - Throws: `JobError.damaged`.
    static func decode<T: Decodable>(_ text: String, of job: String) throws -> T {
        do {
            return try StoredJSON.value(text)
        } catch {
            throw JobError.damaged(job)
        }
    }
}
