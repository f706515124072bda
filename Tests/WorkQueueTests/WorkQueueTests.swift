import Foundation
import TestSupport
import Testing
import WorkQueue

@Suite(
    "The work queue", .enabled(if: PostgresServer.isAvailable, "PostgreSQL is missing: apt install postgresql"),
    .needsPostgres, .endsHangs)
struct WorkQueueTests {
    @Test("A photo is read by a worker, with its reports, and nothing is left")
    func reading() async throws {
        let queue = try await QueueFixture()
        let reports = Log<[UInt8]>()
        queue.work { photo, report in
            report([1])
            report([2])
            return .done(photo.bytes + photo.request)
        }
        let outcome = try await queue.offers().read(OfferedPhoto("a")) { reports.add($0) }
        #expect(outcome == .done(Array("a".utf8) + [1]))
        #expect(reports.all == [[1], [2]])
        try await eventually { try await queue.photos() == 0 }
        #expect(try await queue.count("SELECT count(*) FROM shelflist_work.photo_piece") == 0)
        #expect(try await queue.count("SELECT count(*) FROM shelflist_work.report") == 0)
        await queue.end()
    }

    @Test("A photo of any size arrives as it was sent", arguments: [1, 7999, 8000, 8001, 16_000, 1_000_003])
    func sizes(_ count: Int) async throws {
        let queue = try await QueueFixture()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) }
        queue.work { photo, _ in photo.bytes == bytes ? .done([1]) : .failed([0]) }
        let outcome = try await queue.offers().read(OfferedPhoto(key: "a", bytes: bytes, request: [1])) { _ in }
        #expect(outcome == .done([1]))
        try await eventually { try await queue.count("SELECT count(*) FROM shelflist_work.photo_piece") == 0 }
        await queue.end()
    }

    @Test("Purging deletes the photos of servers that are gone, and all if asked; running servers offer theirs again")
    func purging() async throws {
        let queue = try await QueueFixture()
        async let outcome = queue.offers().read(OfferedPhoto("a")) { _ in }
        try await eventually { try await queue.photos("state = 'waiting'") == 1 }
        // As a server leaves it that was not stopped.
        try await queue.database.run(
            """
            WITH gone AS (
                INSERT INTO shelflist_work.owner (id, name, protocol, models, kept, seen)
                VALUES (gen_random_uuid(), 'gone', 1, 'm', '1 day', clock_timestamp() - interval '2 hours') RETURNING id
            ), photo AS (
                INSERT INTO shelflist_work.photo (owner, key, protocol, models, request, size, turn)
                SELECT id, 'b', 1, 'm', '', 1, 0 FROM gone RETURNING id
            )
            INSERT INTO shelflist_work.photo_piece (photo, piece, bytes) SELECT id, 0, 'b' FROM photo
            """)
        #expect(try await QueueSchema.purge(queue.database, unseenFor: longestWait) == 1)
        #expect(try await queue.photos("key = 'b'") == 0)
        #expect(try await queue.count("SELECT count(*) FROM shelflist_work.photo_piece") == 1)
        #expect(try await QueueSchema.purge(queue.database, unseenFor: nil) == 1)
        queue.work(echo)
        #expect(try await outcome == .done(Array("a".utf8)))
        await queue.end()
    }

    @Test("A photo that cannot be read fails alone")
    func failure() async throws {
        let queue = try await QueueFixture()
        queue.work { photo, _ in photo.bytes == Array("bad".utf8) ? .failed([9]) : .done(photo.bytes) }
        let offers = queue.offers()
        async let bad = offers.read(OfferedPhoto("bad")) { _ in }
        async let good = offers.read(OfferedPhoto("good")) { _ in }
        #expect(try await bad == .failed([9]))
        #expect(try await good == .done(Array("good".utf8)))
        await queue.end()
    }

    @Test("A cancelled photo stops on its worker, and can be offered again")
    func cancelling() async throws {
        let queue = try await QueueFixture()
        let (started, stopped) = (Log<Int64>(), Log<Int64>())
        let gate = Gate()
        var timing = QueueFixture.timing
        // Only a notification stops the photo.
        timing.renewal = longestWait
        queue.work(timing: timing) { photo, _ in
            started.add(photo.row)
            do { try await gate.wait() } catch {
                stopped.add(photo.row)
                throw error
            }
            return .done(photo.bytes)
        }
        let offers = queue.offers()
        let reading = Task { try await offers.read(OfferedPhoto("a")) { _ in } }
        try await eventually { started.all.count == 1 }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await eventually { stopped.all == started.all }
        #expect(try await queue.photos("id = \(started.all[0])") == 0)
        #expect(try await queue.count("SELECT count(*) FROM shelflist_work.photo_piece") == 0)
        gate.open()
        #expect(try await offers.read(OfferedPhoto("a")) { _ in } == .done(Array("a".utf8)))
        await queue.end()
    }

    @Test("The photo of a worker that ended is read by another, and fails after three workers ended")
    func leases() async throws {
        let queue = try await QueueFixture()
        let offers = queue.offers()
        async let once = offers.read(OfferedPhoto("once")) { _ in }
        async let often = offers.read(OfferedPhoto("often")) { _ in }
        try await eventually { try await queue.photos("state = 'waiting'") == 2 }
        // As a worker leaves it that was killed.
        for (key, attempts) in [("once", 1), ("often", 3)] {
            try await queue.database.run(
                """
                UPDATE shelflist_work.photo SET state = 'running', attempts = $1::int, worker = gen_random_uuid(),
                    lease = nextval('shelflist_work.lease'), lease_until = clock_timestamp() - interval '1 ms'
                WHERE key = $2
                """, [.number(attempts), .text(key)])
        }
        #expect(try await often == .abandoned(attempts: 3))
        queue.work(echo)
        #expect(try await once == .done(Array("once".utf8)))
        await queue.end()
    }

    @Test("A result that comes after the photo was given to another worker is refused")
    func lateResult() async throws {
        let queue = try await QueueFixture()
        let (started, events) = (Log<Int64>(), Log<QueueEvent>())
        let gate = Gate()
        var timing = QueueFixture.timing
        // As if the worker could not reach the database.
        timing.renewal = longestWait
        queue.work(timing: timing, onEvent: { events.add($0) }) { photo, _ in
            started.add(photo.row)
            try await gate.wait()
            return .done([0])
        }
        let offers = queue.offers()
        async let outcome = offers.read(OfferedPhoto("a")) { _ in }
        try await eventually { started.all.count == 1 }
        try await eventually {
            try await queue.endLeases()
            return try await queue.photos("state = 'waiting'") == 1
        }
        let row = started.all[0]
        let other = Gate()
        queue.work { photo, _ in
            try await other.wait()
            return .done([1])
        }
        try await eventually { try await queue.photos("state = 'running'") == 1 }
        gate.open()
        try await eventually { events.all.contains(.late(photo: row)) }
        #expect(try await queue.photos("state = 'running'") == 1)
        other.open()
        #expect(try await outcome == .done([1]))
        try await eventually { try await queue.count("SELECT sum(late) FROM shelflist_work.worker") == 1 }
        await queue.end()
    }

    @Test("Servers are served in turn")
    func fairness() async throws {
        let queue = try await QueueFixture()
        let (many, few) = (queue.offers(), queue.offers())
        let order = Log<String>()
        async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                group.addTask { _ = try await many.read(OfferedPhoto("many-\(number)")) { _ in } }
            }
            try await group.waitForAll()
        }
        try await eventually { try await queue.photos() == 10 }
        async let first = few.read(OfferedPhoto("few-0")) { _ in }
        async let second = few.read(OfferedPhoto("few-1")) { _ in }
        try await eventually { try await queue.photos() == 12 }
        queue.work { photo, _ in
            order.add(String(decoding: photo.bytes, as: UTF8.self))
            return .done([])
        }
        _ = try await (first, second)
        try await all
        #expect(order.all.count == 12)
        // Each of the first two turns has a photo of both.
        #expect(order.all.prefix(4).count { $0.hasPrefix("few") } == 2)
        await queue.end()
    }

    @Test("Photos stay with the server while the database is full")
    func bounds() async throws {
        let queue = try await QueueFixture()
        var limits = QueueLimits()
        limits.photosWaiting = 3
        let events = Log<QueueEvent>()
        let offers = queue.offers(limits: limits) { events.add($0) }
        var small = QueueLimits()
        small.bytesWaiting = 5
        let others = queue.offers(limits: small)
        async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                group.addTask {
                    let photo = OfferedPhoto("photo-\(number)")
                    let outcome = try await offers.read(photo) { _ in }
                    #expect(outcome == .done(photo.bytes))
                }
            }
            try await group.waitForAll()
        }
        try await eventually { events.all.contains(.full) }
        #expect(try await queue.photos() == 3)
        // Three photos of seven or eight bytes wait: no fourth fits into five bytes.
        async let other = others.read(OfferedPhoto("x")) { _ in }
        queue.work(jobs: 2, echo)
        try await all
        #expect(try await other == .done(Array("x".utf8)))
        await queue.end()
    }

    @Test("A worker with other models is refused with the reason, and one with the server's models reads")
    func models() async throws {
        let queue = try await QueueFixture()
        let events = Log<QueueEvent>()
        queue.work(models: "old", onEvent: { events.add($0) }) { _, _ in .done([0]) }
        let offers = queue.offers(models: "new")
        async let outcome = offers.read(OfferedPhoto("a")) { _ in }
        try await eventually {
            events.all.contains {
                if case .refused(let reason) = $0 { reason.contains("new") && reason.contains("old") } else { false }
            }
        }
        try await eventually { try await queue.photos() == 1 }
        let status = try await QueueStatus(queue.database)
        #expect(status.workers.first?.refusal?.contains("same release") == true)
        #expect(status.waiting == 1 && status.running == 0)
        queue.work(models: "new") { _, _ in .done([1]) }
        #expect(try await outcome == .done([1]))
        await queue.end()
    }

    @Test("A worker that is stopped gives its photo back")
    func givingBack() async throws {
        let queue = try await QueueFixture()
        var timing = QueueFixture.timing
        timing.grace = .zero
        let started = Log<Int64>()
        let worker = queue.work(timing: timing) { photo, _ in
            started.add(photo.row)
            try await Gate().wait()
            return .done([0])
        }
        let offers = queue.offers()
        async let outcome = offers.read(OfferedPhoto("a")) { _ in }
        try await eventually { started.all.count == 1 }
        worker.cancel()
        await worker.value
        #expect(try await queue.photos("state = 'waiting' AND attempts = 0") == 1)
        #expect(try await queue.count("SELECT count(*) FROM shelflist_work.worker") == 0)
        queue.work { _, _ in .done([1]) }
        #expect(try await outcome == .done([1]))
        await queue.end()
    }

    @Test("A server that was killed finds its photos again")
    func restart() async throws {
        let queue = try await QueueFixture()
        let id = UUID()
        let first = QueueOffers(
            queue.address, owner: QueueOwner(id: id, name: "server", models: "m", kept: longestWait),
            timing: QueueFixture.timing)
        let exchange = Task { await first.run() }
        let read = Task { try await first.read(OfferedPhoto("a")) { _ in } }
        try await eventually { try await queue.photos() == 1 }
        // Rows as a killed server leaves them: kept apart while the server withdraws them.
        try await queue.database.run("CREATE TABLE kept AS SELECT * FROM shelflist_work.photo")
        exchange.cancel()
        await exchange.value
        _ = await read.result
        try await queue.database.run(
            "INSERT INTO shelflist_work.photo OVERRIDING SYSTEM VALUE SELECT * FROM kept")
        let reads = Log<Int64>()
        queue.work { photo, _ in
            reads.add(photo.row)
            return .done(photo.bytes)
        }
        #expect(try await queue.offers(id: id).read(OfferedPhoto("a")) { _ in } == .done(Array("a".utf8)))
        #expect(reads.all.count == 1)
        try await eventually { try await queue.photos() == 0 }
        await queue.end()
    }

    @Test("Old results, and photos of servers that are gone, are deleted")
    func retention() async throws {
        let queue = try await QueueFixture()
        _ = queue.offers()
        for (name, kept, finished) in [
            ("gone", "1 ms", "1 s"), ("here", "1 hour", "1 day"), ("fresh", "1 hour", "1 s"),
        ] {
            try await queue.database.run(
                """
                WITH o AS (
                    INSERT INTO shelflist_work.owner (id, name, protocol, models, kept, seen)
                    VALUES (gen_random_uuid(), $1, 1, 'none', $2::interval, clock_timestamp()) RETURNING id
                )
                INSERT INTO shelflist_work.photo (owner, key, protocol, models, request, size, turn, state, finished)
                SELECT id, $1, 1, 'none', '', 1, 0, 'done', clock_timestamp() - $3::interval FROM o
                """, [.text(name), .text(kept), .text(finished)])
        }
        try await eventually { try await queue.photos("key <> 'fresh'") == 0 }
        #expect(try await queue.photos() == 1)
        await queue.end()
    }

    @Test("Results that no caller waits for do not delay others")
    func uncollectedResults() async throws {
        let queue = try await QueueFixture()
        let id = UUID()
        let offers = queue.offers(id: id)
        try await eventually { try await queue.count("SELECT count(*) FROM shelflist_work.owner") == 1 }
        // More than are fetched at once.
        try await queue.database.run(
            """
            INSERT INTO shelflist_work.photo (owner, key, protocol, models, request, size, turn, state, finished, result)
            SELECT $1::uuid, 'old-' || number, 1, 'm', '', 1, 0, 'done', clock_timestamp(), ''
            FROM generate_series(1, 50) number
            """, [.text(id.uuidString)])
        queue.work(echo)
        #expect(try await offers.read(OfferedPhoto("a")) { _ in } == .done(Array("a".utf8)))
        await queue.end()
    }
}
