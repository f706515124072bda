package import Foundation

/// Who reads photos of the queue.
package struct QueueWorkerName: Sendable {
    package var id: UUID
    /// Shown by `work-queue status`.
    package var name: String
    /// Of the program.
    package var version: String
    /// Names the models with which it reads.
    package var models: String

    package init(id: UUID = UUID(), name: String, version: String, models: String) {
        self.id = id
        self.name = name
        self.version = version
        self.models = models
    }
}

/// A photo that a worker has claimed.
package struct ClaimedPhoto: Sendable {
    package var row: Int64
    /// Valid until the photo is given to another worker.
    var lease: Int64
    var owner: String
    package var bytes: [UInt8]
    package var request: [UInt8]
}

/// Claims photos, has them read, and returns what was read; one for each worker process.
package actor QueueWork {
    /// Reads a photo: returns the result, or throws, after which `failure` describes the error.
    package typealias Reading =
        @Sendable (
            ClaimedPhoto, _ report: @escaping @Sendable ([UInt8]) -> Void
        ) async throws -> PhotoOutcome

    private let worker: QueueWorkerName
    /// How many photos are read at once.
    private let jobs: Int
    private let limits: QueueLimits
    private let timing: QueueTiming
    private let reading: Reading
    private let onEvent: @Sendable (QueueEvent) -> Void
    private let control: PostgresConnection
    /// For photos, which take longer than anything else.
    private let transfers: PostgresConnection
    private let signal: Signal

    private var tasks: [Int64: (photo: ClaimedPhoto, task: Task<Void, Never>)] = [:]
    private var isRegistered = false
    private var reachability = Reachability()
    private var refusal: String?

    /// - Parameter reading: is called for each photo; cancelled where the photo is not wanted any more.
    package init(
        _ address: PostgresAddress, worker: QueueWorkerName, jobs: Int, limits: QueueLimits = QueueLimits(),
        timing: QueueTiming = QueueTiming(), onEvent: @escaping @Sendable (QueueEvent) -> Void = { _ in },
        reading: @escaping Reading
    ) {
        self.worker = worker
        self.jobs = jobs
        self.limits = limits
        self.timing = timing
        self.reading = reading
        self.onEvent = onEvent
        let signal = Signal()
        let (cancellations, cancelled) = AsyncStream<Int64>.makeStream()
        self.signal = signal
        self.cancellations = cancellations
        transfers = PostgresConnection(address)
        control = PostgresConnection(
            address,
            preparation: [
                "LISTEN \"\(QueueSchema.workChannel)\"", "LISTEN \"\(QueueSchema.channel(worker.id))\"",
            ]
        ) { payload in
            if let row = payload.flatMap({ Int64($0) }) { cancelled.yield(row) } else { signal.send() }
        }
    }

    /// The rows of photos that are not wanted any more.
    private let cancellations: AsyncStream<Int64>

    // MARK: Working

    /// Reads photos until the task is cancelled; then finishes those that are being read, or gives them back.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { [signal, timing] in
                while !Task.isCancelled {
                    signal.send()
                    do { try await Task.sleep(for: timing.poll) } catch { return }
                }
            }
            group.addTask { [cancellations] in
                for await row in cancellations { await self.cancel(row) }
            }
            // Apart, so that a lease is renewed while photos are transferred.
            group.addTask { await self.renewLeases() }
            for await _ in signal.stream {
                await retrying {
                    try await register()
                    while tasks.count < jobs, !Task.isCancelled, let photo = try await claim() { start(photo) }
                    if tasks.isEmpty { try await explainIdleness() }
                }
            }
        }
        // Cancelled tasks may still talk to the database.
        await Task { await self.stop() }.value
    }

    private func renewLeases() async {
        var nextUpkeep = ContinuousClock.now
        while !Task.isCancelled {
            await retrying {
                if isRegistered { try await renew() }
                if isRegistered, ContinuousClock.now >= nextUpkeep {
                    nextUpkeep = .now.advanced(by: timing.upkeep)
                    try await QueueUpkeep.run(control, limits: limits, timing: timing)
                }
            }
            do { try await Task.sleep(for: timing.renewal) } catch { return }
        }
    }

    private func stop() async {
        let end = ContinuousClock.now.advanced(by: timing.grace)
        while !tasks.isEmpty, ContinuousClock.now < end {
            // Leases are not renewed any more, so this is shorter than one.
            do { try await Task.sleep(for: .milliseconds(50)) } catch { break }
        }
        let unfinished = tasks.values
        for (_, task) in unfinished { task.cancel() }
        await retrying {
            try await giveBack(unfinished.map(\.photo.lease))
            try await control.run("DELETE FROM shelflist_work.worker WHERE id = $1", [.text(worker.id.uuidString)])
        }
        for (_, task) in unfinished { await task.value }
        await control.close()
        await transfers.close()
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
            signal.send()
        }
    }

    // MARK: The worker

    /// Adds the worker to the database after each connection, and returns photos whose claim it never learned of.
    private func register() async throws {
        guard !isRegistered else { return }
        try await QueueSchema.check(control)
        try await control.run(
            """
            INSERT INTO shelflist_work.worker (id, name, version, protocol, models, jobs, started, seen)
            VALUES ($1::uuid, $2::text, $3::text, $4::int, $5::text, $6::int, clock_timestamp(), clock_timestamp())
            ON CONFLICT (id) DO UPDATE SET seen = clock_timestamp()
            """,
            [
                .text(worker.id.uuidString), .text(worker.name), .text(worker.version),
                .number(QueueSchema.protocolVersion), .text(worker.models), .number(jobs),
            ])
        try await control.run(
            """
            UPDATE shelflist_work.photo SET state = 'waiting', worker = NULL, lease = NULL, lease_until = NULL
            WHERE worker = $1 AND state = 'running' AND lease <> ALL ($2::bigint[])
            """, [.text(worker.id.uuidString), .numbers(tasks.values.map(\.photo.lease))])
        isRegistered = true
    }

    /// Reports where servers want photos read with other models than this worker's.
    private func explainIdleness() async throws {
        let rows = try await control.run(
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
        try await control.run(
            "UPDATE shelflist_work.worker SET refusal = $2::text WHERE id = $1::uuid",
            [.text(worker.id.uuidString), reason.map { .text($0) } ?? .null])
        refusal = reason
        if let reason { onEvent(.refused(reason)) }
    }

    // MARK: Photos

    /// Claims the photo whose turn it is.
    ///
    /// - Returns: nil if none waits that this worker can read.
    private func claim() async throws -> ClaimedPhoto? {
        let rows = try await transfers.run(
            """
            WITH next AS (
                SELECT p.id FROM shelflist_work.photo p JOIN shelflist_work.photo_bytes b ON b.photo = p.id
                WHERE p.state = 'waiting' AND p.protocol = $1::int AND p.models = $2::text
                ORDER BY p.turn, p.id LIMIT 1
                FOR UPDATE OF p SKIP LOCKED
            )
            UPDATE shelflist_work.photo p
            SET state = 'running', attempts = attempts + 1, worker = $3::uuid, lease = nextval('shelflist_work.lease'),
                lease_until = clock_timestamp() + $4::interval, started = clock_timestamp()
            FROM next WHERE p.id = next.id
            RETURNING p.id::text, p.lease::text, p.owner::text, p.request,
                (SELECT bytes FROM shelflist_work.photo_bytes b WHERE b.photo = p.id)
            """,
            [
                .number(QueueSchema.protocolVersion), .text(worker.models), .text(worker.id.uuidString),
                .interval(timing.lease),
            ], binary: true)
        guard let row = rows.first, let id = row.number(0), let lease = row.number(1), let owner = row.text(2),
            let request = row.bytes(3), let bytes = row.bytes(4)
        else { return nil }
        return ClaimedPhoto(row: id, lease: lease, owner: owner, bytes: bytes, request: request)
    }

    private func start(_ photo: ClaimedPhoto) {
        let task = Task { await self.process(photo) }
        tasks[photo.lease] = (photo, task)
    }

    private func process(_ photo: ClaimedPhoto) async {
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
    private func send(_ reports: AsyncStream<[UInt8]>, of photo: ClaimedPhoto) async {
        for await body in reports {
            await retrying {
                try await control.run(
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
    private func finish(_ photo: ClaimedPhoto, _ outcome: PhotoOutcome, seconds: Double) async {
        let (state, result): (String, [UInt8]) =
            switch outcome {
            case .done(let result): ("done", result)
            case .failed(let failure): ("failed", failure)
            case .abandoned: ("failed", [])
            }
        while !Task.isCancelled {
            do {
                let rows = try await control.run(
                    """
                    WITH read AS (
                        UPDATE shelflist_work.photo
                        SET state = $3::text, result = $4::bytea, finished = clock_timestamp(), lease_until = NULL
                        WHERE id = $1::bigint AND lease = $2::bigint AND worker = $5::uuid AND state = 'running'
                        RETURNING id, owner
                    ), bytes AS (
                        DELETE FROM shelflist_work.photo_bytes USING read WHERE photo = read.id
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
                isRegistered = false
                do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
            } catch {
                return onEvent(.failed("\(error)"))
            }
        }
    }

    private func countLate(_ photo: ClaimedPhoto) async throws {
        onEvent(.late(photo: photo.row))
        try await control.run(
            "UPDATE shelflist_work.worker SET late = late + 1 WHERE id = $1", [.text(worker.id.uuidString)])
    }

    /// Renews the leases; photos that were given to another worker or withdrawn are stopped.
    private func renew() async throws {
        let leases = tasks.keys.sorted()
        let rows = try await control.run(
            """
            WITH seen AS (UPDATE shelflist_work.worker SET seen = clock_timestamp() WHERE id = $1)
            UPDATE shelflist_work.photo SET lease_until = clock_timestamp() + $2::interval
            WHERE worker = $1 AND state = 'running' AND lease = ANY ($3::bigint[])
            RETURNING lease
            """, [.text(worker.id.uuidString), .interval(timing.lease), .numbers(leases)])
        let held = Set(rows.compactMap { $0.number(0) })
        for lease in leases where !held.contains(lease) { tasks[lease]?.task.cancel() }
    }

    private func cancel(_ row: Int64) {
        for (photo, task) in tasks.values where photo.row == row { task.cancel() }
    }

    private func giveBack(_ leases: [Int64]) async throws {
        guard !leases.isEmpty else { return }
        try await control.run(
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
