/// The tables of the work queue, in a schema of their own.
///
/// `photo` has a row for each photo that waits, is being read or was read and not collected yet. The bytes of photos, in
/// pieces, and the reports of progress are in tables that survive no crash of the database: the server that offered a
/// photo keeps it until it has the result, and offers it again. So no photo is written to the database's log. Workers use
/// the tables through `QueueFunctions` only.
package enum QueueSchema {
    static let name = "shelflist_work"

    /// The version of the tables that this program creates and uses.
    static let version = 1

    /// Each brings the tables to the next version.
    ///
    /// `oldest` is the version of the oldest program that can use the tables
    /// afterwards, so that programs of two releases work side by side.
    static let migrations: [(oldest: Int, statements: [String])] = [
        (
            1,
            [
                """
                CREATE TABLE shelflist_work.owner (
                    id uuid PRIMARY KEY,
                    name text NOT NULL,
                    protocol int NOT NULL,
                    models text NOT NULL,
                    kept interval NOT NULL,
                    seen timestamptz NOT NULL
                ) WITH (fillfactor = 50)
                """,
                """
                CREATE TABLE shelflist_work.worker (
                    id uuid PRIMARY KEY,
                    name text NOT NULL,
                    version text NOT NULL,
                    protocol int NOT NULL,
                    models text NOT NULL,
                    jobs int NOT NULL,
                    wanted text,
                    late int NOT NULL DEFAULT 0,
                    started timestamptz NOT NULL,
                    seen timestamptz NOT NULL
                ) WITH (fillfactor = 50)
                """,
                """
                CREATE TABLE shelflist_work.photo (
                    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    owner uuid NOT NULL REFERENCES shelflist_work.owner ON DELETE CASCADE,
                    key text NOT NULL,
                    protocol int NOT NULL,
                    models text NOT NULL,
                    request bytea NOT NULL,
                    size int NOT NULL,
                    turn bigint NOT NULL,
                    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
                    attempts int NOT NULL DEFAULT 0,
                    worker uuid,
                    lease bigint,
                    lease_until timestamptz,
                    offered timestamptz NOT NULL DEFAULT clock_timestamp(),
                    started timestamptz,
                    finished timestamptz,
                    result bytea CHECK (length(result) <= \(MessageBounds.resultBytes)),
                    UNIQUE (owner, key)
                ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)
                """,
                """
                CREATE INDEX photo_waiting ON shelflist_work.photo (turn, id) WHERE state = 'waiting'
                """,
                """
                CREATE INDEX photo_running ON shelflist_work.photo (worker) WHERE state = 'running'
                """,
                "CREATE SEQUENCE shelflist_work.lease",
                // One piece fills a page. Compared with one value of 1 MB, which PostgreSQL cuts into 500 parts by itself,
                // this takes less of the processor's time. Pages that were used once are kept, because growing a file is
                // expensive.
                """
                CREATE UNLOGGED TABLE shelflist_work.photo_piece (
                    photo bigint NOT NULL,
                    piece int NOT NULL,
                    bytes bytea NOT NULL,
                    PRIMARY KEY (photo, piece)
                ) WITH (
                    vacuum_truncate = false, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
                    autovacuum_vacuum_cost_delay = 0
                )
                """,
                "ALTER TABLE shelflist_work.photo_piece ALTER COLUMN bytes SET STORAGE PLAIN",
                // Instead of a foreign key, which would be checked for each piece.
                """
                CREATE FUNCTION shelflist_work.delete_pieces() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    DELETE FROM shelflist_work.photo_piece WHERE photo = OLD.id;
                    RETURN NULL;
                END
                $$
                """,
                """
                CREATE TRIGGER delete_pieces AFTER DELETE ON shelflist_work.photo
                FOR EACH ROW EXECUTE FUNCTION shelflist_work.delete_pieces()
                """,
                """
                CREATE UNLOGGED TABLE shelflist_work.report (
                    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    owner uuid NOT NULL,
                    photo bigint NOT NULL REFERENCES shelflist_work.photo ON DELETE CASCADE,
                    body bytea NOT NULL CHECK (length(body) <= \(MessageBounds.reportBytes))
                ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)
                """,
                "CREATE INDEX report_owner ON shelflist_work.report (owner, id)",
                "CREATE INDEX report_photo ON shelflist_work.report (photo)",
                """
                CREATE TABLE shelflist_work.history (
                    finished timestamptz NOT NULL,
                    worker uuid NOT NULL,
                    seconds real NOT NULL,
                    failed boolean NOT NULL
                ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)
                """,
                "CREATE INDEX history_finished ON shelflist_work.history (finished)",
            ] + QueueFunctions.creation
        )
    ]

    /// Bytes in a row of `photo_piece`; a page of 8,192 bytes has room for 8,120.
    static let pieceBytes = 8000

    /// Of PostgreSQL's advisory locks, for which any number does: "shelflis" and "t" in ASCII.
    static let migrationLock = 0x7368_656C_666C_6973
    static let upkeepLock = 0x7368_656C_666C_6974

    /// Creates the schema and its tables, or brings them up to date; does nothing where they are.
    ///
    /// Needs the right to create a schema in the database, or an empty schema `shelflist_work` of the role's own.
    ///
    /// - Returns: whether anything was changed.
    /// - Throws: `PostgresError`, `WorkQueueError.tooOld`.
    package static func create(_ connection: PostgresConnection) async throws -> Bool {
        let (found, oldest) = try await connection.transaction { database throws(PostgresError) -> (Int, Int) in
            try database.run("SELECT pg_advisory_xact_lock(\(migrationLock))")
            if try database.run("SELECT 1 FROM pg_namespace WHERE nspname = '\(name)'").isEmpty {
                try database.run("CREATE SCHEMA \(name)")
            }
            try database.run(
                """
                CREATE TABLE IF NOT EXISTS \(name).migration (
                    number int PRIMARY KEY, oldest int NOT NULL, applied timestamptz NOT NULL DEFAULT now()
                )
                """)
            let (found, oldest) = try versions(
                database, "SELECT coalesce(max(number), 0), coalesce(max(oldest), 0) FROM \(name).migration")
            for (index, migration) in migrations.enumerated() where index >= found {
                for statement in migration.statements { try database.run(statement) }
                try database.run(
                    "INSERT INTO \(name).migration (number, oldest) VALUES ($1, $2)",
                    [.number(index + 1), .number(migration.oldest)])
            }
            return (found, oldest)
        }
        guard oldest <= version else { throw WorkQueueError.programTooOld(needed: oldest, known: version) }
        return found < version
    }

    /// Checks that this program can use the tables; for servers and workers.
    ///
    /// - Throws: `PostgresError`, `WorkQueueError`.
    package static func check(_ connection: PostgresConnection) async throws {
        let (found, oldest): (Int, Int)
        do {
            (found, oldest) = try await connection.versions()
        } catch .refused("42883", _), .refused("3F000", _) {
            throw WorkQueueError.noTables
        }
        guard found >= version else { throw WorkQueueError.tablesTooOld(found: found, needed: version) }
        guard oldest <= version else { throw WorkQueueError.programTooOld(needed: oldest, known: version) }
    }

    fileprivate static func versions(
        _ database: isolated PostgresConnection, _ query: String
    ) throws(PostgresError) -> (found: Int, oldest: Int) {
        let rows = try database.run(query)
        return (Int(rows.first?.number(0) ?? 0), Int(rows.first?.number(1) ?? 0))
    }
}

extension PostgresConnection {
    fileprivate func versions() throws(PostgresError) -> (found: Int, oldest: Int) {
        try QueueSchema.versions(self, "SELECT newest, needed FROM \(QueueSchema.name).versions()")
    }
}
