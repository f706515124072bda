import Foundation
import GRDB

/// The rows of some works at one moment.
struct LibrarySnapshot: Codable {
    /// The revisions of the works right after the action; 0 for a deleted work.
    var revisionsAfter: [RowID<Work>: Int] = [:]
    /// Works that the action only read; questions about them may have changed.
    var unchanged: Set<RowID<Work>> = []
    private var tables: [String: [[String: SnapshotValue]]] = [:]
    private var works: [RowID<Work>]
    private var detections: [RowID<Detection>]

    init(_ db: Database, works: [RowID<Work>], detections: [RowID<Detection>]) throws {
        self.works = works
        self.detections = detections
        for (table, condition) in Self.conditions {
            let rows = try Row.fetchAll(
                db, sql: "SELECT * FROM \(table) WHERE \(condition)", arguments: Self.arguments(works, detections))
            if !rows.isEmpty { tables[table] = rows.map(Self.values) }
        }
    }

    /// The conditions that select the works' rows; `:works` and `:detections` are JSON arrays of numbers.
    private static let conditions: [(table: String, condition: String)] = [
        ("author", "id IN (SELECT author FROM workAuthor WHERE work IN (SELECT value FROM json_each(:works)))"),
        ("work", "id IN (SELECT value FROM json_each(:works))"),
        ("workAuthor", ofWorks),
        ("edition", ofWorks),
        ("entry", ofWorks),
        ("tag", "entry IN (\(entries))"),
        ("failedEnrichment", "entry IN (\(entries))"),
        ("detection", "entry IN (\(entries)) OR id IN (SELECT value FROM json_each(:detections))"),
        ("duplicateQuestion", questions),
        ("duplicateDecision", ofWorks),
    ]
    private static let ofWorks = "work IN (SELECT value FROM json_each(:works))"
    private static let entries = "SELECT id FROM entry WHERE \(ofWorks)"
    private static let questions =
        "\(ofWorks) OR entry IN (\(entries)) OR detection IN (SELECT value FROM json_each(:detections))"

    private static func arguments(_ works: [RowID<Work>], _ detections: [RowID<Detection>]) -> StatementArguments {
        ["works": works.jsonArray(), "detections": detections.jsonArray()]
    }

    private static func values(_ row: Row) -> [String: SnapshotValue] {
        Dictionary(uniqueKeysWithValues: row.map { ($0, SnapshotValue($1)) })
    }
}

extension LibrarySnapshot {
    /// Restores the rows, except the user's notes about copies that still exist.
    ///
    /// - Returns: for each work, its revision before the action and its current one.
    func restore(_ change: Transaction) throws -> [RowID<Work>: (from: Int, to: Int)] {
        let db = change.db
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        let scope = Array(Set(works).union(revisionsAfter.keys)).sorted()
        let nowThere = Set(
            try RowID<LibraryEntry>.fetchAll(
                db, sql: "SELECT id FROM entry WHERE work IN (SELECT value FROM json_each(?))",
                arguments: [scope.jsonArray()]))
        let entries = rows("entry")
        let before = Set(entries.compactMap { $0.id(of: LibraryEntry.self) })

        var moved: [RowID<Work>: (from: Int, to: Int)] = [:]
        try upsert("author", into: change)
        for var work in rows("work") {
            guard let id = work.id(of: Work.self) else { continue }
            // Revisions only grow, so that a client cannot mistake the restored state for the one it saw before.
            let before = Int(work["revision"]?.integer ?? 0)
            var now = max(revisionsAfter[id] ?? 0, before)
            if !unchanged.contains(id) {
                now += 1
                moved[id] = (before, now)
            }
            work["revision"] = .integer(Int64(now))
            try upsert(work, into: "work", change)
        }
        for entry in entries {
            guard let id = entry.id(of: LibraryEntry.self) else { continue }
            if nowThere.contains(id) {
                try change.execute(
                    "UPDATE entry SET work = ?, edition = ?, revision = revision + 1 WHERE id = ?",
                    [entry["work"]?.databaseValue, entry["edition"]?.databaseValue, id])
            } else {
                try upsert(entry, into: "entry", change)
                for table in ["tag", "failedEnrichment"] {
                    for row in rows(table) where row["entry"]?.integer == id.rawValue {
                        try upsert(row, into: table, change)
                    }
                }
            }
        }
        for detection in detections {
            try change.execute("DELETE FROM duplicateQuestion WHERE detection = ?", [detection])
        }
        for id in nowThere.subtracting(before) {
            try change.execute("UPDATE detection SET entry = NULL, outcome = 'removed' WHERE entry = ?", [id])
            try change.execute("DELETE FROM entry WHERE id = ?", [id])
        }
        for work in scope {
            try change.execute("DELETE FROM workAuthor WHERE work = ?", [work])
            try change.execute(
                "DELETE FROM duplicateQuestion WHERE work = ? OR entry IN (SELECT id FROM entry WHERE work = ?)",
                [work, work])
            try change.execute("DELETE FROM duplicateDecision WHERE work = ?", [work])
            let kept = Set(rows("edition").compactMap { $0.id(of: Edition.self) })
            for edition in try RowID<Edition>.fetchAll(
                db, sql: "SELECT id FROM edition WHERE work = ?", arguments: [work])
            where !kept.contains(edition) {
                try change.execute("DELETE FROM edition WHERE id = ?", [edition])
            }
        }
        for table in ["edition", "workAuthor", "detection"] { try upsert(table, into: change) }
        for row in rows("duplicateQuestion") + rows("duplicateDecision") {
            try upsert(row, into: row["kind"] == nil ? "duplicateDecision" : "duplicateQuestion", change)
        }
        for row in rows("failedEnrichment") { try upsert(row, into: "failedEnrichment", change) }
        for work in scope where !works.contains(work) {
            try change.execute("DELETE FROM workWords WHERE rowid = ?", [work])
            try change.execute("DELETE FROM work WHERE id = ?", [work])
        }
        for work in works { try change.describeWords(ofWork: work) }
        for author in rows("author") {
            guard let id = author.id(of: Author.self) else { continue }
            try change.showName(ofAuthor: id)
        }
        return moved
    }

    /// Returns the work's revision before the action, or `nil` if it did not exist.
    func revision(of work: RowID<Work>) -> Int? {
        rows("work").first { $0.id(of: Work.self) == work }?["revision"]?.integer.map { Int($0) }
    }

    private func rows(_ table: String) -> [[String: SnapshotValue]] { tables[table] ?? [] }

    private func upsert(_ table: String, into change: Transaction) throws {
        for row in rows(table) { try upsert(row, into: table, change) }
    }

    private static let keys = [
        "workAuthor": ["work", "position"], "tag": ["entry", "position"], "failedEnrichment": ["entry"],
        "duplicateDecision": ["bookKey", "work"],
    ]

    /// Does not use `REPLACE`, which would delete the rows that depend on this one.
    private func upsert(_ row: [String: SnapshotValue], into table: String, _ change: Transaction) throws {
        let columns = row.keys.sorted()
        let key = Self.keys[table] ?? ["id"]
        let others = columns.filter { !key.contains($0) }
        let update =
            others.isEmpty ? "NOTHING" : "UPDATE SET " + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try change.execute(
            """
            INSERT INTO \(table) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT (\(key.joined(separator: ", "))) DO \(update)
            """, StatementArguments(columns.map { row[$0]?.databaseValue ?? .null }))
    }
}

extension [String: SnapshotValue] {
    fileprivate func id<Owner>(of _: Owner.Type) -> RowID<Owner>? { self["id"]?.integer.map { RowID($0) } }
}

/// A database value as JSON.
enum SnapshotValue: Codable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null, .blob: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        }
    }

    var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
            // A value that is not text has a tag; decoding it reports errors.
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            var tagged = try decoder.unkeyedContainer()
            self =
                try tagged.decode(String.self) == "i"
                ? .integer(try tagged.decode(Int64.self)) : .real(try tagged.decode(Double.self))
        }
    }

    /// Encodes numbers with their type, because JSON does not distinguish 1 from 1.0.
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .integer(let number):
            var container = encoder.unkeyedContainer()
            try container.encode("i")
            try container.encode(number)
        case .real(let number):
            var container = encoder.unkeyedContainer()
            try container.encode("r")
            try container.encode(number)
        }
    }
}
