import ShelflistAPI

/// Finishes jobs whose photos are all read.
struct JobFinisher: Sendable {
    let log: JobLog
    let imports: PhotoImports
    let lookups: JobLookups

    /// Imports what is not imported yet, looks up the books of a job and completes it.
    ///
    /// - Throws: errors of the database and `CancellationError`; the job is then finished by a later sweep.
    func finish(_ job: ScanJob) async throws {
        await imports.importPhotos(of: job)
        let wasRead = job.photos.contains { $0.status == .done }
        if wasRead { try await lookups.enrich(job.id) }
        try Task.checkCancellation()
        let results = try await log.read { try $0.results(of: job.id) }
        try await log.change(job.id) { change in
            // A client may have asked to read a photo again.
            let job = try change.currentJob()
            guard job.isRead else { return }
            try change.set(wasRead ? .completed : .failed)
            try change.emit(wasRead ? .completed(results.summary(of: job)) : .error(JobProblem(unread: job)))
        }
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
