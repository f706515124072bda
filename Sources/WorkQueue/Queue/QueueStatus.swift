import Foundation

/// What is in the queue; the JSON document of `shelflist work-queue status --format json`.
package struct QueueStatus: Codable, Sendable {
    package struct Server: Codable, Sendable {
        package var name: String
        package var waiting: Int
        package var running: Int
        /// Read, and not collected yet.
        package var finished: Int
        /// Seconds since it was seen last.
        package var seen: Double
    }

    package struct Worker: Codable, Sendable {
        package var name: String
        package var version: String
        package var models: String
        package var jobs: Int
        package var running: Int
        /// In the last hour.
        package var read: Int
        package var failed: Int
        /// Results that were refused because the photo had been given to another worker.
        package var late: Int
        /// The mean of the last hour in seconds; nil if it read no photo.
        package var seconds: Double?
        /// Seconds since it was seen last.
        package var seen: Double
        /// Why it reads nothing; nil if it may.
        package var refusal: String?
    }

    package var waiting: Int
    package var waitingBytes: Int
    package var running: Int
    package var finished: Int
    /// How long the oldest photo has waited, in seconds; nil if none waits.
    package var oldest: Double?
    /// Photos read, and failed ones among them.
    package var readInLastMinute: Int
    package var readInLastHour: Int
    package var failedInLastHour: Int
    package var servers: [Server]
    package var workers: [Worker]

    /// - Throws: `PostgresError`, `WorkQueueError`.
    package init(_ connection: PostgresConnection) async throws {
        try await QueueSchema.check(connection)
        let photos = try await connection.run(
            """
            SELECT count(*) FILTER (WHERE state = 'waiting'),
                coalesce(sum(size) FILTER (WHERE state = 'waiting'), 0),
                count(*) FILTER (WHERE state = 'running'), count(*) FILTER (WHERE state IN ('done', 'failed')),
                extract(epoch FROM clock_timestamp() - min(offered) FILTER (WHERE state = 'waiting'))
            FROM shelflist_work.photo
            """)
        waiting = photos.count(0)
        waitingBytes = photos.count(1)
        running = photos.count(2)
        finished = photos.count(3)
        oldest = photos.first?.seconds(4)
        let history = try await connection.run(
            """
            SELECT count(*) FILTER (WHERE finished > clock_timestamp() - interval '1 minute'), count(*),
                count(*) FILTER (WHERE failed)
            FROM shelflist_work.history WHERE finished > clock_timestamp() - interval '1 hour'
            """)
        readInLastMinute = history.count(0)
        readInLastHour = history.count(1)
        failedInLastHour = history.count(2)
        servers = try await connection.run(
            """
            SELECT o.name, count(p.id) FILTER (WHERE state = 'waiting'), count(p.id) FILTER (WHERE state = 'running'),
                count(p.id) FILTER (WHERE state IN ('done', 'failed')), extract(epoch FROM clock_timestamp() - o.seen)
            FROM shelflist_work.owner o LEFT JOIN shelflist_work.photo p ON p.owner = o.id
            GROUP BY o.id, o.name, o.seen ORDER BY o.name, o.id
            """
        ).map { row in
            Server(
                name: row.text(0) ?? "", waiting: row.count(1), running: row.count(2), finished: row.count(3),
                seen: row.seconds(4) ?? 0)
        }
        workers = try await connection.run(
            """
            SELECT w.name, w.version, w.models, w.jobs,
                (SELECT count(*) FROM shelflist_work.photo p WHERE p.worker = w.id AND p.state = 'running'),
                count(h.finished), count(h.finished) FILTER (WHERE h.failed), w.late, avg(h.seconds),
                extract(epoch FROM clock_timestamp() - w.seen), w.wanted
            FROM shelflist_work.worker w LEFT JOIN shelflist_work.history h
                ON h.worker = w.id AND h.finished > clock_timestamp() - interval '1 hour'
            GROUP BY w.id ORDER BY w.name, w.id
            """
        ).map { row in
            let models = row.text(2) ?? ""
            return Worker(
                name: row.text(0) ?? "", version: row.text(1) ?? "", models: models, jobs: row.count(3),
                running: row.count(4), read: row.count(5), failed: row.count(6), late: row.count(7),
                seconds: row.seconds(8), seen: row.seconds(9) ?? 0,
                refusal: row.text(10).map { QueueSchema.refusal(wanted: $0, models: models) })
        }
    }
}

extension QueueSchema {
    /// Deletes all photos and results, or those of servers that have not been seen for a while.
    ///
    /// Servers that are running offer their photos again. Gives unused space of the photos back to the disk.
    ///
    /// - Parameter unseen: nil for all.
    /// - Returns: the number of photos and results.
    /// - Throws: `PostgresError`, `WorkQueueError`.
    package static func purge(_ connection: PostgresConnection, unseenFor unseen: Duration?) async throws -> Int {
        try await check(connection)
        let rows = try await connection.run(
            """
            WITH gone AS (
                DELETE FROM shelflist_work.photo p USING shelflist_work.owner o
                WHERE o.id = p.owner AND ($1::interval IS NULL OR o.seen < clock_timestamp() - $1::interval)
                RETURNING p.id, p.worker
            ), notified AS (
                SELECT pg_notify('\(workChannel)', id::text) FROM gone WHERE worker IS NOT NULL
            )
            SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM notified)
            """, [unseen.map { .interval($0) } ?? .null])
        try await connection.run("VACUUM (TRUNCATE, SKIP_LOCKED) \(name).photo_piece")
        return rows.count(0)
    }
}

extension PostgresRow {
    fileprivate func count(_ column: Int) -> Int { Int(number(column) ?? 0) }

    fileprivate func seconds(_ column: Int) -> Double? { text(column).flatMap { Double($0) } }
}

extension [PostgresRow] {
    fileprivate func count(_ column: Int) -> Int { first.map { Int($0.number(column) ?? 0) } ?? 0 }
}
