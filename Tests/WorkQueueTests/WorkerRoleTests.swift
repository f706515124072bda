import Foundation
import TestSupport
import Testing
import WorkQueue

@Suite(
    "The role of workers", .enabled(if: PostgresServer.isAvailable, "PostgreSQL is missing: apt install postgresql"),
    .needsPostgres, .endsHangs)
struct WorkerRoleTests {
    @Test("A worker may call the functions, and has no right on any table")
    func rights() async throws {
        let queue = try await QueueFixture()
        let role = PostgresServer.workerRole
        let tables = """
            FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) r
            WHERE c.relnamespace = 'shelflist_work'::regnamespace AND c.relkind = 'r'
            """
        #expect(try await queue.count("SELECT count(*) \(tables) AND has_table_privilege('shelflist', c.oid, r)") >= 49)
        #expect(try await queue.count("SELECT count(*) \(tables) AND has_table_privilege('\(role)', c.oid, r)") == 0)
        let functions = "FROM pg_proc WHERE pronamespace = 'shelflist_work'::regnamespace"
        let callable = try await queue.database.run(
            """
            SELECT string_agg(proname, ' ' ORDER BY proname) \(functions)
                AND has_function_privilege('\(role)', oid, 'EXECUTE')
            """)
        #expect(
            callable.first?.text(0) == "claim finish leave other_models pieces register renew report versions")
        // Nothing that a caller defines is found instead of what a function means.
        #expect(
            try await queue.count(
                """
                SELECT count(*) \(functions) AND has_function_privilege('\(role)', oid, 'EXECUTE')
                    AND NOT (prosecdef AND proconfig @> ARRAY['search_path=pg_catalog, pg_temp'])
                """) == 0)
        #expect(try await queue.count("SELECT count(*) \(functions) AND proacl::text LIKE '%{=X%'") == 0)
        let worker = PostgresConnection(queue.workerAddress)
        for statement in [
            "SELECT result FROM shelflist_work.photo", "DELETE FROM shelflist_work.photo",
            "SELECT nextval('shelflist_work.lease')",
        ] {
            await #expect {
                try await worker.run(statement)
            } throws: { error in
                if case PostgresError.refused("42501", _) = error { true } else { false }
            }
        }
        await worker.close()
        await queue.end()
    }

    @Test("At most 1,000 workers are stored, those that were seen last, and none that was not seen for a day")
    func manyWorkers() async throws {
        let queue = try await QueueFixture()
        let register = "SELECT shelflist_work.register(gen_random_uuid(), 'w', '1', 1, 'm', 1, '{}')"
        let first = UUID().uuidString
        try await queue.database.run(register.replacing("gen_random_uuid()", with: "'\(first)'"))
        try await queue.database.run("\(register) FROM generate_series(1, 1004)")
        #expect(try await queue.count("SELECT count(*) FROM shelflist_work.worker") == 1000)
        #expect(try await queue.count("SELECT count(*) FROM shelflist_work.worker WHERE id = '\(first)'") == 0)
        try await queue.database.run(
            """
            UPDATE shelflist_work.worker SET seen = clock_timestamp() - interval '25 hours'
            WHERE id IN (SELECT id FROM shelflist_work.worker LIMIT 900)
            """)
        try await queue.database.run(register)
        #expect(try await queue.count("SELECT count(*) FROM shelflist_work.worker") == 101)
        await queue.end()
    }

    @Test("A server's role that is not a superuser offers photos, and the workers' role reads them")
    func ownerOfDatabase() async throws {
        let queue = try await QueueFixture()
        let name = "owned_\(UUID().uuidString.prefix(8).lowercased())"
        for statement in ["CREATE ROLE \(name) LOGIN", "CREATE DATABASE \(name) OWNER \(name)"] {
            try await queue.database.run(statement)
        }
        let server = try #require(PostgresTrait.server)
        let address = try server.address(role: name, database: name)
        let owner = PostgresConnection(address)
        _ = try await QueueSchema.create(owner)
        try await QueueFunctions.grant(to: PostgresServer.workerRole, owner)
        let offers = QueueOffers(
            address, owner: QueueOwner(id: UUID(), name: "server", models: "m", kept: longestWait),
            timing: QueueFixture.timing)
        let work = QueueWork(
            try server.address(role: PostgresServer.workerRole, database: name),
            worker: QueueWorkerName(name: "worker", version: "1", models: "m"), jobs: 1, timing: QueueFixture.timing
        ) { photo, report in
            report([1])
            return .done(photo.bytes)
        }
        let reports = Log<[UInt8]>()
        let running = [Task { await offers.run() }, Task { await work.run() }]
        #expect(try await offers.read(OfferedPhoto("a")) { reports.add($0) } == .done(Array("a".utf8)))
        #expect(reports.all == [[1]])
        for task in running {
            task.cancel()
            await task.value
        }
        await owner.close()
        await queue.end()
    }

    @Test("A worker reads and returns only the photo that it claimed, and only once")
    func ownPhotos() async throws {
        let queue = try await QueueFixture()
        let offers = queue.offers()
        async let outcome = offers.read(OfferedPhoto("a")) { _ in }
        try await eventually { try await queue.photos("state = 'waiting'") == 1 }
        let connection = PostgresConnection(queue.workerAddress)
        let (first, second) = (ScriptedWorker(connection), ScriptedWorker(connection))
        for worker in [first, second] { try await worker.register() }
        let photo = try #require(try await first.claim())
        #expect(try await second.claim() == nil)
        #expect(try await first.bytes(of: photo) == Array("a".utf8))
        // With everything but the other worker's identifier, or with another lease.
        #expect(try await second.bytes(of: photo) == [])
        #expect(try await !second.finish(photo, [2]))
        #expect(try await !first.finish(.init(row: photo.row, lease: photo.lease + 1), [3]))
        try await second.leave()
        #expect(try await queue.photos("state = 'running' AND attempts = 1") == 1)
        #expect(try await first.finish(photo, [1]))
        #expect(try await !first.finish(photo, [4]))
        #expect(try await first.bytes(of: photo) == [])
        #expect(try await outcome == .done([1]))
        try await eventually { try await queue.photos() == 0 }
        #expect(try await queue.count("SELECT sum(late) FROM shelflist_work.worker") == 2)
        await connection.close()
        await queue.end()
    }

    @Test("A lease has an hour at most, and a worker that was not registered gets no photo")
    func longLease() async throws {
        let queue = try await QueueFixture()
        let offers = queue.offers()
        let reading = Task { try await offers.read(OfferedPhoto("a")) { _ in } }
        try await eventually { try await queue.photos("state = 'waiting'") == 1 }
        let connection = PostgresConnection(queue.workerAddress)
        let worker = ScriptedWorker(connection)
        #expect(try await worker.claim(lease: "1 hour") == nil)
        try await worker.register()
        #expect(try await worker.claim(lease: "10 years") != nil)
        let long = "lease_until > clock_timestamp() + interval '1 hour'"
        #expect(try await queue.photos(long) == 0)
        #expect(try await queue.photos("state = 'running'") == 1)
        reading.cancel()
        _ = await reading.result
        await connection.close()
        await queue.end()
    }

    @Test("A result of more than 4 MB is refused, and another worker reads the photo")
    func largeResult() async throws {
        let queue = try await QueueFixture()
        let events = Log<QueueEvent>()
        let large = queue.work(onEvent: { events.add($0) }) { _, _ in .done([UInt8](repeating: 0, count: 4_000_001)) }
        let offers = queue.offers()
        async let outcome = offers.read(OfferedPhoto("a")) { _ in }
        try await eventually {
            events.all.contains { if case .failed(let reason) = $0 { reason.contains("photo_result") } else { false } }
        }
        large.cancel()
        await large.value
        queue.work { _, _ in .done([UInt8](repeating: 0, count: 4_000_000)) }
        #expect(try await outcome == .done([UInt8](repeating: 0, count: 4_000_000)))
        await queue.end()
    }

    @Test("Reports of more than 64 kB are refused, and at most 32 wait")
    func manyReports() async throws {
        let queue = try await QueueFixture()
        let reports = Log<[UInt8]>()
        let offers = queue.offers()
        async let outcome = offers.read(OfferedPhoto("a")) { reports.add($0) }
        try await eventually { try await queue.photos("state = 'waiting'") == 1 }
        let connection = PostgresConnection(queue.workerAddress)
        let worker = ScriptedWorker(connection)
        try await worker.register()
        let photo = try #require(try await worker.claim())
        await #expect(throws: PostgresError.self) {
            try await worker.report(photo, [UInt8](repeating: 0, count: 65_537))
        }
        // In one transaction, so that the server collects none of them in between.
        try await connection.run("BEGIN")
        for _ in 0..<40 { try await worker.report(photo, [1]) }
        #expect(try await worker.finish(photo, [2]))
        try await connection.run("COMMIT")
        #expect(try await outcome == .done([2]))
        #expect(reports.all.count == 32)
        await connection.close()
        await queue.end()
    }

    @Test("A notification of another client stops no photo")
    func forgedNotification() async throws {
        let queue = try await QueueFixture()
        let started = Log<Int64>()
        let gate = Gate()
        var timing = QueueFixture.timing
        // Only the notification makes the worker ask for its leases.
        timing.renewal = longestWait
        queue.work(timing: timing) { photo, _ in
            started.add(photo.row)
            try await gate.wait()
            return .done([UInt8(started.all.count)])
        }
        let offers = queue.offers()
        async let outcome = offers.read(OfferedPhoto("a")) { _ in }
        try await eventually { started.all.count == 1 }
        // A look at its leases changes when the worker was seen.
        let rows = try await queue.database.run(
            "UPDATE shelflist_work.worker SET seen = seen - interval '1 minute' RETURNING seen::text")
        let seen = try #require(rows.first?.text(0))
        let forger = PostgresConnection(queue.workerAddress)
        try await forger.run("SELECT pg_notify('shelflist_work', $1::text)", [.number(started.all[0])])
        try await eventually {
            try await queue.count("SELECT count(*) FROM shelflist_work.worker WHERE seen::text <> '\(seen)'") == 1
        }
        gate.open()
        #expect(try await outcome == .done([1]))
        await forger.close()
        await queue.end()
    }
}

/// A worker whose steps a test runs one by one.
private struct ScriptedWorker {
    struct Photo: Equatable {
        var row: Int64
        var lease: Int64
    }

    let id = UUID()
    let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    func register() async throws {
        try await connection.run(
            "SELECT shelflist_work.register($1::uuid, 'scripted', '1', 1, 'm', 1, '{}')", [.text(id.uuidString)])
    }

    func claim(lease: String = "10 minutes") async throws -> Photo? {
        let rows = try await connection.run(
            "SELECT out_photo, out_lease FROM shelflist_work.claim($1::uuid, $2::interval)",
            [.text(id.uuidString), .text(lease)])
        guard let row = rows.first, let photo = row.number(0), let number = row.number(1) else { return nil }
        return Photo(row: photo, lease: number)
    }

    func bytes(of photo: Photo) async throws -> [UInt8] {
        try await connection.bytes(
            "SELECT * FROM shelflist_work.pieces($1::uuid, $2::bigint, $3::bigint)", arguments(photo))
    }

    func report(_ photo: Photo, _ body: [UInt8]) async throws {
        try await connection.run(
            "SELECT shelflist_work.report($1::uuid, $2::bigint, $3::bigint, $4::bytea)",
            arguments(photo) + [.bytes(body)])
    }

    /// - Returns: whether the result was accepted.
    func finish(_ photo: Photo, _ result: [UInt8]) async throws -> Bool {
        let rows = try await connection.run(
            "SELECT shelflist_work.finish($1::uuid, $2::bigint, $3::bigint, false, $4::bytea)",
            arguments(photo) + [.bytes(result)])
        return rows.first?.text(0) == "t"
    }

    func leave() async throws {
        try await connection.run("SELECT shelflist_work.leave($1::uuid)", [.text(id.uuidString)])
    }

    private func arguments(_ photo: Photo) -> [PostgresValue] {
        [.text(id.uuidString), .number(photo.row), .number(photo.lease)]
    }
}
