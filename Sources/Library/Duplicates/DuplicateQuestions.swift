import Bibliography
package import Foundation
import GRDB

/// Why two books may be one.
package enum DuplicateKind: String, Codable, CaseIterable, Sendable {
    case isbn
    case titleAndAuthor
    /// The titles are nearly the same.
    case similar
    /// The same words were read before, and a person corrected them to the other work.
    case readBefore
}

/// A book that may be in the library twice; a person has to say.
package struct DuplicateQuestion: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<DuplicateQuestion>
    package var kind: DuplicateKind
    /// What was found; nil where the question is about a copy that came otherwise.
    package var detection: RowID<Detection>?
    /// The copy in question; nil while the detection waits.
    package var entry: RowID<LibraryEntry>?
    package var title: String
    package var authors: [String]
    /// The work that it may be.
    package var existing: RowID<Work>
    package var existingTitle: String
    package var existingAuthors: [String]
    /// Copies of that work.
    package var copies: [RowID<LibraryEntry>]
    package var askedAt: Date
}

extension LibraryStore {
    /// Questions that wait, the oldest first.
    package func duplicateQuestions() async throws -> [DuplicateQuestion] {
        try await read { try $0.questions("1", []) }
    }

    /// A page of the questions, the oldest first, and how many there are in all.
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

    /// The open ones among these questions.
    package func duplicateQuestions(_ ids: Set<RowID<DuplicateQuestion>>) async throws -> [DuplicateQuestion] {
        try await read { try $0.questions("q.id IN (SELECT value FROM json_each(:ids))", ["ids": ids.jsonArray()]) }
    }

    /// The open questions about these detections.
    package func duplicateQuestions(about detections: [RowID<Detection>]) async throws -> [DuplicateQuestion] {
        try await read {
            try $0.questions(
                "q.detection IN (SELECT value FROM json_each(:detections))", ["detections": detections.jsonArray()])
        }
    }

    /// Answers questions; the answer is remembered, and a rescan does not ask again.
    ///
    /// Ids that are not open any more are passed over, so a batch may be sent twice.
    ///
    /// - Returns: how many were answered.
    @discardableResult
    package func decide(_ ids: [RowID<DuplicateQuestion>], _ decision: DuplicateDecision) async throws -> Int {
        try await write { change in
            let questions = try change.db.questions(
                "q.id IN (SELECT value FROM json_each(:ids))", ["ids": ids.jsonArray()])
            guard !questions.isEmpty else { return 0 }
            let action = try change.beginAction(
                .duplicate,
                works: try questions.flatMap { question in
                    try [question.existing]
                        + (question.entry.map { [try change.db.entry($0).work] } ?? [])
                }, detections: questions.compactMap(\.detection))
            var answered = 0
            for question in questions where try change.isOpen(question.id) {
                try change.answer(question, decision)
                answered += 1
            }
            try change.finish(action)
            return answered
        }
    }
}

extension Transaction {
    fileprivate func isOpen(_ question: RowID<DuplicateQuestion>) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM duplicateQuestion WHERE id = ?", arguments: [question]) != nil
    }

    fileprivate func answer(_ question: DuplicateQuestion, _ decision: DuplicateDecision) throws {
        let key: String =
            try String.fetchOne(
                db, sql: "SELECT bookKey FROM duplicateQuestion WHERE id = ?", arguments: [question.id]) ?? ""
        try remember(decision, key: key, work: question.existing)
        try execute("DELETE FROM duplicateQuestion WHERE id = ?", [question.id])
        if let entry = question.entry {
            try answer(aboutEntry: entry, existing: question.existing, decision)
        } else if let id = question.detection {
            try answer(aboutDetection: id, existing: question.existing, decision)
        }
    }

    private func answer(aboutDetection id: RowID<Detection>, existing: RowID<Work>, _ decision: DuplicateDecision)
        throws
    {
        guard let detection = try db.detections("id = ?", [id]).first else { return }
        let shelf = try db.shelf(ofPhoto: detection.photo)
        switch decision {
        case .skip: try settle(detection: id, .skipped, entry: nil)
        case .existing:
            try settle(detection: id, .entry, entry: try unseenCopy(of: existing, for: detection, shelf: shelf))
        case .addCopy:
            try settle(
                detection: id, .entry,
                entry: try insertCopy(ofWork: existing, try detection.details(), shelf: shelf))
        case .different:
            // Another work may be asked about still; only the last "no" makes it a book of its own.
            let open =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM duplicateQuestion WHERE detection = ?", arguments: [id]) ?? 0
            if open == 0 {
                // The next spine with these words is this book, not a question.
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
        let work = try db.entry(entry).work
        switch decision {
        case .different: try remember(.existing, key: BookKey(try db.book(ofEntry: entry)).text, work: work)
        case .skip: try deleteEntry(entry, ofWork: work, detections: .skipped)
        case .existing:
            let shelf = try db.entry(entry).details.shelf
            let copy = try copies(ofWork: existing, shelf: shelf)[0]
            try execute("UPDATE detection SET entry = ? WHERE entry = ?", [copy, entry])
            try deleteEntry(entry, ofWork: work, detections: .removed)
            try touch(work: existing)
        case .addCopy: try move(entry: entry, fromWork: work, toWork: existing)
        }
    }

    /// Makes a copy of one work a copy of another, with its edition.
    private func move(entry: RowID<LibraryEntry>, fromWork work: RowID<Work>, toWork target: RowID<Work>) throws {
        let details = try db.book(ofEntry: entry)
        try execute("UPDATE entry SET work = ?, edition = NULL, revision = revision + 1 WHERE id = ?", [target, entry])
        var edition: RowID<Edition>?
        if let isbn = details.isbn?.isbn13 {
            edition = try RowID.fetchOne(
                db, sql: "SELECT id FROM edition WHERE work = ? AND isbn = ?", arguments: [target, isbn])
        }
        if edition == nil { edition = try self.edition(ofWork: target, details, current: nil) }
        try execute("UPDATE entry SET edition = ? WHERE id = ?", [edition, entry])
        try execute("DELETE FROM duplicateQuestion WHERE entry = ?", [entry])
        try touch(work: target)
        try deleteIfWithoutCopies(work: work)
    }

    private func unseenCopy(of work: RowID<Work>, for detection: Detection, shelf: RowID<Shelf>?) throws -> RowID<
        LibraryEntry
    > {
        let seen = Set(
            try RowID<LibraryEntry>.fetchAll(
                db, sql: "SELECT entry FROM detection WHERE job = ? AND entry IS NOT NULL", arguments: [detection.job]))
        let copies = try copies(ofWork: work, shelf: shelf)
        return copies.first { !seen.contains($0) } ?? copies[0]
    }

    private func settle(detection: RowID<Detection>, _ outcome: Detection.Outcome, entry: RowID<LibraryEntry>?) throws {
        try execute("UPDATE detection SET outcome = ?, entry = ? WHERE id = ?", [outcome, entry, detection])
    }

    /// Gives a detection that waited a work of its own.
    ///
    /// - Returns: the work.
    @discardableResult
    fileprivate func addWork(for detection: Detection, shelf: RowID<Shelf>?) throws -> RowID<Work> {
        let details = try detection.details()
        let work = try insertWork(details, status: .verified)
        let entry = try insertEntry(ofWork: work, details, EntryDetails(shelf: shelf))
        try settle(detection: detection.id, .entry, entry: entry)
        return work
    }

    /// Detections that waited because of a work which is about to go become copies of their own.
    func releaseDetections(waitingFor work: RowID<Work>) throws {
        let waiting = try db.detections(
            "id IN (SELECT detection FROM duplicateQuestion WHERE work = ? AND detection IS NOT NULL)", [work])
        try execute("DELETE FROM duplicateQuestion WHERE work = ?", [work])
        for detection in waiting {
            let open =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM duplicateQuestion WHERE detection = ?",
                    arguments: [detection.id]) ?? 0
            if open == 0 { try addWork(for: detection, shelf: try db.shelf(ofPhoto: detection.photo)) }
        }
    }
}

extension Database {
    /// - Parameter condition: on the question `q`.
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
