import Concurrency
import Library
import ShelflistAPI
import Synchronization

/// Imports the photos of jobs into the library, and repeats imports that failed.
extension JobWork {
    /// Imports the photos of a job that are read and not imported yet, where the job asks for it.
    ///
    /// - Returns: false where an import failed; the job's events report it.
    @discardableResult
    func importPhotos(of job: ScanJob) async -> Bool {
        var succeeded = true
        for photo in job.photos where photo.status == .done {
            succeeded = await importPhoto(photo.index, of: job) && succeeded
        }
        return succeeded
    }

    /// Imports a photo that was read, once.
    @discardableResult
    func importPhoto(_ number: Int, of job: ScanJob) async -> Bool {
        guard job.options.importsResults else { return true }
        let key = PhotoKey(job: job.id, photo: number)
        do {
            let wanted = try await log.read { db in
                try db.value("imported", of: key) == false ? db.fingerprint(of: key) : nil
            }
            guard let sha256 = wanted else { return true }
            let stored = try await importer.store(files.photo(number, of: job.id), sha256: sha256)
            do {
                try await log.change(job.id) { [importer] change in
                    guard let (result, repeated) = try change.db.unimported(key) else { return }
                    let report = try importer.importPhoto(number, stored, result, repeated: repeated, change)
                    try change.markImported(photo: number)
                    try change.emit(.imported(.init(photo: number, report)))
                }
            } catch {
                await importer.discardUnused([stored])
                throw error
            }
            await importer.discardUnused([stored])
            imports.withLock { _ = $0.reported.remove(key) }
            return true
        } catch {
            await logImportFailure(error, key)
            return false
        }
    }

    /// Logs the first failure of a photo's import.
    ///
    /// The import is tried again before the job finishes, and by sweeps.
    private func logImportFailure(_ failure: any Error, _ key: PhotoKey) async {
        if case .damaged? = failure as? JobError { return await handle(failure) }
        guard !(failure is CancellationError), !imports.withLock({ $0.reported.contains(key) }) else { return }
        let problem = JobProblem(
            code: "import_failed",
            message: "The books were read but not imported into the library: \(failure). The import is tried again.",
            retryable: true, photo: key.photo)
        await retriedBySweep {
            try await log.change(key.job) { change in
                guard !change.job.isFinished else { return }
                try change.emit(.error(problem))
            }
            imports.withLock { _ = $0.reported.insert(key) }
        }
    }

    /// Tries failed imports of completed jobs again that are due.
    ///
    /// - Returns: the jobs that are still not imported; they are kept until they are.
    func retryImports() async throws -> Set<String> {
        var left: Set<String> = []
        for job in try await log.read({ try $0.unimportedJobs() }) {
            if imports.withLock({ $0.isDue(job.id, at: log.clock.now) }) {
                if await importPhotos(of: job) {
                    imports.withLock { $0.forget(job.id) }
                    continue
                }
                imports.withLock { $0.fail(job.id, at: log.clock.now) }
            }
            left.insert(job.id)
        }
        return left
    }
}

extension JobEvent.ImportCounts {
    init(photo: Int, _ report: ScanImportReport) {
        self.init(
            photo: photo, entries: report.count(.verified) + report.count(.needsReview) + report.count(.copy),
            needsReview: report.count(.needsReview), duplicates: report.count(.needsDecision))
    }
}
