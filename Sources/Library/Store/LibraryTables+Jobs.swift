/// Version 1 of the tables of scan jobs.
extension LibrarySchema {
    /// Photos that are being read, and what was found in them until the user or an import adds it.
    ///
    /// They are written by `Scans`, without undo and without raising the library's revision. They expire, so backups have
    /// no rows of them.
    static let jobs = """
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
            -- Of books: each change reads it, and would parse them.
            bookCount INTEGER NOT NULL DEFAULT 0,
            folded INTEGER NOT NULL DEFAULT 0,
            needsReview INTEGER NOT NULL DEFAULT 0,
            createdAt INTEGER NOT NULL,
            updatedAt INTEGER NOT NULL,
            finishedAt INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX jobByKey ON job(client, idempotencyKey) WHERE idempotencyKey IS NOT NULL;
        CREATE INDEX jobByStatus ON job(status);

        CREATE TABLE jobPhoto (
            job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 5),
            status TEXT NOT NULL CHECK (status IN ('missing', 'queued', 'reading', 'done', 'failed', 'canceled')),
            name TEXT,
            bytes INTEGER,
            -- Of the bytes received, which identifies the same picture.
            sha256 TEXT CHECK (sha256 IS NULL OR length(sha256) = 64),
            -- How often its reading began; a photo at which the process dies is not retried forever.
            attempts INTEGER NOT NULL DEFAULT 0,
            -- ScannedPhoto, as JSON.
            result TEXT,
            -- Of the result.
            bookCount INTEGER,
            -- Problem, as JSON.
            problem TEXT,
            imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1)),
            -- Orders the queue.
            queuedAt INTEGER,
            -- Whether sources are still to be asked about the photo's books.
            asking INTEGER NOT NULL DEFAULT 0 CHECK (asking IN (0, 1)),
            -- How many names of books were given, so that none is given twice.
            named INTEGER NOT NULL DEFAULT 0,
            -- The photos of a job in the order in which their books were merged.
            merged INTEGER,
            PRIMARY KEY (job, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE jobEvent (
            job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
            id INTEGER NOT NULL,
            time INTEGER NOT NULL,
            -- JobEvent.Content, as JSON.
            content TEXT NOT NULL,
            PRIMARY KEY (job, id)
        ) STRICT, WITHOUT ROWID;

        -- What was found about a book of job.books. Apart from them: answers come one by one, and each would write all
        -- books again.
        CREATE TABLE jobEnrichment (
            job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
            book TEXT NOT NULL,
            state TEXT NOT NULL,
            -- BookMetadata, as JSON.
            metadata TEXT,
            PRIMARY KEY (job, book)
        ) STRICT, WITHOUT ROWID;

        -- What the user made of a book that is not in the library yet.
        CREATE TABLE jobEdit (
            job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
            book TEXT NOT NULL,
            -- ScanBookEdit, as JSON.
            edit TEXT NOT NULL,
            PRIMARY KEY (job, book)
        ) STRICT, WITHOUT ROWID;
        """

    /// The tables of `jobs`, those that others refer to last.
    static let jobTables = ["jobEvent", "jobEnrichment", "jobEdit", "jobPhoto", "job"]
}
