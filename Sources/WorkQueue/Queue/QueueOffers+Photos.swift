import Foundation

/// Photos on their way to the workers.
extension QueueOffers {
    /// Brings photos into the database that are not there yet, as long as there is room.
    func offer() async throws {
        let left = entries.filter { $0.value.row == nil }.sorted { $0.value.number < $1.value.number }
        for key in left.map(\.key) {
            guard let photo = entries[key]?.photo else { continue }
            let hasRoom = try await hasRoom(for: photo)
            if !hasRoom, !wasFull { onEvent(.full) }
            wasFull = !hasRoom
            guard hasRoom else { return }
            do {
                let row = try await insert(photo)
                if entries[key] != nil {
                    entries[key]?.row = row
                } else {
                    // It was cancelled, or even read, while it was sent.
                    withdrawn.insert(key)
                    results.send()
                }
            } catch let error as PostgresError where !error.isTransient {
                resolve(key, .failure(error))
            }
        }
    }

    /// Asked apart, so that a photo is not sent in vain.
    func hasRoom(for photo: OfferedPhoto) async throws -> Bool {
        let rows = try await control.run(
            """
            SELECT count(*) = 0 OR count(*) < $1::bigint AND sum(size) + $2::bigint <= $3::bigint
            FROM shelflist_work.photo WHERE state = 'waiting'
            """, [.number(limits.photosWaiting), .number(photo.bytes.count), .number(limits.bytesWaiting)])
        return rows.first?.text(0) == "t"
    }

    /// Inserts a photo, or finds it where it was offered before.
    ///
    /// Its turn is the one after the owner's last photo, but not before the turn that is read now: so workers serve the
    /// owners in turn (start-time fair queueing; Goyal, Vin and Cheng, 1996).
    ///
    /// - Returns: its row.
    func insert(_ photo: OfferedPhoto) async throws -> Int64? {
        let rows = try await transfers.run(
            """
            WITH new AS (
                INSERT INTO shelflist_work.photo (owner, key, protocol, models, request, size, turn)
                SELECT $1::uuid, $2::text, $3::int, $4::text, $5::bytea, $6::int, greatest(
                    (SELECT max(turn) + 1 FROM shelflist_work.photo WHERE state = 'waiting' AND owner = $1::uuid),
                    (SELECT min(turn) FROM shelflist_work.photo WHERE state = 'waiting'),
                    0)
                ON CONFLICT (owner, key) DO NOTHING
                RETURNING id
            ), known AS (
                SELECT id FROM new
                UNION ALL SELECT id FROM shelflist_work.photo WHERE owner = $1::uuid AND key = $2::text
            ), stored AS (
                INSERT INTO shelflist_work.photo_bytes (photo, bytes)
                SELECT id, $7::bytea FROM known LIMIT 1
                ON CONFLICT (photo) DO NOTHING
            )
            SELECT id::text, pg_notify('\(QueueSchema.workChannel)', '') FROM known LIMIT 1
            """,
            [
                .text(owner.id.uuidString), .text(photo.key), .number(QueueSchema.protocolVersion),
                .text(owner.models), .bytes(photo.request), .number(photo.bytes.count), .bytes(photo.bytes),
            ])
        return rows.first?.number(0)
    }

    /// Renews the owner's row, and finds photos that the database lost with a crash.
    func check() async throws {
        try await control.run(
            "UPDATE shelflist_work.owner SET seen = clock_timestamp() WHERE id = $1", [.text(owner.id.uuidString)])
        guard entries.contains(where: { $0.value.row != nil }) else { return }
        let rows = try await control.run(
            """
            SELECT p.key FROM shelflist_work.photo p LEFT JOIN shelflist_work.photo_bytes b ON b.photo = p.id
            WHERE p.owner = $1 AND (p.state <> 'waiting' OR b.photo IS NOT NULL)
            """, [.text(owner.id.uuidString)])
        let present = Set(rows.compactMap { $0.text(0) })
        for (key, entry) in entries where entry.row != nil && !present.contains(key) {
            entries[key]?.row = nil
            photos.send()
        }
    }
}
