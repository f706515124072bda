import Foundation
import GRDB

extension LibraryStore {
    /// Returns a text that changes with every change of a book, a cover's presence or a shelf, also one made by another
    /// process.
    ///
    /// O(n) in the number of books, about a millisecond for ten thousand.
    package func version() async throws -> String {
        let state = try await read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) || '.' || ifnull(max(id), 0) || '.' || ifnull(sum(revision), 0) FROM entry)
                        || '|' || (SELECT ifnull(max(id), 0) || '.' || ifnull(sum(revision), 0) FROM work)
                        || '|' || (SELECT count(cover) FROM edition)
                        || '|' || (SELECT ifnull(group_concat(id || name || code || ifnull(parent, '') || ifnull(note, '')), '') FROM shelf)
                    """)
        }
        return Self.fingerprint(Array((state ?? "").utf8))
    }
}
