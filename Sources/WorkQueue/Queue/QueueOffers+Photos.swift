import Foundation

/// Photos on their way to the workers.
extension QueueOffers {
    /// Few enough that the pieces stay in the caches of a small database.
    private static let vacuumedAfter = 64_000_000

    /// Brings photos into the database that are not there yet, as long as there is room.
    func offer() async throws {
        let left = entries.filter { $0.value.row == nil }.sorted { $0.value.number < $1.value.number }
        guard !left.isEmpty else { return }
        // Asked once for all of them: it is a limit of the order of magnitude.
        var (photosWaiting, bytesWaiting) = try await waiting()
        for key in left.map(\.key) {
            guard let photo = entries[key]?.photo else { continue }
            let hasRoom =
                photosWaiting == 0
                || photosWaiting < limits.photosWaiting && bytesWaiting + photo.bytes.count <= limits.bytesWaiting
            if !hasRoom, !wasFull { onEvent(.full) }
            wasFull = !hasRoom
            guard hasRoom else { return }
            do {
                let row = try await insert(photo)
                photosWaiting += 1
                bytesWaiting += photo.bytes.count
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
            try await vacuum(after: photo.bytes.count)
        }
    }

    /// What waits in the database.
    func waiting() async throws -> (photos: Int, bytes: Int) {
        let rows = try await database.control.run(
            "SELECT count(*), coalesce(sum(size), 0) FROM shelflist_work.photo WHERE state = 'waiting'")
        return (Int(rows.first?.number(0) ?? 0), Int(rows.first?.number(1) ?? 0))
    }

    /// Makes room for new photos, and their rows and reports, where photos that were read have been.
    ///
    /// The database's own vacuum may come a minute late, which is gigabytes.
    func vacuum(after bytes: Int) async throws {
        bytesSent += bytes
        guard bytesSent >= Self.vacuumedAfter else { return }
        bytesSent = 0
        try await database.transfers.run(
            "VACUUM (SKIP_LOCKED) shelflist_work.photo_piece, shelflist_work.photo, shelflist_work.report")
    }

    /// Inserts a photo, or finds it where it was offered before.
    ///
    /// Its turn is the one after the owner's last photo, but not before the turn that is read now: so workers serve the
    /// owners in turn (start-time fair queueing; Goyal, Vin and Cheng, 1996).
    ///
    /// - Returns: its row.
    func insert(_ photo: OfferedPhoto) async throws -> Int64? {
        let rows = try await database.transfers.run(
            """
            WITH new AS (
                INSERT INTO shelflist_work.photo (owner, key, protocol, models, request, size, turn)
                SELECT $1::uuid, $2::text, $3::int, $4::text, $5::bytea, $6::int, greatest(
                    (SELECT max(turn) + 1 FROM shelflist_work.photo WHERE state = 'waiting' AND owner = $1::uuid),
                    (SELECT min(turn) FROM shelflist_work.photo WHERE state = 'waiting'),
                    0)
                ON CONFLICT (owner, key) DO NOTHING
                RETURNING id
            ), old AS (
                SELECT id FROM shelflist_work.photo WHERE owner = $1::uuid AND key = $2::text FOR KEY SHARE
            ), known AS (
                SELECT id FROM new UNION ALL SELECT id FROM old LIMIT 1
            ), stored AS (
                INSERT INTO shelflist_work.photo_piece (photo, piece, bytes)
                SELECT id, piece, substr($7::bytea, piece * \(QueueSchema.pieceBytes) + 1, \(QueueSchema.pieceBytes))
                FROM known, generate_series(0, (length($7::bytea) - 1) / \(QueueSchema.pieceBytes)) piece
                ON CONFLICT (photo, piece) DO NOTHING
            )
            SELECT id::text, pg_notify('\(QueueSchema.workChannel)', '') FROM known
            """,
            [
                .text(owner.id.uuidString), .text(photo.key), .number(QueueSchema.protocolVersion),
                .text(owner.models), .bytes(photo.request), .number(photo.bytes.count), .bytes(photo.bytes),
            ])
        return rows.first?.number(0)
    }

    /// Renews the owner's row, and finds photos that the database lost with a crash.
    func check() async throws {
        try await database.control.run(
            "UPDATE shelflist_work.owner SET seen = clock_timestamp() WHERE id = $1", [.text(owner.id.uuidString)])
        guard entries.contains(where: { $0.value.row != nil }) else { return }
        let rows = try await database.control.run(
            """
            SELECT p.key FROM shelflist_work.photo p WHERE p.owner = $1 AND (
                p.state <> 'waiting'
                OR (SELECT true FROM shelflist_work.photo_piece b WHERE b.photo = p.id AND b.piece = 0))
            """, [.text(owner.id.uuidString)])
        let present = Set(rows.compactMap { $0.text(0) })
        for (key, entry) in entries where entry.row != nil && !present.contains(key) {
            entries[key]?.row = nil
            photos.send()
        }
    }
}
