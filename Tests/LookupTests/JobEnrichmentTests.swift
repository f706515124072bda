import Bibliography
import Fixtures
import Foundation
import Identification
import Imaging
import Library
import Lookup
import Providers
import ReadingFixtures
import Scans
import ShelflistAPI
import TestSupport
import Testing

@Suite("Looking up the books of a job", .endsHangs) struct JobEnrichmentTests {
    /// Returns all events of a job with these books.
    private func events(
        of titles: [String], _ bench: Bench, _ lookup: BookLookup, covers: CoverQueue? = nil
    ) async throws -> [JobEvent] {
        let jobs = ScanJobs(
            ScanImporter(library: bench.library) { await covers?.fetch($1, for: $0) },
            files: try JobFiles(folder: bench.folder.appending(path: "jobs")),
            reader: ScriptedReader(author: "Jane Austen"),
            enricher: JobEnrichment(lookup: lookup))
        let incoming = try jobs.files.receive(limit: 100_000)
        try incoming.append(ScriptedReader.bytes("books:" + titles.joined(separator: "|")))
        let (job, _) = try await jobs.intake.accept(
            [try await incoming.close()], client: "test", options: JobOptions(importsResults: true))
        for await _ in jobs.log.follow(job.id, quietAfter: longestWait) {
            if try await jobs.log.job(job.id)?.isFinished ?? true { break }
        }
        return try await jobs.log.events(of: job.id, after: 0)
    }

    private func enrichments(_ events: [JobEvent]) -> [JobEvent.Enrichment] {
        events.compactMap { if case .enriched(let enrichment) = $0.content { enrichment } else { nil } }
    }

    private func kinds(_ events: [JobEvent]) -> [String] {
        events.compactMap { event in
            switch event.content {
            case .result: "result"
            case .imported: "imported"
            case .enriched: "enriched"
            case .enrichmentDegraded: "degraded"
            case .completed: "completed"
            case .error: "error"
            default: nil
            }
        }
    }

    @Test("Results precede one event for each book, and the library stores what was found")
    func orderOfEvents() async throws {
        let picture = try Recorded.cover()
        let stub = try StubServer { _, request in
            if request.target.hasPrefix("/b/id/") { return .answer(200, body: picture) }
            return request.target.contains("Emma")
                ? Recorded.openLibrary("Emma", "Jane Austen") : Recorded.openLibraryNothing
        }
        let bench = try Bench([.openLibrary: stub], covers: stub)
        let covers = CoverQueue(online: bench.online, library: bench.library)
        let events = try await events(of: ["Emma", "Sanditon"], bench, bench.lookup(), covers: covers)
        #expect(kinds(events) == ["result", "result", "imported", "enriched", "enriched", "completed"])
        let found = enrichments(events).sorted { $0.bookID < $1.bookID }
        #expect(found.map(\.state) == [.enriched, .notFound])
        #expect(Set(found.map(\.current)) == [1, 2])
        #expect(found[0].metadata?.record.publisher == "Penguin")
        await covers.finish()
        let entry = try #require(try await bench.library.entries(EntryQuery(text: "emma")).entries.first)
        let id = try #require(RowID<LibraryEntry>(entry.id))
        let edition = try #require(try await bench.library.entry(id).edition)
        #expect(edition.publisher == "Penguin")
        #expect(edition.year == 1815)
        #expect(edition.cover != nil)
        await bench.close()
    }

    @Test("A provider that hangs does not delay results or fail the job")
    func hangingProvider() async throws {
        let hanging = try StubServer { _, _ in .silent }
        let bench = try Bench([.openLibrary: hanging], failuresToRest: 2)
        let titles = (1...9).map { "Book number \($0)" }
        let events = try await events(of: titles, bench, bench.lookup(clock: ManualClock(skipsSleeps: true)))
        #expect(
            kinds(events)
                == titles.map { _ in "result" } + ["imported", "degraded"] + titles.map { _ in "enriched" }
                + ["completed"])
        #expect(enrichments(events).allSatisfy { $0.state == .failed })
        #expect(try await bench.library.entries().total == 9)
        await bench.close()
    }

    @Test("A provider's outage is reported once, and the other provider's answers are stored")
    func reportsOutageOnce() async throws {
        let broken = try StubServer { _, _ in .answer(503, headers: ["Retry-After": "120"]) }
        let google = try StubServer { _, request in
            request.target.contains("Emma")
                ? Recorded.googleBooks("Emma", "Jane Austen") : .json(#"{"totalItems": 0}"#)
        }
        let bench = try Bench([.openLibrary: broken, .googleBooks: google])
        let events = try await events(of: ["Emma", "Sanditon"], bench, bench.lookup())
        let outages = events.compactMap { event -> UnavailableSource? in
            if case .enrichmentDegraded(let outage) = event.content { outage } else { nil }
        }
        #expect(outages.map(\.source) == ["openlibrary"])
        #expect(outages.first?.retryAfterMs == 120_000)
        let states = Dictionary(enrichments(events).map { ($0.bookID, $0.state) }, uniquingKeysWith: { $1 })
        #expect(states == ["1-book-1": .enriched, "1-book-2": .failed])
        #expect(kinds(events).last == "completed")
        await bench.close()
    }
}
