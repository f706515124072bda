/// Version 1 of the tables of photos and review.
extension LibrarySchema {
    /// What photos show.
    static let scans = """
        CREATE TABLE photo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file TEXT UNIQUE,
            -- The smaller picture that stays when the photo is deleted.
            picture TEXT UNIQUE,
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
            at INTEGER NOT NULL,
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
            -- BookDetails, as JSON: the user's version of a book that waits for an answer.
            edited TEXT,
            confidence REAL CHECK (confidence IS NULL OR confidence BETWEEN 0 AND 1),
            lines TEXT NOT NULL,
            matches TEXT NOT NULL,
            bookKey TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            -- Whether a source of records was asked about the spine.
            checked INTEGER NOT NULL CHECK (checked IN (0, 1)),
            -- The work's revision after its last automatic change; NULL as imported, which is 1.
            automaticRevision INTEGER,
            UNIQUE (job, photo, book),
            CHECK ((outcome = 'entry') = (entry IS NOT NULL))
        ) STRICT;
        CREATE INDEX detectionByPhoto ON detection(photo);
        CREATE INDEX detectionByEntry ON detection(entry) WHERE entry IS NOT NULL;

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

        -- Copies that the user found on a shelf although its latest photos do not show them.
        CREATE TABLE foundCopy (
            entry INTEGER PRIMARY KEY REFERENCES entry(id) ON DELETE CASCADE,
            shelf INTEGER NOT NULL REFERENCES shelf(id) ON DELETE CASCADE,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX foundCopyByShelf ON foundCopy(shelf);

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
        """

    /// Books that may be in the library already.
    static let duplicates = """
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
        """

    /// What the user did.
    static let actions = """
        CREATE TABLE reviewAction (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            at INTEGER NOT NULL,
            undoneAt INTEGER,
            undoToken TEXT
        ) STRICT;
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

        -- What was read and what the user, or a record that was found later, made of it. It outlives the rows that it
        -- describes.
        CREATE TABLE reviewHistory (
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
            checked INTEGER NOT NULL CHECK (checked IN (0, 1)),
            -- Of automatic changes: the source whose record was applied, the ISBN, and when the user saw the change.
            source TEXT,
            finalISBN TEXT,
            seenAt INTEGER
        ) STRICT;
        CREATE INDEX reviewHistoryByAction ON reviewHistory(action);
        CREATE INDEX reviewHistoryAutomatic ON reviewHistory(work) WHERE judgement IN ('identified', 'withdrawn');
        """

    /// What happened, and reports on readings.
    static let reports = """
        CREATE TABLE activity (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            name TEXT NOT NULL,
            data TEXT NOT NULL
        ) STRICT;

        -- A report may concern a book of a scan that is not in the library; then it has no detection.
        CREATE TABLE feedback (
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
        CREATE INDEX feedbackByBook ON feedback(job, book);
        """
}
