import Foundation
import GRDB
import ShelflistAPI

/// Version 10: what closed stocktakes found, as rows, and changes of many rows that are recorded as one.
extension LibrarySchema {
    static func keepResults(_ db: Database) throws {
        // Their names are those of a column that is dropped; they are created again after the last step.
        for operation in ["insert", "update", "delete"] {
            try db.execute(sql: "DROP TRIGGER IF EXISTS undo_stocktake_\(operation)")
        }
        try db.execute(
            sql: """
                -- Counts of a closed stocktake; NULL while it is open.
                \(Stocktake.Counts.columns.map { "ALTER TABLE stocktake ADD COLUMN \($0) INTEGER;" }.joined(separator: "\n"))

                -- The shelves of a closed stocktake as they were then.
                CREATE TABLE stocktakePlace (
                    stocktake INTEGER NOT NULL REFERENCES stocktake(id) ON DELETE CASCADE,
                    -- 0 for copies that were on none.
                    shelf INTEGER NOT NULL,
                    -- In the order of the shelves.
                    position INTEGER NOT NULL,
                    name TEXT,
                    path TEXT,
                    \(Stocktake.Counts.columns.map { "\($0) INTEGER NOT NULL," }.joined(separator: " "))
                    photographed INTEGER NOT NULL CHECK (photographed IN (0, 1)),
                    PRIMARY KEY (stocktake, shelf)
                ) STRICT, WITHOUT ROWID;
                -- The copies of a closed stocktake as they were then. They stay when a copy is removed.
                CREATE TABLE stocktakeResult (
                    stocktake INTEGER NOT NULL REFERENCES stocktake(id) ON DELETE CASCADE,
                    -- By shelf and author, from 0.
                    position INTEGER NOT NULL,
                    shelf INTEGER NOT NULL,
                    entry INTEGER NOT NULL,
                    title TEXT NOT NULL,
                    author TEXT NOT NULL,
                    callNumber TEXT,
                    barcode TEXT,
                    price INTEGER,
                    currency TEXT,
                    state TEXT NOT NULL CHECK (state IN ('seen', 'misplaced', 'unseen', 'lent', 'missing')),
                    seenAt INTEGER,
                    seenBy TEXT,
                    seenOn INTEGER,
                    lastPhotoAt INTEGER,
                    -- The latest photo, if it was stored.
                    photo INTEGER,
                    PRIMARY KEY (stocktake, position)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX stocktakeResultByState ON stocktakeResult(stocktake, state, position);

                -- Changes of many rows of one table by one action, in place of rows of undoChange; an action with one has
                -- rows of undoChange, too.
                CREATE TABLE undoSet (
                    id INTEGER PRIMARY KEY,
                    action INTEGER NOT NULL REFERENCES reviewAction(id) ON DELETE CASCADE,
                    operation TEXT NOT NULL CHECK (operation IN ('insert', 'update', 'delete')),
                    tableName TEXT NOT NULL,
                    -- A JSON array: the changed columns, all of deleted rows, none of new ones.
                    columnNames TEXT NOT NULL CHECK (json_valid(columnNames)),
                    -- A JSON object: for each key, as in undoChange, the array of the former values.
                    rows TEXT NOT NULL CHECK (json_valid(rows))
                ) STRICT;
                CREATE INDEX undoSetByAction ON undoSet(action);
                -- Actions that are too old to be undone are found by it.
                CREATE INDEX reviewActionByTime ON reviewAction(at);
                """)
        try convertReports(db)
        try db.execute(sql: "ALTER TABLE stocktake DROP COLUMN report")
        for trigger in resultTriggers { try db.execute(sql: trigger) }
    }

    /// A stocktake that is open again, because its closing was undone, has no results.
    static let resultTriggers = [
        """
        CREATE TRIGGER stocktake_reopen AFTER UPDATE OF closedAt ON stocktake
        WHEN OLD.closedAt IS NOT NULL AND NEW.closedAt IS NULL BEGIN
            DELETE FROM stocktakeResult WHERE stocktake = NEW.id;
            DELETE FROM stocktakePlace WHERE stocktake = NEW.id;
        END
        """
    ]

    /// The column `report` of versions 6 to 9, as JSON.
    private struct Report: Decodable {
        var counts: Stocktake.Counts
        var places: [Stocktake.Place]
        var copies: [StocktakeCopy]
    }

    private static func convertReports(_ db: Database) throws {
        let closed = try Row.fetchAll(db, sql: "SELECT id, report FROM stocktake WHERE report IS NOT NULL")
        for row in closed {
            let (id, report): (RowID<Stocktake>, Report) = (row["id"], try StoredJSON.value(row["report"]))
            try db.store(report.counts, of: id)
            try db.store(report.places, seenOn: report.copies.compactMap(\.seenOn), of: id)
            for (position, copy) in report.copies.enumerated() {
                try db.execute(
                    """
                    INSERT INTO stocktakeResult VALUES (?, ?, coalesce(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        id, position, copy.shelf.flatMap { Int64($0.id) }, Int64(copy.entryId) ?? 0, copy.title,
                        copy.author, copy.callNumber, copy.barcode, copy.price?.amount, copy.price?.currency,
                        (copy.state ?? .unseen).rawValue, copy.seenAt?.milliseconds, copy.seenBy?.rawValue,
                        copy.seenOn.flatMap { Int64($0.id) }, copy.lastPhotoAt?.milliseconds,
                        copy.photoUrl.flatMap { $0.text.split(separator: "/").dropLast().last }.flatMap { Int64($0) },
                    ])
            }
        }
        // Undoing a closing empties the columns. What was recorded of removed ones has no rows to restore.
        for column in Stocktake.Counts.columns {
            try db.execute(
                """
                INSERT INTO undoChange (action, operation, tableName, rowKey, columnName, value)
                SELECT action, operation, tableName, rowKey, ?, NULL FROM undoChange
                WHERE tableName = 'stocktake' AND operation = 'update' AND columnName = 'report'
                """, [column])
        }
        try db.execute(
            sql: """
                DELETE FROM undoChange WHERE action IN (
                    SELECT action FROM undoChange WHERE tableName = 'stocktake' AND operation = 'delete'
                        AND columnName = 'report' AND value IS NOT NULL);
                DELETE FROM undoChange WHERE tableName = 'stocktake' AND columnName = 'report';
                """)
    }
}
