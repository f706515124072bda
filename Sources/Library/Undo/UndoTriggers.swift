import GRDB

/// The triggers that record the rows an action changes, so that it can be undone.
///
/// They record only while `libraryState.action` is set, which `beginAction` does.
enum UndoTriggers {
    /// The tables that are recorded, with the columns of their keys.
    static let keys: [String: [String]] = [
        "shelf": ["id"], "series": ["id"], "work": ["id"], "author": ["id"], "workAuthor": ["work", "position"],
        "edition": ["id"],
        "entry": ["id"], "tag": ["entry", "position"], "photo": ["id"], "scanPhoto": ["job", "position"],
        "detection": ["id"], "duplicateQuestion": ["id"], "duplicateDecision": ["bookKey", "work"],
        "failedRow": ["id"], "foundCopy": ["entry"], "orderDecision": ["entry"], "repeatedSpine": ["id"],
        "importedRow": ["file", "line"], "pastLoan": ["id"],
        "importedWork": ["file", "name"], "labelQuestion": ["id"], "labelledSpine": ["question", "detection"],
        "stocktake": ["id"], "stocktakeItem": ["stocktake", "entry"], "stocktakeSeen": ["id"],
    ]
    /// Other books may use an author or a shelf soon after it is created, so undoing keeps it; `recordNew` records shelves
    /// that a person added.
    private static let keptOnUndo: Set = ["author", "shelf", "series"]
    /// Columns that grow with every change; undoing increments them instead of restoring them.
    private static let counters: Set = ["revision", "changedAt"]

    /// Creates the triggers for the tables and columns of a migrated database.
    static func create(_ db: Database) throws {
        for (table, key) in keys.sorted(by: { $0.key < $1.key }) {
            // Of SQLite itself: GRDB reads the whole schema again after each change of it.
            let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
            if columns.isEmpty { continue }  // A table of a later version.
            let old = columns.map { "SELECT '\($0)' AS name, OLD.\($0) AS old" }
            let changed = columns.filter { !counters.contains($0) && !key.contains($0) }
                .map { "SELECT '\($0)' AS name, OLD.\($0) AS old, NEW.\($0) AS new" }
            if !keptOnUndo.contains(table) {
                try create(db, "insert", table, rowKey(key, of: "NEW"), "NULL, NULL")
            }
            try create(
                db, "delete", table, rowKey(key, of: "OLD"),
                "name, old FROM (\(old.joined(separator: " UNION ALL ")))")
            if !changed.isEmpty {
                try create(
                    db, "update", table, rowKey(key, of: "OLD"),
                    "name, old FROM (\(changed.joined(separator: " UNION ALL "))) WHERE old IS NOT new")
            }
        }
    }

    private static func rowKey(_ key: [String], of row: String) -> String {
        "json_array(\(key.map { "\(row).\($0)" }.joined(separator: ", ")))"
    }

    private static func create(
        _ db: Database, _ operation: String, _ table: String, _ rowKey: String, _ values: String
    ) throws {
        let name = "undo_\(table)_\(operation)"
        try db.execute(
            sql: """
                DROP TRIGGER IF EXISTS \(name);
                CREATE TRIGGER \(name) AFTER \(operation) ON \(table)
                WHEN (SELECT action FROM libraryState) IS NOT NULL
                BEGIN
                    INSERT INTO undoChange (action, operation, tableName, rowKey, columnName, value)
                    SELECT (SELECT action FROM libraryState), '\(operation)', '\(table)', \(rowKey), \(values);
                END;
                """)
    }
}
