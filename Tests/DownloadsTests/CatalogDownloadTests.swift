import Bibliography
import Catalog
import Downloads
import Fixtures
import Foundation
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("Downloading a catalog", .blocks)
struct CatalogDownloadTests {
    private static let dump = SmallDump(count: 1200)

    /// A folder, a server of dumps, and a download between them.
    private final class Bench {
        let folder: TemporaryFolder
        let stub: DumpStub
        let server: DumpServer
        let download: CatalogDownload
        let path: String
        let clock = ManualClock(skipsSleeps: true)

        init(_ dump: SmallDump = CatalogDownloadTests.dump) throws {
            folder = try TemporaryFolder()
            stub = try DumpStub(dump)
            server = DumpServer(
                url: stub.url, version: "test", contact: "tests@example.org",
                idleSeconds: Double(longestWait.components.seconds))
            path = folder.url.appending(path: "catalog.sqlite").path
            download = CatalogDownload(catalog: path, server: server, clock: clock)
        }

        /// Downloads everything that the filter keeps.
        @discardableResult
        func get(
            _ filter: EditionFilter = EditionFilter(), _ monitor: DownloadMonitor = DownloadMonitor()
        ) async throws -> ImportReport {
            try await download.run(try await download.plan(filter), monitor)
        }

        /// The failure of the first file of a download.
        func firstFailure() async throws -> String { try await get().files[0].failure ?? "" }

        var info: CatalogInfo { get throws { try Catalog(existingAt: path).info() } }

        /// The numbers of editions, works and authors.
        var counts: [Int] {
            get throws {
                let info = try info
                return [info.editions, info.works, info.authors]
            }
        }

        /// The names of the files in the folder, without SQLite's log.
        var files: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
                    .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
            }
        }

        func close() async { await server.close() }
    }

    private func withBench(_ dump: SmallDump = Self.dump, _ body: (Bench) async throws -> Void) async throws {
        let bench = try Bench(dump)
        do {
            try await body(bench)
            await bench.close()
        } catch {
            await bench.close()
            throw error
        }
    }

    @Test("A downloaded catalog has what an import of the files has, and only the catalog remains")
    func downloads() async throws {
        try await withBench { bench in
            let plan = try await bench.download.plan(EditionFilter())
            let size = bench.stub.change { $0.files.values.reduce(0) { $0 + $1.count } }
            #expect(plan.estimate.bytes == size)
            #expect(!plan.estimate.current && !plan.estimate.resumed && plan.estimate.fits)
            #expect(plan.estimate.diskBytes == size && plan.estimate.freeBytes > 0)
            let monitor = DownloadMonitor()
            let report = try await bench.download.run(plan, monitor)
            #expect(report.newEditions == 1200 && !report.hasFailures && !report.wasStopped)
            #expect(monitor.progress.bytes == size && monitor.progress.totalBytes == size)
            #expect(monitor.progress.stage == .indexing)
            #expect(try bench.counts == [1200, 1200, 100])
            #expect(try bench.info.isIndexed)
            let found = try Catalog(existingAt: bench.path).search("book 718 number19")
            #expect(found.first?.authors == ["Author Number19"])
            #expect(try bench.files == ["catalog.sqlite"])
            #expect(bench.stub.requests.allSatisfy { $0.headers["user-agent"] == "Shelflist/test (tests@example.org)" })
        }
    }

    @Test("A download that is cut continues at the byte where it was cut")
    func resumesAfterCuts() async throws {
        try await withBench { bench in
            bench.stub.change { $0.cuts = ["editions": [1000, 0, 8000], "authors": [7]] }
            let report = try await bench.get()
            #expect(!report.hasFailures)
            #expect(try bench.info.editions == 1200)
            let ranges = bench.stub.downloads(of: "editions").map { $0.headers["range"] }
            #expect(ranges == [nil, "bytes=1000-", "bytes=1000-", "bytes=9000-"])
            #expect(bench.stub.downloads(of: "editions").last?.headers["if-range"] == "\"first\"")
            #expect(bench.clock.sleeps.count == 4, "a pause before each retry")
        }
    }

    @Test("A server that ignores ranges sends everything again, and each byte is imported once")
    func withoutRanges() async throws {
        try await withBench { bench in
            bench.stub.change {
                $0.honorsRanges = false
                $0.answersHead = false
                $0.cuts = ["editions": [1000, 15_000], "works": [1]]
            }
            let report = try await bench.get()
            #expect(!report.hasFailures)
            #expect(report.files.allSatisfy { $0.skipped == 0 })
            #expect(try bench.counts == [1200, 1200, 100])
        }
    }

    @Test("A connection that is cut ten times without a byte ends the download, which can be resumed")
    func givesUp() async throws {
        try await withBench { bench in
            bench.stub.change { $0.cuts = ["works": [500] + Array(repeating: 0, count: 9)] }
            let failed = try await bench.get()
            #expect(failed.files[1].failure?.contains("The connection was lost repeatedly at byte 500") == true)
            #expect(!FileManager.default.fileExists(atPath: bench.path), "an incomplete catalog is not used")
            let plan = try await bench.download.plan(EditionFilter())
            #expect(plan.estimate.resumed)
            let resumed = try await bench.download.run(plan, DownloadMonitor())
            #expect(!resumed.hasFailures)
            #expect(bench.stub.downloads(of: "editions").count == 1, "complete files are not downloaded again")
            #expect(try bench.counts == [1200, 1200, 100])
        }
    }

    @Test("A server that asks for a pause gets one, and one that asks for an hour is not waited for")
    func retryAfter() async throws {
        try await withBench { bench in
            bench.stub.change { $0.failures = [(503, ["Retry-After": "77"]), (500, [:])] }
            let patient = try await bench.get()
            #expect(patient.hasFailures == false)
            #expect(bench.clock.sleeps.first.map { $0.rounded() } == 77)
            bench.stub.change {
                $0.etag = "\"second\""
                $0.failures = [(429, ["Retry-After": "3600"])]
            }
            let report = try await bench.get()
            #expect(report.files[0].failure?.contains("status 429") == true)
        }
    }

    @Test("A file that is replaced during the download is noticed, and the next download starts again")
    func changed() async throws {
        try await withBench { bench in
            bench.stub.change { $0.cuts = ["editions": [2000]] }
            let stub = bench.stub
            let newer = try SmallDump(count: 900, word: "Newer").compressed()
            bench.stub.change {
                $0.onCut = {
                    stub.change { behavior in
                        behavior.etag = "\"second\""
                        behavior.files = newer
                    }
                }
            }
            let report = try await bench.get()
            #expect(report.files[0].failure?.contains("was replaced on the server during the download") == true)
            #expect(!FileManager.default.fileExists(atPath: bench.path))
            let plan = try await bench.download.plan(EditionFilter())
            #expect(!plan.estimate.resumed)
            _ = try await bench.download.run(plan, DownloadMonitor())
            #expect(try bench.info.editions == 900)
            #expect(try Catalog(existingAt: bench.path).search("newer 899").isEmpty == false)
        }
    }

    @Test("Web pages, missing files, other data and foreign redirects are refused with the address")
    func refusals() async throws {
        try await withBench { bench in
            let plan = { try await bench.download.plan(EditionFilter()) }
            let url = bench.stub.url.appending(path: "ol_dump_editions_latest.txt.gz")
            bench.stub.change { $0.contentType = "text/html; charset=utf-8" }
            await #expect(throws: DownloadError.webPage(url: url)) { _ = try await plan() }
            bench.stub.change {
                $0.contentType = "application/octet-stream"
                $0.redirect = "https://dumps.example.com/"
            }
            await #expect(throws: DownloadError.foreignHost("dumps.example.com", from: url)) { _ = try await plan() }
            bench.stub.change { $0.redirect = "/data/" }
            await #expect(throws: DownloadError.redirectedTooOften(url: url)) { _ = try await plan() }
            bench.stub.change {
                $0.redirect = nil
                $0.files["editions"] = Array("<html>sign in here</html>".utf8)
            }
            let noGzip = try await bench.firstFailure()
            #expect(noGzip.contains("is not a gzip file"))
            bench.stub.change {
                $0.etag = "\"third\""
                $0.files["editions"] = try? SmallDump.gzip(Array("name;price\nshoe;3\n".utf8))
            }
            let noDump = try await bench.firstFailure()
            #expect(noDump.contains("neither an Open Library dump"))
            bench.stub.change { $0.files = [:] }
            await #expect(throws: DownloadError.status(404, url: url)) { _ = try await plan() }
            #expect(!FileManager.default.fileExists(atPath: bench.path))
        }
    }

    @Test("Redirects lead to Open Library, the Internet Archive or the configured host, by HTTPS or as configured")
    func redirects() async throws {
        try await withBench { bench in
            bench.stub.change { $0.redirect = "/archive/2026-10-31/" }
            let report = try await bench.get()
            #expect(report.newEditions == 1200)
            #expect(bench.stub.requests.contains { $0.target.hasPrefix("/archive/2026-10-31/ol_dump_editions") })
        }
        let origin = try #require(URL(string: "https://openlibrary.org/data/x.gz"))
        for (target, isAllowed) in [
            ("https://archive.org/download/a/x.gz", true), ("https://ia800.us.archive.org/1/x.gz", true),
            ("http://archive.org/x.gz", false), ("https://archive.org.example.com/x.gz", false),
            ("https://user@archive.org/x.gz", false), ("https://archive.org:8443/x.gz", false),
            ("https://openlibrary.org/other.gz", true), ("http://openlibrary.org/other.gz", false),
            ("file:///etc/passwd", false),
        ] {
            #expect(DownloadHosts.allow(try #require(URL(string: target)), from: origin) == isAllowed, "\(target)")
        }
    }

    @Test("A filter keeps editions by language and ISBN, with their works and authors only")
    func filters() async throws {
        try await withBench { bench in
            let english = try EditionFilter(languages: ["en"], needsISBN: false)
            try await bench.get(english)
            // English and unknown languages: every second edition, all with even numbers.
            #expect(try bench.counts == [600, 600, 50])
            #expect(try Catalog(existingAt: bench.path).search("book 1000").isEmpty == false)

            let german = try EditionFilter(languages: ["deu", "fra"], needsISBN: true)
            try await bench.get(german)
            #expect(try bench.info.editions == 300, "unknown languages with an ISBN; the others have odd numbers")
            #expect(try bench.download.current()?.filter == german)
        }
    }

    @Test("A filter and a cut give the same catalog as a filter without a cut")
    func filteredAfterStop() async throws {
        try await withBench(SmallDump(count: 4000)) { bench in
            let filter = try EditionFilter(languages: ["eng"], needsISBN: true)
            let stopped = DownloadMonitor()
            bench.stub.change {
                $0.cuts = ["works": [30_000]]
                $0.onCut = { stopped.stop() }
            }
            let first = try await bench.get(filter, stopped)
            #expect(first.wasStopped && !first.hasFailures)
            #expect(try bench.files == ["catalog.sqlite.download"])
            let second = try await bench.get(filter)
            #expect(!second.wasStopped && !second.hasFailures)
            #expect(try bench.counts == [2000, 2000, 50])
            #expect(bench.stub.downloads(of: "editions").count == 1)
        }
    }

    @Test("Languages are named by MARC or ISO codes; other words are refused")
    func languageCodes() throws {
        #expect(
            try EditionFilter(languages: ["deu", "FR", "ger", "eng"], needsISBN: false).languages == [
                "eng", "fre", "ger",
            ])
        for name in ["english", "xx", "", "e1"] {
            #expect(throws: UnknownLanguage.self) { _ = try EditionFilter(languages: [name], needsISBN: false) }
        }
    }

    @Test("The old catalog is searched until the new one is complete, and the user's own lists move along")
    func keepsOwnLists() async throws {
        try await withBench { bench in
            let list = bench.folder.url.appending(path: "own.csv")
            try Data("title,author\nMiddlemarch,George Eliot\n".utf8).write(to: list)
            _ = try Catalog(path: bench.path).importFiles([list.path])
            let file = CatalogFile(URL(filePath: bench.path))
            let old = try #require(try file.snapshot())
            let stopped = DownloadMonitor()
            bench.stub.change {
                $0.cuts = ["works": [3000]]
                $0.onCut = { stopped.stop() }
            }
            try await bench.get(EditionFilter(), stopped)
            #expect(try file.snapshot()?.version == old.version, "the catalog is the old one")
            try await bench.get()
            let new = try #require(try file.snapshot())
            #expect(new.version != old.version)
            for word in ["middlemarch", "718"] {
                #expect(try !new.search.candidates(forWords: [word], limit: 5).isEmpty, "\(word)")
            }
            #expect(
                try !old.search.candidates(forWords: ["middlemarch"], limit: 5).isEmpty, "a running search ends well")
            #expect(try bench.info.editions == 1201)
            #expect(try bench.info.files.contains { $0.path == list.path && $0.isComplete })

            // The replaced file takes imports like any catalog.
            let more = bench.folder.url.appending(path: "more.csv")
            try Data("title,author\nEmma,Jane Austen\n".utf8).write(to: more)
            #expect(try Catalog(existingAt: bench.path).importFiles([more.path]).newEditions == 1)
            #expect(try Catalog(existingAt: bench.path).search("emma austen").count == 1)
        }
    }

    @Test("A list that is imported while the download ends is not lost")
    func importDuringDownload() async throws {
        try await withBench { bench in
            let path = bench.path
            _ = try Catalog(path: path)
            let list = bench.folder.url.appending(path: "late.csv")
            try Data("title,author\nMiddlemarch,George Eliot\n".utf8).write(to: list)
            let partial = try Catalog(path: path + ".download")
            let copy = {
                try partial.importDumps(
                    [], keeping: EditionFilter(), previous: path, shouldStop: { false }, progress: { _ in })
            }
            _ = try copy()
            _ = try Catalog(existingAt: path).importFiles([list.path])
            #expect(try partial.replace(path) == false)
            #expect(try Catalog(existingAt: path).search("middlemarch").count == 1, "nothing was replaced")
            _ = try copy()
            #expect(try partial.replace(path))
            #expect(try Catalog(existingAt: path).search("middlemarch").count == 1)
        }
    }

    @Test("A catalog with the current dumps is up to date until the server has newer ones")
    func updates() async throws {
        try await withBench { bench in
            #expect(try bench.download.current() == nil)
            try await bench.get()
            let current = try #require(try bench.download.current())
            #expect(current.finishedAt == bench.clock.now)
            let same = try await bench.download.plan(current.filter)
            #expect(same.estimate.current)
            let other = try EditionFilter(languages: ["eng"], needsISBN: false)
            let filtered = try await bench.download.plan(other)
            #expect(filtered.estimate.current == false)
            let newer = try SmallDump(count: 1500).compressed()
            bench.stub.change {
                $0.etag = "\"second\""
                $0.files = newer
            }
            let plan = try await bench.download.plan(current.filter)
            #expect(!plan.estimate.current)
            _ = try await bench.download.run(plan, DownloadMonitor())
            #expect(try bench.info.editions == 1500)
        }
    }

    @Test("A second download into the same catalog is refused while the first one runs")
    func oneAtATime() async throws {
        try await withBench { bench in
            let plan = try await bench.download.plan(EditionFilter())
            let path = bench.path
            let second = Mutex<(any Error)?>(nil)
            let lockIsHeld: @Sendable () throws -> DownloadLock = {
                try DownloadLock(path + ".download.lock", catalog: path)
            }
            bench.stub.change {
                $0.cuts = ["works": [100]]
                $0.onCut = {
                    do {
                        try lockIsHeld().release()
                    } catch {
                        second.withLock { $0 = error }
                    }
                }
            }
            _ = try await bench.download.run(plan, DownloadMonitor())
            let refusal = second.withLock { $0 as? CatalogDownloadError }
            #expect(refusal == .running(catalog: path))
            try lockIsHeld().release()
        }
    }
}
