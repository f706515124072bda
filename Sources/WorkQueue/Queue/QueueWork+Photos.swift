import Foundation

/// Claiming, renewing and returning photos.
extension QueueWork {
    /// Claims the photo whose turn it is, and fetches its bytes.
    ///
    /// - Returns: nil if none waits that this worker can read.
    func claim() async throws -> ClaimedPhoto? {
        while true {
            let rows = try await database.transfers.run(
                """
                WITH next AS (
                    SELECT p.id FROM shelflist_work.photo p
                    WHERE p.state = 'waiting' AND p.protocol = $1::int AND p.models = $2::text
                        AND (SELECT true FROM shelflist_work.photo_piece b WHERE b.photo = p.id AND b.piece = 0)
                    ORDER BY p.turn, p.id LIMIT 1
                    FOR UPDATE OF p SKIP LOCKED
                )
                UPDATE shelflist_work.photo p
                SET state = 'running', attempts = attempts + 1, worker = $3::uuid,
                    lease = nextval('shelflist_work.lease'), lease_until = clock_timestamp() + $4::interval,
                    started = clock_timestamp()
                FROM next WHERE p.id = next.id
                RETURNING p.id::text, p.lease::text, p.owner::text, p.size::text, p.request
                """,
                [
                    .number(QueueSchema.protocolVersion), .text(worker.models), .text(worker.id.uuidString),
                    .interval(timing.lease),
                ], binary: true)
            guard let row = rows.first, let id = row.number(0), let lease = row.number(1), let owner = row.text(2),
                let size = row.number(3), let request = row.bytes(4)
            else { return nil }
            // Apart: as one value of the statement above, the database would copy the photo four times.
            let bytes = try await database.transfers.bytes(
                "SELECT bytes FROM shelflist_work.photo_piece WHERE photo = $1::bigint ORDER BY piece", [.number(id)])
            if bytes.count == size {
                return ClaimedPhoto(row: id, lease: lease, owner: owner, bytes: bytes, request: request)
            }
            // It was withdrawn in between.
        }
    }

    func start(_ photo: ClaimedPhoto) {
        let task = Task { await self.process(photo) }
        tasks[photo.lease] = (photo, task)
    }

    func process(_ photo: ClaimedPhoto) async {
        let start = ContinuousClock.now
        let (reports, continuation) = AsyncStream<[UInt8]>.makeStream()
        async let reported: Void = send(reports, of: photo)
        var outcome: PhotoOutcome?
        do {
            outcome = try await reading(photo) { continuation.yield($0) }
        } catch {
            // Only cancellation is thrown: the photo is not wanted any more, or was given back.
            if !(error is CancellationError) { onEvent(.failed("\(error)")) }
        }
        continuation.finish()
        await reported
        if let outcome, !Task.isCancelled {
            await finish(photo, outcome, seconds: (ContinuousClock.now - start) / .seconds(1))
        }
        tasks[photo.lease] = nil
        signal.send()
    }

    /// Sends the reports of a photo; what cannot be sent is dropped.
    func send(_ reports: AsyncStream<[UInt8]>, of photo: ClaimedPhoto) async {
        for await body in reports {
            await database.retrying {
                try await database.control.run(
                    """
                    WITH sent AS (
                        INSERT INTO shelflist_work.report (owner, photo, body)
                        SELECT owner, id, $3::bytea FROM shelflist_work.photo
                        WHERE id = $1::bigint AND lease = $2::bigint AND worker = $4::uuid AND state = 'running'
                        RETURNING owner
                    )
                    SELECT pg_notify('shelflist_work_' || owner, '') FROM sent
                    """,
                    [
                        .number(photo.row), .number(photo.lease), .bytes(body), .text(worker.id.uuidString),
                    ])
            }
        }
    }

    /// Stores what was read, until the database has it or the photo was given to another worker.
    func finish(_ photo: ClaimedPhoto, _ outcome: PhotoOutcome, seconds: Double) async {
        let (state, result): (String, [UInt8]) =
            switch outcome {
            case .done(let result): ("done", result)
            case .failed(let failure): ("failed", failure)
            case .abandoned: ("failed", [])
            }
        while !Task.isCancelled {
            do {
                let rows = try await database.control.run(
                    """
                    WITH read AS (
                        UPDATE shelflist_work.photo
                        SET state = $3::text, result = $4::bytea, finished = clock_timestamp(), lease_until = NULL
                        WHERE id = $1::bigint AND lease = $2::bigint AND worker = $5::uuid AND state = 'running'
                        RETURNING id, owner
                    ), bytes AS (
                        DELETE FROM shelflist_work.photo_piece USING read WHERE photo = read.id
                    ), logged AS (
                        INSERT INTO shelflist_work.history (finished, worker, seconds, failed)
                        SELECT clock_timestamp(), $5::uuid, $6::real, $3::text = 'failed' FROM read
                    )
                    SELECT pg_notify('shelflist_work_' || owner, '') FROM read
                    """,
                    [
                        .number(photo.row), .number(photo.lease), .text(state), .bytes(result),
                        .text(worker.id.uuidString), .text("\(seconds)"),
                    ])
                if rows.isEmpty { try await countLate(photo) }
                return
            } catch let error as PostgresError where error.isTransient {
                database.isRegistered = false
                do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
            } catch {
                return onEvent(.failed("\(error)"))
            }
        }
    }

    func countLate(_ photo: ClaimedPhoto) async throws {
        onEvent(.late(photo: photo.row))
        try await database.control.run(
            "UPDATE shelflist_work.worker SET late = late + 1 WHERE id = $1", [.text(worker.id.uuidString)])
    }

    /// Renews the leases; photos that were given to another worker or withdrawn are stopped.
    func renew() async throws {
        let leases = tasks.keys.sorted()
        let rows = try await database.control.run(
            """
            WITH seen AS (UPDATE shelflist_work.worker SET seen = clock_timestamp() WHERE id = $1)
            UPDATE shelflist_work.photo SET lease_until = clock_timestamp() + $2::interval
            WHERE worker = $1 AND state = 'running' AND lease = ANY ($3::bigint[])
            RETURNING lease
            """, [.text(worker.id.uuidString), .interval(timing.lease), .numbers(leases)])
        let held = Set(rows.compactMap { $0.number(0) })
        for lease in leases where !held.contains(lease) { tasks[lease]?.task.cancel() }
    }

    func cancel(_ row: Int64) {
        for (photo, task) in tasks.values where photo.row == row { task.cancel() }
    }

    func giveBack(_ leases: [Int64]) async throws {
        guard !leases.isEmpty else { return }
        try await database.control.run(
            """
            WITH returned AS (
                UPDATE shelflist_work.photo
                SET state = 'waiting', attempts = attempts - 1, worker = NULL, lease = NULL, lease_until = NULL
                WHERE worker = $2::uuid AND lease = ANY ($1::bigint[]) AND state = 'running'
                RETURNING id
            )
            SELECT pg_notify('\(QueueSchema.workChannel)', '') FROM returned LIMIT 1
            """, [.numbers(leases), .text(worker.id.uuidString)])
    }
}
