import Catalog
import Downloads
import Fixtures
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Downloading a catalog in the background", .blocks)
struct CatalogDownloadsTests {
    /// A folder, a server of dumps, and the downloads of one server after another.
    private final class Bench: Sendable {
        let folder: TemporaryFolder
        let stub: DumpStub
        let server: DumpServer
        let clock = ManualClock(skipsSleeps: true)
        let catalog: CatalogFile
        private let ended = Mutex<[CatalogDownloads.Outcome]>([])

        /// - Parameter disk: where the catalog is stored; nil for a temporary folder.
        init(_ dump: SmallDump, on disk: URL? = nil) throws {
            folder = try TemporaryFolder()
            stub = try DumpStub(dump)
            server = DumpServer(
                url: stub.url, version: "test", contact: nil, idleSeconds: Double(longestWait.components.seconds))
            catalog = CatalogFile((disk ?? folder.url).appending(path: "catalog.sqlite"))
        }

        func downloads(reserve: Int? = nil) -> CatalogDownloads {
            CatalogDownloads(catalog: catalog, server: server, clock: clock, reserve: reserve) { outcome in
                self.ended.withLock { $0.append(outcome) }
            }
        }

        var outcomes: [CatalogDownloads.Outcome] { ended.withLock { $0 } }
        var partialExists: Bool { FileManager.default.fileExists(atPath: catalog.path + ".download") }
        var editionDownloads: Int { stub.downloads(of: "editions").count }

        /// Makes the next download of works wait after 3,000 bytes.
        func holdWorks() -> Gate {
            let gate = Gate()
            stub.change {
                $0.cuts = ["works": [3000]]
                $0.onCut = { gate.hold() }
            }
            return gate
        }

        func publishNewDumps(_ count: Int) throws {
            let newer = try SmallDump(count: count).compressed()
            stub.change { behavior in
                behavior.etag = "\"\(count)\""
                behavior.files = newer
            }
        }
    }

    private func withBench(
        _ count: Int = 1200, on disk: URL? = nil, _ body: (Bench) async throws -> Void
    ) async throws {
        let bench = try Bench(SmallDump(count: count), on: disk)
        do {
            try await body(bench)
            await bench.server.close()
        } catch {
            await bench.server.close()
            throw error
        }
    }

    @Test("A download reports its progress and replaces the catalog")
    func downloads() async throws {
        try await withBench { bench in
            let downloads = bench.downloads()
            let before = try await downloads.status()
            #expect(before.info == nil && before.download == nil && before.checkedAt == nil && before.freeBytes > 0)
            let gate = bench.holdWorks()
            let filter = try EditionFilter(languages: ["eng"], needsISBN: true)
            let begun = bench.clock.now
            try await downloads.start(filter)
            await gate.waitForConnection()
            let during = try #require(try await downloads.status().download)
            #expect(during.state == .running && during.filter == filter && during.startedAt == begun)
            let progress = try #require(during.progress)
            #expect(progress.stage == .downloading && progress.bytes > 0 && progress.bytes < progress.totalBytes ?? 0)
            #expect(progress.fraction > 0 && progress.fraction < 1)
            gate.open()
            await downloads.waitUntilEnded()
            #expect(bench.outcomes == [.replaced(editions: 600)])
            let after = try await downloads.status()
            #expect(after.download == nil && after.problem == nil)
            #expect(after.info?.editions == 600 && after.info?.isIndexed == true)
            #expect(after.downloaded?.filter == filter)
            #expect(after.checkedAt == begun)

            try await downloads.update()
            await downloads.waitUntilEnded()
            #expect(bench.outcomes.last == .upToDate)
            #expect(bench.editionDownloads == 1)
        }
    }

    @Test("One download runs at a time, whichever program runs it")
    func oneAtATime() async throws {
        try await withBench { bench in
            let downloads = bench.downloads()
            let gate = bench.holdWorks()
            try await downloads.start(EditionFilter())
            await gate.waitForConnection()
            let running = CatalogDownloadError.running(catalog: bench.catalog.path)
            await #expect(throws: running) { try await downloads.start(EditionFilter()) }
            let other = bench.downloads()
            await #expect(throws: running) { try await other.start(EditionFilter()) }
            await #expect(throws: running) { try await other.cancel(keepsFiles: false) }
            #expect(try await other.status().download?.state == .elsewhere)
            gate.open()
            await downloads.waitUntilEnded()
            #expect(try await other.status().download == nil)
            #expect(bench.outcomes.count == 1)
        }
    }

    @Test("A cancelled download is kept and resumed by the next start, or deleted")
    func cancels() async throws {
        try await withBench { bench in
            let downloads = bench.downloads()
            let filter = try EditionFilter(languages: ["eng"], needsISBN: false)
            let gate = bench.holdWorks()
            try await downloads.start(filter)
            await gate.waitForConnection()
            try await downloads.cancel(keepsFiles: true)
            await downloads.waitUntilEnded()
            gate.open()
            let stopped = try #require(try await downloads.status().download)
            #expect(stopped.state == .stopped && stopped.filter == filter && stopped.failure == nil)
            #expect(stopped.unfinishedBytes ?? 0 > 0)
            await downloads.resume()
            #expect(try await downloads.status().download?.state == .stopped, "only the owner starts it again")

            let second = bench.holdWorks()
            try await downloads.start(filter)
            await second.waitForConnection()
            #expect(bench.editionDownloads == 1, "complete files are not downloaded again")
            try await downloads.cancel(keepsFiles: false)
            await downloads.waitUntilEnded()
            second.open()
            #expect(!bench.partialExists)
            #expect(try await downloads.status().download == nil)
            #expect(bench.outcomes == [.stopped, .stopped])
        }
    }

    @Test("An unfinished download is deleted without starting it")
    func discards() async throws {
        try await withBench { bench in
            let downloads = bench.downloads()
            let gate = bench.holdWorks()
            try await downloads.start(EditionFilter())
            await gate.waitForConnection()
            try await downloads.cancel(keepsFiles: true)
            await downloads.waitUntilEnded()
            gate.open()
            #expect(bench.partialExists)
            try await downloads.cancel(keepsFiles: false)
            #expect(!bench.partialExists)
            #expect(try await downloads.status().download == nil)
        }
    }

    @Test("A download that a stop of the server interrupted is resumed by the next server")
    func resumesAfterRestart() async throws {
        try await withBench { bench in
            let filter = try EditionFilter(languages: ["ger"], needsISBN: false)
            let gate = bench.holdWorks()
            let first = bench.downloads()
            try await first.start(filter)
            await gate.waitForConnection()
            await first.stop()
            gate.open()
            #expect(bench.partialExists)
            await #expect(throws: CatalogDownloadError.running(catalog: bench.catalog.path)) {
                try await first.start(filter)
            }
            let second = bench.downloads()
            #expect(try await second.status().download?.state == .waiting)
            await second.resume()
            await second.waitUntilEnded()
            #expect(bench.outcomes == [.stopped, .replaced(editions: 600)])
            #expect(bench.editionDownloads == 1)
            await second.resume()
            #expect(try await second.status().download == nil, "a complete download is not wanted again")
        }
    }

    @Test("A failure that may pass is tried again and reported until then")
    func transientFailure() async throws {
        try await withBench { bench in
            let downloads = bench.downloads()
            bench.stub.change { $0.cuts = ["works": [500] + Array(repeating: 0, count: 9)] }
            try await downloads.start(EditionFilter())
            await downloads.waitUntilEnded()
            let failed = try #require(try await downloads.status().download)
            #expect(failed.state == .waiting)
            #expect(failed.failure?.reason == .unreachable)
            #expect(failed.failure?.message.contains("The connection was lost repeatedly at byte 500") == true)
            #expect(failed.failure?.date == bench.clock.now)
            await downloads.resume()
            await downloads.waitUntilEnded()
            #expect(try await downloads.status().download == nil)
            #expect(bench.outcomes.last == .replaced(editions: 1200))
        }
    }

    @Test("A failure that needs the owner is kept across restarts until the next start")
    func permanentFailure() async throws {
        try await withBench { bench in
            bench.stub.change { $0.contentType = "text/html" }
            let first = bench.downloads()
            try await first.start(EditionFilter())
            await first.waitUntilEnded()
            let second = bench.downloads()
            await second.resume()
            let failed = try #require(try await second.status().download)
            #expect(failed.state == .stopped && failed.unfinishedBytes == nil && failed.filter == EditionFilter())
            #expect(failed.failure?.reason == .notADump)
            #expect(failed.failure?.message.contains("is a web page, not a dump") == true)
            bench.stub.change { $0.contentType = "application/gzip" }
            try await second.start(EditionFilter())
            #expect(try await second.status().download?.failure == nil)
            await second.waitUntilEnded()
            #expect(bench.outcomes.last == .replaced(editions: 1200))
        }
    }

    @Test(
        "A file that is not a dump and an answer of the server are different failures",
        arguments: [
            (503, DownloadFailure.Reason.refused), (403, .refused), (404, .notADump),
        ])
    func failureReasons(status: Int, reason: DownloadFailure.Reason) async throws {
        try await withBench(10) { bench in
            let downloads = bench.downloads()
            bench.stub.change { $0.failures = Array(repeating: (status, [:]), count: 10) }
            try await downloads.start(EditionFilter())
            await downloads.waitUntilEnded()
            #expect(try await downloads.status().download?.failure?.reason == reason)
        }
    }

    @Test("A download that does not fit is refused, and one that fills the disk stops before it is full")
    func fullDisk() async throws {
        try await withBench { bench in
            let enormous = 1 << 60
            let downloads = bench.downloads(reserve: enormous)
            try await downloads.start(EditionFilter())
            await downloads.waitUntilEnded()
            let refused = try #require(try await downloads.status().download)
            #expect(refused.state == .stopped && refused.failure?.reason == .diskFull)
            #expect(refused.failure?.message.contains("0 MB are free") == true)
            #expect(bench.editionDownloads == 0)

            // A filter makes the estimate an upper bound, so the download starts.
            let filter = try EditionFilter(languages: ["eng"], needsISBN: false)
            try await downloads.start(filter)
            await downloads.waitUntilEnded()
            let full = try #require(try await downloads.status().download)
            #expect(full.state == .stopped && full.failure?.reason == .diskFull)
            #expect(full.failure?.message.contains("start the download again; it resumes") == true)
            let later = bench.downloads()
            try await later.start(filter)
            await later.waitUntilEnded()
            #expect(bench.outcomes.last == .replaced(editions: 600))
        }
    }

    @Test(
        "A disk that another program fills stops the download, which is resumed when there is space",
        .enabled(if: SmallDisk.isPermitted, "mounting a tmpfs takes root on Linux"))
    func filledDisk() async throws {
        let disk = try SmallDisk(megabytes: 32)
        try await withBench(5000, on: disk.folder) { bench in
            try disk.fill(butFor: 1_000_000)
            let downloads = bench.downloads(reserve: 0)
            let filter = try EditionFilter(languages: ["eng", "ger", "fre"], needsISBN: false)
            try await downloads.start(filter)
            await downloads.waitUntilEnded()
            let full = try #require(try await downloads.status().download)
            #expect(full.state == .stopped && full.failure?.reason == .diskFull, "\(full)")
            try disk.empty()
            try await downloads.start(filter)
            await downloads.waitUntilEnded()
            #expect(bench.outcomes.last == .replaced(editions: 5000))
        }
    }

    @Test("A downloaded catalog is updated once it is a month old, with its filter")
    func updatesMonthly() async throws {
        try await withBench { bench in
            let downloads = bench.downloads()
            try await downloads.updateIfDue()
            await #expect(throws: CatalogDownloadError.notDownloaded(catalog: bench.catalog.path)) {
                try await downloads.update()
            }
            #expect(bench.stub.requests.isEmpty, "nothing is asked without a downloaded catalog")
            try await downloads.start(EditionFilter(languages: ["eng"], needsISBN: false))
            await downloads.waitUntilEnded()
            try bench.publishNewDumps(1500)
            bench.clock.advance(by: 29 * 86_400)
            try await downloads.updateIfDue()
            await downloads.waitUntilEnded()
            #expect(bench.outcomes.count == 1)
            bench.clock.advance(by: 86_400)
            try await downloads.updateIfDue()
            await downloads.waitUntilEnded()
            #expect(bench.outcomes.last == .replaced(editions: 750))
            #expect(bench.outcomes.count == 2)

            // Without newer dumps the server is asked once a day.
            bench.clock.advance(by: 30 * 86_400)
            for _ in 0..<2 {
                try await downloads.updateIfDue()
                await downloads.waitUntilEnded()
            }
            #expect(bench.outcomes.count == 3 && bench.outcomes.last == .upToDate)
            bench.clock.advance(by: 86_400)
            let gate = bench.holdWorks()
            try bench.publishNewDumps(1600)
            try await downloads.updateIfDue()
            await gate.waitForConnection()
            try await downloads.cancel(keepsFiles: true)
            await downloads.waitUntilEnded()
            gate.open()
            bench.clock.advance(by: 29 * 86_400)
            try await bench.downloads().updateIfDue()
            #expect(bench.outcomes.last == .stopped, "a cancelled update is not repeated within the month")
        }
    }
}
