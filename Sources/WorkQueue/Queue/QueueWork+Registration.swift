import Foundation

/// The worker in the database.
extension QueueWork {
    /// Adds the worker to the database after each connection, and returns photos whose claim it never learned of.
    func register() async throws {
        guard !database.isRegistered else { return }
        try await QueueSchema.check(database.control)
        try await database.control.run(
            """
            INSERT INTO shelflist_work.worker (id, name, version, protocol, models, jobs, started, seen)
            VALUES ($1::uuid, $2::text, $3::text, $4::int, $5::text, $6::int, clock_timestamp(), clock_timestamp())
            ON CONFLICT (id) DO UPDATE SET seen = clock_timestamp()
            """,
            [
                .text(worker.id.uuidString), .text(worker.name), .text(worker.version),
                .number(QueueSchema.protocolVersion), .text(worker.models), .number(jobs),
            ])
        try await database.control.run(
            """
            UPDATE shelflist_work.photo SET state = 'waiting', worker = NULL, lease = NULL, lease_until = NULL
            WHERE worker = $1 AND state = 'running' AND lease <> ALL ($2::bigint[])
            """, [.text(worker.id.uuidString), .numbers(tasks.values.map(\.photo.lease))])
        database.isRegistered = true
    }

    /// Reports where servers want photos read with other models than this worker's.
    func explainIdleness() async throws {
        let rows = try await database.control.run(
            """
            SELECT count(*) FILTER (WHERE protocol = $1::int AND models = $2::text), min(models) FROM shelflist_work.owner
            WHERE seen > clock_timestamp() - interval '1 minute'
            """, [.number(QueueSchema.protocolVersion), .text(worker.models)])
        var reason: String?
        if let row = rows.first, row.number(0) == 0, let wanted = row.text(1) {
            reason =
                "The servers want photos read with the models \(wanted); this worker has \(worker.models). "
                + "Install the same release of Shelflist on servers and workers."
        }
        guard reason != refusal else { return }
        try await database.control.run(
            "UPDATE shelflist_work.worker SET refusal = $2::text WHERE id = $1::uuid",
            [.text(worker.id.uuidString), reason.map { .text($0) } ?? .null])
        refusal = reason
        if let reason { onEvent(.refused(reason)) }
    }
}
