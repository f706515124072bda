import GRDB

/// The numbers that rows get, which SQLite gives once, and the counters of the library.
///
/// No library uses up SQLite's 2⁶³ numbers of a table, but a backup that was changed may say that one did: nothing could be
/// added to it any more.
enum LibraryNumbers {
    /// The largest valid number: clients read it exactly (2⁵³).
    static let limit: Int64 = 1 << 53

    /// Returns the first table that has a row with a larger number; nil if there is none.
    static func tableBeyondLimit(_ db: Database) throws -> String? {
        try tables(db).first { table in
            try Int64.fetchOne(db, sql: "SELECT max(rowid) FROM \(table)") ?? 0 > limit
        }
    }

    /// Returns a table whose numbers are used up; nil if there is none.
    static func usedUpTable(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT name FROM sqlite_sequence WHERE seq >= 9223372036854775807 ORDER BY name")
    }

    /// Makes numbers and counters of a restored library valid.
    ///
    /// Numbers of deleted rows are not given again, unless the last one that was given is beyond the limit.
    static func makeUsable(_ db: Database) throws {
        let tables = try tables(db)
        for table in tables {
            try db.execute(
                sql: """
                    UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(rowid), 0) FROM \(table))
                    WHERE name = ? AND (typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND ?)
                    """, arguments: [table, limit])
        }
        for table in try String.fetchAll(
            db, sql: "SELECT CAST(name AS TEXT) FROM sqlite_sequence WHERE name IS NOT NULL")
        where !tables.contains(table) {
            try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
        }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO libraryState (id, revision) VALUES (1, 1);
                UPDATE libraryState SET action = NULL, undoToken = NULL;
                """)
        for table in ["libraryState", "work", "entry"] {
            try db.execute(
                sql: "UPDATE \(table) SET revision = 1 WHERE revision NOT BETWEEN 1 AND ?", arguments: [limit])
        }
    }

    /// Returns the tables whose numbers are not given again.
    private static func tables(_ db: Database) throws -> [String] {
        try SchemaObject.all(in: db).filter { $0.kind == "table" && $0.words.contains("AUTOINCREMENT") }.map(\.name)
    }
}
