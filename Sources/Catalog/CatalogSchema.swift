import GRDB

/// The tables of `catalog.sqlite`.
///
/// Authors, works and editions are numbered by `Identity`. `words` is the word index: a contentless FTS5 table whose
/// document 2w is work w, and 2e + 1 is edition e if its title adds words to the work's. `vocabulary` lists the
/// index's words with their document counts, and `trigram` finds words by three of their bytes, to look up misread
/// words.
enum CatalogSchema {
    static let version = 1

    /// Whether the word index covers everything in the tables.
    enum IndexState: String {
        case none
        /// Rows were imported that are not in the index yet.
        case stale
        case current
    }

    /// - Throws: `CatalogError.newerVersion`, `DatabaseError`.
    static func prepare(_ database: any DatabaseWriter, at path: String) throws {
        let found = try database.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
        if found > version { throw CatalogError.newerVersion(path: path, version: found) }
        guard found == 0 else { return }
        try database.write { db in
            // Another process may have created the tables first.
            guard try Int.fetchOne(db, sql: "PRAGMA user_version") == 0 else { return }
            try db.execute(sql: tables)
            try db.execute(sql: wordTables)
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    static func indexState(_ db: Database) throws -> IndexState {
        try value(db, "index").flatMap(IndexState.init) ?? .none
    }

    static func setIndexState(_ db: Database, _ state: IndexState) throws {
        try set(db, "index", state.rawValue)
        if state == .current { try set(db, "generation", String(integer(db, "generation") + 1)) }
    }

    static func set(_ db: Database, _ key: String, _ value: String) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO state VALUES (?, ?)", arguments: [key, value])
    }

    /// Returns the stored number of rows of a table; counts them if none is stored or the last import did not finish.
    static func count(_ db: Database, _ table: String) throws -> Int {
        let noted = try Int.fetchOne(
            db,
            sql: "SELECT value FROM state WHERE key = ? AND NOT EXISTS (SELECT 1 FROM state WHERE key = 'bulk')",
            arguments: ["count of \(table)"])
        return try noted ?? countAnew(db, table)
    }

    static func countAnew(_ db: Database, _ table: String) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
    }

    static func value(_ db: Database, _ key: String) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM state WHERE key = ?", arguments: [key])
    }

    static func integer(_ db: Database, _ key: String) throws -> Int { try value(db, key).flatMap { Int($0) } ?? 0 }

    private static let tables = """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE work (id INTEGER PRIMARY KEY, title TEXT NOT NULL, subtitle TEXT, authors TEXT);
        CREATE TABLE edition (
            id INTEGER PRIMARY KEY, work INTEGER NOT NULL, isbn INTEGER, title TEXT, subtitle TEXT, authors TEXT,
            series TEXT, publisher TEXT, year INTEGER, pages INTEGER, language TEXT, cover INTEGER);
        CREATE TABLE other_isbn (isbn INTEGER, edition INTEGER, PRIMARY KEY (isbn, edition)) WITHOUT ROWID;
        CREATE TABLE file (
            id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, path TEXT NOT NULL, format TEXT NOT NULL,
            size INTEGER NOT NULL, offset INTEGER NOT NULL, line INTEGER NOT NULL, rows INTEGER NOT NULL,
            skipped INTEGER NOT NULL, is_complete BOOLEAN NOT NULL, imported_at DATETIME NOT NULL);
        CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        \(editionIndexes)
        """

    static let editionIndexes = """
        CREATE INDEX IF NOT EXISTS edition_isbn ON edition (isbn) WHERE isbn IS NOT NULL;
        CREATE INDEX IF NOT EXISTS edition_work ON edition (work);
        """

    static let dropEditionIndexes = "DROP INDEX IF EXISTS edition_isbn; DROP INDEX IF EXISTS edition_work;"

    static let wordTables = """
        CREATE VIRTUAL TABLE words USING fts5
            (title, author, content = '', columnsize = 0, detail = column, tokenize = 'ascii');
        CREATE TABLE vocabulary (id INTEGER PRIMARY KEY, word TEXT NOT NULL, works INTEGER NOT NULL);
        CREATE UNIQUE INDEX vocabulary_word ON vocabulary (word, works);
        CREATE TABLE trigram (key INTEGER PRIMARY KEY, words BLOB NOT NULL);
        """

    static let dropWordTables = """
        DROP TABLE IF EXISTS words;
        DROP TABLE IF EXISTS vocabulary;
        DROP TABLE IF EXISTS trigram;
        """
}
