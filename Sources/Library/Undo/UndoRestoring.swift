import GRDB

/// Restores the rows of actions from what was recorded of them, inside a transaction.
struct UndoRestoring {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// One recorded change of a row.
    private struct Change {
        var operation: String
        var table: String
        /// The columns of the key.
        var keyColumns: [String]
        /// The values of the key as a JSON array.
        var key: String
        /// The values of columns before the change.
        var values: [String: DatabaseValue] = [:]

        func isOfSameRow(as other: Change) -> Bool {
            (operation, table, key) == (other.operation, other.table, other.key)
        }
    }

    /// Restores rows.
    ///
    /// - Parameter actions: latest first; no other action changed their rows since.
    /// - Returns: the works that were changed back.
    /// - Throws: `LibraryError.changedSince` if a row that was added since depends on a restored one;
    ///   `LibraryError.notPossible` if what was recorded names something that the library does not have.
    func restore(_ actions: [RowID<ReviewAction>]) throws -> [RowID<Work>] {
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        let recorded = try actions.map { action in
            (changes: try self.changes(of: action), sets: try db.undoSets(of: "action = ?", [action]))
        }
        let (changes, sets) = (recorded.flatMap(\.changes), recorded.flatMap(\.sets))
        let before = try works(of: changes)
        do {
            for action in recorded {
                for change in action.changes { try revert(change) }
                for set in action.sets { try db.revert(set) }
            }
        } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_CONSTRAINT {
            throw LibraryError.changedSince
        }
        // Otherwise a missing row would be reported only when the transaction is committed.
        for table in Set(changes.map(\.table) + sets.filter { $0.operation == .delete }.map(\.table)) {
            let broken = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check(\(table))")
            guard broken == nil else { throw LibraryError.changedSince }
        }
        if changes.contains(where: { $0.table == "shelf" }) { try db.checkShelves() }
        let works = try before.union(self.works(of: changes))
        try countRevisions(of: works, changes)
        // Sets count the revisions of their rows, and change nothing that describes a work.
        return try sets.reduce(into: works) { $0.formUnion(try db.works(of: $1)) }.sorted()
    }

    /// Returns the changes of an action, latest first; consecutive ones of a row are one.
    private func changes(of action: RowID<ReviewAction>) throws -> [Change] {
        var changes: [Change] = []
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT operation, tableName, rowKey, columnName, value FROM undoChange WHERE action = ?
                ORDER BY id DESC
                """, arguments: [action])
        var tables: [String: (key: [String], columns: Set<String>)] = [:]
        while let row = try rows.next() {
            let name: String = row["tableName"]
            let table = try tables[name] ?? recordedTable(name)
            tables[name] = table
            let change = Change(operation: row["operation"], table: name, keyColumns: table.key, key: row["rowKey"])
            if changes.last.map({ !$0.isOfSameRow(as: change) }) ?? true { changes.append(change) }
            // The earliest of several values of a column is read last.
            if let column: String = row["columnName"] {
                guard table.columns.contains(column) else {
                    throw Self.unknown("the column “\(column)” of “\(change.table)”")
                }
                let value: DatabaseValue = row["value"]
                changes[changes.count - 1].values[column] = value
            }
        }
        return changes
    }

    /// Returns the columns of a table's key, and those that statements may use.
    ///
    /// Rows of `undoChange` come from a restored backup too.
    ///
    /// - Throws: `LibraryError.notPossible` for a table that is not recorded.
    private func recordedTable(_ table: String) throws -> (key: [String], columns: Set<String>) {
        guard let key = UndoTriggers.keys[table] else { throw Self.unknown("the table “\(table)”") }
        return (key, Set(try db.columns(in: table).map(\.name)))
    }

    static func unknown(_ what: String) -> LibraryError {
        .notPossible("This cannot be undone: what was recorded of it names \(what). Correct the books by hand.")
    }

    private func revert(_ change: Change) throws {
        let key = change.keyColumns
        let isRow = key.indices.map { "\(key[$0]) = json_extract(?, '$[\($0)]')" }.joined(separator: " AND ")
        let keyValues = key.map { _ in change.key.databaseValue }
        let columns = change.values.keys.sorted()
        let values = columns.map { change.values[$0] ?? .null }
        switch change.operation {
        case "insert":
            // Another scan may show the same photo.
            let condition =
                switch change.table {
                case "photo": " AND id NOT IN (SELECT photo FROM scanPhoto)"
                case "shelf": " AND \(Self.shelfIsUnused)"
                default: ""
                }
            try db.execute(
                "DELETE FROM \(change.table) WHERE \(isRow)\(condition)", StatementArguments(keyValues))
        case "update":
            try db.execute(
                "UPDATE \(change.table) SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE \(isRow)",
                StatementArguments(values + keyValues))
        default:
            // The same question may have been asked again.
            let insert = change.table == "duplicateQuestion" ? "INSERT OR IGNORE" : "INSERT"
            try db.execute(
                """
                \(insert) INTO \(change.table) (\(columns.joined(separator: ", ")))
                VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                """, StatementArguments(values))
        }
    }

    /// Returns the works that rows describe, as far as the rows exist.
    private func works(of changes: [Change]) throws -> Set<RowID<Work>> {
        let keys = Dictionary(grouping: changes, by: \.table).mapValues { "[\($0.map(\.key).joined(separator: ","))]" }
        var works: Set<RowID<Work>> = []
        for (tables, query) in Self.worksOfRows {
            for table in tables {
                guard let keys = keys[table] else { continue }
                works.formUnion(try RowID<Work>.fetchSet(db, sql: query, arguments: [keys]))
            }
        }
        return works
    }

    private static let shelfIsUnused = [
        "entry WHERE shelf", "photo WHERE shelf", "foundCopy WHERE shelf", "shelf s WHERE s.parent",
        "stocktakeSeen WHERE shelf",
    ]
    .map { "NOT EXISTS (SELECT 1 FROM \($0) = shelf.id)" }.joined(separator: " AND ")

    /// Queries for the works of rows, by table; the argument is a JSON array of keys.
    private static let worksOfRows = [
        (["work", "workAuthor"], "SELECT json_extract(value, '$[0]') FROM json_each(?)"),
        (["edition"], "SELECT work FROM edition WHERE id IN (\(firstOfKeys))"),
        (["entry", "tag", "foundCopy", "orderDecision"], "SELECT work FROM entry WHERE id IN (\(firstOfKeys))"),
        (
            ["detection"],
            "SELECT work FROM entry WHERE id IN (SELECT entry FROM detection WHERE id IN (\(firstOfKeys)))"
        ),
    ]
    private static let firstOfKeys = "SELECT json_extract(value, '$[0]') FROM json_each(?)"

    /// Increments revisions, so that a client cannot mistake the restored state for the one it saw before, and updates
    /// the search words.
    private func countRevisions(of works: Set<RowID<Work>>, _ changes: [Change]) throws {
        for work in works {
            try db.execute("DELETE FROM workWords WHERE rowid = ?", [work])
            try db.touch(work: work)
            try db.describeSeries(ofWork: work)
            try db.describeWords(ofWork: work)
        }
        let entries = Set(changes.filter { ["entry", "tag"].contains($0.table) }.map(\.key))
        for key in entries {
            // The key of a tag begins with that of its copy.
            try db.execute("UPDATE entry SET revision = revision + 1 WHERE id = json_extract(?, '$[0]')", [key])
        }
    }
}
