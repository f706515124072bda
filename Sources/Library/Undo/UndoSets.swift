import GRDB

/// What happened to the rows of a set.
enum UndoOperation: String, DatabaseValueConvertible {
    case insert, update, delete
}

/// Changes of many rows of one table, recorded as one row of `undoSet` instead of one row for each column of each row.
///
/// An action with a set also has changes in `undoChange`, by which it is found.
struct UndoSet {
    var id: Int64
    var action: RowID<ReviewAction>
    var operation: UndoOperation
    var table: String
    var columns: [String]

    /// The tables of which changes can be sets, with the columns of their keys.
    static let keys = UndoTriggers.keys.merging(
        ["stocktakePlace": ["stocktake", "shelf"], "stocktakeResult": ["stocktake", "position"]]
    ) { known, _ in known }

    /// An SQL condition for the columns of `undoChange` rows that the set changed, too.
    fileprivate var hasColumn: (sql: String, arguments: StatementArguments) {
        guard operation == .update else { return ("1", []) }
        let names = columns.map { _ in "?" }.joined(separator: ", ")
        return ("(columnName IS NULL OR columnName IN (\(names)))", StatementArguments(columns))
    }

    fileprivate func sharesColumn(with other: UndoSet) -> Bool {
        operation != .update || other.operation != .update || !Set(columns).isDisjoint(with: other.columns)
    }
}

extension Database {
    /// Runs a statement that changes many rows of a table, and records them as one set.
    ///
    /// - Parameters:
    ///   - columns: those that an update changes; none may refer to other tables.
    ///   - condition: the rows; of an insertion, those that it adds.
    func recordingAsOne(
        _ operation: UndoOperation, of table: String, _ columns: [String] = [], where condition: String,
        _ arguments: StatementArguments, in action: ReviewAction, _ change: () throws -> Void
    ) throws {
        let columns = operation == .delete ? try self.columns(in: table).map(\.name) : columns
        func record() throws {
            let key = "json_array(\((UndoSet.keys[table] ?? []).joined(separator: ", ")))"
            try execute(
                """
                INSERT INTO undoSet (action, operation, tableName, columnNames, rows)
                SELECT ?, ?, ?, ?, rows FROM (
                    SELECT json_group_object(\(key), json_array(\(columns.joined(separator: ", ")))) AS rows, count(*) AS number
                    FROM \(table) WHERE \(condition)) WHERE number > 0
                """, [action.id, operation, table, try StoredJSON.text(columns)] + arguments)
        }
        if operation != .insert { try record() }
        // The triggers record only during an action.
        try execute("UPDATE libraryState SET action = NULL")
        try change()
        let changed = changesCount
        try execute("UPDATE libraryState SET action = ?", [action.id])
        if operation == .insert, changed > 0 { try record() }
    }

    /// Returns the sets of actions, latest first.
    ///
    /// - Throws: `LibraryError.notPossible` if one names what the library does not have.
    func undoSets(of condition: String, _ arguments: StatementArguments) throws -> [UndoSet] {
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT id, action, operation, tableName, columnNames, json_valid(rows) AS isValid FROM undoSet
                WHERE \(condition) ORDER BY id DESC
                """, arguments: arguments)
        return try rows.map { row in
            let table: String = row["tableName"]
            let columns: [String] = try StoredJSON.value(row["columnNames"])
            guard UndoSet.keys[table] != nil, row["isValid"] else {
                throw UndoRestoring.unknown("the table “\(table)”")
            }
            let known = Set(try self.columns(in: table).map(\.name))
            if let other = columns.first(where: { !known.contains($0) }) {
                throw UndoRestoring.unknown("the column “\(other)” of “\(table)”")
            }
            return UndoSet(
                id: row["id"], action: row["action"], operation: try row.decode(forColumn: "operation"), table: table,
                columns: columns)
        }
    }

    /// Returns the actions after some that changed the same rows, where one of the two recorded them as a set.
    func laterActions(bySetsOf actions: Set<RowID<ReviewAction>>) throws -> Set<RowID<ReviewAction>> {
        guard let first = actions.min() else { return [] }
        var later: Set<RowID<ReviewAction>> = []
        let sets = try undoSets(of: "action >= ?", [first])
        for set in sets {
            let (hasColumn, columns) = set.hasColumn
            if actions.contains(set.action) {
                later.formUnion(
                    try RowID<ReviewAction>.fetchSet(
                        self,
                        sql: """
                            SELECT DISTINCT later.action FROM undoSet mine CROSS JOIN json_each(mine.rows) changed
                            CROSS JOIN undoChange later ON later.rowKey = changed.key AND later.tableName = mine.tableName
                            WHERE mine.id = ? AND later.action > mine.action AND \(hasColumn)
                            """, arguments: [set.id] + columns))
            } else {
                let earlier = actions.filter { $0 < set.action }.jsonArray()
                let isShared = try Bool.fetchOne(
                    self,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM undoChange WHERE action IN (SELECT value FROM json_each(?))
                            AND tableName = ? AND \(hasColumn)
                            AND rowKey IN (SELECT key FROM json_each((SELECT rows FROM undoSet WHERE id = ?))))
                        """, arguments: [earlier, set.table] + columns + [set.id])
                if isShared == true { later.insert(set.action) }
            }
            for mine in sets where actions.contains(mine.action) && mine.action < set.action {
                guard mine.table == set.table, mine.sharesColumn(with: set) else { continue }
                let isShared = try Bool.fetchOne(
                    self,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM json_each((SELECT rows FROM undoSet WHERE id = ?))
                            WHERE key IN (SELECT key FROM json_each((SELECT rows FROM undoSet WHERE id = ?))))
                        """, arguments: [mine.id, set.id])
                if isShared == true { later.insert(set.action) }
            }
        }
        return later.subtracting(actions)
    }

    /// Returns the works of copies that a set changed.
    func works(of set: UndoSet) throws -> Set<RowID<Work>> {
        guard set.table == "entry" else { return [] }
        return try RowID<Work>.fetchSet(
            self,
            sql: """
                SELECT work FROM entry WHERE id IN (
                    SELECT json_extract(key, '$[0]') FROM json_each((SELECT rows FROM undoSet WHERE id = ?)))
                """, arguments: [set.id])
    }

    /// Restores the rows of a set, with one statement for all rows, or all that had the same values.
    func revert(_ set: UndoSet) throws {
        let key = UndoSet.keys[set.table] ?? []
        let keys = key.indices.map { "json_extract(key, '$[\($0)]')" }.joined(separator: ", ")
        let rows = "json_each((SELECT rows FROM undoSet WHERE id = ?))"
        let isChanged = "(\(key.joined(separator: ", "))) IN (SELECT \(keys) FROM \(rows)"
        let former = set.columns.indices.map { "json_extract(value, '$[\($0)]')" }.joined(separator: ", ")
        switch set.operation {
        case .insert: try execute("DELETE FROM \(set.table) WHERE \(isChanged))", [set.id])
        case .delete:
            try execute(
                "INSERT INTO \(set.table) (\(set.columns.joined(separator: ", "))) SELECT \(former) FROM \(rows)",
                [set.id])
        case .update:
            var changes = set.columns.indices.map { "\(set.columns[$0]) = json_extract(?, '$[\($0)]')" }
            if try columns(in: set.table).contains(where: { $0.name == "revision" }) {
                changes.append("revision = revision + 1")
            }
            let values = try String.fetchAll(self, sql: "SELECT DISTINCT value FROM \(rows)", arguments: [set.id])
            for value in values {
                try execute(
                    "UPDATE \(set.table) SET \(changes.joined(separator: ", ")) WHERE \(isChanged) WHERE value = ?)",
                    StatementArguments(set.columns.map { _ in value }) + [set.id, value])
            }
        }
    }
}
