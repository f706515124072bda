package import Foundation

/// Who reads photos of the queue.
package struct QueueWorkerName: Sendable {
    /// Known to the worker and the database only: photos are claimed and returned with it.
    package let id = UUID()
    /// Shown by `work-queue status`.
    package var name: String
    /// Of the program.
    package var version: String
    /// Names the models with which it reads.
    package var models: String

    package init(name: String, version: String, models: String) {
        (self.name, self.version, self.models) = (name, version, models)
    }
}

/// A photo that a worker has claimed.
package struct ClaimedPhoto: Sendable {
    package var row: Int64
    /// Valid until the photo is given to another worker.
    var lease: Int64
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

    let worker: QueueWorkerName
    /// How many photos are read at once.
    let jobs: Int
    let timing: QueueTiming
    let reading: Reading
    let onEvent: @Sendable (QueueEvent) -> Void
    let database: QueueDatabase
    let signal: Signal

    var tasks: [Int64: (photo: ClaimedPhoto, task: Task<Void, Never>)] = [:]
    var refusal: String?

    /// - Parameter reading: is called for each photo; cancelled where the photo is not wanted any more.
    package init(
        _ address: PostgresAddress, worker: QueueWorkerName, jobs: Int, timing: QueueTiming = QueueTiming(),
        onEvent: @escaping @Sendable (QueueEvent) -> Void = { _ in }, reading: @escaping Reading
    ) {
        self.worker = worker
        self.jobs = jobs
        self.timing = timing
        self.reading = reading
        self.onEvent = onEvent
        let signal = Signal()
        let (withdrawals, withdrawn) = AsyncStream<Int64>.makeStream()
        self.signal = signal
        self.withdrawals = withdrawals
        database = QueueDatabase(
            address, channels: [QueueSchema.workChannel], retry: signal, onEvent: onEvent
        ) { payload in
            if let row = payload.flatMap({ Int64($0) }) { withdrawn.yield(row) } else { signal.send() }
        }
    }

    /// The rows of photos that may not be wanted any more, of all workers.
    let withdrawals: AsyncStream<Int64>

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
            group.addTask { [withdrawals] in
                for await row in withdrawals { await self.check(row) }
            }
            // Apart, so that a lease is renewed while photos are transferred.
            group.addTask { await self.renewLeases() }
            for await _ in signal.stream {
                await database.retrying {
                    try await register()
                    while tasks.count < jobs, !Task.isCancelled, let photo = try await claim() { start(photo) }
                    if tasks.isEmpty { try await explainIdleness() }
                }
            }
        }
        // Cancelled tasks may still talk to the database.
        await Task { await self.stop() }.value
    }

    func renewLeases() async {
        while !Task.isCancelled {
            await database.retrying { if database.isRegistered { try await renew() } }
            do { try await Task.sleep(for: timing.renewal) } catch { return }
        }
    }

    func stop() async {
        let end = ContinuousClock.now.advanced(by: timing.grace)
        while !tasks.isEmpty, ContinuousClock.now < end {
            // Leases are not renewed any more, so this is shorter than one.
            do { try await Task.sleep(for: .milliseconds(50)) } catch { break }
        }
        let unfinished = tasks.values
        for (_, task) in unfinished { task.cancel() }
        await database.retrying {
            try await database.control.run("SELECT shelflist_work.leave($1::uuid)", [.text(worker.id.uuidString)])
        }
        for (_, task) in unfinished { await task.value }
        await database.close()
    }
}
