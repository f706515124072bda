import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns a page of the decisions about a work, latest first, and their total number.
    package func reviewHistory(
        of work: RowID<Work>, limit: Int = 100, offset: Int = 0
    ) async throws -> (events: [WorkEvent], total: Int) {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT reviewHistory.*, undoneAt IS NOT NULL AS undone
                    FROM reviewHistory JOIN reviewAction a ON a.id = action
                    WHERE work = ? ORDER BY reviewHistory.id DESC LIMIT ? OFFSET ?
                    """, arguments: [work, limit, offset])
            let total = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM reviewHistory WHERE work = ?", arguments: [work])
            return (try rows.map(WorkEvent.init), total ?? 0)
        }
    }
}

extension WorkEvent {
    fileprivate init(_ row: Row) throws {
        self.init(
            time: Date(milliseconds: row["at"]), action: try row.decode(forColumn: "judgement"),
            before: ["title": row["readTitle"], "author": row["readAuthor"]],
            after: ["title": row["finalTitle"], "author": row["finalAuthor"]], undone: row["undone"])
    }
}

extension Database {
    /// Records a decision before it is carried out.
    ///
    /// - Parameter source: the source whose record an automatic change applies; nil for none.
    func note(
        _ judgement: ReviewJudgement, _ entry: RowID<LibraryEntry>, before: BookDetails, after: BookDetails?,
        source: String? = nil, _ action: ReviewAction
    ) throws {
        let item = try item(entry)
        let detection = item.detection
        try execute(
            """
            INSERT INTO reviewHistory (action, judgement, work, detection, readTitle, readAuthor, finalTitle,
                finalAuthor, finalISBN, source, titleChanged, authorChanged, confidence, checked, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                action.id, judgement, item.work, detection?.id,
                detection?.readTitle ?? before.title,
                detection?.readAuthor ?? before.authorLine, after?.title, after?.authorLine,
                after?.isbn?.isbn13, source,
                after.map { $0.title != before.title || $0.subtitle != before.subtitle } ?? false,
                after.map { $0.authors != before.authors } ?? false, detection?.confidence,
                detection?.checked ?? true, milliseconds,
            ])
    }
}
