import Concurrency
import Foundation
import ShelflistAPI

/// Start, upkeep and stop.
extension ScanJobs {
    /// Resumes what the last process left: `prepare()` and `resume()`.
    ///
    /// - Throws: errors of the database and of the jobs' folder.
    package func start() async throws {
        try await prepare()
        try await resume()
    }

    /// Queues what the last process left, without reading it.
    ///
    /// Call once, before anything is accepted. No photo is read before `resume()`.
    ///
    /// - Throws: errors of the database and of the jobs' folder.
    package func prepare() async throws {
        isHolding = true
        try await clampFutureTimestamps()
        let (unfinished, all) = try await read { try $0.unfinishedJobs() }
        try files.removeAll(except: all)
        for job in unfinished {
            following.renew(job.id, at: clock.now)
            try await queueLeftovers(of: job)
        }
        runs.queue.order(by: try await read { try $0.attempts() })
    }

    /// Starts to read what `prepare()` queued.
    ///
    /// Call when the server accepts connections, so that a photo that ends the process cannot keep it from answering.
    ///
    /// - Throws: errors of the database.
    package func resume() async throws {
        isHolding = false
        try await resumeAsking()
        pump()
        for job in try await read({ try $0.unfinishedJobs().jobs }) { await finishIfRead(job.id) }
    }

    /// Queues the photos that were waiting or being read in the last process, or whose status could not be written.
    private func queueLeftovers(of job: ScanJob) async throws {
        for photo in job.photos where photo.status == .reading || photo.status == .queued {
            let key = PhotoKey(job: job.id, photo: photo.index)
            guard !runs.active.contains(key) else { continue }
            let waits = try await change(job.id) { change in
                let status = try change.status(photo: photo.index)
                if status == .reading { try change.set(.queued, photo: photo.index) }
                return status == .reading || status == .queued
            }
            if waits == true { runs.queue.append(key, client: job.client) }
        }
    }

    /// Deletes expired jobs, cancels abandoned ones, and retries what failed.
    ///
    /// Call every minute.
    ///
    /// - Throws: errors of the database and of the jobs' folder.
    package func sweep() async throws {
        let time = clock.now
        let unimported = try await retryImports()
        let expiry = time.addingTimeInterval(-(limits.kept / .seconds(1)))
        let expired = try await read { try $0.jobsFinished(before: expiry) }
        var withPhotos: Set<String> = []
        if !expired.isEmpty, let importer { withPhotos = try await importer.jobsWithPhotos() }
        for id in expired where !unimported.contains(id) {
            if try await !isKept(id, withPhotos: withPhotos) { try await delete(id) }
        }
        let deadline = time.addingTimeInterval(-(limits.unwatched / .seconds(1)))
        for id in following.takeAbandoned(before: deadline) {
            guard let job = try await read({ try $0.job(id) }), !job.isFinished, !job.options.runsUnwatched else {
                continue
            }
            try await cancel(id)
        }
        for job in try await read({ try $0.unfinishedJobs().jobs }) {
            // The client need not wait for the end: the job continues with the photos that arrived.
            if job.options.runsUnwatched, job.photos.contains(where: { $0.status == .missing }),
                !following.follows(job.id), job.updatedAt < deadline
            {
                _ = try await close(job.id)
            }
            try await queueLeftovers(of: job)
            await finishIfRead(job.id)
        }
        try await resumeAsking()
        pumpQuestions()
    }

    /// Stops accepting and reading, and ends the followers' signals.
    ///
    /// What was being read is read after the next start.
    package func stop() async {
        isStopping = true
        for task in tasks.values { task.cancel() }
        for task in finishing.values { task.cancel() }
        cancelQuestions()
        following.finish()
        for task in tasks.values { await task.value }
    }
}
