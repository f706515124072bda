import GRDB
import ShelflistAPI

/// What the user made of a book of a job that is not in the library yet.
///
/// It is applied when the book is added.
package struct ScanBookEdit: Codable, Hashable, Sendable {
    /// Nil for the values that were read.
    package var title: String?
    package var authors: [String]?
    package var isbn: String?
    /// Whether the spine is not a book.
    package var isRejected = false

    package init() {}

    package var isEmpty: Bool { self == ScanBookEdit() }
}

/// Edits of books that wait to be added.
extension ScanJobs {
    /// Returns the edits of a job by book.
    package nonisolated func edits(of id: String) async throws -> [String: ScanBookEdit] {
        try await read { try $0.edits(of: id) }
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
