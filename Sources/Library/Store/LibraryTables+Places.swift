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
        try UndoTriggers.create(db)
    }
}
