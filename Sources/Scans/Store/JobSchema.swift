import GRDB

/// The tables of `jobs.sqlite`, as numbered steps.
///
/// A step is never changed once it was released.
enum JobSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE job (
                        id TEXT PRIMARY KEY NOT NULL,
                        -- Counts up: a stable order for lists.
                        number INTEGER UNIQUE NOT NULL,
                        client TEXT NOT NULL,
                        idempotencyKey TEXT,
                        status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'canceled')),
                        options TEXT NOT NULL,
                        photosExpected INTEGER NOT NULL CHECK (photosExpected BETWEEN 1 AND 5),
                        -- MergedBooks' books, as JSON.
                        books TEXT NOT NULL DEFAULT '[]',
                        folded INTEGER NOT NULL DEFAULT 0,
                        needsReview INTEGER NOT NULL DEFAULT 0,
                        createdAt REAL NOT NULL,
                        updatedAt REAL NOT NULL,
                        finishedAt REAL
                    );
                    CREATE UNIQUE INDEX jobByKey ON job (client, idempotencyKey) WHERE idempotencyKey IS NOT NULL;
                    CREATE INDEX jobByStatus ON job (status);
                    CREATE TABLE photo (
                        job TEXT NOT NULL REFERENCES job ON DELETE CASCADE,
                        number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 5),
                        status TEXT NOT NULL
                            CHECK (status IN ('missing', 'queued', 'reading', 'done', 'failed', 'canceled')),
                        name TEXT,
                        bytes INTEGER,
                        -- How often its reading began; a photo at which the process dies is not retried forever.
                        attempts INTEGER NOT NULL DEFAULT 0,
                        -- ScannedPhoto, as JSON.
                        result TEXT,
                        -- Problem, as JSON.
                        problem TEXT,
                        imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1)),
                        -- Orders the queue.
                        queuedAt REAL,
                        -- Whether sources are still to be asked about the photo's books.
                        asking INTEGER NOT NULL DEFAULT 0 CHECK (asking IN (0, 1)),
                        -- How many names of books were given, so that none is given twice.
                        named INTEGER NOT NULL DEFAULT 0,
                        -- The photos of a job in the order in which their books were merged.
                        merged INTEGER,
                        PRIMARY KEY (job, number)
                    ) WITHOUT ROWID;
                    CREATE TABLE event (
                        job TEXT NOT NULL REFERENCES job ON DELETE CASCADE,
                        id INTEGER NOT NULL,
                        time REAL NOT NULL,
                        -- JobEvent.Content, as JSON.
                        content TEXT NOT NULL,
                        PRIMARY KEY (job, id)
                    ) WITHOUT ROWID;
                    -- What was found about a book of job.books. Apart from them: answers come one by one, and each would
                    -- write all books again.
                    CREATE TABLE enrichment (
                        job TEXT NOT NULL REFERENCES job ON DELETE CASCADE,
                        book TEXT NOT NULL,
                        state TEXT NOT NULL,
                        -- BookMetadata, as JSON.
                        metadata TEXT,
                        PRIMARY KEY (job, book)
                    ) WITHOUT ROWID;
                    -- What the user made of a book that is not in the library yet.
                    CREATE TABLE edit (
                        job TEXT NOT NULL REFERENCES job ON DELETE CASCADE,
                        book TEXT NOT NULL,
                        -- ScanBookEdit, as JSON.
                        edit TEXT NOT NULL,
                        PRIMARY KEY (job, book)
                    ) WITHOUT ROWID;
                    """)
        }
        return migrator
    }
}
