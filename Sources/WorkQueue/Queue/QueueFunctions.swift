import Bounds

/// The functions through which workers use the queue.
///
/// They run with the rights of the owner of the tables. So the role of a worker needs no right on any table: it reads the
/// photos that it claimed, and stores results of these, once. `in_worker` is the identifier of a worker, a random number that
/// only this worker and the database know.
package enum QueueFunctions {
    /// Reports of a photo that wait for its server, at most; further ones are dropped.
    private static let reportsWaiting = 32
    /// Letters of a worker's name, version and models that are stored.
    private static let nameLetters = 200
    /// Workers that are stored, at most.
    private static let mostWorkers = 1_000

    private static let names = [
        "versions", "register", "claim", "pieces", "report", "finish", "renew", "leave", "other_models",
    ]

    /// Lets a role work: it may call the functions and nothing else.
    ///
    /// - Throws: `PostgresError`; `WorkQueueError.noRole`, `WorkQueueError.ownerRole`.
    package static func grant(to role: String, _ connection: PostgresConnection) async throws {
        let rows = try await connection.run(
            """
            SELECT pg_has_role(r.oid, n.nspowner, 'MEMBER') FROM pg_roles r, pg_namespace n
            WHERE r.rolname = $1::text AND n.nspname = '\(QueueSchema.name)'
            """, [.text(role)])
        guard let row = rows.first else { throw WorkQueueError.noRole(role) }
        guard row.text(0) == "f" else { throw WorkQueueError.ownerRole(role) }
        let quoted = EscapedText.sqlName(role)
        let functions = names.map { "\(QueueSchema.name).\($0)" }.joined(separator: ", ")
        try await connection.transaction { database throws(PostgresError) -> Void in
            try database.run("GRANT USAGE ON SCHEMA \(QueueSchema.name) TO \(quoted)")
            try database.run("GRANT EXECUTE ON FUNCTION \(functions) TO \(quoted)")
        }
    }

    /// - Parameters:
    ///   - head: name, parameters and result.
    ///   - body: in PL/pgSQL, whose plans are kept by each connection.
    private static func function(_ head: String, settings: String = "", _ body: String) -> String {
        """
        CREATE FUNCTION shelflist_work.\(head) LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp \(settings) AS $$
        \(body)
        $$
        """
    }

    /// Creates the functions, which only the owner may call yet.
    static let creation = [
        function(
            "versions(OUT newest int, OUT needed int)",
            """
            BEGIN
                SELECT coalesce(max(m.number), 0), coalesce(max(m.oldest), 0) INTO newest, needed
                FROM shelflist_work.migration m;
            END
            """),
        // Adds a worker after each connection, and returns photos whose claim it never learned of. Removes those that
        // were not seen for a day, and the least recently seen of too many: anyone with the role can add any number, and
        // those that work are seen each time they renew their leases.
        function(
            """
            register(
                in_worker uuid, in_name text, in_version text, in_protocol int, in_models text, in_jobs int,
                in_leases bigint[]
            ) RETURNS void
            """,
            """
            BEGIN
                DELETE FROM shelflist_work.worker w
                WHERE w.id <> in_worker AND (
                    w.seen < clock_timestamp() - interval '1 day'
                    OR w.id IN (
                        SELECT o.id FROM shelflist_work.worker o WHERE o.id <> in_worker
                        ORDER BY o.seen DESC OFFSET \(mostWorkers - 1)));
                INSERT INTO shelflist_work.worker (id, name, version, protocol, models, jobs, started, seen)
                VALUES (
                    in_worker, left(in_name, \(nameLetters)), left(in_version, \(nameLetters)), in_protocol,
                    left(in_models, \(nameLetters)), in_jobs, clock_timestamp(), clock_timestamp())
                ON CONFLICT (id) DO UPDATE SET seen = clock_timestamp();
                UPDATE shelflist_work.photo p SET state = 'waiting', worker = NULL, lease = NULL, lease_until = NULL
                WHERE p.worker = in_worker AND p.state = 'running' AND p.lease <> ALL (in_leases);
            END
            """),
        // Claims the photo whose turn it is.
        function(
            """
            claim(in_worker uuid, in_lease interval)
            RETURNS TABLE (out_photo bigint, out_lease bigint, out_size int, out_request bytea)
            """,
            """
            DECLARE
                my_protocol int;
                my_models text;
            BEGIN
                SELECT w.protocol, w.models INTO my_protocol, my_models
                FROM shelflist_work.worker w WHERE w.id = in_worker;
                RETURN QUERY
                WITH next AS (
                    SELECT p.id FROM shelflist_work.photo p
                    WHERE p.state = 'waiting' AND p.protocol = my_protocol AND p.models = my_models
                        AND (SELECT true FROM shelflist_work.photo_piece b WHERE b.photo = p.id AND b.piece = 0)
                    ORDER BY p.turn, p.id LIMIT 1
                    FOR UPDATE OF p SKIP LOCKED
                )
                UPDATE shelflist_work.photo p
                SET state = 'running', attempts = p.attempts + 1, worker = in_worker,
                    lease = nextval('shelflist_work.lease'),
                    lease_until = clock_timestamp() + least(in_lease, interval '1 hour'), started = clock_timestamp()
                FROM next WHERE p.id = next.id
                RETURNING p.id, p.lease, p.size, p.request;
            END
            """),
        // The bytes of a claimed photo. The memory keeps most photos from being written to a temporary file.
        function(
            "pieces(in_worker uuid, in_photo bigint, in_lease bigint) RETURNS SETOF bytea",
            settings: "SET work_mem = '32MB'",
            """
            BEGIN
                RETURN QUERY
                SELECT b.bytes FROM shelflist_work.photo_piece b
                WHERE b.photo = in_photo AND EXISTS (
                    SELECT 1 FROM shelflist_work.photo p
                    WHERE p.id = in_photo AND p.lease = in_lease AND p.worker = in_worker AND p.state = 'running')
                ORDER BY b.piece;
            END
            """),
        function(
            "report(in_worker uuid, in_photo bigint, in_lease bigint, in_body bytea) RETURNS void",
            """
            DECLARE
                to_owner uuid;
            BEGIN
                INSERT INTO shelflist_work.report (owner, photo, body)
                SELECT p.owner, p.id, in_body FROM shelflist_work.photo p
                WHERE p.id = in_photo AND p.lease = in_lease AND p.worker = in_worker AND p.state = 'running'
                    AND (SELECT count(*) FROM shelflist_work.report r WHERE r.photo = p.id) < \(reportsWaiting)
                RETURNING owner INTO to_owner;
                IF FOUND THEN
                    PERFORM pg_notify('shelflist_work_' || to_owner, '');
                END IF;
            END
            """),
        // Returns false, and counts a late result, where the worker does not have the photo, or has it no more.
        function(
            """
            finish(in_worker uuid, in_photo bigint, in_lease bigint, in_failed boolean, in_result bytea)
            RETURNS boolean
            """,
            """
            DECLARE
                to_owner uuid;
                taken real;
            BEGIN
                UPDATE shelflist_work.photo p
                SET state = CASE WHEN in_failed THEN 'failed' ELSE 'done' END, result = in_result,
                    finished = clock_timestamp(), lease_until = NULL
                WHERE p.id = in_photo AND p.lease = in_lease AND p.worker = in_worker AND p.state = 'running'
                RETURNING p.owner, extract(epoch FROM p.finished - p.started) INTO to_owner, taken;
                IF NOT FOUND THEN
                    UPDATE shelflist_work.worker w SET late = w.late + 1 WHERE w.id = in_worker;
                    RETURN false;
                END IF;
                DELETE FROM shelflist_work.photo_piece b WHERE b.photo = in_photo;
                INSERT INTO shelflist_work.history (finished, worker, seconds, failed)
                VALUES (clock_timestamp(), in_worker, taken, in_failed);
                PERFORM pg_notify('shelflist_work_' || to_owner, '');
                RETURN true;
            END
            """),
        // Renews leases, and returns those that the worker still has.
        function(
            "renew(in_worker uuid, in_leases bigint[], in_lease interval) RETURNS SETOF bigint",
            """
            BEGIN
                UPDATE shelflist_work.worker w SET seen = clock_timestamp() WHERE w.id = in_worker;
                RETURN QUERY
                UPDATE shelflist_work.photo p
                SET lease_until = clock_timestamp() + least(in_lease, interval '1 hour')
                WHERE p.worker = in_worker AND p.state = 'running' AND p.lease = ANY (in_leases)
                RETURNING p.lease;
            END
            """),
        // Returns the photos of a worker that stops to the queue, as if it had not claimed them.
        function(
            "leave(in_worker uuid) RETURNS void",
            """
            BEGIN
                UPDATE shelflist_work.photo p
                SET state = 'waiting', attempts = p.attempts - 1, worker = NULL, lease = NULL, lease_until = NULL
                WHERE p.worker = in_worker AND p.state = 'running';
                IF FOUND THEN
                    PERFORM pg_notify('\(QueueSchema.workChannel)', '');
                END IF;
                DELETE FROM shelflist_work.worker w WHERE w.id = in_worker;
            END
            """),
        // The models that the servers want, where none wants those of this worker; else NULL.
        function(
            "other_models(in_worker uuid) RETURNS text",
            """
            DECLARE
                others text;
            BEGIN
                SELECT CASE
                    WHEN count(*) FILTER (WHERE o.protocol = w.protocol AND o.models = w.models) = 0 THEN min(o.models)
                END INTO others
                FROM shelflist_work.worker w, shelflist_work.owner o
                WHERE w.id = in_worker AND o.seen > clock_timestamp() - interval '1 minute';
                UPDATE shelflist_work.worker w SET wanted = others
                WHERE w.id = in_worker AND w.wanted IS DISTINCT FROM others;
                RETURN others;
            END
            """),
        "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA shelflist_work FROM PUBLIC",
    ]
}
