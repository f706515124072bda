package import Bibliography
package import Foundation
package import GRDB

/// A copy with the known data of its book.
package struct EntryBook: Hashable, Sendable {
    package var entry: RowID<LibraryEntry>
    package var book: BookDetails
}

extension LibraryStore {
    /// Fills the gaps of a copy's edition from a record.
    ///
    /// Existing values and all edits by the user are kept.
    ///
    /// Revisions do not grow, so an edit in progress does not conflict. The change can be undone if the store has a
    /// token.
    ///
    /// - Returns: the address of the record's cover, if the record describes this book and it has no cover.
    /// - Throws: `LibraryError.notFound`, `.invalid` for a record that cannot be stored.
    package func enrich(_ entry: RowID<LibraryEntry>, with record: BookRecord) async throws -> URL? {
        try await writeUnseen { try enrich(entry, with: record, in: $0) }
    }

    /// Fills the gaps of a copy's edition as a part of a transaction.
    package func enrich(_ entry: RowID<LibraryEntry>, with record: BookRecord, in db: Database) throws -> URL? {
        try writeEnrichment(in: db) { try db.enrich(entry, with: record) }
    }

    /// Runs `body` as a part of a transaction, which is an action if the store has a token.
    func writeEnrichment<T>(in db: Database, _ body: () throws -> T) throws -> T {
        try change(db) {
            let action = undoToken == nil ? nil : try db.beginAction(.enrich)
            let result = try body()
            if let action { try db.finish(action) }
            return result
        }
    }

    /// Returns the copy that a book of a scan became, or `nil` if it did not become one.
    ///
    /// - Parameters:
    ///   - job: the name under which the scan was imported.
    ///   - book: the name of the book in that scan.
    package func entry(ofBook book: String, inScan job: String, in db: Database) throws -> RowID<LibraryEntry>? {
        try RowID.fetchOne(
            db, sql: "SELECT entry FROM detection WHERE job = ? AND book = ? AND entry IS NOT NULL",
            arguments: [job, book])
    }

    /// Returns the copies whose edition lacks a cover, publisher, year or page count.
    ///
    /// - Parameter job: limits the result to copies that this scan found.
    package func incompleteBooks(ofScan job: String? = nil) async throws -> [EntryBook] {
        try await read { db in
            guard let job else { return try db.incompleteBooks() }
            return try db.incompleteBooks("entry.id IN (SELECT entry FROM detection WHERE job = ?)", [job])
        }
    }

    /// Returns which of these copies have an edition without cover, publisher, year or page count.
    package func incompleteBooks(among copies: [RowID<LibraryEntry>]) async throws -> [EntryBook] {
        try await read { try $0.incompleteBooks("entry.id IN (SELECT value FROM json_each(?))", [copies.jsonArray()]) }
    }

    /// Returns how many of cover, publisher, year and page count each of these copies lacks; nothing for a copy that is not
    /// in the library.
    package func gaps(of copies: [RowID<LibraryEntry>]) async throws -> [RowID<LibraryEntry>: Int] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT entry.id,
                        (cover IS NULL) + (publisher IS NULL) + (year IS NULL) + (pages IS NULL) AS gaps
                    FROM entry LEFT JOIN edition ON edition.id = entry.edition
                    WHERE entry.id IN (SELECT value FROM json_each(?))
                    """, arguments: [copies.jsonArray()])
            return Dictionary(rows.map { ($0["id"], $0["gaps"]) }, uniquingKeysWith: max)
        }
    }

    /// Returns the incomplete copies that these detections show.
    package func incompleteBooks(shownBy detections: [RowID<Detection>]) async throws -> [EntryBook] {
        try await read { db in
            try db.incompleteBooks(
                "entry.id IN (SELECT entry FROM detection WHERE id IN (SELECT value FROM json_each(?)))",
                [detections.jsonArray()])
        }
    }
}

extension Database {
    /// Fills the gaps of a copy's edition, as `LibraryStore.enrich` does.
    func enrich(_ entry: RowID<LibraryEntry>, with record: BookRecord) throws -> URL? {
        let copy = try self.entry(entry)
        let before = try book(ofEntry: entry)
        // The user may have assigned another book while the record was fetched.
        guard before.isSameBook(as: record) else { return nil }
        if try work(copy.work).reviewStatus != .userEdited {
            let after = try before.filled(from: record)
            if after != before {
                let edition = try edition(ofWork: copy.work, after, current: copy.edition)
                try execute("UPDATE entry SET edition = ? WHERE id = ?", [edition, entry])
                if let edition, try self.edition(edition).source == nil { try name(record, asSourceOf: edition) }
            }
        }
        let cover = try self.entry(entry).edition.flatMap { try self.edition($0).cover }
        return cover == nil ? record.coverURL : nil
    }

    func incompleteBooks(
        _ condition: String = "1", _ arguments: StatementArguments = []
    ) throws -> [EntryBook] {
        try RowID<LibraryEntry>.fetchAll(
            self,
            sql: """
                SELECT entry.id FROM entry LEFT JOIN edition ON edition.id = entry.edition
                WHERE (cover IS NULL OR publisher IS NULL OR year IS NULL OR pages IS NULL) AND \(condition)
                ORDER BY entry.id
                """, arguments: arguments
        ).map { EntryBook(entry: $0, book: try book(ofEntry: $0)) }
    }
}
