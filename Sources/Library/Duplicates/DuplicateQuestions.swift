import Bibliography
package import Foundation
import GRDB
package import ShelflistAPI

/// A possible duplicate that the user has to decide on.
package struct DuplicateQuestion: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<DuplicateQuestion>
    package var kind: DuplicateKind
    /// The detection in question; `nil` if the copy does not come from a scan.
    package var detection: RowID<Detection>?
    /// The copy in question; `nil` while the detection waits for an answer.
    package var entry: RowID<LibraryEntry>?
    package var title: String
    package var authors: [String]
    /// The existing work that it may duplicate.
    package var existing: RowID<Work>
    package var existingTitle: String
    package var existingAuthors: [String]
    /// The copies of that work.
    package var copies: [RowID<LibraryEntry>]
    package var askedAt: Date
}

extension LibraryStore {
    /// Returns a page of the open questions, oldest first, and their total number.
    package func duplicateQuestions(
        limit: Int, offset: Int
    ) async throws -> (questions: [DuplicateQuestion], total: Int) {
        try await read { db in
            (
                try db.questions(
                    "q.id IN (SELECT id FROM duplicateQuestion ORDER BY id LIMIT :limit OFFSET :offset)",
                    ["limit": limit, "offset": offset]),
                try Int.fetchOne(db, sql: "SELECT count(*) FROM duplicateQuestion") ?? 0
            )
        }
    }

    /// Returns those of these questions that are open.
    package func duplicateQuestions(_ ids: Set<RowID<DuplicateQuestion>>) async throws -> [DuplicateQuestion] {
        try await read { try $0.questions("q.id IN (SELECT value FROM json_each(:ids))", ["ids": ids.jsonArray()]) }
    }

    /// Answers questions.
    ///
    /// The answers are remembered, so a rescan does not ask again.
    ///
    /// IDs of questions that are no longer open are ignored, so a batch may be sent twice.
    ///
    /// - Returns: the number of questions answered.
    @discardableResult
    package func decide(_ ids: [RowID<DuplicateQuestion>], _ decision: DuplicateDecision) async throws -> Int {
        try await write { db in
            try db.answer(
                try db.questions("q.id IN (SELECT value FROM json_each(:ids))", ["ids": ids.jsonArray()]), decision)
        }
    }
}

extension Database {
    /// Answers questions as one action.
    ///
    /// - Returns: the number of questions answered; an answer may close others.
    @discardableResult
    func answer(_ questions: [DuplicateQuestion], _ decision: DuplicateDecision) throws -> Int {
        guard !questions.isEmpty else { return 0 }
        let action = try beginAction(.duplicate)
        var answered = 0
        for question in questions where try answer(question, decision) { answered += 1 }
        try finish(action)
        return answered
    }

    /// - Returns: false if the question is not open any more.
    fileprivate func answer(_ question: DuplicateQuestion, _ decision: DuplicateDecision) throws -> Bool {
        guard
            let key = try String.fetchOne(
                self, sql: "SELECT bookKey FROM duplicateQuestion WHERE id = ?", arguments: [question.id])
        else { return false }
        try remember(decision, key: key, work: question.existing)
        try execute("DELETE FROM duplicateQuestion WHERE id = ?", [question.id])
        if let entry = question.entry {
            try answer(aboutEntry: entry, existing: question.existing, decision)
        } else if let id = question.detection {
            try answer(aboutDetection: id, existing: question.existing, decision)
        }
        return true
    }

    private func answer(aboutDetection id: RowID<Detection>, existing: RowID<Work>, _ decision: DuplicateDecision)
        throws
    {
        guard let detection = try detections("id = ?", [id]).first else { return }
        let shelf = try shelf(ofPhoto: detection.photo)
        switch decision {
        case .skip: try settle(detection: id, .skipped, entry: nil)
        case .existing:
            let copy = try unseenCopy(of: existing, for: detection, shelf: shelf)
            try fulfil(copy, with: EntryDetails(shelf: shelf))
            try settle(detection: id, .entry, entry: copy)
        case .addCopy:
            try settle(
                detection: id, .entry,
                entry: try insertCopy(ofWork: existing, try detection.details(), shelf: shelf))
        case .different:
            // Questions about other works may be open; only the last "no" makes it a separate book.
            if try !isInQuestion(id) {
                // The next spine with this text is matched to this book without a question.
                try remember(
                    .existing, key: BookKey(try detection.details()).text,
                    work: try addWork(for: detection, shelf: shelf))
            }
        }
        if decision != .different { try execute("DELETE FROM duplicateQuestion WHERE detection = ?", [id]) }
    }

    private func answer(aboutEntry entry: RowID<LibraryEntry>, existing: RowID<Work>, _ decision: DuplicateDecision)
        throws
    {
        let work = try self.entry(entry).work
        switch decision {
        case .different: try remember(.existing, key: BookKey(try book(ofEntry: entry)).text, work: work)
        case .skip: try deleteEntry(entry, ofWork: work, detections: .skipped)
        case .existing:
            let details = try self.entry(entry).details
            let copy = try copies(ofWork: existing, shelf: details.shelf)[0]
            if details.ownership != .wishlist { try fulfil(copy, with: details) }
            try execute("UPDATE detection SET entry = ? WHERE entry = ?", [copy, entry])
            try deleteEntry(entry, ofWork: work, detections: .removed)
            try touch(work: existing)
        case .addCopy: try move(entry: entry, fromWork: work, toWork: existing)
        }
    }

    /// Moves a copy, with its edition, from one work to another.
    func move(entry: RowID<LibraryEntry>, fromWork work: RowID<Work>, toWork target: RowID<Work>) throws {
        let details = try book(ofEntry: entry)
        try execute("UPDATE entry SET work = ?, edition = NULL, revision = revision + 1 WHERE id = ?", [target, entry])
        let edition =
            try edition(ofWork: target, isbn: details.isbn) ?? edition(ofWork: target, details, current: nil)
        try execute("UPDATE entry SET edition = ? WHERE id = ?", [edition, entry])
        try execute("DELETE FROM duplicateQuestion WHERE entry = ?", [entry])
        try touch(work: target)
        try deleteIfWithoutCopies(work: work)
    }

    private func unseenCopy(of work: RowID<Work>, for detection: Detection, shelf: RowID<Shelf>?) throws
        -> RowID<LibraryEntry>
    {
        let seen = Set(
            try RowID<LibraryEntry>.fetchAll(
                self, sql: "SELECT entry FROM detection WHERE job = ? AND entry IS NOT NULL", arguments: [detection.job]
            ))
        let copies = try copies(ofWork: work, shelf: shelf)
        return copies.first { !seen.contains($0) } ?? copies[0]
    }

    /// Sets what became of a detection that waited for an answer.
    ///
    /// - Parameter keepsEdit: whether the copy is the book that the user edited, not one of another work.
    private func settle(
        detection: RowID<Detection>, _ outcome: Detection.Outcome, entry: RowID<LibraryEntry>?, keepsEdit: Bool = false
    ) throws {
        try execute(
            """
            UPDATE detection SET outcome = :outcome, entry = :entry, edited = NULL,
                editedTitle = CASE WHEN :keepsEdit THEN editedTitle END,
                editedAuthor = CASE WHEN :keepsEdit THEN editedAuthor END WHERE id = :id
            """, ["outcome": outcome, "entry": entry, "keepsEdit": keepsEdit, "id": detection])
    }

    /// Creates a work for a detection that waited for an answer.
    ///
    /// - Returns: the work.
    @discardableResult
    fileprivate func addWork(for detection: Detection, shelf: RowID<Shelf>?) throws -> RowID<Work> {
        let details = try detection.details()
        let work = try insertWork(details, status: detection.edited == nil ? .verified : .userEdited)
        let entry = try insertEntry(ofWork: work, details, EntryDetails(shelf: shelf), from: .photo)
        try settle(detection: detection.id, .entry, entry: entry, keepsEdit: true)
        return work
    }

    /// Makes copies of the detections that wait because of a work that is about to be deleted.
    func releaseDetections(waitingFor work: RowID<Work>) throws {
        let waiting = try detections(
            "id IN (SELECT detection FROM duplicateQuestion WHERE work = ? AND detection IS NOT NULL)", [work])
        try execute("DELETE FROM duplicateQuestion WHERE work = ?", [work])
        for detection in waiting {
            if try !isInQuestion(detection.id) {
                try addWork(for: detection, shelf: try shelf(ofPhoto: detection.photo))
            }
        }
    }

    private func isInQuestion(_ detection: RowID<Detection>) throws -> Bool {
        try Int.fetchOne(self, sql: "SELECT 1 FROM duplicateQuestion WHERE detection = ?", arguments: [detection])
            != nil
    }

    /// - Parameter condition: an SQL condition on the question `q`.
    func questions(_ condition: String, _ arguments: StatementArguments) throws -> [DuplicateQuestion] {
        let statement = try cachedStatement(
            sql: """
                SELECT q.*, work.title AS existingTitle, work.authorNames AS existingAuthors,
                    own.title AS ownTitle, own.authorNames AS ownAuthors
                FROM duplicateQuestion q JOIN work ON work.id = q.work
                LEFT JOIN entry ON entry.id = q.entry LEFT JOIN work own ON own.id = entry.work
                WHERE \(condition) ORDER BY q.id
                """)
        return try Row.fetchAll(statement, arguments: arguments).map { row in
            let detection = row["detection"] as RowID<Detection>?
            var title: String? = row["ownTitle"]
            var authors = AuthorNames.list(row["ownAuthors"] ?? "")
            if let detection, let details = try detections("id = ?", [detection]).first?.details() {
                title = details.title
                authors = details.authors.map(\.name)
            }
            let work: RowID<Work> = row["work"]
            return DuplicateQuestion(
                id: row["id"], kind: try row.decode(forColumn: "kind"), detection: detection,
                entry: row["entry"], title: title ?? "", authors: authors,
                existing: work, existingTitle: row["existingTitle"],
                existingAuthors: AuthorNames.list(row["existingAuthors"]), copies: try copies(ofWork: work),
                askedAt: Date(milliseconds: row["askedAt"]))
        }
    }

    func shelf(ofPhoto photo: RowID<Photo>) throws -> RowID<Shelf>? {
        try RowID.fetchOne(self, sql: "SELECT shelf FROM photo WHERE id = ?", arguments: [photo])
    }
}
