package import Catalog
package import Concurrency
import Foundation
package import ShelflistAPI

/// Downloads the catalog of a server in the background: one download at a time, which is resumed when the server
/// starts again.
package actor CatalogDownloads {
    package enum Outcome: Equatable, Sendable {
        case replaced(editions: Int)
        /// The catalog has the same dumps already.
        case upToDate
        case stopped
        case failed(DownloadFailure)
    }

    private struct Run {
        let filter: EditionFilter
        let startedAt: Date
        let monitor = DownloadMonitor()
        var task: Task<Void, Never>?
        /// Whether the files are deleted when it ends.
        var isDiscarded = false
    }

    private let download: CatalogDownload
    private let catalog: CatalogFile
    private let clock: any WallClock
    private let onEnd: @Sendable (Outcome) -> Void
    private let file: String
    private var stored: StoredDownload
    private var running: Run?
    private var isStopping = false

    /// The age at which a catalog is updated, in seconds: dumps are published monthly.
    private static let updateAge = 30 * 86_400.0
    /// The pause after an attempt to update, in seconds.
    private static let updatePause = 86_400.0

    /// - Parameters:
    ///   - onEnd: receives how each download ended.
    ///   - reserve: see `CatalogDownload`.
    package init(
        catalog: CatalogFile, server: DumpServer, clock: any WallClock = SystemClock(), reserve: Int? = nil,
        onEnd: @escaping @Sendable (Outcome) -> Void = { _ in }
    ) {
        (self.catalog, self.clock, self.onEnd) = (catalog, clock, onEnd)
        download = CatalogDownload(catalog: catalog.path, server: server, clock: clock, reserve: reserve)
        file = catalog.path + ".download.json"
        stored = StoredDownload(readingFrom: file)
    }

    // MARK: - What the owner does

    /// Asks the server of the dumps for sizes, without a download.
    ///
    /// - Throws: `DownloadError`, `CatalogError`, errors of the disk.
    package nonisolated func estimate(_ filter: EditionFilter) async throws -> DownloadEstimate {
        try await download.plan(filter).estimate
    }

    /// Starts a download, or resumes an earlier one of the same dumps with the same filter.
    ///
    /// - Throws: `CatalogDownloadError.running`, `.storage`, `.diskFull`.
    package func start(_ filter: EditionFilter) throws {
        guard !isStopping, running == nil, !download.isRunning else {
            throw CatalogDownloadError.running(catalog: download.path)
        }
        try change { stored in
            (stored.filter, stored.isWanted, stored.failure) = (filter, true, nil)
        }
        begin(filter)
    }

    /// Starts a download of what the current catalog was downloaded from, if there are newer dumps.
    ///
    /// - Throws: `CatalogDownloadError.notDownloaded`, `CatalogError`, and the errors of `start`.
    package func update() async throws {
        let download = download
        guard let current = try await BlockingExecutor.background.run({ try download.current() }) else {
            throw CatalogDownloadError.notDownloaded(catalog: download.path)
        }
        try start(current.filter)
    }

    /// Stops a download, or a failed one from being tried again.
    ///
    /// Returns before it has ended.
    ///
    /// - Parameter keepsFiles: whether what was imported is kept, so that the next start resumes it.
    /// - Throws: `CatalogDownloadError.storage`, `.diskFull`; without a running download also `.running` if another program is
    ///   downloading, and errors of the disk.
    package func cancel(keepsFiles: Bool) async throws {
        try change { stored in
            stored.isWanted = false
            stored.nextUpdate = clock.now.addingTimeInterval(Self.updateAge)
            if !keepsFiles { (stored.filter, stored.failure) = (nil, nil) }
        }
        if let running {
            self.running?.isDiscarded = !keepsFiles
            running.monitor.stop()
            running.task?.cancel()
        } else if !keepsFiles {
            let download = download
            try await BlockingExecutor.background.run { try download.discard() }
        }
    }

    // MARK: - What the server does

    /// Resumes the download that a stop of the server or a transient failure interrupted.
    package func resume() {
        guard stored.isWanted, let filter = stored.filter, running == nil, !isStopping, !download.isRunning else {
            return
        }
        begin(filter)
    }

    /// Updates a downloaded catalog that is a month old.
    ///
    /// - Throws: `CatalogError`, and the errors of `start`.
    package func updateIfDue() async throws {
        let download = download
        guard running == nil, !stored.isWanted, stored.nextUpdate.map({ $0 <= clock.now }) ?? true,
            let current = try await BlockingExecutor.background.run({ try download.current() }),
            let finishedAt = current.finishedAt,
            finishedAt.addingTimeInterval(Self.updateAge) <= clock.now, !download.isRunning
        else { return }
        try start(current.filter)
    }

    /// Stops a running download and returns once it has ended; the next server resumes it.
    package func stop() async {
        isStopping = true
        running?.monitor.stop()
        running?.task?.cancel()
        await waitUntilEnded()
    }

    package func waitUntilEnded() async { await running?.task?.value }

    // MARK: - State

    /// Returns the contents of the catalog and the state of the download.
    ///
    /// - Throws: errors of the disk.
    package func status() async throws -> CatalogStatus {
        let (download, catalog) = (download, catalog)
        let isRunningHere = running != nil
        var (status, isElsewhere, unfinished) = try await BlockingExecutor.background.run {
            var status = CatalogStatus(freeBytes: try download.freeBytes())
            do {
                status.info = try catalog.catalog()?.info()
                status.downloaded = try catalog.catalog().flatMap { try DownloadedDumps(of: $0) }
            } catch {
                status.problem = "\(error)"
            }
            let isElsewhere = !isRunningHere && download.isRunning
            return (status, isElsewhere, isRunningHere || isElsewhere ? nil : download.unfinished())
        }
        // It began or ended in the meantime.
        guard isRunningHere == (running != nil) else { return try await self.status() }
        status.checkedAt = stored.checkedAt
        if let running {
            status.download = .init(
                state: running.monitor.isStopped ? .stopping : .running, filter: running.filter,
                startedAt: running.startedAt, progress: running.monitor.progress)
        } else if isElsewhere {
            status.download = .init(state: .elsewhere)
        } else if unfinished != nil || stored.failure != nil {
            status.download = .init(
                state: stored.isWanted ? .waiting : .stopped, filter: stored.filter ?? unfinished?.dumps?.filter,
                unfinishedBytes: unfinished?.size, failure: stored.failure)
        }
        return status
    }

    /// Changes what is stored, as the owner requested.
    ///
    /// - Throws: `CatalogDownloadError.storage`, `.diskFull`, without any change.
    private func change(_ body: (inout StoredDownload) -> Void) throws {
        var new = stored
        body(&new)
        guard new != stored else { return }
        try new.write(to: file)
        stored = new
    }

    /// Changes what is stored, as a download ended: also on a full disk, where only this server knows about it.
    private func record(_ body: (inout StoredDownload) -> Void) {
        body(&stored)
        try? stored.write(to: file)
    }

    // MARK: - One download

    private func begin(_ filter: EditionFilter) {
        let run = Run(filter: filter, startedAt: clock.now)
        running = run
        running?.task = Task { await perform(run) }
    }

    private func perform(_ run: Run) async {
        let outcome = await outcome(of: run)
        if running?.isDiscarded == true {
            let download = download
            await BlockingExecutor.background.run {
                // The owner can delete what is left again; another program may have begun a download.
                try? download.discard()
            }
        }
        running = nil
        record { stored in
            switch outcome {
            case .replaced, .upToDate: (stored.filter, stored.isWanted, stored.failure) = (nil, false, nil)
            case .stopped: break
            case .failed(let failure):
                stored.isWanted = stored.isWanted && failure.isTransient
                // The message would only repeat the state.
                stored.failure = failure.reason == .running ? nil : failure
            }
        }
        onEnd(outcome)
    }

    private func outcome(of run: Run) async -> Outcome {
        do {
            record { stored in
                stored.failure = nil
                stored.nextUpdate = clock.now.addingTimeInterval(Self.updatePause)
            }
            let plan = try await download.plan(run.filter)
            record { $0.checkedAt = clock.now }
            let estimate = plan.estimate
            if estimate.current { return .upToDate }
            if !estimate.fits, !estimate.atMost, let needed = estimate.diskBytes {
                throw CatalogDownloadError.doesNotFit(
                    catalog: download.path, neededBytes: needed, freeBytes: estimate.freeBytes)
            }
            let report = try await download.run(plan, run.monitor)
            if let failure = report.files.lazy.compactMap(\.failure).first {
                return .failed(
                    DownloadFailure(
                        reason: run.monitor.failure.map { DownloadFailure.reason($0) } ?? .damaged, message: failure,
                        date: clock.now))
            }
            if report.wasStopped { return .stopped }
            let catalog = catalog
            return .replaced(
                editions: try await BlockingExecutor.background.run { try catalog.catalog()?.info().editions ?? 0 })
        } catch is CancellationError {
            return .stopped
        } catch {
            return run.monitor.isStopped ? .stopped : .failed(DownloadFailure(error, at: clock.now))
        }
    }
}
