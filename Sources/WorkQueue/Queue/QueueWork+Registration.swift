import Foundation

/// The worker in the database.
extension QueueWork {
    /// Adds the worker to the database after each connection, and returns photos whose claim it never learned of.
    func register() async throws {
        guard !database.isRegistered else { return }
        try await QueueSchema.check(database.control)
        try await database.control.run(
            """
            SELECT shelflist_work.register($1::uuid, $2::text, $3::text, $4::int, $5::text, $6::int, $7::bigint[])
            """,
            [
                .text(worker.id.uuidString), .text(worker.name), .text(worker.version),
                .number(QueueSchema.protocolVersion), .text(worker.models), .number(jobs),
                .numbers(tasks.values.map(\.photo.lease)),
            ])
        database.isRegistered = true
    }

    /// Reports where servers want photos read with other models than this worker's.
    func explainIdleness() async throws {
        let rows = try await database.control.run(
            "SELECT shelflist_work.other_models($1::uuid)", [.text(worker.id.uuidString)])
        let reason = rows.first?.text(0).map { QueueSchema.refusal(wanted: $0, models: worker.models) }
        guard reason != refusal else { return }
        refusal = reason
        if let reason { onEvent(.refused(reason)) }
    }
}

extension QueueSchema {
    /// Says why a worker reads nothing.
    static func refusal(wanted: String, models: String) -> String {
        """
        The servers want photos read with the models \(wanted); this worker has \(models). Install the same release of \
        Shelflist on servers and workers.
        """
    }
}
