import Bounds
package import Catalog
package import Concurrency
import Foundation
package import ShelflistAPI

/// Downloads the dumps of Open Library into a new catalog beside the current one, and replaces it when it is complete.
package struct CatalogDownload: Sendable {
    package let path: String
    private let server: DumpServer
    private let clock: any WallClock
    private let reserve: Int

    /// A download is stopped when less than this many bytes are free, so that other programs can still write.
    private static let reserve = 500_000_000

    /// The most bytes of disk for each compressed byte of the dumps.
    ///
    /// Made-up dumps (`make_dump.py`) of 0.3, 1 and 3 million editions took 200, 180 and 175 bytes for each edition, and
    /// 428, 255 and 209 while they were imported. They have 77 to 80 compressed bytes for each edition, a factor of 2.3
    /// to 2.5, but only fields that are imported. Open Library's dumps have 304 (8.1 GB with 26.7 million editions in
    /// May 2020). With the titles and publishers of real books, which take about 50 bytes more, the factor is 0.85.
    static let expansion = 1.0

    package struct Plan: Sendable {
        package var dumps: DownloadedDumps
        package var estimate: DownloadEstimate
    }

    /// A download that was stopped before the catalog was complete.
    package struct Unfinished: Sendable {
        /// Nil if they cannot be read, for example on a full disk.
        package var dumps: DownloadedDumps?
        /// Bytes on disk.
        package var size: Int
    }

    /// - Parameter reserve: the bytes that stay free; tests pass another number.
    package init(
        catalog path: String, server: DumpServer, clock: any WallClock = SystemClock(), reserve: Int? = nil
    ) {
        (self.path, self.server, self.clock, self.reserve) = (path, server, clock, reserve ?? Self.reserve)
    }

    /// The new catalog, until it is complete.
    private var partial: String { path + ".download" }
    private var lockFile: String { partial + ".lock" }

    /// Whether a process is downloading into this catalog.
    package var isRunning: Bool { DownloadLock.isHeld(lockFile) }

    /// Returns what an earlier download left on disk, to be resumed; nil if there is nothing.
    package func unfinished() -> Unfinished? {
        let size = Catalog.size(at: partial)
        guard size > 0 else { return nil }
        return Unfinished(dumps: try? Self.dumps(inPartial: partial), size: size)
    }

    /// Deletes what an earlier download left on disk.
    ///
    /// - Throws: `CatalogDownloadError.running`, errors of the disk.
    package func discard() throws {
        let lock = try DownloadLock(lockFile, catalog: path)
        defer { lock.release() }
        try removePartial()
    }

    /// The free bytes on the catalog's disk.
    ///
    /// - Throws: errors of the disk.
    package func freeBytes() throws -> Int {
        let folder = URL(filePath: path).absoluteURL.deletingLastPathComponent()
        let free = try FileManager.default.attributesOfFileSystem(forPath: folder.path)[.systemFreeSize]
        return (free as? NSNumber)?.intValue ?? 0
    }

    /// Returns the dumps that the current catalog was downloaded from; nil if it was not downloaded.
    ///
    /// - Throws: `CatalogError`, `DatabaseError`.
    package func current() throws -> DownloadedDumps? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let catalog = try Catalog(existingAt: path)
        return try DownloadedDumps(of: catalog)
    }

    /// Asks the server for the current dumps and estimates sizes.
    ///
    /// - Throws: `DownloadError`, `CatalogError`, `CancellationError`, errors of the disk.
    package func plan(_ filter: EditionFilter) async throws -> Plan {
        let dumps = DownloadedDumps(filter: filter, files: try await server.files())
        let sizes = dumps.files.map(\.size)
        let bytes = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
        return try await BlockingExecutor.background.run {
            let begun = unfinished()
            let estimate = DownloadEstimate(
                dumps: dumps.date, bytes: bytes,
                diskBytes: bytes.map { max(0, Int(saturating: Double($0) * Self.expansion)) },
                atMost: !filter.keepsEverything,
                // The space of an earlier download is used again, whether it is resumed or deleted.
                freeBytes: max(0, try freeBytes() - reserve) + (begun?.size ?? 0),
                current: try current()?.isSame(as: dumps) ?? false,
                resumed: begun?.dumps?.isSame(as: dumps) ?? false)
            return Plan(dumps: dumps, estimate: estimate)
        }
    }

    /// Downloads and imports the dumps of a plan, and replaces the catalog.
    ///
    /// Stops when the monitor is stopped; the next call with the same dumps resumes.
    ///
    /// - Returns: the report; the catalog was replaced if nothing failed and nothing was stopped.
    /// - Throws: `CatalogDownloadError.running`, `.diskFull`; `CatalogError`, `ImportFailure`, `DatabaseError`.
    package func run(_ plan: Plan, _ monitor: DownloadMonitor) async throws -> ImportReport {
        monitor.begin(totalBytes: plan.estimate.bytes)
        return try await BlockingExecutor.lengthy.run {
            let lock = try DownloadLock(lockFile, catalog: path)
            defer { lock.release() }
            do {
                return try importDumps(plan, monitor)
            } catch CatalogError.diskFull {
                throw CatalogDownloadError.diskFull(catalog: path, reserve: 0)
            } catch ImportFailure.damagedCatalog {
                // A power failure damaged the partial catalog.
                try removePartial()
                return try importDumps(plan, monitor)
            }
        }
    }

    private func importDumps(_ plan: Plan, _ monitor: DownloadMonitor) throws -> ImportReport {
        if try Self.dumps(inPartial: partial)?.isSame(as: plan.dumps) != true { try removePartial() }
        let catalog = try Catalog(path: partial)
        var dumps = plan.dumps
        try dumps.store(in: catalog)
        let disk = DiskWatch(reserve: reserve, freeBytes: freeBytes)
        repeat {
            let report = try catalog.importDumps(
                dumpFiles(dumps.files, monitor), keeping: dumps.filter,
                previous: FileManager.default.fileExists(atPath: path) ? path : nil,
                shouldStop: { monitor.isStopped || disk.isFull }, progress: monitor.imported)
            if report.wasStopped || report.hasFailures {
                try catalog.close()
                if report.wasStopped, !monitor.isStopped {
                    throw CatalogDownloadError.diskFull(catalog: path, reserve: reserve)
                }
                return report
            }
            dumps.finishedAt = clock.now
            try dumps.store(in: catalog)
            // Otherwise something was imported into the current catalog after its lists were copied.
            if try catalog.replace(path) { return report }
        } while true
    }

    private func dumpFiles(_ files: [RemoteFile], _ monitor: DownloadMonitor) -> [ImportFile] {
        var before = 0
        return files.map { file in
            let start = before
            before += file.size ?? 0
            return ImportFile(
                dump: file.name, size: file.size ?? 0,
                version: "\(file.name) \(file.size ?? 0) \(file.etag ?? file.lastModified ?? "")"
            ) {
                DownloadBytes(file, before: start, server, clock, monitor)
            }
        }
    }

    /// Returns the dumps of a partial download; nil if there is none that can be continued.
    private static func dumps(inPartial path: String) throws -> DownloadedDumps? {
        do {
            let catalog = try Catalog(existingAt: path)
            let dumps = try DownloadedDumps(of: catalog)
            // An open connection would keep the log when the file is moved.
            try catalog.close()
            return dumps
        } catch is CatalogError {
            return nil
        } catch is DecodingError {
            return nil
        }
    }

    private func removePartial() throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: partial + suffix) {
            try FileManager.default.removeItem(atPath: partial + suffix)
        }
    }
}

/// The compressed bytes of one download; ends the download when it is released.
private final class DownloadBytes: ByteSource {
    private let pipe = BytePipe()
    private let monitor: DownloadMonitor
    private let task: Task<Void, Never>
    private(set) var filePosition = 0

    init(_ file: RemoteFile, before: Int, _ server: DumpServer, _ clock: any WallClock, _ monitor: DownloadMonitor) {
        self.monitor = monitor
        monitor.begin(file, before: before, pipe)
        let download = FileDownload(
            file, transport: server.transport, userAgent: server.userAgent, clock: clock,
            onRetry: monitor.interrupted)
        task = Task { [pipe] in await download.run(into: pipe) }
    }

    deinit {
        pipe.finish(CancellationError())
        task.cancel()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count: Int
        do {
            count = try pipe.read(into: buffer)
        } catch {
            if let error = error as? DownloadError { monitor.failed(error) }
            throw error
        }
        filePosition += count
        monitor.received(count, position: filePosition)
        return count
    }
}
