import GRDB
import ShelflistAPI

/// Version 5: questions about the labels in photos, and the text that belongs to no spine.
extension LibrarySchema {
    static func askAboutLabels(_ db: Database) throws {
        try db.execute(
            sql: """
                -- What a person is asked once about a label or a sign in a photo. Answered ones are kept, so that scanning
                -- the same photo again does not ask again.
                CREATE TABLE labelQuestion (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    photo INTEGER NOT NULL REFERENCES photo(id) ON DELETE CASCADE,
                    kind TEXT NOT NULL CHECK (kind IN ('otherShelf', 'newCode', 'sign')),
                    -- A shelf's code, or what the sign says.
                    text TEXT NOT NULL CHECK (length(text) > 0),
                    answeredAt INTEGER,
                    UNIQUE (photo, text)
                ) STRICT;
                -- The spines of the row above it.
                CREATE TABLE labelledSpine (
                    question INTEGER NOT NULL REFERENCES labelQuestion(id) ON DELETE CASCADE,
                    detection INTEGER NOT NULL REFERENCES detection(id) ON DELETE CASCADE,
                    PRIMARY KEY (question, detection)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX labelledSpineByDetection ON labelledSpine(detection);
                -- Replaced when the photo is read again, and deleted with it.
                CREATE TABLE looseLine (
                    id INTEGER PRIMARY KEY,
                    photo INTEGER NOT NULL REFERENCES photo(id) ON DELETE CASCADE,
                    text TEXT NOT NULL,
                    -- As the outline of a detection.
                    quad TEXT NOT NULL
                ) STRICT;
                CREATE INDEX looseLineByPhoto ON looseLine(photo);
                -- In how many spines each sequence of three letters is.
                CREATE VIRTUAL TABLE spineTextTerm USING fts5vocab(spineText, row);
                """)
        for trigger in looseLineTriggers { try db.execute(sql: trigger) }
        try giveRemovedShelvesCodes(db)
    }

    /// Adds codes to what version 1 recorded of removed shelves, without which undoing the removal fails.
    ///
    /// The values of a row have to follow each other, so the actions are recorded again.
    private static func giveRemovedShelvesCodes(_ db: Database) throws {
        let shelves = try Row.fetchAll(
            db,
            sql: """
                SELECT DISTINCT action, rowKey FROM undoChange gone
                WHERE operation = 'delete' AND tableName = 'shelf' AND NOT EXISTS (
                    SELECT 1 FROM undoChange WHERE action = gone.action AND operation = 'delete'
                        AND tableName = 'shelf' AND rowKey = gone.rowKey AND columnName = 'code')
                """)
        var taken: Set<String> = []
        for shelf in shelves {
            let (action, key): (Int64, String) = (shelf["action"], shelf["rowKey"])
            var number = Int(key.filter(\.isNumber)) ?? 0
            var code = try db.freeCode(from: number).description
            while !taken.insert(code).inserted {
                number += 1
                code = try db.freeCode(from: number).description
            }
            let rows = try Row.fetchAll(
                db, sql: "SELECT * FROM undoChange WHERE action = ? ORDER BY id", arguments: [action])
            try db.execute(sql: "DELETE FROM undoChange WHERE action = ?", arguments: [action])
            for row in rows {
                try db.recordAgain(row)
                guard row["operation"] as String == "delete", row["tableName"] as String == "shelf",
                    row["rowKey"] as String == key, row["columnName"] as String? == "id"
                else { continue }
                try db.recordAgain(row, column: "code", value: code)
            }
        }
        // " / " separates the names of a path since version 2.
        try db.execute(
            sql:
                "UPDATE undoChange SET value = replace(value, ' / ', '/') WHERE tableName = 'shelf' AND columnName = 'name'"
        )
    }

    /// Triggers that note the photo of each new line for the index, and delete the text of deleted ones.
    static let looseLineTriggers = [
        """
        CREATE TRIGGER text_looseLine_insert AFTER INSERT ON looseLine BEGIN
            INSERT INTO textToIndex SELECT NEW.photo WHERE NEW.photo NOT IN (SELECT photo FROM textToIndex);
        END
        """,
        """
        CREATE TRIGGER text_looseLine_delete AFTER DELETE ON looseLine BEGIN
            DELETE FROM spineText WHERE rowid = -OLD.id;
        END
        """,
    ]
}

extension Database {
    /// Records a change of a row again.
    ///
    /// - Parameter column: another column of the same row, with its value.
    fileprivate func recordAgain(_ row: Row, column: String? = nil, value: String? = nil) throws {
        let (columnName, old): (DatabaseValue, DatabaseValue) =
            column.map { ($0.databaseValue, value.databaseValue) } ?? (row["columnName"], row["value"])
        try execute(
            sql: """
                INSERT INTO undoChange (action, operation, tableName, rowKey, columnName, value)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [row["action"], row["operation"], row["tableName"], row["rowKey"], columnName, old])
    }
}
