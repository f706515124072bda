import Foundation

/// What workers return.
extension QueueOffers {
    /// Rows that are fetched at once, so that workers cannot fill the server's memory.
    private static let (reportsAtOnce, resultsAtOnce) = (250, 8)
    /// Reports of a photo that are handed on; more than those of a photo that takes a minute and a half.
    private static let reportsOfPhoto = 500

    /// Hands on what workers reported and read.
    func collect() async throws {
        guard !entries.isEmpty || !collected.isEmpty else { return }
        // Results are deleted with the next call, when they were certainly received.
        let received = collected
        // A photo's reports were stored before its result, so those of a photo that has one are here too, and come first,
        // unless there are too many.
        let rows = try await database.control.run(
            """
            WITH gone AS (
                DELETE FROM shelflist_work.photo WHERE id = ANY ($2::bigint[])
            ), reported AS (
                DELETE FROM shelflist_work.report WHERE id IN (
                    SELECT id FROM shelflist_work.report WHERE owner = $1::uuid ORDER BY id LIMIT \(Self.reportsAtOnce)
                ) RETURNING id, photo, body
            ), finished AS (
                SELECT id, key, state, attempts, result FROM shelflist_work.photo
                WHERE owner = $1::uuid AND key = ANY (string_to_array($3::text, ' '))
                    AND state IN ('done', 'failed') AND id <> ALL ($2::bigint[])
                ORDER BY photo.finished LIMIT \(Self.resultsAtOnce)
            )
            SELECT p.id::text, p.key, 'report', p.attempts::text, r.body, r.id AS number
            FROM reported r JOIN shelflist_work.photo p ON p.id = r.photo
            UNION ALL
            SELECT id::text, key, state, attempts::text, result, NULL FROM finished
            ORDER BY number NULLS LAST
            """,
            [.text(owner.id.uuidString), .numbers(received), .text(entries.keys.joined(separator: " "))], binary: true)
        collected.subtract(received)
        for row in rows {
            guard let id = row.number(0), let key = row.text(1), let entry = entries[key] else { continue }
            switch (row.text(2), row.bytes(4)) {
            case ("report", let body):
                entries[key]?.reports += 1
                if let body, entry.reports < Self.reportsOfPhoto { entry.report(body) }
            case ("done", let result?): finish(key, id, .done(result))
            case (_, let failure?): finish(key, id, .failed(failure))
            default: finish(key, id, .abandoned(attempts: Int(row.number(3) ?? 0)))
            }
        }
        if rows.count >= Self.reportsAtOnce || !collected.isEmpty {
            results.send()
            // There is room for others.
            photos.send()
        }
    }

    private func finish(_ key: String, _ row: Int64, _ outcome: PhotoOutcome) {
        collected.insert(row)
        resolve(key, .success(outcome))
    }
}
