package import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

/// A work that waits for a person, with what is needed to decide.
package struct ReviewItem: Identifiable, Hashable, Codable, Sendable {
    /// The copy; review actions name it.
    package var id: RowID<LibraryEntry>
    package var work: RowID<Work>
    package var title: String
    package var subtitle: String?
    package var authors: [String]
    package var isbn: ISBN?
    /// Probability, 0...1; nil for what came from a list.
    package var confidence: Double?
    /// The spine that is least sure: place, text read, edits kept, all matches.
    package var detection: Detection?
    /// At most three records that it may be instead, best first.
    package var alternatives: [BookMatch]
    /// Why it waits, where it came from a list.
    package var failedEnrichment: FailedEnrichment?
    package var duplicateQuestions: [DuplicateQuestion]
    /// Of the work.
    package var revision: Int

    package var tier: ConfidenceTier { ConfidenceTier(confidence: confidence ?? 0) }
}

/// A row of an imported list that no catalog knew.
package struct FailedEnrichment: Hashable, Codable, Sendable {
    package var file: String
    package var line: Int
    package var reason: String
}

/// How many works wait.
package struct ReviewCounts: Hashable, Codable, Sendable {
    package var needsReview = 0
    package var verify = 0
    package var ready = 0
    /// Rows of imported lists; not among the three above.
    package var failedEnrichments = 0
    /// Questions on duplicates; about works of the queue or others.
    package var duplicateQuestions = 0

    package init(
        needsReview: Int = 0, verify: Int = 0, ready: Int = 0, failedEnrichments: Int = 0, duplicateQuestions: Int = 0
    ) {
        self.needsReview = needsReview
        self.verify = verify
        self.ready = ready
        self.failedEnrichments = failedEnrichments
        self.duplicateQuestions = duplicateQuestions
    }

    package subscript(tier: ConfidenceTier) -> Int {
        switch tier {
        case .needsReview: needsReview
        case .verify: verify
        case .ready: ready
        }
    }

    /// Works in the queue.
    package var total: Int { needsReview + verify + ready + failedEnrichments }
}

/// What part of the queue is asked for.
package enum ReviewFilter: Hashable, Sendable {
    case all
    case tier(ConfidenceTier)
    case failedEnrichments
}

extension LibraryStore {
    /// The works that need review, lowest confidence first, rows of lists last.
    package func reviewQueue(_ filter: ReviewFilter = .all, limit: Int = 50, offset: Int = 0) async throws
        -> [ReviewItem]
    {
        try await read { db in
            try db.queue(filter, limit: limit, offset: offset).map { try db.item($0) }
        }
    }

    /// The item of one copy, whether it waits or not.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func reviewItem(_ entry: RowID<LibraryEntry>) async throws -> ReviewItem {
        try await read { try $0.item(entry) }
    }

    package func reviewCounts() async throws -> ReviewCounts {
        try await read { db in
            var counts = ReviewCounts()
            let rows = try Row.fetchCursor(db, sql: Database.queueSQL)
            while let row = try rows.next() {
                if row["failed"] as Bool {
                    counts.failedEnrichments += 1
                    continue
                }
                switch ConfidenceTier(confidence: row["confidence"] ?? 0) {
                case .needsReview: counts.needsReview += 1
                case .verify: counts.verify += 1
                case .ready: counts.ready += 1
                }
            }
            counts.duplicateQuestions = try Int.fetchOne(db, sql: "SELECT count(*) FROM duplicateQuestion") ?? 0
            return counts
        }
    }
}

extension Database {
    /// The queue's works, each with the copy and confidence of its least sure spine: where there is one minimum, and one
    /// only, SQLite takes the other columns from its row.
    static let queueSQL = """
        SELECT work.id AS work, entry.id AS entry, min(detection.confidence) AS confidence,
            failed.entry IS NOT NULL AS failed
        FROM work JOIN entry ON entry.work = work.id
        LEFT JOIN detection ON detection.entry = entry.id
        LEFT JOIN failedEnrichment failed ON failed.entry = entry.id
        WHERE reviewStatus = 'needsReview' GROUP BY work.id
        """

    /// Numbers of the copies in the queue.
    func queue(_ filter: ReviewFilter, limit: Int, offset: Int = 0) throws -> [RowID<LibraryEntry>] {
        let condition =
            switch filter {
            case .all: "1"
            case .failedEnrichments: "failed"
            case .tier(.needsReview): "NOT failed AND coalesce(confidence, 0) < \(ConfidenceTier.verifyFrom)"
            case .tier(.verify):
                "NOT failed AND confidence >= \(ConfidenceTier.verifyFrom) AND confidence < \(ConfidenceTier.readyFrom)"
            case .tier(.ready): "NOT failed AND confidence >= \(ConfidenceTier.readyFrom)"
            }
        return try RowID.fetchAll(
            self,
            sql: """
                SELECT entry FROM (\(Self.queueSQL)) WHERE \(condition)
                ORDER BY failed, coalesce(confidence, 0), entry LIMIT ? OFFSET ?
                """, arguments: [limit, offset])
    }

    func item(_ entry: RowID<LibraryEntry>) throws -> ReviewItem {
        let copy = try self.entry(entry)
        let work = try work(copy.work)
        let detection = try detections("entry = ? ORDER BY confidence IS NULL, confidence, id LIMIT 1", [entry]).first
        let authors = work.authors.map(\.name)
        let own = BookKey(title: work.title, subtitle: work.subtitle, authors: authors)
        let failed = try Row.fetchOne(
            cachedStatement(sql: "SELECT * FROM failedEnrichment WHERE entry = ?"), arguments: [entry])
        return ReviewItem(
            id: copy.id, work: work.id, title: work.title, subtitle: work.subtitle, authors: authors,
            isbn: try copy.edition.flatMap { try edition($0).isbn }, confidence: detection?.confidence,
            detection: detection,
            alternatives: Array(
                (detection?.matches ?? []).filter { match in
                    let names = match.author.map(AuthorCredit.list) ?? []
                    let key = BookKey(title: match.title, subtitle: match.subtitle, authors: names.map(\.name))
                    return key.agreement(with: own) != .same
                }.prefix(3)),
            failedEnrichment: failed.map {
                FailedEnrichment(file: $0["file"], line: $0["line"], reason: $0["reason"])
            },
            duplicateQuestions: try questions("q.entry = ?", [entry]), revision: work.revision)
    }
}
