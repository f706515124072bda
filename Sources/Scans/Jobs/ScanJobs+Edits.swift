import GRDB
package import Library
import ShelflistAPI

/// Edits of books that wait to be added.
extension ScanJobs {
    /// Returns the edits of a job by book.
    package nonisolated func edits(of id: String) async throws -> [String: ScanBookEdit] {
        try await read { try $0.edits(of: id) }
    }

    /// Returns what reads the edits of a photo's books.
    package nonisolated func edits(ofPhoto photo: Int, in job: String) -> ScanBookEdits {
        { [store] in
            // The name of a book in its job is PHOTO-ID.
            let prefix = "\(photo)-"
            let edits = try store.readNow { try $0.edits(of: job) }.filter { $0.key.hasPrefix(prefix) }
            return Dictionary(
                uniqueKeysWithValues: edits.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
        }
    }

    /// Stores the edit of a book; an empty one removes it.
    ///
    /// - Throws: `JobError.notFound`.
    package func set(_ edit: ScanBookEdit, of book: String, in id: String) async throws {
        let isKnown = try await change(id) { change in
            if edit.isEmpty {
                try change.db.execute(sql: "DELETE FROM edit WHERE job = ? AND book = ?", arguments: [id, book])
            } else {
                try change.db.execute(
                    sql: "INSERT OR REPLACE INTO edit (job, book, edit) VALUES (?, ?, ?)",
                    arguments: [id, book, try JobJSON.encode(edit)])
            }
            return true
        }
        guard isKnown == true else { throw JobError.notFound }
    }
}

extension JobOptions {
    /// Whether the job is finished without a follower: its books are added, or wait for the user.
    var runsUnwatched: Bool { importsResults || asksBeforeAdding == true }
}

extension Database {
    func edits(of id: String) throws -> [String: ScanBookEdit] {
        let rows = try Row.fetchAll(self, sql: "SELECT book, edit FROM edit WHERE job = ?", arguments: [id])
        return try rows.reduce(into: [:]) { edits, row in edits[row["book"]] = try JobJSON.decode(row["edit"]) }
    }
}
