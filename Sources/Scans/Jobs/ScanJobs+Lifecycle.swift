import Concurrency
import Foundation
import Library
import ShelflistAPI
import Synchronization

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
    /// Call once, before anything is accepted. No photo is read before `resume()`. A job that cannot be decoded fails and
    /// is reported.
    ///
    /// - Throws: errors of the database and of the jobs' folder.
    package func prepare() async throws {
        await runner.hold()
        try await log.clampFutureTimestamps()
        for id in try await log.read({ try $0.damagedJobs() }) { await work.handle(JobError.damaged(id)) }
        try await files.removeAll(except: log.read { try $0.jobIDs() })
        for job in try await log.read({ try $0.unfinishedJobs() }) {
            log.following.withLock { $0.renew(job.id, at: log.clock.now) }
            try await runner.queueLeftovers(of: job, isRestart: true)
        }
        await runner.order(by: try await log.read { try $0.attempts() })
    }

    /// Starts to read what `prepare()` queued.
    ///
    /// Call when the server accepts connections, so that a photo that ends the process cannot keep it from answering.
    ///
    /// - Throws: errors of the database.
    package func resume() async throws {
        try await runner.release()
        for job in try await log.read({ try $0.unfinishedJobs() }) { await runner.finishIfRead(job.id) }
    }

    /// Deletes expired jobs, cancels abandoned ones, and retries what failed.
    ///
    /// Call every minute. A damaged job fails and is reported; the next sweep does the rest then.
    ///
    /// - Throws: errors of the database and of the jobs' folder.
    package func sweep() async throws {
        do { try await sweepJobs() } catch let error as JobError {
            guard case .damaged = error else { throw error }
            await work.handle(error)
        }
    }

    private func sweepJobs() async throws {
        let time = log.clock.now
        let unimported = try await work.retryImports()
        let expiry = time.addingTimeInterval(-(limits.kept / .seconds(1)))
        let expired = try await log.read { try $0.jobsFinished(before: expiry) }
        var withPhotos: Set<String> = []
        if !expired.isEmpty { withPhotos = try await importer.jobsWithPhotos() }
        for id in expired where !unimported.contains(id) {
            if try await !isKept(id, withPhotos: withPhotos) { try await intake.delete(id) }
        }
        let deadline = time.addingTimeInterval(-(limits.unwatched / .seconds(1)))
        for id in log.following.withLock({ $0.takeAbandoned(before: deadline) }) {
            guard let job = try await log.read({ try $0.job(id) }), !job.isFinished, !job.options.runsUnwatched else {
                continue
            }
            try await cancel(id)
        }
        for job in try await log.read({ try $0.unfinishedJobs() }) {
            // The client need not wait for the end: the job continues with the photos that arrived.
            if job.options.runsUnwatched, job.photos.contains(where: { $0.status == .missing }),
                !log.following.withLock({ $0.follows(job.id) }), job.updatedAt < deadline
            {
                _ = try await close(job.id)
            }
            try await runner.queueLeftovers(of: job)
            await runner.finishIfRead(job.id)
        }
        try await runner.resumeAsking()
    }

    /// Stops accepting and reading, and ends the followers' signals; takes at most `limits.stopping`.
    ///
    /// What was being read is read after the next start.
    ///
    /// - Parameter afterCancelling: called when every reading was cancelled, before their ends are awaited.
    package func stop(afterCancelling: @Sendable () -> Void = {}) async {
        await runner.stop(afterCancelling: afterCancelling)
    }
}
