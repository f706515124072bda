import Bibliography
import Dispatch
import Fixtures
import Library
import Lookup
import Providers
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("Looking up books in the background", .endsHangs) struct EnrichmentQueueTests {
    @Test("Books that are added during a run are looked up together after it, and an outage is reported once")
    func together() async throws {
        let gate = DispatchSemaphore(value: 0)
        let stub = try StubServer { number, _ in
            if number == 0 { gate.wait() }
            return .answer(500)
        }
        let bench = try Bench([.openLibrary: stub], failuresToRest: 100)
        for title in ["Emma", "Dune", "Ulysses", "Walden"] {
            _ = try await bench.library.add(BookDetails(title: title))
        }
        let books = try await bench.library.incompleteBooks()
        let failures = Failures()
        let totals = Mutex<Set<Int>>([])
        let enrichment = LibraryEnrichment(
            lookup: bench.lookup(), library: bench.library,
            covers: CoverQueue(online: bench.online, library: bench.library))
        let queue = EnrichmentQueue(enrichment) {
            failures.add($0)
        } onProgress: { _, total in
            totals.withLock { _ = $0.insert(total) }
        }
        await queue.add([books[0]])
        try await eventually { stub.requests.count == 1 }
        for book in books[1...] { await queue.add([book]) }
        gate.signal()
        await queue.finish()
        #expect(totals.withLock(\.self) == [1, 3])
        #expect(failures.all.count == 2, "one in each run: \(failures.all)")
        await bench.close()
    }
}
