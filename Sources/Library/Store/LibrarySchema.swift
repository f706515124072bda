package import GRDB

/// The tables of `library.sqlite`, as numbered steps that are never changed once released.
///
/// | tables | hold |
/// |---|---|
/// | libraryState, setting | the library's revision; the owner's settings |
/// | shelf | named places |
/// | work, author, workAuthor, edition | books, with their authors in order and their editions |
/// | entry, tag | the user's copies and their tags |
/// | workWords | full-text index of works |
/// | photo, scanPhoto, detection | photos, which scan had which, and what was read from each spine |
/// | duplicateQuestion, duplicateDecision | open questions on duplicates, and remembered answers |
/// | reviewAction, undoChange | actions that can be undone, and the rows as they were before |
/// | reviewHistory | the judgements that actions made |
/// | repeatedSpine | where later photos of a scan show a detection again |
/// | foundCopy | copies found on a shelf whose latest photo does not show them |
/// | activity, feedback | what happened; reports on readings |
/// | missingCopy, shelfToCompare | copies that the latest photos of a shelf do not show, derived from its scans |
/// | failedRow, importedRow, importedWork | state of list imports |
///
/// Times are milliseconds since 1970. `WorkWriting` writes derived values (sort keys, search words) together with the
/// values they are derived from.
package enum LibrarySchema {
    package static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 books") { try $0.execute(sql: books) }
        migrator.registerMigration("2 photos and review") { try $0.execute(sql: photosAndReview) }
        migrator.registerMigration("3 activity and enrichment") { try $0.execute(sql: activityAndEnrichment) }
        migrator.registerMigration("4 scans in their order") { try $0.execute(sql: scansInTheirOrder) }
        migrator.registerMigration("5 checked books") { try $0.execute(sql: checkedBooks) }
        migrator.registerMigration("6 automatic changes") { try $0.execute(sql: automaticChanges) }
        migrator.registerMigration("7 seen changes") { try $0.execute(sql: seenChanges) }
        migrator.registerMigration("8 shelf pictures") { try $0.execute(sql: shelfPictures) }
        migrator.registerMigration("9 reports") { try $0.execute(sql: reports) }
        migrator.registerMigration("10 undo of every action") { db in
            try db.execute(sql: undoOfEveryAction)
            try UndoTriggers.create(db)
        }
        migrator.registerMigration("11 inbox") { db in
            try db.execute(sql: inbox)
            for trigger in comparingTriggers { try db.execute(sql: trigger) }
            try UndoTriggers.create(db)
        }
        migrator.registerMigration("12 repeated spines") { db in
            try db.execute(sql: repeatedSpines)
            try UndoTriggers.create(db)
        }
        migrator.registerMigration("13 lists and loans") { db in
            try db.execute(sql: listsAndLoans)
            try UndoTriggers.create(db)
        }
        return migrator
    }

    /// The tables and triggers of earlier versions that a step removes.
    static let removed: Set = [
        "failedEnrichment", "undo_failedEnrichment_insert", "undo_failedEnrichment_delete",
        "undo_failedEnrichment_update",
    ]

    /// The names of the migrations, in order.
    package static var steps: [String] { migrator.migrations }

    private static let books = """
        CREATE TABLE libraryState (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            revision INTEGER NOT NULL
        ) STRICT;
        INSERT INTO libraryState VALUES (1, 1);

        CREATE TABLE setting (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT;

        CREATE TABLE shelf (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL CHECK (length(name) > 0),
            nameKey TEXT NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE author (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL CHECK (length(name) > 0),
            sortName TEXT NOT NULL,
            nameKey TEXT NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE work (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL CHECK (length(title) > 0),
            subtitle TEXT,
            series TEXT,
            authorNames TEXT NOT NULL,
            sortTitle TEXT NOT NULL,
            sortAuthor TEXT NOT NULL,
            titleKey TEXT NOT NULL,
            reviewStatus TEXT NOT NULL CHECK (reviewStatus IN ('verified', 'needsReview', 'userEdited')),
            createdAt INTEGER NOT NULL,
            changedAt INTEGER NOT NULL,
            revision INTEGER NOT NULL DEFAULT 1 CHECK (revision > 0)
        ) STRICT;
        CREATE INDEX workByTitleKey ON work(titleKey);
        CREATE INDEX workBySortTitle ON work(sortTitle, sortAuthor);
        CREATE INDEX workBySortAuthor ON work(sortAuthor, sortTitle);
        CREATE INDEX workInQueue ON work(id) WHERE reviewStatus = 'needsReview';

        CREATE TABLE workAuthor (
            work INTEGER NOT NULL REFERENCES work(id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            author INTEGER NOT NULL REFERENCES author(id) ON DELETE RESTRICT,
            role TEXT NOT NULL CHECK (role IN ('author', 'editor', 'translator', 'illustrator', 'contributor')),
            PRIMARY KEY (work, position),
            UNIQUE (work, author, role)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX workAuthorByAuthor ON workAuthor(author);

        CREATE TABLE edition (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            work INTEGER NOT NULL REFERENCES work(id) ON DELETE CASCADE,
            isbn TEXT CHECK (isbn IS NULL OR (length(isbn) = 13 AND isbn NOT GLOB '*[^0-9]*')),
            publisher TEXT,
            year INTEGER CHECK (year IS NULL OR year BETWEEN 1000 AND 2100),
            pages INTEGER CHECK (pages IS NULL OR pages BETWEEN 1 AND 100000),
            language TEXT,
            binding TEXT,
            cover TEXT,
            source TEXT,
            sourceID TEXT,
            UNIQUE (work, isbn),
            UNIQUE (work, id)
        ) STRICT;
        CREATE INDEX editionByISBN ON edition(isbn) WHERE isbn IS NOT NULL;

        CREATE TABLE entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            work INTEGER NOT NULL REFERENCES work(id) ON DELETE RESTRICT,
            edition INTEGER,
            shelf INTEGER REFERENCES shelf(id) ON DELETE SET NULL,
            ownership TEXT NOT NULL CHECK (ownership IN ('owned', 'wishlist', 'lent')),
            lentTo TEXT CHECK (lentTo IS NULL OR ownership = 'lent'),
            reading TEXT CHECK (reading IS NULL OR reading IN ('to-read', 'reading', 'read')),
            rating REAL CHECK (rating IS NULL OR rating BETWEEN 0 AND 5),
            startedOn TEXT,
            finishedOn TEXT,
            notes TEXT,
            addedAt INTEGER NOT NULL,
            revision INTEGER NOT NULL DEFAULT 1 CHECK (revision > 0),
            -- A copy's edition is an edition of its work.
            FOREIGN KEY (work, edition) REFERENCES edition(work, id) DEFERRABLE INITIALLY DEFERRED
        ) STRICT;
        CREATE INDEX entryByWork ON entry(work);
        CREATE INDEX entryByShelf ON entry(shelf);
        CREATE INDEX entryByEdition ON entry(edition);
        CREATE INDEX entryByDate ON entry(addedAt);

        CREATE TABLE tag (
            entry INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            name TEXT NOT NULL CHECK (length(name) > 0),
            PRIMARY KEY (entry, position),
            UNIQUE (entry, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tagByName ON tag(name);

        -- Folded words, so that accents, case and punctuation make no difference; rowid is the work's.
        CREATE VIRTUAL TABLE workWords USING fts5(
            title, author, isbn, prefix = '2 3', tokenize = 'unicode61');
        """

    private static let photosAndReview = """
        CREATE TABLE photo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file TEXT UNIQUE,
            sha256 TEXT UNIQUE CHECK (sha256 IS NULL OR length(sha256) = 64),
            width INTEGER NOT NULL CHECK (width > 0),
            height INTEGER NOT NULL CHECK (height > 0),
            shelf INTEGER REFERENCES shelf(id) ON DELETE SET NULL,
            addedAt INTEGER NOT NULL,
            clearedAt INTEGER,
            CHECK (file IS NULL OR clearedAt IS NULL)
        ) STRICT;
        CREATE INDEX photoByShelf ON photo(shelf);

        -- The photos of a scan, in its order.
        CREATE TABLE scanPhoto (
            job TEXT NOT NULL,
            position INTEGER NOT NULL,
            photo INTEGER NOT NULL REFERENCES photo(id) ON DELETE CASCADE,
            PRIMARY KEY (job, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX scanPhotoByPhoto ON scanPhoto(photo);

        CREATE TABLE detection (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            job TEXT NOT NULL,
            photo INTEGER NOT NULL REFERENCES photo(id) ON DELETE CASCADE,
            book TEXT NOT NULL,
            entry INTEGER REFERENCES entry(id) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
            outcome TEXT NOT NULL CHECK (outcome IN ('entry', 'pending', 'skipped', 'rejected', 'removed')),
            x REAL NOT NULL CHECK (x BETWEEN 0 AND 1),
            y REAL NOT NULL CHECK (y BETWEEN 0 AND 1),
            width REAL NOT NULL CHECK (width BETWEEN 0 AND 1),
            height REAL NOT NULL CHECK (height BETWEEN 0 AND 1),
            quad TEXT,
            readTitle TEXT,
            readAuthor TEXT,
            readISBN TEXT,
            editedTitle TEXT,
            editedAuthor TEXT,
            confidence REAL CHECK (confidence IS NULL OR confidence BETWEEN 0 AND 1),
            lines TEXT NOT NULL,
            matches TEXT NOT NULL,
            bookKey TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            UNIQUE (job, photo, book),
            CHECK ((outcome = 'entry') = (entry IS NOT NULL))
        ) STRICT;
        CREATE INDEX detectionByPhoto ON detection(photo);
        CREATE INDEX detectionByEntry ON detection(entry) WHERE entry IS NOT NULL;

        -- A question concerns a detection that waits for the answer, or a copy that is in the library already.
        CREATE TABLE duplicateQuestion (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            detection INTEGER REFERENCES detection(id) ON DELETE CASCADE,
            entry INTEGER REFERENCES entry(id) ON DELETE CASCADE,
            work INTEGER NOT NULL REFERENCES work(id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('isbn', 'titleAndAuthor', 'similar', 'readBefore')),
            bookKey TEXT NOT NULL,
            askedAt INTEGER NOT NULL,
            UNIQUE (detection, work),
            UNIQUE (entry, work),
            CHECK ((detection IS NULL) <> (entry IS NULL))
        ) STRICT;
        CREATE INDEX duplicateQuestionByWork ON duplicateQuestion(work);

        CREATE TABLE duplicateDecision (
            bookKey TEXT NOT NULL,
            work INTEGER NOT NULL REFERENCES work(id) ON DELETE CASCADE,
            decision TEXT NOT NULL CHECK (decision IN ('skip', 'addCopy', 'existing', 'different')),
            decidedAt INTEGER NOT NULL,
            PRIMARY KEY (bookKey, work)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX duplicateDecisionByWork ON duplicateDecision(work);

        -- The user's actions, with the data needed to undo them.
        CREATE TABLE reviewAction (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            at INTEGER NOT NULL,
            undoneAt INTEGER,
            snapshot TEXT
        ) STRICT;

        -- What was read and what the user made of it. It outlives the rows that it describes.
        CREATE TABLE reviewHistory (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            action INTEGER NOT NULL REFERENCES reviewAction(id),
            judgement TEXT NOT NULL CHECK (judgement IN ('verified', 'corrected', 'rejected', 'matched', 'recropped')),
            work INTEGER NOT NULL,
            detection INTEGER,
            readTitle TEXT,
            readAuthor TEXT,
            finalTitle TEXT,
            finalAuthor TEXT,
            titleChanged INTEGER NOT NULL CHECK (titleChanged IN (0, 1)),
            authorChanged INTEGER NOT NULL CHECK (authorChanged IN (0, 1)),
            confidence REAL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX reviewHistoryByAction ON reviewHistory(action);
        """

    private static let activityAndEnrichment = """
        CREATE TABLE activity (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            name TEXT NOT NULL,
            data TEXT NOT NULL
        ) STRICT;

        CREATE TABLE feedback (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            detection INTEGER NOT NULL,
            correct INTEGER NOT NULL CHECK (correct IN (0, 1)),
            note TEXT,
            readTitle TEXT,
            readAuthor TEXT,
            confidence REAL,
            crop BLOB
        ) STRICT;

        -- Rows of an imported list that no catalog matched.
        CREATE TABLE failedEnrichment (
            entry INTEGER PRIMARY KEY REFERENCES entry(id) ON DELETE CASCADE,
            file TEXT NOT NULL,
            line INTEGER NOT NULL,
            reason TEXT NOT NULL
        ) STRICT;

        -- The rows of a list that were imported, so that an interrupted import continues where it stopped.
        CREATE TABLE importedRow (
            file TEXT NOT NULL,
            line INTEGER NOT NULL,
            PRIMARY KEY (file, line)
        ) STRICT, WITHOUT ROWID;

        -- The works behind the numbers that the rows of a Shelflist list use.
        CREATE TABLE importedWork (
            file TEXT NOT NULL,
            name TEXT NOT NULL,
            work INTEGER NOT NULL REFERENCES work(id) ON DELETE CASCADE,
            PRIMARY KEY (file, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX importedWorkByWork ON importedWork(work);
        """

    private static let scansInTheirOrder = """
        ALTER TABLE scanPhoto ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
        UPDATE scanPhoto SET at = coalesce(
            (SELECT max(createdAt) FROM detection d WHERE d.job = scanPhoto.job AND d.photo = scanPhoto.photo),
            (SELECT addedAt FROM photo WHERE id = scanPhoto.photo));
        -- Photos imported one by one: only the first had a row.
        INSERT INTO scanPhoto (job, position, photo, at)
        SELECT job, coalesce((SELECT max(position) FROM scanPhoto s WHERE s.job = d.job), -1)
            + row_number() OVER (PARTITION BY job ORDER BY photo), photo, max(createdAt)
        FROM detection d
        WHERE NOT EXISTS (SELECT 1 FROM scanPhoto s WHERE s.job = d.job AND s.photo = d.photo) GROUP BY job, photo;
        """

    /// Whether a source of records was asked about the spine; earlier versions did not distinguish.
    private static let checkedBooks = """
        ALTER TABLE detection ADD COLUMN checked INTEGER NOT NULL DEFAULT 1 CHECK (checked IN (0, 1));
        ALTER TABLE reviewHistory ADD COLUMN checked INTEGER NOT NULL DEFAULT 1 CHECK (checked IN (0, 1));
        """

    private static let automaticChanges = """
        -- The work's revision after its last automatic change; NULL as imported, which is 1.
        ALTER TABLE detection ADD COLUMN automaticRevision INTEGER;

        -- Judgements may be automatic.
        CREATE TABLE newHistory (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            action INTEGER NOT NULL REFERENCES reviewAction(id),
            judgement TEXT NOT NULL CHECK (judgement IN
                ('verified', 'corrected', 'rejected', 'matched', 'recropped', 'identified', 'withdrawn')),
            work INTEGER NOT NULL,
            detection INTEGER,
            readTitle TEXT,
            readAuthor TEXT,
            finalTitle TEXT,
            finalAuthor TEXT,
            titleChanged INTEGER NOT NULL CHECK (titleChanged IN (0, 1)),
            authorChanged INTEGER NOT NULL CHECK (authorChanged IN (0, 1)),
            confidence REAL,
            at INTEGER NOT NULL,
            checked INTEGER NOT NULL DEFAULT 1 CHECK (checked IN (0, 1))
        ) STRICT;
        INSERT INTO newHistory SELECT id, action, judgement, work, detection, readTitle, readAuthor, finalTitle,
            finalAuthor, titleChanged, authorChanged, confidence, at, checked FROM reviewHistory;
        DROP TABLE reviewHistory;
        ALTER TABLE newHistory RENAME TO reviewHistory;
        CREATE INDEX reviewHistoryByAction ON reviewHistory(action);
        """

    private static let seenChanges = """
        -- Of automatic changes: the source whose record was applied, the ISBN, and when the user saw the change.
        ALTER TABLE reviewHistory ADD COLUMN source TEXT;
        ALTER TABLE reviewHistory ADD COLUMN finalISBN TEXT;
        ALTER TABLE reviewHistory ADD COLUMN seenAt INTEGER;
        CREATE INDEX reviewHistoryAutomatic ON reviewHistory(work) WHERE judgement IN ('identified', 'withdrawn');
        """

    private static let shelfPictures = """
        -- The smaller picture that stays when the photo is deleted.
        ALTER TABLE photo ADD COLUMN picture TEXT;
        CREATE UNIQUE INDEX photoByPicture ON photo(picture) WHERE picture IS NOT NULL;

        -- Copies that the user found on a shelf although its latest photos do not show them.
        CREATE TABLE foundCopy (
            entry INTEGER PRIMARY KEY REFERENCES entry(id) ON DELETE CASCADE,
            shelf INTEGER NOT NULL REFERENCES shelf(id) ON DELETE CASCADE,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX foundCopyByShelf ON foundCopy(shelf);
        """

    private static let reports = """
        -- A report may concern a book of a scan that is not in the library; then it has no detection.
        CREATE TABLE newFeedback (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            detection INTEGER,
            job TEXT NOT NULL DEFAULT '',
            book TEXT NOT NULL DEFAULT '',
            correct INTEGER NOT NULL CHECK (correct IN (0, 1)),
            problem TEXT CHECK (problem IS NULL OR problem IN ('wrongTitle', 'twoBooks', 'notABook', 'cutOff')),
            note TEXT,
            readTitle TEXT,
            readAuthor TEXT,
            confidence REAL,
            rightTitle TEXT,
            rightAuthor TEXT,
            rightISBN TEXT,
            crop BLOB
        ) STRICT;
        INSERT INTO newFeedback (id, at, detection, job, book, correct, note, readTitle, readAuthor, confidence, crop)
        SELECT f.id, f.at, f.detection, coalesce(d.job, ''), coalesce(d.book, ''), f.correct, f.note, f.readTitle,
            f.readAuthor, f.confidence, f.crop FROM feedback f LEFT JOIN detection d ON d.id = f.detection;
        DROP TABLE feedback;
        ALTER TABLE newFeedback RENAME TO feedback;
        CREATE INDEX feedbackByBook ON feedback(job, book);
        """

    /// Replaces the snapshots of works by the changes of all rows.
    ///
    /// Earlier actions cannot be undone any more.
    private static let undoOfEveryAction = """
        -- The action in progress, whose changes the triggers record, and the token of actions; NULL between transactions.
        ALTER TABLE libraryState ADD COLUMN action INTEGER;
        ALTER TABLE libraryState ADD COLUMN undoToken TEXT;

        ALTER TABLE reviewAction DROP COLUMN snapshot;
        ALTER TABLE reviewAction ADD COLUMN undoToken TEXT;
        CREATE INDEX reviewActionByToken ON reviewAction(undoToken) WHERE undoToken IS NOT NULL;

        -- A row for each column of a changed or deleted row, with its former value; one for each inserted row.
        CREATE TABLE undoChange (
            id INTEGER PRIMARY KEY,
            action INTEGER NOT NULL REFERENCES reviewAction(id) ON DELETE CASCADE,
            operation TEXT NOT NULL CHECK (operation IN ('insert', 'update', 'delete')),
            tableName TEXT NOT NULL,
            -- The values of the key, as a JSON array.
            rowKey TEXT NOT NULL,
            columnName TEXT CHECK ((columnName IS NULL) = (operation = 'insert')),
            value ANY
        ) STRICT;
        CREATE INDEX undoChangeByAction ON undoChange(action);
        CREATE INDEX undoChangeByRow ON undoChange(rowKey, tableName);
        """

    private static let listsAndLoans = """
        -- The work that the row became; kept when the work is deleted, because numbers are not used again.
        ALTER TABLE importedRow ADD COLUMN work INTEGER;
        CREATE INDEX importedRowByWork ON importedRow(work) WHERE work IS NOT NULL;

        ALTER TABLE entry ADD COLUMN lentOn TEXT CHECK (lentOn IS NULL OR lentTo IS NOT NULL);
        ALTER TABLE entry ADD COLUMN dueOn TEXT CHECK (dueOn IS NULL OR lentTo IS NOT NULL);
        CREATE INDEX entryByDue ON entry(dueOn) WHERE dueOn IS NOT NULL;

        -- Loans that have ended.
        CREATE TABLE pastLoan (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            entry INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE,
            borrower TEXT NOT NULL,
            lentOn TEXT,
            dueOn TEXT,
            returnedOn TEXT NOT NULL
        ) STRICT;
        CREATE INDEX pastLoanByEntry ON pastLoan(entry);

        -- A list of the user is right: its books do not wait because no catalog has them.
        UPDATE work SET reviewStatus = 'verified', revision = revision + 1
        WHERE reviewStatus = 'needsReview'
            AND EXISTS (SELECT 1 FROM failedEnrichment f JOIN entry ON entry.id = f.entry WHERE entry.work = work.id)
            AND NOT EXISTS (
                SELECT 1 FROM detection JOIN entry ON entry.id = detection.entry WHERE entry.work = work.id);
        DROP TABLE failedEnrichment;
        DELETE FROM undoChange WHERE tableName = 'failedEnrichment';
        """

    private static let inbox = """
        -- Rows of lists that did not become books, until the user dismisses them.
        CREATE TABLE failedRow (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file TEXT NOT NULL,
            line INTEGER NOT NULL,
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            content TEXT NOT NULL,
            at INTEGER NOT NULL,
            UNIQUE (file, line)
        ) STRICT;

        -- Gaps of shelves; a gap counts only while the copy is recorded on the shelf, and is not lent or found.
        CREATE TABLE missingCopy (
            shelf INTEGER NOT NULL REFERENCES shelf(id) ON DELETE CASCADE,
            entry INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE,
            detection INTEGER NOT NULL,
            scannedAt INTEGER NOT NULL,
            PRIMARY KEY (shelf, entry)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX missingCopyByEntry ON missingCopy(entry);

        -- Shelves whose scans changed since their gaps were determined.
        CREATE TABLE shelfToCompare (shelf INTEGER PRIMARY KEY) STRICT;
        INSERT INTO shelfToCompare SELECT DISTINCT shelf FROM photo WHERE shelf IS NOT NULL;
        """

    private static let repeatedSpines = """
        -- Where another photo of the same scan shows the spine of a detection.
        CREATE TABLE repeatedSpine (
            id INTEGER PRIMARY KEY,
            detection INTEGER NOT NULL REFERENCES detection(id) ON DELETE CASCADE,
            photo INTEGER NOT NULL REFERENCES photo(id) ON DELETE CASCADE,
            x REAL NOT NULL CHECK (x BETWEEN 0 AND 1),
            y REAL NOT NULL CHECK (y BETWEEN 0 AND 1),
            width REAL NOT NULL CHECK (width BETWEEN 0 AND 1),
            height REAL NOT NULL CHECK (height BETWEEN 0 AND 1),
            quad TEXT NOT NULL,
            UNIQUE (detection, photo)
        ) STRICT;
        CREATE INDEX repeatedSpineByPhoto ON repeatedSpine(photo);
        """

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
