import Foundation
import ReadingFixtures
import ServerFixtures
import ShelflistClient
import Synchronization
import TestSupport
import Testing

/// Scans that wait on disk.
@Suite(.endsHangs) struct ScanQueueTests {
    private static func titles(_ client: ShelflistClient) async throws -> [String] {
        var titles: [String] = []
        for try await book in client.library.books() { titles.append(book.title) }
        return titles
    }

    /// Nothing answers.
    private static let unreachable = ClientFixture.client(port: 1)

    @Test("Scans survive a restart of the app and are sent in order")
    func survivesRestart() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url.appending(path: "queue")
        let file = temporary.url.appending(path: "second.jpg")
        try Data(ScriptedReader.bytes("books:Dune")).write(to: file)
        let first = try ScanQueue(folder: folder, client: Self.unreachable)
        try first.add([.script("books:Emma")], options: .init(addsToLibrary: true))
        try first.add([.file(file), .script("books:Ulysses")], options: .init(addsToLibrary: true))
        try FileManager.default.removeItem(at: file)
        let error = await #expect(throws: ShelflistError.self) { try await first.send() }
        #expect(error?.category == .unreachable)
        #expect(first.scans.count == 2)

        try await withClient { fixture in
            let queue = try ScanQueue(folder: folder, client: fixture.client)
            #expect(queue.scans.map(\.id) == ["00000001", "00000002"])
            let jobs = Mutex<[String]>([])
            try await queue.send { _, job in jobs.withLock { $0.append(job.id) } }
            #expect(queue.scans.isEmpty)
            let sent = jobs.withLock { $0 }
            for job in sent { _ = try await fixture.client.follow(job).results }
            #expect(fixture.server.reader.read.first == "books:Emma" && sent.count == 2)
            #expect(try await Self.titles(fixture.client) == ["Dune", "Emma", "Ulysses"])
            let names = try await fixture.client.scans.status(sent[1]).photos.map(\.photo.name)
            #expect(names == ["second.jpg", "shelf.jpg"])
            let again = try ScanQueue(folder: folder, client: fixture.client)
            #expect(again.scans.isEmpty)
        }
    }

    @Test("A damaged record loses neither its photos nor the other scans")
    func damagedRecord() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url.appending(path: "queue")
        let damaged = try ScanQueue(folder: folder, client: Self.unreachable)
        try damaged.add([.script("books:Emma"), .script("books:Dune")])
        try damaged.add([.script("books:Ulysses")], options: .init(addsToLibrary: true))
        try Data("{".utf8).write(to: folder.appending(path: "00000001/scan.json"))
        try await withClient { fixture in
            let queue = try ScanQueue(folder: folder, client: fixture.client)
            let jobs = Mutex<[String]>([])
            try await queue.send { _, job in jobs.withLock { $0.append(job.id) } }
            guard queue.scans.count == 1, case .refused(let reason) = queue.scans[0].state else {
                Issue.record("not refused: \(queue.scans)")
                return
            }
            #expect(reason.contains("00000001/scan.json is damaged"))
            try queue.retry("00000001")
            try await queue.send { _, job in jobs.withLock { $0.append(job.id) } }
            #expect(queue.scans.isEmpty)
            for job in jobs.withLock({ $0 }) { _ = try await fixture.client.follow(job).results }
            #expect(try await Self.titles(fixture.client) == ["Dune", "Emma", "Ulysses"])
        }
    }

    @Test("A scan that was sent before a crash takes effect once")
    func onceInEffect() async throws {
        let temporary = try TemporaryFolder()
        let (folder, copy) = (temporary.url.appending(path: "queue"), temporary.url.appending(path: "copy"))
        try await withClient { fixture in
            let queue = try ScanQueue(folder: folder, client: fixture.client)
            try queue.add([.script("books:Emma"), .script("books:Dune")], options: .init(addsToLibrary: true))
            // The folder as a crash after the last byte would leave it.
            try FileManager.default.copyItem(at: folder, to: copy)
            try await queue.send()
            try await ScanQueue(folder: copy, client: fixture.client).send()
            let scans = try await fixture.client.scans.all().page()
            #expect(scans.total == 1)
            _ = try await fixture.client.follow(scans.items[0].id).results
            #expect(try await Self.titles(fixture.client) == ["Dune", "Emma"])
        }
    }

    @Test(
        "Each cut connection leaves the queue as it was, and the scan takes effect once",
        arguments: [0, 300, 2000])
    func cutConnections(after: Int) async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        try await withClient(plan: { $0 < 8 ? Fault(kind: .cut, direction: .up, after: after) : nil }) { fixture in
            let queue = try ScanQueue(folder: folder, client: fixture.client)
            try queue.add(
                [.data(Data(ScriptedReader.bytes("books:Emma")) + Data(count: 5000))],
                options: .init(addsToLibrary: true))
            var failures = 0
            while !queue.scans.isEmpty {
                do { try await queue.send() } catch { failures += 1 }
            }
            #expect(failures > 0 || after > 300)
            #expect(try await fixture.direct.scans.all().page().items.count == 1)
        }
    }

    @Test("The limit of the queue is named")
    func sizeLimit() throws {
        let temporary = try TemporaryFolder()
        let queue = try ScanQueue(folder: temporary.url, client: Self.unreachable, sizeLimit: 3_000_000)
        try queue.add([.data(Data(count: 2_000_000))])
        let error = #expect(throws: ShelflistError.self) { try queue.add([.data(Data(count: 1_500_000))]) }
        #expect(error?.category == .tooLarge)
        #expect(error?.message == "The queue holds 2 MB of at most 3 MB, and the photos have 2 MB.")
        #expect(queue.scans.count == 1)
        try queue.add([.data(Data(count: 1_000_000))])
        try queue.remove(queue.scans[0].id)
        try queue.add([.data(Data(count: 2_000_000))])
        let missing = #expect(throws: ShelflistError.self) { try queue.add([.file(URL(filePath: "/none.jpg"))]) }
        #expect(missing?.category == .file)
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).sorted()
        #expect(left == ["00000002", "00000003"])
    }

    @Test("What a crash leaves unfinished is removed")
    func leftovers() throws {
        let temporary = try TemporaryFolder()
        let half = temporary.url.appending(path: ".incoming-00000001")
        try FileManager.default.createDirectory(at: half, withIntermediateDirectories: true)
        try Data(count: 10).write(to: half.appending(path: "photo-1"))
        let queue = try ScanQueue(folder: temporary.url, client: Self.unreachable)
        #expect(queue.scans.isEmpty && !FileManager.default.fileExists(atPath: half.path))
        let file = temporary.url.appending(path: "file")
        try Data().write(to: file)
        #expect(throws: ShelflistError.self) { try ScanQueue(folder: file, client: Self.unreachable) }
    }

    @Test("A refused scan stays with its reason, and those after it are sent")
    func refused() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        try await withClient { fixture in
            let queue = try ScanQueue(folder: folder, client: fixture.client)
            try queue.add([.data(Data("text".utf8))], options: .init(addsToLibrary: true))
            try queue.add([.script("books:Emma")], options: .init(addsToLibrary: true))
            try await queue.send()
            let restarted = try ScanQueue(folder: folder, client: fixture.client)
            #expect(restarted.scans.count == 1)
            guard case .refused(let reason) = restarted.scans[0].state else { throw Unexpected() }
            #expect(reason.contains("JPEG"))
            try await restarted.send()
            #expect(restarted.scans.count == 1)
            try restarted.retry(restarted.scans[0].id)
            guard case .waiting = restarted.scans[0].state else { throw Unexpected() }
            try restarted.remove(restarted.scans[0].id)
            #expect(try ScanQueue(folder: folder, client: fixture.client).scans.isEmpty)
        }
    }

    @Test("A scan of which a photo is refused stays, with its photos and the reason, and the others are read")
    func partlyRefused() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        try await withClient { fixture in
            let queue = try ScanQueue(folder: folder, client: fixture.client)
            let added = try queue.add(
                [.data(Data("text".utf8)), .script("books:Emma")], options: .init(addsToLibrary: true))
            let jobs = Mutex<[String]>([])
            try await queue.send { _, job in jobs.withLock { $0.append(job.id) } }
            for job in jobs.withLock(\.self) { _ = try await fixture.client.follow(job).results }
            #expect(try await Self.titles(fixture.client) == ["Emma"])
            guard case .refused(let reason) = try ScanQueue(folder: folder, client: fixture.client).scans[0].state
            else {
                throw Unexpected()
            }
            #expect(reason.hasPrefix("Photo 1: ") && reason.contains("JPEG") && !reason.contains("Photo 2"))
            let photo = folder.appending(path: added.id).appending(path: "photo-1")
            #expect(try Data(contentsOf: photo) == Data("text".utf8))
        }
    }

    @Test("A running queue sends what is added once the server can be reached, and reports each change")
    func runs() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        try await withClient { fixture in
            fixture.proxy.set(target: 1)
            let queue = try ScanQueue(folder: folder, client: fixture.client)
            let running = Task { await queue.run() }
            let states = Task {
                var seen: Set<String> = []
                for await scans in queue.updates {
                    if case .sending = scans.first?.state { seen.insert("sending") }
                    if case .waiting = scans.first?.state { seen.insert("waiting") }
                    if scans.isEmpty, !seen.isEmpty { break }
                }
                return seen
            }
            try queue.add([.script("books:Emma")], options: .init(addsToLibrary: true))
            try await eventually { fixture.proxy.accepted >= 3 }
            fixture.proxy.set(target: fixture.server.port)
            #expect(await states.value.contains("sending"))
            try queue.add([.script("books:Dune")], options: .init(addsToLibrary: true))
            try await eventually { queue.scans.isEmpty }
            running.cancel()
            await running.value
            #expect(try await fixture.client.scans.all().page().items.count == 2)
        }
    }
}
