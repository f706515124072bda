import Bibliography
package import Foundation
import GRDB

/// A decision about a book: the user's, or an automatic one.
package enum ReviewJudgement: String, Codable, CaseIterable, Sendable {
    case verified, corrected, rejected, matched, recropped
    /// Identified again, automatically, after sources answered.
    case identified
    /// Removed automatically: its text belongs to another book.
    case withdrawn
}

/// One decision: the text read, the result and the time.
package struct HistoryEvent: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<HistoryEvent>
    package var action: RowID<ReviewAction>
    package var judgement: ReviewJudgement
    package var at: Date
    package var work: RowID<Work>
    package var detection: RowID<Detection>?
    package var readTitle: String?
    package var readAuthor: String?
    package var finalTitle: String?
    package var finalAuthor: String?
    package var titleChanged: Bool
    package var authorChanged: Bool
    package var confidence: Double?
    package var checked: Bool
    package var undone: Bool
}

extension LibraryStore {
    /// Returns the decisions, latest first.
    ///
    /// - Parameter work: limits the result to one work.
    package func reviewHistory(
        of work: RowID<Work>? = nil, limit: Int = 100, offset: Int = 0
    ) async throws -> [HistoryEvent] {
        try await read { db in
            try HistoryEvent.fetchAll(
                db,
                sql: """
                    SELECT reviewHistory.*, undoneAt IS NOT NULL AS undone
                    FROM reviewHistory JOIN reviewAction a ON a.id = action
                    WHERE :work IS NULL OR work = :work ORDER BY reviewHistory.id DESC LIMIT :limit OFFSET :offset
                    """, arguments: ["work": work, "limit": limit, "offset": offset])
        }
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
