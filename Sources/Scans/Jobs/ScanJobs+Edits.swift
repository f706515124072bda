import GRDB
package import Library
package import ShelflistAPI

/// Edits of books that wait to be added.
extension ScanJobs {
    /// Returns what became of a job's books, by book: in the library, otherwise by the user's edits.
    package func outcomes(
        of books: [ScanBook], in id: String
    ) async throws -> [String: ScanBookOutcome] {
        try await log.read { db in
            let states = try importer.states(of: books, job: id, in: db)
            return states.merging(try db.edits(of: id).mapValues { ScanBookOutcome(edit: $0) }) { added, _ in added }
        }
    }

    /// Changes the edit of a book that waits to be added; an empty one is removed.
    ///
    /// - Returns: false, without a change, for a book that was added or decided on.
    /// - Throws: `JobError.notFound` for an unknown job, `.unknownBook`; errors of `body`.
    package func edit(
        _ book: String, of id: String, _ body: @escaping @Sendable (inout ScanBookEdit) throws -> Void
    ) async throws -> Bool {
        let isEdited = try await log.change(id) { change in
            guard let found = try change.db.book(book, of: id) else { throw JobError.unknownBook(book) }
            let states = try importer.states(of: [found], job: id, in: change.db)
            guard states[book] == nil else { return false }
            var edit = try change.db.edits(of: id)[book] ?? ScanBookEdit()
            try body(&edit)
            try change.set(edit, of: book)
            return true
        }
        guard let isEdited else { throw JobError.notFound }
        return isEdited
    }
}

extension JobOptions {
    /// Whether the job is finished without a follower: its books are added, or wait for the user.
    var runsUnwatched: Bool { importsResults || asksBeforeAdding == true }
}

extension JobChange {
    fileprivate func set(_ edit: ScanBookEdit, of book: String) throws {
        if edit.isEmpty {
            try db.execute(sql: "DELETE FROM jobEdit WHERE job = ? AND book = ?", arguments: [id, book])
        } else {
            try db.execute(
                sql: "INSERT OR REPLACE INTO jobEdit (job, book, edit) VALUES (?, ?, ?)",
                arguments: [id, book, try StoredJSON.text(edit)])
        }
    }
}

extension Database {
    func edits(of id: String) throws -> [String: ScanBookEdit] {
        let rows = try Row.fetchAll(self, sql: "SELECT book, edit FROM jobEdit WHERE job = ?", arguments: [id])
        return try rows.reduce(into: [:]) { edits, row in edits[row["book"]] = try JobJSON.decode(row["edit"], of: id) }
    }
}
