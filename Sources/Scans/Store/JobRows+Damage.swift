import GRDB
import Library
import ShelflistAPI

/// Jobs with rows that cannot be decoded, which only a failing disk or another program causes.
extension Database {
    /// The jobs of which a value is not JSON, or which cannot be listed.
    ///
    /// The content of books and results is decoded where it is used.
    func damagedJobs() throws -> [String] {
        let invalid = try String.fetchSet(
            self,
            sql: """
                SELECT id FROM job WHERE NOT json_valid(books)
                UNION SELECT job FROM jobPhoto WHERE NOT json_valid(result)
                UNION SELECT job FROM jobEnrichment WHERE NOT json_valid(metadata)
                UNION SELECT job FROM jobEdit WHERE NOT json_valid(edit)
                """)
        return try jobIDs().filter { id in try invalid.contains(id) || !canDecode { _ = try job(id) } }.sorted()
    }

    /// Whether a job has a row that cannot be decoded, except in its events.
    func isDamaged(_ id: String) throws -> Bool {
        try !canDecode { _ = (try job(id), try results(of: id), try edits(of: id)) }
    }

    /// Replaces or deletes what cannot be decoded, except results.
    func removeDamage(of id: String) throws {
        if try !canDecode({ _ = try job(id) }) {
            try execute(
                sql: """
                    UPDATE job SET options = :options WHERE id = :job;
                    UPDATE jobPhoto SET problem = NULL, asking = 0 WHERE job = :job
                    """, arguments: ["options": try StoredJSON.text(JobOptions()), "job": id])
        }
        if try !canDecode({ _ = try edits(of: id) }) {
            try execute(sql: "DELETE FROM jobEdit WHERE job = ?", arguments: [id])
        }
        try execute(sql: "DELETE FROM jobEvent WHERE job = ? AND NOT json_valid(content)", arguments: [id])
    }

    private func canDecode(_ body: () throws -> Void) throws -> Bool {
        do { try body() } catch JobError.damaged(_) { return false }
        return true
    }
}
