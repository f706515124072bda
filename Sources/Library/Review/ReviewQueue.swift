package import Bibliography
import GRDB
package import ShelflistAPI

/// A work that waits for review, with the data needed to decide.
package struct ReviewItem: Identifiable, Hashable, Codable, Sendable {
    /// The copy, which review actions refer to.
    package var id: RowID<LibraryEntry>
    package var work: RowID<Work>
    package var title: String
    package var subtitle: String?
    package var authors: [String]
    package var isbn: ISBN?
    /// A probability, 0...1, if the book was checked; `nil` for a book from a list.
    package var confidence: Double?
    /// The spine with the lowest confidence: position, text read, stored edits, all matches.
    package var detection: Detection?
    /// At most three alternative records, best first.
    package var alternatives: [BookMatch]
    package var duplicateQuestions: [DuplicateQuestion]
    /// The revision of the work.
    package var revision: Int

    package var tier: ConfidenceTier {
        ConfidenceTier(confidence: confidence ?? 0, checked: detection?.checked ?? true)
    }
}

extension LibraryStore {
    /// Returns the item of one copy, whether it waits for review or not.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func reviewItem(_ entry: RowID<LibraryEntry>) async throws -> ReviewItem {
        try await read { try $0.item(entry) }
    }

    package func reviewCounts() async throws -> ReviewQueueCounts {
        try await compareChangedShelves()
        return try await read { db in
            var counts = ReviewQueueCounts()
            let rows = try Row.fetchCursor(db, sql: Database.queueSQL)
            while let row = try rows.next() {
                counts[ConfidenceTier(confidence: row["confidence"], checked: row["checked"])] += 1
            }
            let others: [(InboxKind, WritableKeyPath<ReviewQueueCounts, Int>)] = [
                (.failedRow, \.failedRows), (.duplicateQuestion, \.duplicateQuestions), (.missing, \.missing),
                (.incomplete, \.incomplete),
            ]
            for (kind, count) in others { counts[keyPath: count] = try db.inboxCount(InboxFilter(kinds: [kind])) }
            counts.automaticChanges = try db.unseenChanges()
            counts.total = counts.books + counts.failedRows + counts.duplicateQuestions + counts.missing
            return counts
        }
    }
}

extension Database {
    /// The works in the queue, each with the copy and confidence of its least certain spine.
    ///
    /// In a query with a single `min`, SQLite takes the other columns from the row of the minimum.
    static let queueSQL = """
        SELECT work.id AS work, entry.id AS entry, coalesce(min(detection.confidence), 0) AS confidence,
            coalesce(checked, 1) AS checked, entry.shelf AS shelf, photo
        FROM work JOIN entry ON entry.work = work.id
        LEFT JOIN detection ON detection.entry = entry.id
        WHERE reviewStatus = 'needsReview' GROUP BY work.id
        """

    func item(_ entry: RowID<LibraryEntry>) throws -> ReviewItem {
        let copy = try self.entry(entry)
        let work = try work(copy.work)
        let detection = try detections("entry = ? ORDER BY confidence IS NULL, confidence, id LIMIT 1", [entry]).first
        let authors = work.authors.map(\.name)
        let own = BookKey(title: work.title, subtitle: work.subtitle, authors: authors)
        return ReviewItem(
            id: copy.id, work: work.id, title: work.title, subtitle: work.subtitle, authors: authors,
            isbn: try copy.edition.flatMap { try edition($0).isbn }, confidence: detection?.confidence,
            detection: detection,
            alternatives: Array(
                (detection?.matches ?? []).lazy.filter { match in
                    let names = match.author.map(AuthorCredit.list) ?? []
                    let key = BookKey(title: match.title, subtitle: match.subtitle, authors: names.map(\.name))
                    return key.agreement(with: own) != .same
                }.prefix(3)),
            duplicateQuestions: try questions("q.entry = ?", [entry]), revision: work.revision)
    }
}
