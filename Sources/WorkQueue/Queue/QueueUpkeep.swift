/// Gives the photos of workers that ended to others, and deletes results that no server collects.
///
/// Every server runs it; the database lets one at a time.
enum QueueUpkeep {
    /// - Throws: `PostgresError`.
    static func run(_ connection: PostgresConnection, limits: QueueLimits, timing: QueueTiming) async throws {
        _ = try await connection.transaction { database throws(PostgresError) -> Void in
            let isFree = try database.run("SELECT pg_try_advisory_xact_lock(\(QueueSchema.upkeepLock))")
            guard isFree.first?.text(0) == "t" else { return }
            // After a restart of the database, workers first get the time to renew their leases.
            let expired = try database.run(
                """
                UPDATE shelflist_work.photo
                SET state = CASE WHEN attempts >= $1 THEN 'failed' ELSE 'waiting' END, worker = NULL, lease = NULL,
                    lease_until = NULL, finished = CASE WHEN attempts >= $1 THEN clock_timestamp() END
                WHERE state = 'running' AND lease_until < clock_timestamp()
                    AND pg_postmaster_start_time() < clock_timestamp() - $2::interval
                RETURNING owner, state
                """, [.number(limits.attempts), .interval(timing.lease)])
            if expired.contains(where: { $0.text(1) == "waiting" }) {
                try database.run("SELECT pg_notify('\(QueueSchema.workChannel)', '')")
            }
            for owner in Set(expired.filter { $0.text(1) == "failed" }.compactMap { $0.text(0) }) {
                try database.run("SELECT pg_notify('shelflist_work_' || $1, '')", [.text(owner)])
            }
            try database.run(
                """
                DELETE FROM shelflist_work.photo
                WHERE state IN ('done', 'failed') AND finished < clock_timestamp() - $1::interval
                """, [.interval(timing.retention)])
            try database.run("DELETE FROM shelflist_work.owner WHERE seen < clock_timestamp() - kept")
            try database.run(
                "DELETE FROM shelflist_work.worker WHERE seen < clock_timestamp() - $1::interval",
                [.interval(timing.retention)])
            try database.run(
                "DELETE FROM shelflist_work.history WHERE finished < clock_timestamp() - $1::interval",
                [.interval(timing.retention)])
        }
    }
}
