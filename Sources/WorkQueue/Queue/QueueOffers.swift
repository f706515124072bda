import Foundation

/// Offers photos to the workers and collects what they read; one for each server.
///
/// While the database cannot be reached, photos wait: they are offered again, and results are collected, when it is back.
package actor QueueOffers {
    /// A photo that a caller waits for.
    struct Entry {
        var photo: OfferedPhoto
        /// Photos are offered in the order in which they came.
        var number: Int
        var report: @Sendable ([UInt8]) -> Void
        /// How many reports arrived.
        var reports = 0
        /// Its row; nil until it is in the database.
        var row: Int64?
        var outcome: CheckedContinuation<PhotoOutcome, any Error>?
    }

    let owner: QueueOwner
    let limits: QueueLimits
    let timing: QueueTiming
    let onEvent: @Sendable (QueueEvent) -> Void
    let database: QueueDatabase
    /// Signals that there may be something to collect, and something to offer.
    let (results, photos) = (Signal(), Signal())

    var entries: [String: Entry] = [:]
    var entriesSoFar = 0
    /// Photos that are no longer wanted, by key.
    var withdrawn: Set<String> = []
    /// Rows whose results were handed on.
    var collected: Set<Int64> = []
    var wasFull = false
    /// Bytes sent since the table of pieces was vacuumed.
    var bytesSent = 0

    package init(
        _ address: PostgresAddress, owner: QueueOwner, limits: QueueLimits = QueueLimits(),
        timing: QueueTiming = QueueTiming(), onEvent: @escaping @Sendable (QueueEvent) -> Void = { _ in }
    ) {
        self.owner = owner
        self.limits = limits
        self.timing = timing
        self.onEvent = onEvent
        database = QueueDatabase(
            address, channels: [QueueSchema.channel(owner.id)], retry: results, onEvent: onEvent
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
    func unusedKey(_ key: String) -> String {
        var (candidate, number) = (key, 1)
        while entries[candidate] != nil || withdrawn.contains(candidate) {
            number += 1
            candidate = "\(key)#\(number)"
        }
        return candidate
    }

    func cancel(_ key: String) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        withdrawn.insert(key)
        results.send()
        entry.outcome?.resume(throwing: CancellationError())
    }

    func resolve(_ key: String, _ outcome: Result<PhotoOutcome, any Error>) {
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
        await Task { await database.retrying { try await withdraw() } }.value
        await database.close()
    }

    func collectResults() async {
        var (nextCheck, nextUpkeep) = (ContinuousClock.now, ContinuousClock.now)
        for await _ in results.stream {
            await database.retrying {
                if !database.isRegistered { try await register() }
                try await withdraw()
                try await collect()
                if ContinuousClock.now >= nextCheck {
                    nextCheck = .now.advanced(by: timing.poll)
                    try await check()
                }
                if ContinuousClock.now >= nextUpkeep {
                    nextUpkeep = .now.advanced(by: timing.upkeep)
                    try await QueueUpkeep.run(database.control, limits: limits, timing: timing)
                }
            }
        }
    }

    func offerPhotos() async {
        for await _ in photos.stream where database.isRegistered { await database.retrying { try await offer() } }
    }

    func register() async throws {
        try await QueueSchema.check(database.control)
        try await database.control.run(
            """
            INSERT INTO shelflist_work.owner (id, name, protocol, models, kept, seen)
            VALUES ($1::uuid, $2::text, $3::int, $4::text, $5::interval, clock_timestamp())
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, protocol = excluded.protocol, models = excluded.models,
                kept = excluded.kept, seen = clock_timestamp()
            """,
            [
                .text(owner.id.uuidString), .text(owner.name), .number(QueueSchema.protocolVersion),
                .text(owner.models), .interval(owner.kept),
            ])
        database.isRegistered = true
        photos.send()
    }

    func withdraw() async throws {
        guard !withdrawn.isEmpty else { return }
        let keys = withdrawn
        try await database.control.run(
            """
            WITH gone AS (
                DELETE FROM shelflist_work.photo WHERE owner = $1 AND key = ANY (string_to_array($2, ' '))
                RETURNING id, worker
            )
            SELECT pg_notify('\(QueueSchema.workChannel)', id::text) FROM gone WHERE worker IS NOT NULL
            """, [.text(owner.id.uuidString), .text(keys.joined(separator: " "))])
        withdrawn.subtract(keys)
    }
}
