package import Bibliography
package import struct Bibliography.Record  // GRDB has a Record of its own
import Foundation
import GRDB

/// A copy, and what is known of its book.
package struct KnownBook: Hashable, Sendable {
    package var entry: RowID<LibraryEntry>
    package var book: BookDetails
}

extension LibraryStore {
    /// Fills what is not known of a copy's edition from a record; what is there stays, and so does all that a person
    /// edited.
    ///
    /// Nobody's edit is disturbed: no revision grows.
    ///
    /// - Returns: whether the record is of this book, and its cover is wanted because there is none.
    /// - Throws: `LibraryError.notFound`, `.invalid` for a record that cannot be kept.
    package func enrich(_ entry: RowID<LibraryEntry>, with record: Record) async throws -> Bool {
        try await write { change in
            let copy = try change.db.entry(entry)
            let before = try change.db.book(ofEntry: entry)
            // Meanwhile a person may have said that it is another book.
            guard before.isSameBook(as: record) else { return false }
            if try change.db.work(copy.work).reviewStatus != .userEdited {
                let after = try before.filled(from: record)
                if after != before {
                    let edition = try change.edition(
                        ofWork: copy.work, after, current: copy.edition)
                    try change.execute("UPDATE entry SET edition = ? WHERE id = ?", [edition, entry])
                    try change.execute(
                        "UPDATE edition SET source = ?, sourceID = ? WHERE id = ? AND source IS NULL",
                        [
                            try CleanText.line(record.source, field: "source"),
                            try CleanText.line(record.id, field: "record"), edition,
                        ])
                }
            }
            guard let edition = try change.db.entry(entry).edition else { return true }
            return try change.db.edition(edition).cover == nil
        }
    }

    /// The copy that a book of a scan became; nil where it became none.
    ///
    /// - Parameters:
    ///   - job: the name under which the scan was imported.
    ///   - book: its name there.
    package func entry(ofBook book: String, inScan job: String) async throws -> RowID<LibraryEntry>? {
        try await read { db in
            try RowID.fetchOne(
                db, sql: "SELECT entry FROM detection WHERE job = ? AND book = ? AND entry IS NOT NULL",
                arguments: [job, book]
            )
        }
    }

    /// Copies of whose edition something is not known: cover, publisher, year or pages.
    ///
    /// - Parameter job: only those that this scan found.
    package func incompleteBooks(ofScan job: String? = nil) async throws -> [KnownBook] {
        try await read { db in
            guard let job else { return try db.incompleteBooks() }
            return try db.incompleteBooks("entry.id IN (SELECT entry FROM detection WHERE job = ?)", [job])
        }
    }

    /// The same, only those that these detections show.
    package func incompleteBooks(shownBy detections: [RowID<Detection>]) async throws -> [KnownBook] {
        let numbers = detections.map(\.description).joined(separator: ",")
        return try await read { db in
            try db.incompleteBooks("entry.id IN (SELECT entry FROM detection WHERE id IN (\(numbers)))")
        }
    }
}

extension Database {
    fileprivate func incompleteBooks(
        _ condition: String = "1", _ arguments: StatementArguments = []
    ) throws -> [KnownBook] {
        try RowID<LibraryEntry>.fetchAll(
            self,
            sql: """
                SELECT entry.id FROM entry LEFT JOIN edition ON edition.id = entry.edition
                WHERE (cover IS NULL OR publisher IS NULL OR year IS NULL OR pages IS NULL) AND \(condition)
                ORDER BY entry.id
                """, arguments: arguments
        ).map { KnownBook(entry: $0, book: try book(ofEntry: $0)) }
    }
}
