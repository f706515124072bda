import Bibliography
import Catalog
import Fixtures
import Foundation
import Library
import Lookup
import Providers
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("Looking up books", .endsHangs) struct BookLookupTests {
    private static let emma = BookDetails(title: "Emma", authors: [AuthorCredit(name: "Jane Austen")])

    @Test("A source's missing fields are filled from the other sources")
    func gapsAreFilled() async throws {
        let library = try StubServer { _, _ in Recorded.openLibrary("Emma", "Jane Austen") }
        let google = try StubServer { _, _ in Recorded.googleBooks("Emma", "Jane Austen") }
        let bench = try Bench([.openLibrary: library, .googleBooks: google], covers: library)
        let answer = await bench.lookup().find(Self.emma)
        #expect(answer.failures.isEmpty)
        #expect(answer.found?.coverURL?.path() == "/b/id/7-L.jpg")
        #expect(answer.found?.pages != nil)
        #expect(answer.found?.isbn == nil, "the edition is unknown")
        await bench.close()
    }

    @Test("A catalog is searched once it exists, and reported while it is not searchable")
    func missingCatalog() async throws {
        let bench = try Bench([:])
        let file = bench.folder.appending(path: "catalog.sqlite")
        let lookup = BookLookup(catalog: CatalogSource(CatalogFile(file)), online: nil)
        #expect(lookup.sources.isEmpty)
        #expect(await lookup.find(Self.emma).answered == 0)

        let list = bench.folder.appending(path: "list.csv")
        let others = (1...20_000).map { "Volume \($0),John Doe\n" }.joined()
        try Data("title,author\nEmma,Jane Austen\n\(others)".utf8).write(to: list)
        let catalog = try Catalog(path: file.path)
        let calls = Mutex(0)
        let stopped = try catalog.importFiles([list.path]) {
            calls.withLock { calls in
                calls += 1
                return calls > 3
            }
        }
        #expect(stopped.wasStopped)
        let unready = await lookup.find(Self.emma)
        #expect(unready.answered == 0)
        #expect(unready.failures.first?.message.contains("not ready to be searched") == true)

        _ = try catalog.importFiles([list.path])
        #expect(lookup.sources.map(\.name) == ["local"])
        #expect(await lookup.find(Self.emma).found?.title == "Emma")
        await bench.close()
    }

    @Test("Another book by the same author is not a match")
    func otherBook() async throws {
        let stub = try StubServer { _, _ in Recorded.openLibrary("Persuasion", "Jane Austen") }
        let bench = try Bench([.openLibrary: stub])
        let answer = await bench.lookup().find(Self.emma)
        #expect(answer.found == nil)
        #expect(answer.answered == 1)
        #expect(answer.failures.isEmpty)
        await bench.close()
    }

    @Test("A provider that hangs does not delay the others, and does not count as “not found”")
    func hangingProvider() async throws {
        let hanging = try StubServer { _, _ in .silent }
        let google = try StubServer { _, _ in Recorded.googleBooks("Emma", "Jane Austen") }
        let bench = try Bench([.openLibrary: hanging, .googleBooks: google])
        let clock = ManualClock()
        async let waiting = bench.lookup(clock: clock).find(Self.emma)
        // The second sleep is the grace period, which starts with the first answer.
        await clock.waitForSleepers(2)
        clock.advance(by: 1)
        let answer = await waiting
        #expect(answer.found?.publisher == "Google Press")
        #expect(answer.failures.isEmpty, "a source that was not waited for is not a failure")
        let alone = try Bench([.openLibrary: hanging])
        let nothing = await alone.lookup(clock: ManualClock(skipsSleeps: true)).find(Self.emma)
        #expect(nothing.found == nil)
        #expect(nothing.answered == 0)
        #expect(nothing.failures.first?.message.contains("Open Library did not answer in time") == true)
        await bench.close()
        await alone.close()
    }

    @Test(
        "Another edition or a similar title gives nothing of its own to a book of a list",
        arguments: [
            ("Raven's Toll", "Edda Louw", "9780000000187"), ("Ravens", "Sol Slane", "9780000000194"),
            ("Salt Paths and Rivers", "Nora Quill", "9780000000200"),
        ])
    func otherEdition(title: String, author: String, isbn: String) async throws {
        let bench = try Bench([:])
        let list = bench.folder.appending(path: "list.csv")
        try Data(
            """
            title,author,isbn,publisher,year,pages
            Ravens,Sol Slane,9780000000132,Black Wing,2004,211
            Salt Paths,Nora Quill,9780000000149,Tidepress,2014,288

            """.utf8
        ).write(to: list)
        let file = bench.folder.appending(path: "catalog.sqlite")
        _ = try Catalog(path: file.path).importFiles([list.path])
        let lookup = BookLookup(catalog: CatalogSource(CatalogFile(file)), online: nil)
        _ = try await bench.library.importBooks(
            Array("title,author,isbn\n\(title),\(author),\(isbn)\n".utf8), name: "a.csv", enrich: lookup.enricher)
        let entry = try #require(try await bench.library.entries().entries.first)
        #expect(entry.title == title && entry.isbn == ISBN(isbn)?.isbn13)
        let edition = try await bench.library.entry(try #require(RowID(entry.id))).edition
        #expect(edition?.publisher == nil && edition?.year == nil && edition?.pages == nil)
        await bench.close()
    }

    @Test("Rows of a list are found, unknown, or not looked up where no source answers")
    func rowsOfList() async throws {
        let empty = try StubServer { _, _ in Recorded.openLibraryNothing }
        let broken = try StubServer { _, _ in .answer(500) }
        let found = try StubServer { _, _ in Recorded.openLibrary("Emma", "Jane Austen") }
        let csv = Array("title,author\nEmma,Jane Austen\n".utf8)

        let good = try Bench([.openLibrary: found], covers: found)
        let covers = Covers()
        var report = try await good.library.importBooks(
            csv, name: "a.csv", enrich: good.lookup().enricher, onCover: { _, url in await covers.add(url) })
        #expect((report.enriched, report.notFound) == (1, 0))
        #expect(await covers.urls.map { $0.lastPathComponent } == ["7-L.jpg"])
        #expect(try await good.library.entries().entries.first?.year == 1815)

        let unknown = try Bench([.openLibrary: empty, .googleBooks: broken])
        report = try await unknown.library.importBooks(csv, name: "a.csv", enrich: unknown.lookup().enricher)
        #expect((report.notFound, report.notAsked) == (1, 0))
        #expect(try await unknown.library.reviewCounts().total == 0, "the list is right")
        #expect(try await unknown.library.booksWithoutRecordOrCover().map(\.book.title) == ["Emma"])

        let down = try Bench([.googleBooks: broken])
        report = try await down.library.importBooks(csv, name: "a.csv", enrich: down.lookup().enricher)
        #expect((report.notFound, report.notAsked, report.added) == (0, 1, 1))
        for bench in [good, unknown, down] { await bench.close() }
    }

    private actor Covers {
        var urls: [URL] = []
        func add(_ url: URL) { urls.append(url) }
    }
}

@Suite("Completing books of the library", .endsHangs) struct LibraryEnrichmentTests {
    @Test("Incomplete books are looked up with their covers, and unknown ones are counted")
    func incompleteBooks() async throws {
        let picture = try Recorded.cover()
        let stub = try StubServer { _, request in
            if request.target.hasPrefix("/b/id/") { return .answer(200, body: picture) }
            return request.target.contains("Emma")
                ? Recorded.openLibrary("Emma", "Jane Austen") : Recorded.openLibraryNothing
        }
        let bench = try Bench([.openLibrary: stub], covers: stub)
        let emma = try await bench.library.add(
            BookDetails(title: "Emma", authors: [AuthorCredit(name: "Jane Austen")]))
        _ = try await bench.library.add(BookDetails(title: "My diary", authors: [AuthorCredit(name: "Me")]))
        let enrichment = LibraryEnrichment(
            lookup: bench.lookup(), library: bench.library,
            covers: CoverQueue(online: bench.online, library: bench.library))
        let report = try await enrichment.complete(try await bench.library.incompleteBooks())
        #expect((report.found, report.unknown, report.notAsked) == (1, 1, 0))
        let edition = try #require(try await bench.library.entry(emma.id).edition)
        #expect(edition.pages == 512)
        #expect(edition.cover != nil)
        #expect(try await bench.library.incompleteBooks().map(\.book.title) == ["My diary"])
        await bench.close()
    }
}
