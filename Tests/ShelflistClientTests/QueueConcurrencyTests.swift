import Foundation
import ReadingFixtures
import ShelflistClient
import TestSupport
import Testing

/// Queues that several tasks use.
@Suite(.endsHangs) struct QueueConcurrencyTests {
    @Test("A running queue waits while another task sends, and sends what was added since")
    func twoSenders() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        try await withClient { fixture in
            let queue = try ScanQueue(folder: folder, client: fixture.client)
            try queue.add([.script("books:Emma")], options: .init(addsToLibrary: true))
            let (holds, hold) = AsyncStream.makeStream(of: Void.self)
            let (passes, pass) = AsyncStream.makeStream(of: Void.self)
            let sending = Task {
                try await queue.send { _, _ in
                    hold.yield()
                    for await _ in passes { break }
                }
            }
            for await _ in holds { break }
            try queue.add([.script("books:Dune")], options: .init(addsToLibrary: true))
            let running = Task { await queue.run() }
            // The sending task reports both scans.
            pass.finish()
            try await sending.value
            try queue.add([.script("books:Faust")], options: .init(addsToLibrary: true))
            try await eventually { queue.scans.isEmpty }
            running.cancel()
            await running.value
            #expect(try await fixture.client.scans.all().page().total == 3)
        }
    }

    @Test("Scans that are added at once do not exceed the limit together")
    func limitOfConcurrentScans() async throws {
        let temporary = try TemporaryFolder()
        let queue = try ScanQueue(folder: temporary.url, client: ClientFixture.client(port: 1), sizeLimit: 1_000_000)
        let added = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        try queue.add([.data(Data(count: 300_000))])
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(added == 3 && queue.scans.count == 3)
    }
}
