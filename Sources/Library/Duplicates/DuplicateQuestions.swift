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

    /// Answers questions; the answer is remembered, and a rescan does not ask again.
    ///
    /// Ids that are not open any more are passed over, so a batch may be sent twice.
    ///
    /// - Returns: how many were answered.
    @discardableResult
    package func decide(_ ids: [RowID<DuplicateQuestion>], _ decision: DuplicateDecision) async throws -> Int {
        try await write { change in
            let questions = try ids.flatMap { try change.db.questions("q.id = ?", [$0.rawValue]) }
            guard !questions.isEmpty else { return 0 }
            let action = try change.beginAction(
                .duplicate,
                works: try questions.flatMap { question in
                    try [question.existing.rawValue]
                        + (question.entry.map { [try change.db.entry($0.rawValue).work.rawValue] } ?? [])
                }, detections: questions.compactMap(\.detection?.rawValue))
            var answered = 0
            for question in questions where try change.isOpen(question.id.rawValue) {
                try change.answer(question, decision)
                answered += 1
            }
            try change.finish(action)
            return answered
        }
    }
}

extension Change {
    fileprivate func isOpen(_ question: Int64) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM duplicateQuestion WHERE id = ?", arguments: [question]) != nil
    }

    fileprivate func answer(_ question: DuplicateQuestion, _ decision: DuplicateDecision) throws {
        let key: String =
            try String.fetchOne(
                db, sql: "SELECT bookKey FROM duplicateQuestion WHERE id = ?", arguments: [question.id.rawValue]) ?? ""
        try remember(decision, key: key, work: question.existing.rawValue)
        try execute("DELETE FROM duplicateQuestion WHERE id = ?", [question.id.rawValue])
        if let entry = question.entry?.rawValue {
            try answer(aboutEntry: entry, existing: question.existing.rawValue, decision)
        } else if let id = question.detection?.rawValue {
            try answer(aboutDetection: id, existing: question.existing.rawValue, decision)
        }
    }

    private func answer(aboutDetection id: Int64, existing: Int64, _ decision: DuplicateDecision) throws {
        guard let detection = try db.detections("id = ?", [id]).first else { return }
        let shelf = try db.shelf(ofPhoto: detection.photo.rawValue)
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

    private func answer(aboutEntry entry: Int64, existing: Int64, _ decision: DuplicateDecision) throws {
        let work = try db.entry(entry).work.rawValue
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
    private func move(entry: Int64, fromWork work: Int64, toWork target: Int64) throws {
        let details = try db.book(ofEntry: entry)
        try execute("UPDATE entry SET work = ?, edition = NULL, revision = revision + 1 WHERE id = ?", [target, entry])
        var edition: Int64?
        if let isbn = details.isbn?.isbn13 {
            edition = try Int64.fetchOne(
                db, sql: "SELECT id FROM edition WHERE work = ? AND isbn = ?", arguments: [target, isbn])
        }
        if edition == nil { edition = try self.edition(ofWork: target, details, current: nil) }
        try execute("UPDATE entry SET edition = ? WHERE id = ?", [edition, entry])
        try execute("DELETE FROM duplicateQuestion WHERE entry = ?", [entry])
        try touch(work: target)
        try deleteIfWithoutCopies(work: work)
    }

    private func unseenCopy(of work: Int64, for detection: Detection, shelf: RowID<Shelf>?) throws -> Int64 {
        let seen = Set(
            try Int64.fetchAll(
                db, sql: "SELECT entry FROM detection WHERE job = ? AND entry IS NOT NULL", arguments: [detection.job]))
        let copies = try copies(ofWork: work, shelf: shelf)
        return copies.first { !seen.contains($0) } ?? copies[0]
    }

    private func settle(detection: Int64, _ outcome: Detection.Outcome, entry: Int64?) throws {
        try execute("UPDATE detection SET outcome = ?, entry = ? WHERE id = ?", [outcome.rawValue, entry, detection])
    }

    /// Gives a detection that waited a work of its own.
    ///
    /// - Returns: the work.
    @discardableResult
    fileprivate func addWork(for detection: Detection, shelf: RowID<Shelf>?) throws -> Int64 {
        let details = try detection.details()
        let work = try insertWork(details, status: .verified)
        let entry = try insertEntry(ofWork: work, details, EntryDetails(shelf: shelf))
        try settle(detection: detection.id.rawValue, .entry, entry: entry)
        return work
    }

    /// Detections that waited because of a work which is about to go become copies of their own.
    func releaseDetections(waitingFor work: Int64) throws {
        let waiting = try db.detections(
            "id IN (SELECT detection FROM duplicateQuestion WHERE work = ? AND detection IS NOT NULL)", [work])
        try execute("DELETE FROM duplicateQuestion WHERE work = ?", [work])
        for detection in waiting {
            let open =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM duplicateQuestion WHERE detection = ?",
                    arguments: [detection.id.rawValue]) ?? 0
            if open == 0 { try addWork(for: detection, shelf: try db.shelf(ofPhoto: detection.photo.rawValue)) }
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
            let detection = row["detection"] as Int64?
            var title: String? = row["ownTitle"]
            var authors = AuthorNames.list(row["ownAuthors"] ?? "")
            if let detection, let details = try detections("id = ?", [detection]).first?.details() {
                title = details.title
                authors = details.authors.map(\.name)
            }
            let work: Int64 = row["work"]
            let copies = try Int64.fetchAll(
                cachedStatement(sql: "SELECT id FROM entry WHERE work = ? ORDER BY id"), arguments: [work])
            return DuplicateQuestion(
                id: RowID(row["id"]), kind: try row.value("kind"), detection: detection.map { RowID($0) },
                entry: (row["entry"] as Int64?).map { RowID($0) }, title: title ?? "", authors: authors,
                existing: RowID(work), existingTitle: row["existingTitle"],
                existingAuthors: AuthorNames.list(row["existingAuthors"]), copies: copies.map { RowID($0) },
                askedAt: Date(milliseconds: row["askedAt"]))
        }
    }

    func shelf(ofPhoto photo: Int64) throws -> RowID<Shelf>? {
        try Int64.fetchOne(self, sql: "SELECT shelf FROM photo WHERE id = ?", arguments: [photo]).map { RowID($0) }
    }
}
