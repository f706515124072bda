import Bounds
import Concurrency
import Foundation
import Library
package import ShelflistAPI
import Synchronization

/// Adds jobs and their photos, and deletes jobs.
///
/// The folder of a job and the file of a photo belong to one request at a time.
package actor JobIntake {
    private var log: JobLog { work.log }
    private var files: JobFiles { work.files }
    private var limits: JobLimits { work.limits }
    private let runner: JobRunner
    private let work: JobWork

    /// What belongs to one request at a time.
    private enum Part: Hashable {
        case job(String)
        case photo(PhotoKey)
    }

    /// The parts that requests have, each with the requests that wait for it.
    private var taken: [Part: [CheckedContinuation<Void, Never>]] = [:]

    init(_ work: JobWork, runner: JobRunner) { (self.work, self.runner) = (work, runner) }

    /// Accepts a new job.
    ///
    /// When it returns, photos and job are on disk, and the job will be read even after a crash.
    ///
    /// - Parameters:
    ///   - id: the client's choice of an identifier; used where it is free.
    ///   - key: the client's name for this request; a second request with it returns the first one's job.
    ///   - expected: how many photos the job will have, where more are to come.
    /// - Returns: the job, and whether it is new.
    /// - Throws: `JobError`, `PhotoIntakeError`, errors of the database.
    package func accept(
        _ photos: [ReceivedPhoto], id: String? = nil, client: String, key: String? = nil,
        options: JobOptions = JobOptions(), expected: Int? = nil
    ) async throws -> (job: ScanJob, isNew: Bool) {
        var kept = false
        defer { if !kept { photos.forEach(files.discard) } }
        guard await !runner.isStopping else { throw JobError.stopping }
        if let key, let earlier = try await log.read({ try $0.job(client: client, key: key) }) {
            return (earlier, false)
        }
        let expected = max(expected ?? photos.count, photos.count)
        guard expected >= 1, expected <= limits.photosPerJob else {
            throw expected == 0
                ? JobError.noPhotos(limit: limits.photosPerJob) : JobError.tooManyPhotos(limit: limits.photosPerJob)
        }
        guard try await log.read({ try $0.jobsInFlight(client: client) }) < limits.jobsInFlightPerClient else {
            throw JobError.tooManyJobs(limit: limits.jobsInFlightPerClient)
        }

        let time = log.clock.now
        let free = try await reserve(id)
        defer { release(.job(free)) }
        let job = ScanJob(
            id: free, client: client, status: .queued, options: options,
            photosExpected: expected,
            photos: Range(from: 1, upTo: expected + 1).map { JobPhoto(index: $0, status: .missing) }, books: 0,
            needsReview: 0,
            imported: false, lastEvent: 0, createdAt: time, updatedAt: time)
        log.following.withLock { $0.renew(job.id, at: time) }
        let stored: (job: ScanJob, isNew: Bool)
        do {
            for (index, photo) in photos.enumerated() { try await files.take(photo, as: index + 1, of: job.id) }
            kept = true
            let limit = limits.jobsInFlightPerClient
            stored = try await log.insert(job, key: key) { change in
                // Requests at once may all have passed the check above; this job counts now.
                guard try change.db.jobsInFlight(client: client) <= limit else {
                    throw JobError.tooManyJobs(limit: limit)
                }
                if options.purpose == nil { try change.db.record(.scanStarted(change.id, photos: expected)) }
                let received =
                    photos.isEmpty ? "Waiting for \(expected) photos." : Self.received(photos.count, of: expected)
                try change.emit(.progress(.init(stage: .uploading, progress: 0.1, message: received)))
                for (index, photo) in photos.enumerated() { try change.receive(photo, as: index + 1) }
            }
        } catch {
            // The first failure is the reason; files that remain are deleted at the next start.
            do { try await forget(job.id) } catch {}
            throw error
        }
        guard stored.isNew else {
            // The same request arrived twice at once, and the other was stored first.
            try await forget(job.id)
            return stored
        }
        await runner.enqueue(photos.indices.map { PhotoKey(job: job.id, photo: $0 + 1) }, client: client)
        return stored
    }

    /// Reserves the identifier of a new job, so that its folder belongs to one request.
    ///
    /// - Parameter wanted: used unless a job has it, or another request is about to use it.
    private func reserve(_ wanted: String?) async throws -> String {
        if let wanted, taken[.job(wanted)] == nil {
            await take(.job(wanted))
            do {
                if try await !log.read({ try $0.hasJob(wanted) }) { return wanted }
            } catch {
                release(.job(wanted))
                throw error
            }
            release(.job(wanted))
        }
        let random = UUID().uuidString.lowercased()
        await take(.job(random))
        return random
    }

    /// Waits until no other request has a part.
    private func take(_ part: Part) async {
        guard taken[part] != nil else { return taken[part] = [] }
        await withCheckedContinuation { taken[part]?.append($0) }
    }

    /// Gives a part to the request that has waited longest.
    private func release(_ part: Part) {
        guard taken[part]?.isEmpty == false else { return taken[part] = nil }
        taken[part]?.removeFirst().resume()
    }

    // MARK: Photos

    /// Adds a photo to a job that expects it.
    ///
    /// - Returns: the photo, and whether it is new: the same bytes under the same number are stored once.
    /// - Throws: `JobError`, `PhotoIntakeError`, errors of the database.
    package func add(_ photo: ReceivedPhoto, as number: Int, to id: String) async throws -> (
        photo: JobPhoto, isNew: Bool
    ) {
        var kept = false
        defer { if !kept { files.discard(photo) } }
        // A client that lost the connection sends a photo again while the first upload is being stored.
        let key = PhotoKey(job: id, photo: number)
        await take(.photo(key))
        defer { release(.photo(key)) }
        guard await !runner.isStopping else { throw JobError.stopping }
        guard let job = try await log.read({ try $0.job(id) }) else { throw JobError.notFound }
        guard let place = job.photo(number) else {
            throw job.photosExpected < limits.photosPerJob && number <= limits.photosPerJob
                ? JobError.photoNotExpected(number, expected: job.photosExpected)
                : JobError.tooManyPhotos(limit: limits.photosPerJob)
        }
        guard place.status == .missing else {
            guard try await log.read({ try $0.fingerprint(of: key) }) == photo.sha256 else {
                throw JobError.photoExists(number)
            }
            return (place, false)
        }
        guard !job.isFinished else { throw JobError.closed }

        // A file left by a crash is replaced.
        try await files.take(photo, as: number, of: id)
        kept = true
        let stored = try await log.change(id) { change -> JobPhoto? in
            guard try change.status(photo: number) == .missing else { return nil }
            try change.receive(photo, as: number)
            let job = try change.currentJob()
            let arrived = job.photos.count { $0.status != .missing }
            try change.emit(
                .progress(
                    .init(
                        stage: job.stage, progress: job.progress,
                        message: Self.received(arrived, of: job.photosExpected), photo: number)))
            return job.photo(number)
        }
        guard let stored else { throw JobError.closed }
        await runner.enqueue([key], client: job.client)
        return (stored, true)
    }

    private static func received(_ count: Int, of expected: Int) -> String {
        if expected == 1 { return "The photo has arrived." }
        return count == expected
            ? "All \(expected) photos have arrived." : "\(count) of \(expected) photos have arrived."
    }

    // MARK: Deleting

    /// Deletes a finished job with its files.
    ///
    /// - Parameter keepsEvents: keeps the row and the events of a cancelled job, so that every follower receives its end.
    func delete(_ id: String, keepsEvents: Bool = false) async throws {
        await take(.job(id))
        defer { release(.job(id)) }
        // Another request may have deleted it, and its identifier may have been used again: for a job that would lose
        // its photos to `forget`.
        let isDeletable =
            keepsEvents
            ? try await log.read { try $0.job(id) }?.status == .canceled : try await log.deleteFinished(id)
        if isDeletable { try await forget(id) }
    }

    /// Deletes the files of a job, and what is known of its followers, imports and questions.
    private func forget(_ id: String) async throws {
        await runner.cancelQuestions(of: id)
        log.following.withLock { $0.forget(id) }
        work.imports.withLock { $0.forget(id) }
        work.waits.withLock { $0.forget(job: id) }
        try await files.remove(job: id)
    }
}
