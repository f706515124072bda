package import Concurrency
import Foundation
import GRDB
import Imaging
package import Reading
package import ShelflistAPI

/// Accepts photos, reads a bounded number concurrently, and records progress in each job's event log.
///
/// Everything acknowledged to a caller is durable. After a crash, `start()` resumes: photos that were queued or being
/// read are read, and finished jobs keep their results and events.
package actor ScanJobs {
    package nonisolated let limits: JobLimits
    package nonisolated let files: JobFiles
    package nonisolated let reader: any ShelfReading
    let importer: (any JobImporting)?
    let enricher: (any BookEnriching)?
    let identifier: (any PhotoIdentifying)?
    package nonisolated let clock: SteadyClock
    /// Written by the functions of this file only, which notify the followers.
    let store: JobStore
    let onFailure: @Sendable (any Error) -> Void

    var runs: PhotoRuns
    var following = JobFollowers()
    var importRetries = ImportRetries()
    /// The photos that are being stored, with the uploads of the same numbers that wait.
    var arrivals: [PhotoKey: [CheckedContinuation<Void, Never>]] = [:]
    /// The tasks of the active photos.
    var tasks: [PhotoKey: Task<Void, Never>] = [:]
    var finishing: [String: Task<Void, Never>] = [:]
    /// The photos that wait until sources are asked about them.
    var questions: [Question] = []
    /// The tasks that ask about photos.
    var asking: [PhotoKey: Task<Void, Never>] = [:]
    /// The look-ups of books of finished jobs.
    var lookups: [String: Task<Void, Never>] = [:]
    private var isPreviewing = false
    /// Whether photos wait for `resume()`.
    var isHolding = false
    /// Identifiers of jobs that are being added or deleted, which no other request may use.
    var reserved: Set<String> = []
    package internal(set) var isStopping = false
    package internal(set) var statistics = JobStatistics()

    /// - Parameter onFailure: receives failures that no caller waits for; what failed is tried again by a later sweep.
    package init(
        store: JobStore, files: JobFiles, reader: any ShelfReading, importer: (any JobImporting)? = nil,
        enricher: (any BookEnriching)? = nil, identifier: (any PhotoIdentifying)? = nil,
        limits: JobLimits = JobLimits(), clock: SteadyClock = SteadyClock(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.store = store
        self.files = files
        self.reader = reader
        self.importer = importer
        self.enricher = enricher
        self.identifier = identifier
        self.limits = limits
        self.clock = clock
        self.onFailure = onFailure
        runs = PhotoRuns(maxConcurrent: limits.photosAtOnce)
    }

    /// Whether books are looked up once their photos are read.
    package nonisolated var looksUpBooks: Bool { enricher.map { !$0.isOff } ?? false }

    // MARK: Writing

    /// Runs `body` as one transaction on a job, then notifies the job's followers.
    ///
    /// - Returns: the value of `body`; nil where the job does not exist.
    @discardableResult
    func change<T: Sendable>(
        _ id: String, _ body: @escaping @Sendable (JobChange) throws -> T?
    ) async throws -> T? {
        let value = try await store.change(id, at: clock.now, body)
        following.announce(id, at: clock.uptime)
        return value
    }

    /// Adds a job and runs `body`, unless the client has sent the same key before.
    ///
    /// - Returns: the job, and whether it is new.
    func insert(
        _ job: ScanJob, key: String?, _ body: @escaping @Sendable (JobChange) throws -> Void
    ) async throws -> (job: ScanJob, isNew: Bool) {
        let inserted = try await store.insert(job, key: key, body: body)
        following.announce(inserted.job.id, at: clock.uptime)
        return inserted
    }

    func delete(_ id: String) async throws {
        // A new job with this identifier would lose its photos to `forget`.
        let isReserved = reserved.insert(id).inserted
        defer { if isReserved { reserved.remove(id) } }
        try await store.delete(id)
        following.announce(id, at: clock.uptime)
        try forget(id)
    }

    /// Deletes the files of a job, and what is known of its followers, imports and questions.
    func forget(_ id: String) throws {
        cancelQuestions(of: id)
        following.forget(id)
        importRetries.forget(id)
        try files.remove(job: id)
    }

    func clampFutureTimestamps() async throws { try await store.clampFutureTimestamps(to: clock.now) }

    /// Runs a step in the background that fails only where database or disk fail, and reports the failure.
    ///
    /// The job is unchanged then, and the next sweep runs the step again.
    ///
    /// - Returns: nil where the step failed.
    @discardableResult
    func retriedBySweep<T>(_ step: () async throws -> T?) async -> T? {
        do {
            return try await step()
        } catch {
            if !(error is CancellationError) { onFailure(error) }
            return nil
        }
    }

    // MARK: Reading

    nonisolated func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await store.read(body)
    }

    package func job(_ id: String) async throws -> ScanJob? {
        following.renewIfKnown(id, at: clock.now)
        return try await read { try $0.job(id) }
    }

    /// A page of jobs, newest first.
    ///
    /// - Parameter before: the number of the last job of the page before.
    package nonisolated func jobs(
        client: String?, active: Bool, before: Int?, limit: Int
    ) async throws -> (jobs: [(number: Int, job: ScanJob)], total: Int) {
        try await read { try $0.jobs(client: client, active: active, before: before, limit: limit) }
    }

    /// The events after the one numbered `after`, oldest first.
    package nonisolated func events(of id: String, after: Int, limit: Int = 500) async throws -> [JobEvent] {
        try await read { try $0.events(of: id, after: after, limit: limit) }
    }

    /// What was found so far; empty for an unknown job.
    package nonisolated func results(of id: String) async throws -> JobResults {
        try await read { try $0.results(of: id) }
    }

    /// The books found so far.
    package nonisolated func books(of id: String) async throws -> [ScanBook] {
        try await read { try $0.books(of: id) }
    }

    /// Nil for an unknown book.
    package nonisolated func book(_ book: String, of id: String) async throws -> ScanBook? {
        try await read { try $0.book(book, of: id) }
    }

    /// Reads the file, for health checks.
    package nonisolated func check() async throws { _ = try await read { try $0.jobCounts() } }

    package func counts() async throws -> JobCounts {
        let (byStatus, waiting, oldest) = try await read { try $0.jobCounts() }
        return JobCounts(
            byStatus: byStatus, photosWaiting: waiting, photosReading: runs.reading.count,
            queueAge: oldest.map { max(0, clock.now.timeIntervalSince($0)) } ?? 0)
    }

    /// Outlines the spines in a viewfinder's frame at once, without a job.
    ///
    /// Photos come first.
    ///
    /// - Throws: `JobError.busy` while photos or another frame are being read, `ImageError`.
    package func preview(_ frame: [UInt8]) async throws -> FrameOutline {
        guard runs.isIdle, !isPreviewing, !isStopping else { throw JobError.busy }
        isPreviewing = true
        defer { isPreviewing = false }
        return try await reader.preview(frame, limits: limits.frame)
    }
}

/// Counts for health and metrics.
package struct JobCounts: Sendable {
    package var byStatus: [JobStatus: Int]
    package var photosWaiting: Int
    package var photosReading: Int
    /// How long the longest waiting photo has waited, in seconds.
    package var queueAge: Double
}

/// Sums over all photos since the start of the process.
package struct JobStatistics: Sendable {
    package var photosRead = 0
    package var photosFailed = 0
    package var seconds = 0.0
    package var timings = StageTimings()

    mutating func add(_ result: ScannedPhoto) {
        photosRead += 1
        seconds += result.seconds
        timings.decode += result.timings.decode
        timings.detect += result.timings.detect
        timings.recognise += result.timings.recognise
        timings.group += result.timings.group
        timings.match += result.timings.match
    }
}
