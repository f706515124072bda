import Library
import ShelflistAPI

/// Finishes jobs whose photos are all read.
extension JobWork {
    /// Imports what is not imported yet, looks up the books of a job and completes it.
    ///
    /// Of photos that were only to be checked, nothing is looked up, and the files are deleted.
    ///
    /// - Returns: false where a client had a photo read again during that, whose books were not looked up yet.
    /// - Throws: errors of the database and `CancellationError`; the job is then finished by a later sweep.
    func finish(_ job: ScanJob) async throws -> Bool {
        let wasRead = job.photos.contains { $0.status == .done }
        if job.options.purpose == .check {
            try await files.remove(job: job.id)
        } else {
            await importPhotos(of: job)
            if wasRead { try await enrich(job.id) }
        }
        try Task.checkCancellation()
        return try await log.change(job.id) { change in
            let now = change.job
            guard !now.isFinished else { return true }
            guard now.photos.map(\.status) == job.photos.map(\.status) else { return false }
            try change.set(wasRead ? .completed : .failed)
            if wasRead, now.options.purpose == nil {
                try change.db.record(.scanCompleted(now.id, books: now.books, needsReview: now.needsReview))
            }
            let summary = try change.db.results(of: now.id).summary(of: now)
            try change.emit(wasRead ? .completed(summary) : .error(JobProblem(unread: now)))
            return true
        } ?? true
    }
}

extension JobProblem {
    /// The problem of a job without a photo that could be read.
    fileprivate init(unread job: ScanJob) {
        let first = job.photos.compactMap(\.problem).first
        self.init(
            code: first?.code ?? "no_photos",
            message: first?.detail ?? "No photo arrived, so there was nothing to read.",
            retryable: first?.retryable ?? true)
    }
}
