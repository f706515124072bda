/// Version 1 of the tables of books and lists.
extension LibrarySchema {
    /// Books and copies.
    static let books = """
        CREATE TABLE libraryState (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            revision INTEGER NOT NULL,
            -- The action in progress, whose changes the triggers record, and the token of actions; NULL between
            -- transactions.
            action INTEGER,
            undoToken TEXT
        ) STRICT;
        INSERT INTO libraryState (id, revision) VALUES (1, 1);

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
            lentOn TEXT CHECK (lentOn IS NULL OR lentTo IS NOT NULL),
            dueOn TEXT CHECK (dueOn IS NULL OR lentTo IS NOT NULL),
            reading TEXT CHECK (reading IS NULL OR reading IN ('toRead', 'reading', 'read')),
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

    /// The state of list imports.
    static let lists = """
        -- The rows of a list that were imported, so that an interrupted import continues where it stopped.
        CREATE TABLE importedRow (
            file TEXT NOT NULL,
            line INTEGER NOT NULL,
            -- The work that the row became; kept when the work is deleted, because numbers are not used again.
            work INTEGER,
            PRIMARY KEY (file, line)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX importedRowByWork ON importedRow(work) WHERE work IS NOT NULL;

        -- The works behind the numbers that the rows of a Shelflist list use.
        CREATE TABLE importedWork (
            file TEXT NOT NULL,
            name TEXT NOT NULL,
            work INTEGER NOT NULL REFERENCES work(id) ON DELETE CASCADE,
            PRIMARY KEY (file, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX importedWorkByWork ON importedWork(work);

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
        """
}
