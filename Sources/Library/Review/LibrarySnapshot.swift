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
    func restore(_ db: Database) throws -> [RowID<Work>: (from: Int, to: Int)] {
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        let scope = Array(Set(works).union(revisionsAfter.keys)).sorted()
        let nowThere = Set(
            try RowID<LibraryEntry>.fetchAll(
                db, sql: "SELECT id FROM entry WHERE work IN (SELECT value FROM json_each(?))",
                arguments: [scope.jsonArray()]))
        let entries = rows("entry")
        let before = Set(entries.compactMap { $0.id(of: LibraryEntry.self) })

        var moved: [RowID<Work>: (from: Int, to: Int)] = [:]
        try upsert("author", into: db)
        for var work in rows("work") {
            guard let id = work.id(of: Work.self) else { continue }
            // Revisions only grow, so that a client cannot mistake the restored state for the one it saw before.
            let before = Int(work["revision"]?.integer ?? 0)
            var now = max(revisionsAfter[id] ?? 0, before)
            if !unchanged.contains(id) {
                now += 1
                moved[id] = (before, now)
            }
            work["revision"] = SnapshotValue(Int64(now).databaseValue)
            try upsert(work, into: "work", db)
        }
        for entry in entries {
            guard let id = entry.id(of: LibraryEntry.self) else { continue }
            if nowThere.contains(id) {
                try db.execute(
                    "UPDATE entry SET work = ?, edition = ?, revision = revision + 1 WHERE id = ?",
                    [entry["work"]?.databaseValue, entry["edition"]?.databaseValue, id])
            } else {
                try upsert(entry, into: "entry", db)
                for tag in rows("tag") where tag["entry"]?.integer == id.rawValue {
                    try upsert(tag, into: "tag", db)
                }
            }
        }
        for detection in detections {
            try db.execute("DELETE FROM duplicateQuestion WHERE detection = ?", [detection])
        }
        for id in nowThere.subtracting(before) {
            try db.execute("UPDATE detection SET entry = NULL, outcome = 'removed' WHERE entry = ?", [id])
            try db.execute("DELETE FROM entry WHERE id = ?", [id])
        }
        let inScope: StatementArguments = ["works": scope.jsonArray()]
        for table in ["workAuthor", "duplicateDecision"] {
            try db.execute("DELETE FROM \(table) WHERE \(Self.ofWorks)", inScope)
        }
        try db.execute("DELETE FROM duplicateQuestion WHERE \(Self.ofWorks) OR entry IN (\(Self.entries))", inScope)
        let kept = rows("edition").compactMap { $0.id(of: Edition.self) }
        try db.execute(
            "DELETE FROM edition WHERE \(Self.ofWorks) AND id NOT IN (SELECT value FROM json_each(:kept))",
            ["works": scope.jsonArray(), "kept": kept.jsonArray()])
        let others = [
            "edition", "workAuthor", "detection", "duplicateQuestion", "duplicateDecision", "failedEnrichment",
        ]
        for table in others { try upsert(table, into: db) }
        for work in scope where !works.contains(work) {
            try db.execute("DELETE FROM workWords WHERE rowid = ?", [work])
            try db.execute("DELETE FROM work WHERE id = ?", [work])
        }
        for work in works { try db.describeWords(ofWork: work) }
        for author in rows("author") {
            guard let id = author.id(of: Author.self) else { continue }
            try db.showName(ofAuthor: id)
        }
        return moved
    }

    /// Returns the work's revision before the action, or `nil` if it did not exist.
    func revision(of work: RowID<Work>) -> Int? {
        rows("work").first { $0.id(of: Work.self) == work }?["revision"]?.integer.map { Int($0) }
    }

    private func rows(_ table: String) -> [[String: SnapshotValue]] { tables[table] ?? [] }

    private func upsert(_ table: String, into db: Database) throws {
        for row in rows(table) { try upsert(row, into: table, db) }
    }

    private static let keys = [
        "workAuthor": ["work", "position"], "tag": ["entry", "position"], "failedEnrichment": ["entry"],
        "duplicateDecision": ["bookKey", "work"],
    ]

    /// Does not use `REPLACE`, which would delete the rows that depend on this one.
    private func upsert(_ row: [String: SnapshotValue], into table: String, _ db: Database) throws {
        let columns = row.keys.sorted()
        let key = Self.keys[table] ?? ["id"]
        let others = columns.filter { !key.contains($0) }
        let update =
            others.isEmpty ? "NOTHING" : "UPDATE SET " + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try db.execute(
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
struct SnapshotValue: Codable {
    var databaseValue: DatabaseValue

    var integer: Int64? { Int64.fromDatabaseValue(databaseValue) }

    init(_ value: DatabaseValue) { databaseValue = value }

    init(from decoder: any Decoder) throws {
        // Only numbers are arrays.
        if var tagged = try? decoder.unkeyedContainer() {
            let isInteger = try tagged.decode(String.self) == "i"
            databaseValue =
                isInteger
                ? try tagged.decode(Int64.self).databaseValue : try tagged.decode(Double.self).databaseValue
        } else {
            databaseValue = try String?(from: decoder).databaseValue
        }
    }

    /// Encodes numbers with their type, because JSON does not distinguish 1 from 1.0.
    func encode(to encoder: any Encoder) throws {
        switch databaseValue.storage {
        case .null, .blob: try String?.none.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .int64(let number):
            var container = encoder.unkeyedContainer()
            try container.encode("i")
            try container.encode(number)
        case .double(let number):
            var container = encoder.unkeyedContainer()
            try container.encode("r")
            try container.encode(number)
        }
    }
}
