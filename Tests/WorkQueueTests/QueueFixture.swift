import Foundation
import Synchronization
import TestSupport
import Testing
import WorkQueue

/// Runs the tests of a suite with one PostgreSQL server, and a database for each test.
struct PostgresTrait: SuiteTrait, TestScoping {
    @TaskLocal static var server: PostgresServer?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$server.withValue(try PostgresServer()) { try await function() }
    }
}

extension Trait where Self == PostgresTrait {
    /// The suite needs PostgreSQL.
    static var needsPostgres: Self { Self() }
}

/// A work queue with servers and workers that a test controls.
final class QueueFixture: Sendable {
    let address: PostgresAddress
    /// Of workers, whose role has no rights on the tables.
    let workerAddress: PostgresAddress
    let database: PostgresConnection
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// - Parameter server: nil for the suite's.
    init(_ server: PostgresServer? = nil) async throws {
        (address, workerAddress) = try await #require(server ?? PostgresTrait.server).newQueue()
        database = PostgresConnection(address)
    }

    /// Of servers: leases that a test ends are noticed also where the database has just started.
    private static var serverTiming: QueueTiming {
        var timing = timing
        timing.lease = .zero
        return timing
    }

    /// Of workers: steps follow each other quickly, and only a test ends a lease.
    static var timing: QueueTiming {
        var timing = QueueTiming()
        timing.lease = longestWait
        let step = pollingPeriod * 20
        (timing.renewal, timing.poll, timing.upkeep) = (step, step, step)
        return timing
    }

    /// A server that runs until `end`.
    func offers(
        models: String = "m", limits: QueueLimits = QueueLimits(), id: UUID = UUID(), kept: Duration = longestWait,
        onEvent: @escaping @Sendable (QueueEvent) -> Void = { _ in }
    ) -> QueueOffers {
        let offers = QueueOffers(
            address, owner: QueueOwner(id: id, name: "server", models: models, kept: kept), limits: limits,
            timing: Self.serverTiming, onEvent: onEvent)
        run { await offers.run() }
        return offers
    }

    /// Starts a worker that runs until it is cancelled or the test ends.
    @discardableResult
    func work(
        models: String = "m", jobs: Int = 1, timing: QueueTiming = QueueFixture.timing,
        onEvent: @escaping @Sendable (QueueEvent) -> Void = { _ in }, _ reading: @escaping QueueWork.Reading
    ) -> Task<Void, Never> {
        let work = QueueWork(
            workerAddress, worker: QueueWorkerName(name: "worker", version: "1", models: models), jobs: jobs,
            timing: timing, onEvent: onEvent, reading: reading)
        return run { await work.run() }
    }

    @discardableResult
    private func run(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let task = Task { await body() }
        tasks.withLock { $0.append(task) }
        return task
    }

    /// Stops servers and workers.
    func end() async {
        for task in tasks.withLock({ $0 }) {
            task.cancel()
            await task.value
        }
        await database.close()
    }

    /// The number that a query returns.
    func count(_ query: String) async throws -> Int { Int(try await database.run(query).first?.number(0) ?? -1) }

    /// Ends the leases of the photos that are being read, as if their workers had not renewed them.
    func endLeases() async throws {
        try await database.run(
            "UPDATE shelflist_work.photo SET lease_until = clock_timestamp() - interval '1 ms' WHERE state = 'running'")
    }

    func photos(_ condition: String = "true") async throws -> Int {
        try await count("SELECT count(*) FROM shelflist_work.photo WHERE \(condition)")
    }
}

extension OfferedPhoto {
    /// A photo whose bytes are its name.
    init(_ name: String) { self.init(key: name, bytes: Array(name.utf8), request: [1]) }
}

/// Returns a photo's bytes as its result.
let echo: QueueWork.Reading = { photo, _ in .done(photo.bytes) }

/// Collects values from other tasks.
final class Log<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Opens once; tasks that wait continue then.
final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() async throws {
        try await eventually { isOpen.withLock { $0 } }
    }
}
