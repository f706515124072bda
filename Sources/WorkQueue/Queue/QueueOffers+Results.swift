import Foundation

/// What workers return.
extension QueueOffers {
    /// Hands on what workers reported and read.
    func collect() async throws {
        guard !entries.isEmpty || !collected.isEmpty else { return }
        // Results are deleted with the next call, when they were certainly received.
        let received = collected
        let finished = try await database.control.run(
            """
            WITH gone AS (DELETE FROM shelflist_work.photo WHERE id = ANY ($2::bigint[]))
            SELECT id::text, key, state, attempts::text, result FROM shelflist_work.photo
            WHERE owner = $1 AND state IN ('done', 'failed') AND id <> ALL ($2::bigint[])
            """, [.text(owner.id.uuidString), .numbers(received)], binary: true)
        collected.subtract(received)
        // After the results were fetched, so that no report is missed of a photo that has one.
        let reports = try await database.control.run(
            """
            WITH reported AS (DELETE FROM shelflist_work.report WHERE owner = $1 RETURNING id, photo, body)
            SELECT p.key, r.body FROM reported r JOIN shelflist_work.photo p ON p.id = r.photo ORDER BY r.id
            """, [.text(owner.id.uuidString)], binary: true)
        for report in reports {
            if let key = report.text(0), let body = report.bytes(1) { entries[key]?.report(body) }
        }
        for row in finished {
            guard let id = row.number(0), let key = row.text(1), entries[key] != nil else { continue }
            let outcome: PhotoOutcome =
                switch (row.text(2), row.bytes(4)) {
                case ("done", let result?): .done(result)
                case (_, let failure?): .failed(failure)
                default: .abandoned(attempts: Int(row.number(3) ?? 0))
                }
            collected.insert(id)
            resolve(key, .success(outcome))
        }
        if !collected.isEmpty {
            results.send()
            // There is room for others.
            photos.send()
        }
    }
}
