import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns the books that were changed automatically and whose changes were not undone, latest change first.
    ///
    /// A change is automatic if the book did not wait for review any more, or left the library.
    package func automaticChanges(
        limit: Int = 100, offset: Int = 0
    ) async throws -> (changes: [AutomaticEdit], total: Int) {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT latest.action, latest.judgement, latest.at, latest.work, latest.detection, earliest.readTitle,
                        earliest.readAuthor, latest.finalTitle, latest.finalAuthor, latest.finalISBN, latest.source,
                        entry.id AS entry, work.reviewStatus, coalesce(photo.file, photo.picture) IS NOT NULL AS hasPicture,
                        printf('%.5f %.5f %.5f %.5f %s', x, y, detection.width, detection.height, quad) AS outline,
                        latest.seenAt IS NOT NULL AS isSeen
                    FROM (SELECT min(h.id) AS earliestID, max(h.id) AS lastID \(Database.openChanges) GROUP BY h.work)
                    JOIN reviewHistory earliest ON earliest.id = earliestID
                    JOIN reviewHistory latest ON latest.id = lastID
                    LEFT JOIN detection ON detection.id = latest.detection
                    LEFT JOIN photo ON photo.id = detection.photo
                    LEFT JOIN entry ON entry.id = detection.entry
                    LEFT JOIN work ON work.id = entry.work
                    ORDER BY lastID DESC LIMIT ? OFFSET ?
                    """, arguments: [limit, offset])
            return (
                try rows.map { row in
                    let actions = try db.automaticActions(on: row["work"])
                    return try AutomaticEdit(row, isUndoable: try db.areUndoable(actions))
                }, try Int.fetchOne(db, sql: "SELECT count(DISTINCT h.work) \(Database.openChanges)") ?? 0
            )
        }
    }

    /// Records that the user has seen the automatic changes up to this one.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func markAutomaticChangesSeen(through action: RowID<ReviewAction>) async throws {
        try await write { db in
            guard
                try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM reviewAction WHERE id = ? AND kind = 'identify')",
                    arguments: [action]) ?? false
            else { throw LibraryError.notFound("automatic change \(action)") }
            try db.execute(
                """
                UPDATE reviewHistory SET seenAt = ?
                WHERE seenAt IS NULL AND judgement IN ('identified', 'withdrawn') AND action <= ?
                """, [db.milliseconds, action])
        }
    }

    /// Undoes the automatic changes of a book; they are not made again.
    ///
    /// - Parameter action: any of them.
    /// - Throws: `LibraryError.notFound`, `.notPossible` if the book has changed since or a change is too old; nothing
    ///   is undone then.
    package func undo(automatic action: RowID<ReviewAction>) async throws -> UndoneAction {
        try await write { db in
            guard
                let work = try RowID<Work>.fetchOne(
                    db, sql: "SELECT h.work \(Database.openChanges) AND h.action = ?", arguments: [action])
            else { throw LibraryError.notFound("automatic change \(action)") }
            return try db.undo(automatic: try db.automaticActions(on: work))
        }
    }
}

extension AutomaticEdit {
    fileprivate init(_ row: Row, isUndoable: Bool) throws {
        let judgement: ReviewJudgement = try row.decode(forColumn: "judgement")
        let (action, work): (RowID<ReviewAction>, RowID<Work>) = (row["action"], row["work"])
        self.init(
            id: "\(action)", time: Date(milliseconds: row["at"]), action: judgement, workId: "\(work)",
            before: ["title": row["readTitle"], "author": row["readAuthor"]],
            after: judgement == .withdrawn
                ? nil : ["title": row["finalTitle"], "author": row["finalAuthor"], "isbn": row["finalISBN"]],
            undoable: isUndoable, seen: row["isSeen"])
        entryId = (row["entry"] as RowID<LibraryEntry>?).map { "\($0)" }
        source = row["source"]
        reviewStatus = try row.decode(forColumn: "reviewStatus")
        let detection: RowID<Detection>? = row["detection"]
        cropUrl = row["hasPicture"] ? detection.map { PictureURL.crop($0, outline: row["outline"] ?? "") } : nil
    }
}

extension Database {
    /// The automatic changes that were not undone.
    ///
    /// A book that waits for review is not settled: what a source finds about it then is its first look-up, which is only
    /// in its history.
    static let openChanges = """
        FROM reviewHistory h JOIN reviewAction a ON a.id = h.action
        WHERE h.judgement IN ('identified', 'withdrawn') AND a.kind = 'identify' AND a.undoneAt IS NULL
        """

    /// The number of books with automatic changes that the user has not seen.
    func unseenChanges() throws -> Int {
        try Int.fetchOne(self, sql: "SELECT count(DISTINCT h.work) \(Self.openChanges) AND h.seenAt IS NULL") ?? 0
    }

    /// Returns the automatic actions on a work that were not undone, latest first.
    fileprivate func automaticActions(on work: RowID<Work>) throws -> [RowID<ReviewAction>] {
        try RowID.fetchAll(
            self, sql: "SELECT h.action \(Self.openChanges) AND h.work = ? ORDER BY h.action DESC", arguments: [work])
    }
}
