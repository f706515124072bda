package import Bibliography
import GRDB
package import ShelflistAPI
import Storage

/// The part of the inbox to return.
package struct InboxFilter: Hashable, Sendable {
    package var kinds: [InboxKind]
    /// Limits books that need review to a tier.
    package var tier: ConfidenceTier?
    package var shelf: RowID<Shelf>?
    package var photo: RowID<Photo>?

    package init(
        kinds: [InboxKind] = InboxKind.waiting, tier: ConfidenceTier? = nil, shelf: RowID<Shelf>? = nil,
        photo: RowID<Photo>? = nil
    ) {
        (self.kinds, self.tier, self.shelf, self.photo) = (kinds, tier, shelf, photo)
    }
}

extension LibraryStore {
    /// Returns a page of the items that wait for the user, by kind, and their total number.
    package func inbox(
        _ filter: InboxFilter = InboxFilter(), limit: Int = 50, offset: Int = 0
    ) async throws -> (items: [ReviewQueueItem], total: Int) {
        try await compareChangedShelves()
        return try await read { db in
            let (rows, total) = try db.inboxPage(filter, limit: limit, offset: offset)
            return (try db.inboxItems(rows), total)
        }
    }

    /// Returns one copy as an item of the inbox, whether it waits for review or not.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func queueItem(_ entry: RowID<LibraryEntry>) async throws -> ReviewQueueItem {
        try await read { db in
            let book = try db.item(entry)
            var item = ReviewQueueItem(book)
            item.reviewStatus = try db.work(book.work).reviewStatus
            item.shelf = try db.entry(entry).details.shelf.map { ShelfReference(try db.shelf($0)) }
            return item
        }
    }

    /// Returns the books without a record or cover.
    package func booksWithoutRecordOrCover() async throws -> [EntryBook] {
        try await read { try $0.incompleteBooks("entry.id IN (SELECT id FROM (\(InboxKind.incomplete.sql)))") }
    }

    /// Determines the gaps of the shelves whose scans changed.
    ///
    /// On a full disk, what was determined before stays until there is room: it is derived, and reading must not fail.
    func compareChangedShelves() async throws {
        let isChanged = try await read {
            try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM shelfToCompare)") ?? false
        }
        guard isChanged else { return }
        do {
            try await writeUnseen { db in
                for shelf in try RowID<Shelf>.fetchAll(db, sql: "SELECT shelf FROM shelfToCompare") {
                    try db.compareShelf(shelf)
                }
                try db.execute("DELETE FROM shelfToCompare")
            }
        } catch StorageError.diskFull {}
    }
}

/// An item of the inbox before its data is fetched.
struct InboxRow {
    var kind: InboxKind
    var id: Int64
}

extension InboxKind {
    /// A query for `id` (of the copy, question or row), `shelf`, `photo`, and the order `late`, `confidence`.
    fileprivate var sql: String {
        let inside = Database.inside("m.shelf")
        return switch self {
        case .detection:
            "SELECT entry AS id, shelf, photo, NOT checked AS late, confidence FROM (\(Database.queueSQL))"
        case .duplicateQuestion:
            """
            SELECT q.id, coalesce(entry.shelf, photo.shelf) AS shelf, photo.id AS photo, 0 AS late, 0 AS confidence
            FROM duplicateQuestion q LEFT JOIN entry ON entry.id = q.entry
            LEFT JOIN detection d ON d.id = coalesce(
                q.detection, (SELECT max(id) FROM detection WHERE detection.entry = q.entry))
            LEFT JOIN photo ON photo.id = d.photo
            """
        case .missing:
            """
            SELECT m.entry AS id, m.shelf, d.photo, 0 AS late, 0 AS confidence
            FROM standing m JOIN entry ON entry.id = m.entry JOIN detection d ON d.id = m.detection
            WHERE m.isGap AND entry.shelf IN \(inside) AND entry.ownership <> 'lent' AND NOT EXISTS (
                SELECT 1 FROM foundCopy f WHERE f.entry = m.entry AND f.shelf IN \(inside) AND f.at >= m.scannedAt)
            """
        case .failedRow: "SELECT id, NULL AS shelf, NULL AS photo, 0 AS late, 0 AS confidence FROM failedRow"
        case .incomplete:
            // Records do not change a book that the user edited.
            """
            SELECT entry.id, entry.shelf, NULL AS photo, 0 AS late, 0 AS confidence
            FROM entry JOIN work ON work.id = entry.work LEFT JOIN edition ON edition.id = entry.edition
            WHERE reviewStatus <> 'needsReview' AND (cover IS NULL
                OR source IS NULL AND isbn IS NULL AND reviewStatus <> 'userEdited')
            """
        }
    }
}

extension InboxFilter {
    fileprivate var sql: String {
        let parts = InboxKind.allCases.filter(kinds.contains).enumerated().map { rank, kind in
            "SELECT '\(kind.rawValue)' AS kind, \(rank) AS rank, * FROM (\(kind.sql)) WHERE \(condition(of: kind))"
        }
        return "SELECT * FROM (\(parts.joined(separator: " UNION ALL ")))"
            + " WHERE (:shelf IS NULL OR shelf IN \(Database.inside(":shelf"))) AND (:photo IS NULL OR photo = :photo)"
    }

    /// A tier selects only books that need review.
    private func condition(of kind: InboxKind) -> String {
        guard let tier else { return "1" }
        guard kind == .detection else { return "0" }
        let (verify, ready) = (ConfidenceTier.verifyFrom, ConfidenceTier.readyFrom)
        return switch tier {
        case .notChecked: "late"
        case .needsReview: "NOT late AND confidence < \(verify)"
        case .verify: "NOT late AND confidence >= \(verify) AND confidence < \(ready)"
        case .ready: "NOT late AND confidence >= \(ready)"
        }
    }

    fileprivate var arguments: StatementArguments { ["shelf": shelf, "photo": photo] }
}

extension Database {
    func inboxCount(_ filter: InboxFilter) throws -> Int {
        try Int.fetchOne(self, sql: "SELECT count(*) FROM (\(filter.sql))", arguments: filter.arguments) ?? 0
    }

    /// Returns a page of the items, and their number on all pages.
    func inboxPage(_ filter: InboxFilter, limit: Int, offset: Int = 0) throws -> (rows: [InboxRow], total: Int) {
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT kind, id, count(*) OVER () AS total FROM (\(filter.sql))
                ORDER BY rank, late, confidence, id LIMIT :limit OFFSET :offset
                """, arguments: filter.arguments + ["limit": limit, "offset": offset])
        // A page beyond the last one has no row.
        let total: Int = if let first = rows.first { first["total"] } else { try inboxCount(filter) }
        return (try rows.map { InboxRow(kind: try $0.decode(forColumn: "kind"), id: $0["id"]) }, total)
    }

    fileprivate func inboxItems(_ rows: [InboxRow]) throws -> [ReviewQueueItem] {
        var items: [ReviewQueueItem] = []
        for row in rows { items.append(try inboxItem(row)) }
        try addSummaries(to: &items)
        return items
    }

    private func inboxItem(_ row: InboxRow) throws -> ReviewQueueItem {
        switch row.kind {
        case .detection, .incomplete: return ReviewQueueItem(try item(RowID(row.id)), kind: row.kind)
        case .missing:
            let seen = try detections(
                """
                id = (SELECT m.detection FROM standing m JOIN entry e ON e.id = m.entry
                    WHERE e.id = ? AND m.isGap AND e.shelf IN \(Self.inside("m.shelf")))
                """, [row.id])
            return ReviewQueueItem(try item(RowID(row.id)), kind: row.kind, seen: seen.first)
        case .duplicateQuestion:
            guard let question = try questions("q.id = ?", [row.id]).first else {
                throw LibraryError.notFound("question \(row.id)")
            }
            return ReviewQueueItem(
                question, book: try question.entry.map { try item($0) },
                seen: try question.detection.flatMap { try detections("id = ?", [$0]).first })
        case .failedRow:
            let failed = try FailedRow.fetchOne(self, sql: "SELECT * FROM failedRow WHERE id = ?", arguments: [row.id])
            guard let failed else { throw LibraryError.notFound("row \(row.id)") }
            return ReviewQueueItem(failed)
        }
    }

    /// Adds what lists of the library show, with one query for all items.
    private func addSummaries(to items: inout [ReviewQueueItem]) throws {
        var query = EntryQuery()
        query.ids = items.flatMap { [$0.entryId, $0.existingCopy] }.compactMap { $0.flatMap { RowID($0) } }
        let summaries = Dictionary(
            try entries(query).entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for index in items.indices {
            if let entry = items[index].entryId.flatMap({ summaries[$0] }) {
                items[index].add(entry)
            } else if let photo = items[index].photoId.flatMap({ RowID<Photo>($0) }) {
                items[index].shelf = try shelf(ofPhoto: photo).map { ShelfReference(try shelf($0)) }
            }
            if let existing = items[index].existingCopy.flatMap({ summaries[$0] }) {
                items[index].duplicates[0].existing.show(existing)
            }
        }
    }
}

extension ReviewQueueItem {
    /// A copy of the work that a question is about.
    fileprivate var existingCopy: String? {
        kind == .duplicateQuestion ? duplicates.first?.existing.entryIds.first : nil
    }
}
