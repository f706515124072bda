import Concurrency
package import ShelflistAPI
import Synchronization

/// Requests of clients about their jobs.
extension ScanJobs {
    /// Removes the photos that have not arrived: no more will come.
    ///
    /// - Throws: `JobError.notFound`, `.diskFull`, errors of the database.
    package func close(_ id: String) async throws -> ScanJob {
        let job = try await log.change(id) { change in
            if !change.job.isFinished { try change.close() }
            return try change.currentJob()
        }
        guard let job else { throw JobError.notFound }
        await runner.finishIfRead(id)
        return try await log.read { try $0.job(id) } ?? job
    }

    /// Reads a failed photo again.
    ///
    /// A photo that is waiting or being read is returned as it is; one that waits for the disk is tried now.
    ///
    /// - Throws: `JobError.notFound`, `.notFailed`, `.diskFull`, errors of the database.
    package func retry(photo number: Int, of id: String) async throws -> JobPhoto {
        guard let job = try await log.read({ try $0.job(id) }), let photo = job.photo(number) else {
            throw JobError.notFound
        }
        guard [.failed, .queued, .reading].contains(photo.status) else { throw JobError.notFailed(number) }
        let queued = try await log.change(id) { change -> JobPhoto? in
            guard try change.status(photo: number) == .failed else { return nil }
            try change.resetAttempts(photo: number)
            try change.set(.running)
            try change.set(.queued, photo: number)
            return try change.currentJob().photo(number)
        }
        let key = PhotoKey(job: id, photo: number)
        log.following.withLock { $0.renew(id, at: log.clock.now) }
        if let queued {
            await runner.enqueue([key], client: job.client)
            return queued
        }
        guard work.waits.withLock({ $0.contains(key) }) else { return photo }
        if try await work.canRead(key) {
            await runner.enqueue([key], client: job.client)
        } else {
            await runner.finishIfRead(id)
        }
        return try await log.read { try $0.job(id)?.photo(number) } ?? photo
    }

    /// Cancels a job and deletes what was stored.
    ///
    /// Safe to repeat.
    ///
    /// - Parameter keepsResults: keeps what was read so far until it expires.
    /// - Returns: what was read so far, where it is kept.
    @discardableResult
    package func cancel(_ id: String, keepsResults: Bool = false) async throws -> JobResults? {
        // Results that are being stored belong to what was read so far.
        await runner.dequeue(job: id, awaitsResults: keepsResults)
        let wasRunning = try await log.change(id) { change -> Bool in
            try change.endAsking()
            guard !change.job.isFinished else { return false }
            for photo in change.job.photos where !photo.status.isFinal {
                try change.set(.canceled, photo: photo.index)
            }
            try change.set(.canceled)
            try change.emit(.canceled)
            // The job remains without results until it expires, so that every follower receives its end.
            if !keepsResults { try change.deleteResults() }
            return true
        }
        await runner.cancel(job: id)
        work.waits.withLock { $0.forget(job: id) }
        if keepsResults { return wasRunning == nil ? nil : try await log.results(of: id) }
        if let wasRunning { try await intake.delete(id, keepsEvents: wasRunning) }
        return nil
    }
}
