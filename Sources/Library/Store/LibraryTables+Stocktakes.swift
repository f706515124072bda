import GRDB

/// Version 6: stocktakes, and copies that are missing.
extension LibrarySchema {
    static func takeStock(_ db: Database) throws {
        try db.execute(
            sql: """
                -- When a stocktake did not find the copy, or a person said that it is gone; NULL for one that is there.
                ALTER TABLE entry ADD COLUMN missingSince INTEGER;

                CREATE TABLE stocktake (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    name TEXT NOT NULL CHECK (length(name) > 0),
                    startedAt INTEGER NOT NULL,
                    startedBy TEXT,
                    closedAt INTEGER,
                    -- StocktakeReport, as JSON, as it was when the stocktake was closed.
                    report TEXT CHECK ((report IS NULL) = (closedAt IS NULL))
                ) STRICT;
                -- The copies that are to be seen.
                CREATE TABLE stocktakeItem (
                    stocktake INTEGER NOT NULL REFERENCES stocktake(id) ON DELETE CASCADE,
                    entry INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE,
                    PRIMARY KEY (stocktake, entry)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX stocktakeItemByEntry ON stocktakeItem(entry);
                -- Each time that one was seen: undoing one of two sightings leaves the copy seen.
                CREATE TABLE stocktakeSeen (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    stocktake INTEGER NOT NULL REFERENCES stocktake(id) ON DELETE CASCADE,
                    entry INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE,
                    at INTEGER NOT NULL,
                    shelf INTEGER REFERENCES shelf(id) ON DELETE SET NULL,
                    method TEXT NOT NULL CHECK (method IN ('photo', 'barcode', 'hand', 'returned')),
                    -- The number stays when the photo is deleted.
                    detection INTEGER
                ) STRICT;
                CREATE INDEX stocktakeSeenByEntry ON stocktakeSeen(stocktake, entry);
                CREATE INDEX stocktakeSeenOfEntry ON stocktakeSeen(entry);
                CREATE INDEX stocktakeSeenByShelf ON stocktakeSeen(shelf);
                CREATE INDEX stocktakeSeenByDetection ON stocktakeSeen(detection) WHERE detection IS NOT NULL;
                """)
        for trigger in stocktakeTriggers { try db.execute(sql: trigger) }
    }

    /// Triggers by which photos make copies seen, and bring back those that were missing.
    ///
    /// A photo counts that was scanned since the stocktake began, whenever its spines are recognised. A spine that turns out
    /// to be another copy makes that one seen instead. Deleting a photo changes nothing.
    static let stocktakeTriggers = [
        """
        CREATE TRIGGER stocktake_detection_insert AFTER INSERT ON detection WHEN NEW.entry IS NOT NULL BEGIN
            \(seeing)
        END
        """,
        """
        CREATE TRIGGER stocktake_detection_update AFTER UPDATE OF entry ON detection WHEN OLD.entry IS NOT NEW.entry BEGIN
            DELETE FROM stocktakeSeen WHERE detection = OLD.id AND entry = OLD.entry
                AND stocktake IN (SELECT id FROM stocktake WHERE closedAt IS NULL);
            \(seeing)
        END
        """,
        """
        CREATE TRIGGER stocktake_scanPhoto_insert AFTER INSERT ON scanPhoto BEGIN
            INSERT INTO stocktakeSeen (stocktake, entry, at, shelf, method, detection)
            SELECT i.stocktake, i.entry, NEW.at, photo.shelf, 'photo', d.id
            FROM detection d JOIN photo ON photo.id = d.photo JOIN stocktakeItem i ON i.entry = d.entry
                JOIN stocktake s ON s.id = i.stocktake AND s.closedAt IS NULL
            WHERE d.photo = NEW.photo AND d.entry IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM stocktakeSeen known WHERE known.stocktake = i.stocktake
                    AND known.entry = i.entry AND known.detection = d.id);
            UPDATE entry SET missingSince = NULL, revision = revision + 1
            WHERE missingSince IS NOT NULL AND id IN (
                SELECT entry FROM detection WHERE photo = NEW.photo AND entry IS NOT NULL);
        END
        """,
    ]

    private static let scannedAt = "(SELECT max(at) FROM scanPhoto WHERE photo = NEW.photo)"
    private static let seeing = """
        INSERT INTO stocktakeSeen (stocktake, entry, at, shelf, method, detection)
        SELECT i.stocktake, i.entry, \(scannedAt), (SELECT shelf FROM photo WHERE id = NEW.photo), 'photo', NEW.id
        FROM stocktakeItem i JOIN stocktake s ON s.id = i.stocktake
        WHERE i.entry = NEW.entry AND s.closedAt IS NULL AND s.startedAt <= \(scannedAt)
            AND NOT EXISTS (SELECT 1 FROM stocktakeSeen known WHERE known.stocktake = i.stocktake
                AND known.entry = i.entry AND known.detection = NEW.id);
        UPDATE entry SET missingSince = NULL, revision = revision + 1
        WHERE id = NEW.entry AND missingSince IS NOT NULL AND \(scannedAt) >= coalesce(
            (SELECT max(startedAt) FROM stocktake WHERE closedAt = missingSince), missingSince);
        """
}
