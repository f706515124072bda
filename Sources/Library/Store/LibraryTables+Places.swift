import GRDB
import ShelflistAPI

/// Version 2: shelves inside of shelves, with codes.
extension LibrarySchema {
    /// Builds the table `shelf` again, because SQLite cannot drop the constraint that a name exists once.
    ///
    /// " / " separates the names of a path, so names lose the spaces around a slash.
    static func nestShelves(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE newShelf (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    name TEXT NOT NULL CHECK (length(name) > 0),
                    nameKey TEXT NOT NULL,
                    parent INTEGER REFERENCES newShelf(id) ON DELETE RESTRICT CHECK (parent <> id),
                    -- PlaceCode's description.
                    code TEXT NOT NULL UNIQUE CHECK (length(code) = 8),
                    note TEXT
                ) STRICT;
                """)
        // The numbers lead to the same codes wherever a copy of the library is migrated.
        for row in try Row.fetchAll(db, sql: "SELECT id, replace(name, ' / ', '/') AS name, nameKey FROM shelf") {
            try db.execute(
                sql: "INSERT INTO newShelf (id, name, nameKey, code) VALUES (?, ?, ?, ?)",
                arguments: [
                    row["id"], row["name"], row["nameKey"],
                    try db.freeCode(from: row["id"], in: "newShelf").description,
                ])
        }
        // Numbers of deleted shelves are not used again.
        try db.execute(
            sql: """
                DELETE FROM sqlite_sequence WHERE name = 'newShelf';
                INSERT INTO sqlite_sequence (name, seq) SELECT 'newShelf', seq FROM sqlite_sequence WHERE name = 'shelf';
                DROP TABLE shelf;
                ALTER TABLE newShelf RENAME TO shelf;
                CREATE UNIQUE INDEX shelfByName ON shelf(coalesce(parent, 0), nameKey);
                CREATE INDEX shelfByParent ON shelf(parent);
                """)
    }

    /// Version 3: where copies stand, by what shelves are sorted, and call numbers.
    static func keepStanding(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE shelf ADD COLUMN sortRule TEXT
                    CHECK (sortRule IS NULL OR sortRule IN ('author', 'title', 'series', 'callNumber'));
                ALTER TABLE entry ADD COLUMN callNumber TEXT;

                -- Where the photos of a shelf show its copies. What a place means also depends on where the copy is
                -- recorded, on loans and on decisions, so it is determined when it is asked for.
                CREATE TABLE standing (
                    shelf INTEGER NOT NULL REFERENCES shelf(id) ON DELETE CASCADE,
                    entry INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE,
                    -- From the top, and from the left; both from 0.
                    board INTEGER NOT NULL,
                    rank INTEGER NOT NULL,
                    -- The latest one of the copy on this shelf.
                    detection INTEGER NOT NULL,
                    -- The time of the shelf's latest scan.
                    scannedAt INTEGER NOT NULL,
                    -- Whether a later photo shows the place without the copy.
                    isGap INTEGER NOT NULL CHECK (isGap IN (0, 1)),
                    PRIMARY KEY (shelf, entry)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX standingByEntry ON standing(entry);
                DROP TABLE missingCopy;
                INSERT INTO shelfToCompare SELECT DISTINCT shelf FROM photo
                    WHERE shelf IS NOT NULL AND shelf NOT IN (SELECT shelf FROM shelfToCompare);

                CREATE TABLE orderDecision (
                    entry INTEGER PRIMARY KEY REFERENCES entry(id) ON DELETE CASCADE,
                    shelf INTEGER NOT NULL REFERENCES shelf(id) ON DELETE CASCADE,
                    -- Done counts until the next scan, ignored always.
                    decision TEXT NOT NULL CHECK (decision IN ('done', 'ignored')),
                    at INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX orderDecisionByShelf ON orderDecision(shelf);
                """)
    }

    /// Version 4: an index of what was read on spines.
    static func indexSpines(_ db: Database) throws {
        try db.execute(
            sql: """
                -- By the ID of the detection, or the negative one of a loose line. The text is folded, which SQLite cannot do, so photos are noted here and
                -- indexed before the next search.
                CREATE VIRTUAL TABLE spineText USING fts5(text, tokenize = 'trigram');
                CREATE TABLE textToIndex (photo INTEGER PRIMARY KEY) STRICT;
                INSERT INTO textToIndex SELECT DISTINCT photo FROM detection;
                """)
        for trigger in spineTriggers { try db.execute(sql: trigger) }
    }

    /// Triggers that note the photo of each change of what was read, and delete the text of deleted spines.
    static let spineTriggers =
        ["INSERT", "UPDATE OF photo, outcome, lines"].map { event in
            """
            CREATE TRIGGER text_detection_\(event.prefix(6).lowercased()) AFTER \(event) ON detection BEGIN
                INSERT INTO textToIndex SELECT NEW.photo WHERE NEW.photo NOT IN (SELECT photo FROM textToIndex);
            END
            """
        } + [
            """
            CREATE TRIGGER text_detection_delete AFTER DELETE ON detection BEGIN
                DELETE FROM spineText WHERE rowid = OLD.id;
            END
            """
        ]
}
