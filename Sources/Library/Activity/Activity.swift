package import Foundation
package import GRDB

/// An event in the library, kept on this machine and never sent anywhere.
package struct ActivityEvent: Sendable {
    let name: String
    var data: [String: ActivityValue] = [:]

    package static let reviewQueueVerifiedWithoutChanges = Self(name: "review_queue_verified_without_changes")

    package static func reviewQueueViewed(queueCount: Int) -> Self {
        Self(name: "review_queue_viewed", data: ["queue_count": .number(queueCount)])
    }

    static func reviewQueueCorrectionSaved(_ before: BookDetails, _ after: BookDetails) -> Self {
        let hasNewTitle = before.title != after.title || before.subtitle != after.subtitle
        return Self(
            name: "review_queue_correction_saved",
            data: [
                "had_title_change": .flag(hasNewTitle), "had_author_change": .flag(before.authors != after.authors),
            ])
    }

    package static func scanStarted(_ scan: String, photos: Int) -> Self {
        Self(name: "scan_started", data: ["scan": .text(scan), "photos": .number(photos)])
    }

    package static func scanCompleted(_ scan: String, books: Int, needsReview: Int) -> Self {
        Self(
            name: "scan_completed",
            data: ["scan": .text(scan), "books": .number(books), "needs_review": .number(needsReview)])
    }

    /// The import of photos into the library.
    static func bookshelfScanCompleted(photos: Int, books: Int, needsReview: Int) -> Self {
        Self(
            name: "bookshelf_scan_completed",
            data: ["photos": .number(photos), "books": .number(books), "needs_review": .number(needsReview)])
    }

    static func manualMatchApplied(source: String) -> Self {
        Self(name: "manual_match_applied", data: ["source": .text(source)])
    }
}

/// A value in an event's data.
package enum ActivityValue: Hashable, Codable, Sendable {
    case flag(Bool)
    case number(Int)
    case text(String)

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The types are tried in turn; a failure of the last one describes the error.
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}

/// An activity event with the data stored for it.
package struct RecordedActivity: Hashable, Codable, Sendable {
    package var at: Date
    package var name: String
    package var data: [String: ActivityValue]
}

extension LibraryStore {
    package func record(_ event: ActivityEvent) async throws { try await write { try $0.record(event) } }

    /// Returns the first 100,000 events, oldest first.
    package func activity(since date: Date? = nil) async throws -> [RecordedActivity] {
        try await read { db in
            try RecordedActivity.fetchAll(
                db, sql: "SELECT at, name, data FROM activity WHERE at >= ? ORDER BY id LIMIT 100000",
                arguments: [date?.milliseconds ?? 0])
        }
    }

    /// Returns a page of the events, newest first, and their total number.
    package func latestActivity(
        limit: Int, offset: Int
    ) async throws -> (events: [RecordedActivity], total: Int) {
        try await read { db in
            let events = try RecordedActivity.fetchAll(
                db, sql: "SELECT at, name, data FROM activity ORDER BY id DESC LIMIT ? OFFSET ?",
                arguments: [limit, offset])
            return (events, try Int.fetchOne(db, sql: "SELECT count(*) FROM activity") ?? 0)
        }
    }
}

extension Database {
    package func record(_ event: ActivityEvent) throws {
        try execute(
            "INSERT INTO activity (at, name, data) VALUES (?, ?, ?)",
            [milliseconds, event.name, try StoredJSON.text(event.data)])
    }
}
