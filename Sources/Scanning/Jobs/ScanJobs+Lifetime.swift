import Foundation
import ShelflistAPI

/// Start, upkeep and stop.
extension ScanJobs {
    /// Goes on with what the last process left: call once, before anything is accepted.
    ///
    /// - Throws: errors of the database and of the jobs' folder.
    package func start() async throws {
        try await store.settleClock(at: clock.now)
        let (unfinished, all) = try await store.unfinished()
        try files.removeAll(except: all)
        for job in unfinished {
            lastWatched[job.id] = clock.now
            try await queueLeftOver(job)
        }
        try await queue.order(by: store.attempts())
        pump()
        for job in unfinished { await finishIfRead(job.id) }
    }

    /// Photos that nobody reads although they wait: those of the last process, and those for which the database could
    /// not be written.
    private func queueLeftOver(_ job: ScanJob) async throws {
        let time = clock.now
        for photo in job.photos where photo.status == .reading || photo.status == .queued {
            let key = PhotoKey(job: job.id, photo: photo.index)
            guard running[key] == nil else { continue }
            let waits = try await store.change(job.id) { change -> Bool in
                let status = try change.status(photo: photo.index)
                if status == .reading { try change.set(.queued, photo: photo.index, at: time) }
                return status == .reading || status == .queued
            }
            if waits == true { queue.append(key, client: job.client) }
        }
    }

    /// Photos that were read, but whose import failed, or was not lived to see by the last process.
    ///
    /// - Throws: the first failure, once every photo was tried; the job's events tell of each.
    func importLeftOver(_ job: ScanJob) async throws {
        guard let importer, job.options.importsResults else { return }
        var failure: (any Error)?
        for photo in job.photos where photo.status == .done {
            do {
                try await importPhoto(photo.index, of: job, into: importer)
            } catch {
                await tell(ofFailedImport: error, PhotoKey(job: job.id, photo: photo.index))
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// The result is kept; the import is tried again before the job is finished, and by the sweeps after that.
    ///
    /// A job that is finished tells nothing any more, and what a process has told it does not repeat.
    func tell(ofFailedImport error: any Error, _ key: PhotoKey) async {
        guard toldOfImport.insert(key).inserted else { return }
        let time = clock.now
        let problem = JobProblem(
            code: "import_failed",
            message:
                "The books were read, but not put into the library: \(error). They are kept, and it is tried again.",
            retryable: true, photo: key.photo)
        do {
            _ = try await store.change(key.job) { change in
                guard !change.job.isFinished else { return }
                try change.emit(.error(problem), at: time)
            }
        } catch {
            // Not even this can be written now.
            toldOfImport.remove(key)
        }
    }

    /// Puts a photo that was read into the library, once.
    func importPhoto(_ photo: Int, of job: ScanJob, into importer: any PhotoImporting) async throws {
        let isImported = try await store.change(job.id) { change in try change.isImported(photo: photo) }
        guard isImported == false, let result = try await store.result(of: job.id, photo: photo) else { return }
        let first = try await store.results(of: job.id).onlyFirstSightings(in: result, photo: photo)
        let counts = try await importer.importPhoto(
            photo, of: job, file: files.photo(photo, of: job.id), result: first)
        let time = clock.now
        _ = try await store.change(job.id) { change in
            guard try !change.isImported(photo: photo) else { return }
            try change.markImported(photo: photo)
            try change.emit(.imported(counts), at: time)
        }
        toldOfImport.remove(PhotoKey(job: job.id, photo: photo))
    }

    /// Tries again what the library could not take: after a minute, then ever more seldom, once an hour in the end.
    ///
    /// - Returns: jobs whose books it still cannot take; they are kept until it can.
    private func importUnimported() async throws -> Set<String> {
        guard importer != nil else { return [] }
        var left: [String: ImportRetry] = [:]
        for job in try await store.unimported() {
            let retry = importRetries[job.id] ?? ImportRetry(next: clock.now)
            guard retry.next <= clock.now else {
                left[job.id] = retry
                continue
            }
            do {
                try await importLeftOver(job)
            } catch {
                // The job's own events tell of the first failure.
                left[job.id] = retry.after(clock.now)
            }
        }
        importRetries = left
        return Set(left.keys)
    }

    /// Deletes what has expired and finishes what was left.
    ///
    /// To be called every minute.
    package func sweep() async throws {
        let time = clock.now
        let unimported = try await importUnimported()
        for id in try await store.finished(before: time.addingTimeInterval(-(limits.kept / .seconds(1))))
        where !unimported.contains(id) {
            try await store.delete(id)
            try files.remove(job: id)
            lastWatched[id] = nil
        }
        let deadline = time.addingTimeInterval(-(limits.unwatched / .seconds(1)))
        for (id, watched) in lastWatched where watchers[id] == nil && watched < deadline {
            lastWatched[id] = nil
            guard let job = try await store.job(id), !job.isFinished, !job.options.importsResults else { continue }
            try await cancel(id)
        }
        for job in try await store.unfinished().jobs {
            // An import has nobody waiting for its missing photos: it goes on with those that came.
            if job.options.importsResults, job.photos.contains(where: { $0.status == .missing }),
                watchers[job.id] == nil,
                job.updatedAt < deadline
            {
                _ = try await close(job.id)
            }
            try await queueLeftOver(job)
            await finishIfRead(job.id)
        }
        pump()
    }

    /// Takes nothing in any more, stops reading, lets go of every watcher.
    ///
    /// What was being read is read after the next start.
    package func stop() async {
        isStopping = true
        for task in running.values { task.cancel() }
        for task in finishing.values { task.cancel() }
        for watcher in watchers.values.flatMap(\.values) { watcher.signals.finish() }
        for task in running.values { await task.value }
    }
}

/// When the library is asked again to take what it could not.
struct ImportRetry {
    var next: Date
    private var wait: TimeInterval = 60

    init(next: Date) { self.next = next }

    func after(_ failure: Date) -> ImportRetry {
        var retry = ImportRetry(next: failure.addingTimeInterval(wait))
        retry.wait = min(2 * wait, 3600)
        return retry
    }
}
