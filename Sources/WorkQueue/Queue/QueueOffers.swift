import Foundation

/// Offers photos to the workers and collects what they read; one for each server.
///
/// While the database cannot be reached, photos wait: they are offered again, and results are collected, when it is back.
package actor QueueOffers {
    /// A photo that a caller waits for.
    private struct Entry {
        var photo: OfferedPhoto
        /// Photos are offered in the order in which they came.
        var number: Int
        var report: @Sendable ([UInt8]) -> Void
        /// Its row; nil until it is in the database.
        var row: Int64?
        var outcome: CheckedContinuation<PhotoOutcome, any Error>?
    }

    private let owner: QueueOwner
    private let limits: QueueLimits
    private let timing: QueueTiming
    private let onEvent: @Sendable (QueueEvent) -> Void
    /// For photos, which take longer than anything else.
    private let transfers: PostgresConnection
    private let control: PostgresConnection
    private let address: PostgresAddress
    /// Signals that there may be something to collect, and something to offer.
    private let (results, photos) = (Signal(), Signal())

    private var entries: [String: Entry] = [:]
    private var entriesSoFar = 0
    /// Photos that are no longer wanted, by key.
    private var withdrawn: Set<String> = []
    /// Rows whose results were handed on.
    private var collected: Set<Int64> = []
    private var isRegistered = false
    private var reachability = Reachability()
    private var wasFull = false

    package init(
        _ address: PostgresAddress, owner: QueueOwner, limits: QueueLimits = QueueLimits(),
        timing: QueueTiming = QueueTiming(), onEvent: @escaping @Sendable (QueueEvent) -> Void = { _ in }
    ) {
        self.owner = owner
        self.limits = limits
        self.timing = timing
        self.onEvent = onEvent
        self.address = address
        transfers = PostgresConnection(address)
        control = PostgresConnection(
            address, preparation: ["LISTEN \"\(QueueSchema.channel(owner.id))\""]
        ) { [results] _ in results.send() }
    }

    // MARK: For callers

    /// Offers a photo and waits until a worker has read it.
    ///
    /// - Parameter report: receives what the worker reports while it reads.
    /// - Throws: `CancellationError`, after which the photo's worker stops; `PostgresError` where the database refuses the
    ///   photo.
    package func read(
        _ photo: OfferedPhoto, report: @escaping @Sendable ([UInt8]) -> Void
    ) async throws -> PhotoOutcome {
        var photo = photo
        photo.key = unusedKey(photo.key)
        let key = photo.key
        entriesSoFar += 1
        entries[key] = Entry(photo: photo, number: entriesSoFar, report: report)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    entries[key]?.outcome = continuation
                    if Task.isCancelled { cancel(key) } else { photos.send() }
                }
            } onCancel: {
                Task { await self.cancel(key) }
            }
        }
    }

    /// The same photo may be wanted more than once at the same time.
    private func unusedKey(_ key: String) -> String {
        var (candidate, number) = (key, 1)
        while entries[candidate] != nil || withdrawn.contains(candidate) {
            number += 1
            candidate = "\(key)#\(number)"
        }
        return candidate
    }

    private func cancel(_ key: String) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        withdrawn.insert(key)
        results.send()
        entry.outcome?.resume(throwing: CancellationError())
    }

    private func resolve(_ key: String, _ outcome: Result<PhotoOutcome, any Error>) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        entry.outcome?.resume(with: outcome)
    }

    // MARK: Working

    /// Exchanges photos and results with the database until the task is cancelled; then withdraws what is left.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { [results, photos, timing] in
                while !Task.isCancelled {
                    results.send()
                    photos.send()
                    do { try await Task.sleep(for: timing.poll) } catch { return }
                }
            }
            // Photos take longer to transfer than results.
            group.addTask { await self.offerPhotos() }
            await collectResults()
        }
        // What waits is kept in the jobs of the server, and offered again.
        for key in entries.keys { cancel(key) }
        // This task is cancelled.
        await Task { await self.retrying { try await self.withdraw() } }.value
        await control.close()
        await transfers.close()
    }

    private func collectResults() async {
        var (nextCheck, nextUpkeep) = (ContinuousClock.now, ContinuousClock.now)
        for await _ in results.stream {
            await retrying {
                if !isRegistered { try await register() }
                try await withdraw()
                try await collect()
                if ContinuousClock.now >= nextCheck {
                    nextCheck = .now.advanced(by: timing.poll)
                    try await check()
                }
                if ContinuousClock.now >= nextUpkeep {
                    nextUpkeep = .now.advanced(by: timing.upkeep)
                    try await QueueUpkeep.run(control, limits: limits, timing: timing)
                    try await QueueUpkeep.vacuumIfNeeded(address, control)
                }
            }
        }
    }

    private func offerPhotos() async {
        for await _ in photos.stream where isRegistered { await retrying { try await offer() } }
    }

    /// Runs a step; after a failure it is run again with the next signal.
    private func retrying(_ step: () async throws -> Void) async {
        do {
            try await step()
            if let event = reachability.succeed() { onEvent(event) }
        } catch {
            isRegistered = false
            if let event = reachability.fail(error) { onEvent(event) }
            guard case PostgresError.unreachable = error else { return }
            // The connection decides when it is tried again.
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
            results.send()
        }
    }

    private func register() async throws {
        try await QueueSchema.check(control)
        try await control.run(
            """
            INSERT INTO shelflist_work.owner (id, name, protocol, models, kept, seen)
            VALUES ($1::uuid, $2::text, $3::int, $4::text, $5::interval, clock_timestamp())
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, protocol = excluded.protocol, models = excluded.models, kept = excluded.kept,
                seen = clock_timestamp()
            """,
            [
                .text(owner.id.uuidString), .text(owner.name), .number(QueueSchema.protocolVersion),
                .text(owner.models), .interval(owner.kept),
            ])
        isRegistered = true
        photos.send()
    }

    private func withdraw() async throws {
        guard !withdrawn.isEmpty else { return }
        let keys = withdrawn
        try await control.run(
            """
            WITH gone AS (
                DELETE FROM shelflist_work.photo WHERE owner = $1 AND key = ANY (string_to_array($2, ' '))
                RETURNING id, worker
            )
            SELECT pg_notify('shelflist_work_' || worker, id::text) FROM gone WHERE worker IS NOT NULL
            """, [.text(owner.id.uuidString), .text(keys.joined(separator: " "))])
        withdrawn.subtract(keys)
    }

    // MARK: Results

    /// Hands on what workers reported and read.
    private func collect() async throws {
        guard !entries.isEmpty || !collected.isEmpty else { return }
        // Results are deleted with the next call, when they were certainly received.
        let received = collected
        let finished = try await control.run(
            """
            WITH gone AS (DELETE FROM shelflist_work.photo WHERE id = ANY ($2::bigint[]))
            SELECT id::text, key, state, attempts::text, result FROM shelflist_work.photo
            WHERE owner = $1 AND state IN ('done', 'failed') AND id <> ALL ($2::bigint[])
            """, [.text(owner.id.uuidString), .numbers(received)], binary: true)
        collected.subtract(received)
        // After the results were fetched, so that no report is missed of a photo that has one.
        let reports = try await control.run(
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

    // MARK: Photos

    /// Brings photos into the database that are not there yet, as long as there is room.
    private func offer() async throws {
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
    private func hasRoom(for photo: OfferedPhoto) async throws -> Bool {
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
    private func insert(_ photo: OfferedPhoto) async throws -> Int64? {
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
    private func check() async throws {
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
