import Bounds
package import GRDB

/// The tables of `library.sqlite`, as numbered steps.
///
/// A step is never changed once it was released.
///
/// | tables | hold |
/// |---|---|
/// | libraryState, setting | the library's revision; the owner's settings |
/// | shelf | named places, each inside another or none |
/// | series | what is known of the series that works name |
/// | work, author, workAuthor, edition | books, with their authors in order and their editions |
/// | entry, tag, pastLoan | the user's copies, their tags and their ended loans |
/// | workWords | full-text index of works |
/// | photo, scanPhoto, detection | photos, which scan had which, and what was read from each spine |
/// | job, jobPhoto, jobEvent, jobEnrichment, jobEdit | scan jobs with their progress and results, until they expire |
/// | duplicateQuestion, duplicateDecision | open questions on duplicates, and remembered answers |
/// | reviewAction, undoChange, undoSet | actions that can be undone, and the rows as they were before |
/// | reviewHistory | the judgements that actions made |
/// | repeatedSpine | where later photos of a scan show a detection again |
/// | foundCopy | copies found on a shelf whose latest photo does not show them |
/// | activity, feedback | what happened; reports on readings |
/// | standing, shelfToCompare | the order of a shelf's copies and its gaps, derived from its scans |
/// | orderDecision | copies whose place on a shelf a person decided on |
/// | labelQuestion, labelledSpine | questions about labels and signs in photos, with the spines above them |
/// | stocktake, stocktakeItem, stocktakeSeen | stocktakes, the copies that are to be seen, and when and how each was seen |
/// | stocktakePlace, stocktakeResult | the shelves and copies of closed stocktakes as they were then |
/// | looseLine | text in photos that belongs to no spine |
/// | spineText, spineTextTerm, textToIndex | the text of spines and loose lines by its sequences of three letters; how many have each; photos to index again |
/// | failedRow, importedRow, importedWork | state of list imports |
///
/// Times are milliseconds since 1970. `WorkWriting` writes derived values (sort keys, search words) together with the
/// values they are derived from.
package enum LibrarySchema {
    package static var migrator: DatabaseMigrator { migrator(upTo: nil) }

    private static var migrations: [(name: String, migrate: @Sendable (Database) throws -> Void)] {
        [
            createTables, nestShelves, keepStanding, indexSpines, askAboutLabels, takeStock, describeCopies, keepSeries,
            keepSources, keepResults,
        ].enumerated().map { ("\($0 + 1)", $1) }
    }

    /// Returns the migrations of a version, which has the triggers for undo after its last one.
    ///
    /// - Parameter last: the name of its last migration; nil for the current version.
    package static func migrator(upTo last: String?) -> DatabaseMigrator {
        let last = last ?? migrations.last?.name
        var migrator = DatabaseMigrator()
        for (name, migrate) in migrations {
            migrator.registerMigration(name) { db in
                try migrate(db)
                // Not before, because SQLite reads all triggers again for each change of a table.
                if name == last { try UndoTriggers.create(db) }
            }
            if name == last { break }
        }
        return migrator
    }

    /// Version 1.
    private static func createTables(_ db: Database) throws {
        for tables in [books, scans, jobs, duplicates, actions, reports, lists] { try db.execute(sql: tables) }
        for trigger in comparingTriggers { try db.execute(sql: trigger) }
    }

    /// Removes every trigger of a migrated database, and creates those that it has to have.
    static func replaceTriggers(_ db: Database) throws {
        for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
            try db.execute(sql: "DROP TRIGGER \(EscapedText.sqlName(name))")
        }
        for trigger in comparingTriggers + spineTriggers + looseLineTriggers + stocktakeTriggers + resultTriggers {
            try db.execute(sql: trigger)
        }
        try UndoTriggers.create(db)
    }

    /// The names of the migrations, in order.
    package static var steps: [String] { migrator.migrations }

    /// Triggers that note the shelf of each change that may close or open a gap.
    ///
    /// They cannot use `OR IGNORE`, because the conflict policy of the statement that fires a trigger applies.
    private static let comparingTriggers =
        [
            ("detection_insert", "INSERT ON detection", "NEW.photo"),
            ("detection_update", "UPDATE OF entry, x, y, width, height ON detection", "NEW.photo"),
            ("detection_delete", "DELETE ON detection", "OLD.photo"),
            ("scanPhoto_insert", "INSERT ON scanPhoto", "NEW.photo"),
            ("scanPhoto_update", "UPDATE ON scanPhoto", "NEW.photo"),
            ("scanPhoto_delete", "DELETE ON scanPhoto", "OLD.photo"),
        ].map { name, event, photo in
            """
            CREATE TRIGGER compare_\(name) AFTER \(event) BEGIN
                INSERT INTO shelfToCompare SELECT shelf FROM photo
                WHERE id = \(photo) AND shelf IS NOT NULL AND shelf NOT IN (SELECT shelf FROM shelfToCompare);
            END
            """
        } + [
            """
            CREATE TRIGGER compare_photo_update AFTER UPDATE OF shelf ON photo BEGIN
                INSERT INTO shelfToCompare SELECT DISTINCT value FROM json_each(json_array(OLD.shelf, NEW.shelf))
                WHERE value IS NOT NULL AND value NOT IN (SELECT shelf FROM shelfToCompare);
            END
            """,
            """
            CREATE TRIGGER compare_photo_delete AFTER DELETE ON photo
            WHEN OLD.shelf IS NOT NULL AND OLD.shelf NOT IN (SELECT shelf FROM shelfToCompare) BEGIN
                INSERT INTO shelfToCompare VALUES (OLD.shelf);
            END
            """,
        ]
}
