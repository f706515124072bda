import Fixtures
import Foundation
import TestSupport
import Testing
import WorkQueue

@Suite(
    "The connection to the work queue",
    .enabled(if: PostgresServer.isAvailable, "PostgreSQL is missing: apt install postgresql"), .needsPostgres,
    .endsHangs)
struct ReconnectionTests {
    @Test("Photos survive a crash of the database")
    func crash() async throws {
        let server = try PostgresServer()
        let queue = try await QueueFixture(server)
        let (reads, events) = (Log<String>(), Log<QueueEvent>())
        let gate = Gate()
        let offers = queue.offers { events.add($0) }
        async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let photo = OfferedPhoto("photo-\(number)")
                    let outcome = try await offers.read(photo) { _ in }
                    #expect(outcome == .done(photo.bytes))
                }
            }
            try await group.waitForAll()
        }
        try await eventually { try await queue.photos() == 20 }
        queue.work(jobs: 2) { photo, _ in
            reads.add(String(decoding: photo.bytes, as: UTF8.self))
            try await gate.wait()
            return .done(photo.bytes)
        }
        try await eventually { reads.all.count == 2 }
        // The bytes of photos do not survive it.
        server.stop("immediate")
        try await eventually { events.all.contains { if case .unreachable = $0 { true } else { false } } }
        try server.start()
        // The test's own connection is lost, too.
        await queue.database.close()
        gate.open()
        try await all
        #expect(Set(reads.all).count == 20)
        try await eventually { events.all.last == .connected }
        try await eventually {
            // The first statement after the crash may find the connection closed.
            do { return try await queue.photos() == 0 } catch PostgresError.unreachable { return false }
        }
        await queue.end()
    }

    @Test("Tables are created once, and programs that are too old refuse newer ones")
    func schema() async throws {
        let queue = try await QueueFixture()
        #expect(try await !QueueSchema.create(queue.database))
        try await queue.database.run("INSERT INTO shelflist_work.migration (number, oldest) VALUES (2, 1)")
        // A newer release whose tables this program can use.
        try await QueueSchema.check(queue.database)
        #expect(try await !QueueSchema.create(queue.database))
        try await queue.database.run("INSERT INTO shelflist_work.migration (number, oldest) VALUES (3, 3)")
        await #expect(throws: WorkQueueError.programTooOld(needed: 3, known: 1)) {
            try await QueueSchema.check(queue.database)
        }
        try await queue.database.run("DROP SCHEMA shelflist_work CASCADE")
        await #expect(throws: WorkQueueError.noTables) { try await QueueSchema.check(queue.database) }
        await queue.end()
    }

    @Test("Two programs can create the tables at the same time")
    func simultaneousCreation() async throws {
        let queue = try await QueueFixture()
        try await queue.database.run("DROP SCHEMA shelflist_work CASCADE")
        let other = PostgresConnection(queue.address)
        async let first = QueueSchema.create(queue.database)
        async let second = QueueSchema.create(other)
        #expect(try await [first, second].count { $0 } == 1)
        await other.close()
        await queue.end()
    }

    @Test("The owner of a database creates the tables without being a superuser; a role without rights gets the reason")
    func roles() async throws {
        let server = try #require(PostgresTrait.server)
        let superuser = PostgresConnection(try server.address())
        for statement in [
            "CREATE ROLE owner LOGIN", "CREATE ROLE stranger LOGIN", "CREATE DATABASE owned OWNER owner",
        ] { try await superuser.run(statement) }
        let stranger = PostgresConnection(try server.address(role: "stranger", database: "owned"))
        await #expect {
            _ = try await QueueSchema.create(stranger)
        } throws: { error in
            "\(error)".contains("lacks a right (permission denied for database owned)")
        }
        let owner = PostgresConnection(try server.address(role: "owner", database: "owned"))
        #expect(try await QueueSchema.create(owner))
        try await QueueSchema.check(owner)
        await #expect {
            try await QueueSchema.check(stranger)
        } throws: { error in
            "\(error)".contains("lacks a right (permission denied for schema shelflist_work)")
        }
        await #expect(throws: WorkQueueError.noRole("missing")) { try await QueueFunctions.grant(to: "missing", owner) }
        for role in ["owner", "shelflist"] {
            await #expect(throws: WorkQueueError.ownerRole(role)) { try await QueueFunctions.grant(to: role, owner) }
        }
        try await superuser.run("CREATE ROLE \"a \"\"quoted\"\" worker\" LOGIN")
        try await QueueFunctions.grant(to: "a \"quoted\" worker", owner)
        for connection in [superuser, stranger, owner] { await connection.close() }
    }

    @Test("A transaction that fails changes nothing")
    func transaction() async throws {
        let queue = try await QueueFixture()
        await #expect(throws: PostgresError.self) {
            try await queue.database.transaction { database throws(PostgresError) -> Void in
                try database.run("INSERT INTO shelflist_work.migration (number, oldest) VALUES (9, 1)")
                try database.run("SELECT 1 / 0")
            }
        }
        #expect(try await queue.count("SELECT max(number) FROM shelflist_work.migration") == 1)
        await queue.end()
    }

    @Test("Values arrive as they were sent")
    func values() async throws {
        let queue = try await QueueFixture()
        let bytes = (0...255).map { UInt8($0) }
        let row = try #require(
            try await queue.database.run(
                "SELECT $1::bytea, $2::text, $3::bigint::text, $4::text, $5::bytea, $6::interval::text",
                [
                    .bytes(bytes), .text("Großes 'Ä'\n"), .number(-7), .null, .bytes([]),
                    .interval(longestWait + pollingPeriod),
                ], binary: true
            ).first)
        #expect(row.bytes(0) == bytes)
        #expect(row.text(1) == "Großes 'Ä'\n")
        #expect(row.number(2) == -7)
        #expect(row.text(3) == nil)
        #expect(row.bytes(4) == [])
        #expect(row.text(5) == "00:10:00.005")
        await queue.end()
    }

    @Test(
        "A warning says what to do where photos cross the network unprotected",
        arguments: [
            (["db.example.org"], "prefer", true), (["127.0.0.1", "10.0.0.2"], "require", true),
            (["127.example.org"], "verify-ca", true), (["db.example.org"], "verify-full", false),
            (["localhost", "::1", "127.0.0.2"], "disable", false), (["/run/postgresql", "@socket"], "prefer", false),
            ([], "prefer", false),
        ])
    func warning(_ hosts: [String], _ sslMode: String, _ isExpected: Bool) throws {
        let warning = PostgresTransport(hosts: hosts, sslMode: sslMode).warning
        #expect((warning != nil) == isExpected)
        if isExpected, let host = hosts.last { #expect(try #require(warning).contains(host)) }
    }

    @Test("Host and TLS of a connection are known, also where connecting failed")
    func transport() async throws {
        let queue = try await QueueFixture()
        _ = try await queue.count("SELECT 1")
        let socket = try #require(await queue.database.transport)
        #expect(socket.hosts.count == 1 && socket.hosts[0].hasPrefix("/"))
        // No program listens there while the test has it.
        let closedPort = try ReservedPort()
        defer { withExtendedLifetime(closedPort) {} }
        for (host, address, hosts) in [
            ("localhost", "", ["localhost"]), ("db.example.org", "127.0.0.1", ["127.0.0.1"]),
        ] {
            let closed = PostgresConnection(
                try PostgresAddress(
                    "postgresql://\(host):\(closedPort.number)/books?sslmode=require&hostaddr=\(address)"))
            await #expect(throws: PostgresError.self) { try await closed.run("SELECT 1") }
            #expect(await closed.transport == PostgresTransport(hosts: hosts, sslMode: "require"))
        }
        await queue.end()
    }

    @Test(
        "Passwords are not shown",
        arguments: [
            "postgresql://ada:geheim@127.0.0.1:1/shelflist", "postgresql://ada:geheim@localhost:99999/shelflist",
            "postgresql://ada:geheim@[::1/shelflist", "postgresql://ada:gehe%zzim@127.0.0.1:1/",
            "postgresql://ada@127.0.0.1:1/shelflist?password=geheim",
        ])
    func passwords(_ text: String) async {
        await #expect {
            try await PostgresConnection(PostgresAddress(text)).run("SELECT 1")
        } throws: { error in
            !"\(error)".contains("geheim") && !"\(error)".contains("gehe%") && error is PostgresError
        }
    }
}
