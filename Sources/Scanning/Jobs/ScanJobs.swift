import Dispatch
import Foundation
import Imaging
package import ShelflistAPI

/// Scan jobs: takes photos in, reads a bounded number at a time, tells of it in each job's event log.
///
/// What a caller was told is on disk. After a crash or a restart, `start()` goes on where the last process stopped:
/// photos that were queued or being read are read, finished jobs keep results and events.
package actor ScanJobs {
    package nonisolated let limits: JobLimits
    package nonisolated let files: JobFiles
    let store: JobStore
    let reader: any PhotoReading
    let importer: (any PhotoImporting)?
    let enricher: (any BookEnriching)?
    let clock: JobClock
    /// Reading files and drawing pictures blocks its thread.

    var queue = FairQueue()
    /// The photos that are with the reader.
    var reading: Set<PhotoKey> = []
    /// The same, and those whose results are being kept.
    var running: [PhotoKey: Task<Void, Never>] = [:]
    var finishing: [String: Task<Void, Never>] = [:]
    private var arriving: Set<PhotoKey> = []
    var watchers: [String: [Int: JobWatcher]] = [:]
    var watcherNumber = 0
    private var isPreviewing = false
    /// When a job that is not watched now was last watched; the start of this process where it never was.
    var lastWatched: [String: Date] = [:]
    var importRetries: [String: ImportRetry] = [:]
    /// Photos of whose failed import the job's events have told.
    var toldOfImport: Set<PhotoKey> = []
    package internal(set) var isStopping = false
    package internal(set) var statistics = JobStatistics()

    package init(
        store: JobStore, files: JobFiles, reader: any PhotoReading, importer: (any PhotoImporting)? = nil,
        enricher: (any BookEnriching)? = nil, limits: JobLimits = JobLimits(), clock: JobClock = JobClock()
    ) {
        self.store = store
        self.files = files
        self.reader = reader
        self.importer = importer
        self.enricher = enricher
        self.limits = limits
        self.clock = clock
    }

    // MARK: Taking in

    /// Takes a new job in.
    ///
    /// When it returns, photos and job are on disk, and the job will be read whatever happens.
    ///
    /// - Parameters:
    ///   - id: the client's choice of a name for the job; taken where it is free.
    ///   - expected: how many photos the job will have in the end, where more are to come.
    ///   - key: the client's own name for this request; a second request with it gives the first one's job.
    /// - Returns: the job, and whether it is new.
    /// - Throws: `JobError`, `PhotoIntakeError`, errors of the database.
    package func accept(
        _ photos: [ReceivedPhoto], id: String? = nil, client: String, key: String? = nil,
        options: JobOptions = JobOptions(),
        expected: Int? = nil
    ) async throws -> (job: ScanJob, isNew: Bool) {
        var kept = false
        defer { if !kept { photos.forEach(files.discard) } }
        guard !isStopping else { throw JobError.stopping }
        if let key, let earlier = try await store.job(client: client, key: key) { return (earlier, false) }
        let expected = max(expected ?? photos.count, photos.count)
        guard (1...limits.photosPerJob).contains(expected) else {
            throw expected == 0 ? JobError.noPhotos : JobError.tooManyPhotos(limit: limits.photosPerJob)
        }
        guard try await store.inFlight(client: client) < limits.jobsInFlightPerClient else {
            throw JobError.tooManyJobs(limit: limits.jobsInFlightPerClient)
        }

        let time = clock.now
        var id = id ?? UUID().uuidString.lowercased()
        if try await store.job(id) != nil { id = UUID().uuidString.lowercased() }
        let job = ScanJob(
            id: id, client: client, status: .queued, options: options,
            photosExpected: expected,
            photos: (1...expected).map { JobPhoto(index: $0, status: .missing) }, books: 0, needsReview: 0,
            imported: false, lastEvent: 0, createdAt: time, updatedAt: time)
        for (index, photo) in photos.enumerated() { try files.take(photo, as: index + 1, of: job.id) }
        kept = true
        lastWatched[job.id] = time
        let stored: (job: ScanJob, isNew: Bool)
        do {
            stored = try await store.insert(job, key: key) { change in
                let received =
                    photos.isEmpty ? "Waiting for \(expected) photos." : Self.received(photos.count, of: expected)
                try change.emit(
                    .progress(.init(stage: .uploading, progress: 0.1, message: received)), at: time)
                for (index, photo) in photos.enumerated() { try change.receive(photo, as: index + 1, at: time) }
            }
        } catch {
            lastWatched[job.id] = nil
            try files.remove(job: job.id)
            throw error
        }
        guard stored.isNew else {
            // The same request came twice at once; the other was quicker.
            lastWatched[job.id] = nil
            try files.remove(job: job.id)
            return stored
        }
        for number in photos.indices { queue.append(PhotoKey(job: job.id, photo: number + 1), client: client) }
        pump()
        return stored
    }

    /// Takes in one more photo of a job that expects it.
    ///
    /// - Returns: the photo, and whether it is new: the same bytes under the same number are taken once.
    package func add(_ photo: ReceivedPhoto, as number: Int, to id: String) async throws -> (
        photo: JobPhoto, isNew: Bool
    ) {
        var kept = false
        defer { if !kept { files.discard(photo) } }
        guard !isStopping else { throw JobError.stopping }
        guard let job = try await store.job(id) else { throw JobError.notFound }
        guard let place = job.photos.first(where: { $0.index == number }) else {
            throw job.photosExpected < limits.photosPerJob && number <= limits.photosPerJob
                ? JobError.photoNotExpected(number, expected: job.photosExpected)
                : JobError.tooManyPhotos(limit: limits.photosPerJob)
        }
        guard place.status == .missing else {
            guard files.isSame(photo.file, files.photo(number, of: id)) else { throw JobError.photoExists(number) }
            return (place, false)
        }
        guard !job.isFinished else { throw JobError.closed }

        // Two uploads of the same number at once: the first has it. A file that a crash left behind is replaced.
        let key = PhotoKey(job: id, photo: number)
        guard arriving.insert(key).inserted else { throw JobError.photoExists(number) }
        defer { arriving.remove(key) }
        try files.take(photo, as: number, of: id)
        kept = true
        let time = clock.now
        let stored = try await store.change(id) { change -> JobPhoto? in
            guard try change.status(photo: number) == .missing else { return nil }
            try change.receive(photo, as: number, at: time)
            let job = try change.currentJob()
            let here = job.photos.filter { $0.status != .missing }.count
            try change.emit(
                .progress(
                    .init(
                        stage: job.stage, progress: job.progress,
                        message: Self.received(here, of: job.photosExpected), photo: number)), at: time)
            return job.photos.first { $0.index == number }
        }
        guard let stored, let stored else { throw JobError.closed }
        queue.append(key, client: job.client)
        announce(id)
        pump()
        return (stored, true)
    }

    /// No more photos will come.
    package func close(_ id: String) async throws -> ScanJob {
        let job = try await store.change(id) { change in
            if !change.job.isFinished { try change.close() }
            return try change.currentJob()
        }
        guard let job else { throw JobError.notFound }
        await finishIfRead(id)
        return try await store.job(id) ?? job
    }

    /// Reads a failed photo again.
    package func retry(photo number: Int, of id: String) async throws -> JobPhoto {
        let time = clock.now
        guard let job = try await store.job(id) else { throw JobError.notFound }
        guard let photo = job.photos.first(where: { $0.index == number }) else { throw JobError.notFound }
        guard photo.status == .failed || photo.status == .queued || photo.status == .reading else {
            throw JobError.notFailed(number)
        }
        let queued = try await store.change(id) { change -> JobPhoto? in
            guard try change.status(photo: number) == .failed else { return nil }
            try change.forgetAttempts(photo: number)
            try change.set(.running, at: time)
            try change.set(.queued, photo: number, at: time)
            return try change.currentJob().photos.first { $0.index == number }
        }
        guard let queued, let queued else { return photo }
        lastWatched[id] = time
        queue.append(PhotoKey(job: id, photo: number), client: job.client)
        announce(id)
        pump()
        return queued
    }

    private static func received(_ count: Int, of expected: Int) -> String {
        if expected == 1 { return "The photo has arrived." }
        return count == expected
            ? "All \(expected) photos have arrived." : "\(count) of \(expected) photos have arrived."
    }

    // MARK: Looking

    package func job(_ id: String) async throws -> ScanJob? {
        if watchers[id] == nil, lastWatched[id] != nil { lastWatched[id] = clock.now }
        return try await store.job(id)
    }

    /// A page of jobs, newest first.
    package nonisolated func jobs(
        client: String?, active: Bool, before: Int?, limit: Int
    ) async throws -> (jobs: [(number: Int, job: ScanJob)], total: Int) {
        try await store.jobs(client: client, active: active, before: before, limit: limit)
    }

    package nonisolated func events(of id: String, after: Int, limit: Int = 500) async throws -> [JobEvent] {
        try await store.events(of: id, after: after, limit: limit)
    }

    package nonisolated func results(of id: String) async throws -> JobResults { try await store.results(of: id) }

    package nonisolated func check() async throws { try await store.check() }

    package func counts() async throws -> JobCounts {
        let (byStatus, waiting, oldest) = try await store.counts()
        return JobCounts(
            byStatus: byStatus, photosWaiting: waiting, photosReading: reading.count,
            queueAge: oldest.map { max(0, clock.now.timeIntervalSince($0)) } ?? 0)
    }

    // MARK: Viewfinder

    /// Looks at a frame of a viewfinder at once, without a job; photos come first.
    ///
    /// - Throws: `JobError.busy` while photos or another frame are being read, `ImageError`.
    package func preview(_ frame: [UInt8]) async throws -> FrameOutline {
        guard running.isEmpty, queue.count == 0, !isPreviewing, !isStopping else { throw JobError.busy }
        isPreviewing = true
        defer { isPreviewing = false }
        return try await reader.outline(frame, limits: limits.frame)
    }

    // MARK: Cancelling

    /// Cancels what runs and deletes what was stored.
    ///
    /// Safe to repeat.
    ///
    /// - Parameter keepsResults: what was read so far stays until it expires.
    /// - Returns: what was read so far, where it is kept.
    @discardableResult
    package func cancel(_ id: String, keepsResults: Bool = false) async throws -> JobResults? {
        let time = clock.now
        queue.remove(job: id)
        if keepsResults {
            // What has been read is on its way to the disk.
            for (key, task) in running where key.job == id && !reading.contains(key) { await task.value }
        }
        let canceled = try await store.change(id) { change -> Bool in
            guard !change.job.isFinished else { return false }
            for photo in change.job.photos where !photo.status.isFinal {
                try change.set(.canceled, photo: photo.index, at: time)
            }
            try change.set(.canceled, at: time)
            try change.emit(.canceled, at: time)
            return true
        }
        for (key, task) in running where key.job == id { task.cancel() }
        finishing[id]?.cancel()
        guard let canceled else { return nil }
        announce(id)
        if keepsResults { return try await store.results(of: id) }
        // A job that was being watched stays as a shell until it expires, so that every watcher hears of its end.
        if canceled {
            try await store.forgetResults(of: id)
        } else {
            try await store.delete(id)
        }
        lastWatched[id] = nil
        try files.remove(job: id)
        return nil
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
}
