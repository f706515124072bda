import Concurrency
import Foundation
import Library
import ShelflistAPI

/// Importing photos into the library.
extension ScanJobs {
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
        guard let importer, job.options.importsResults else { return true }
        let key = PhotoKey(job: job.id, photo: number)
        do {
            guard try await read({ try $0.unimported(key) }) != nil else { return true }
            let stored = try await importer.store(number, of: job.id, from: self)
            do {
                try await change(job.id) { change in
                    guard let (result, repeated) = try change.db.unimported(key) else { return }
                    let report = try importer.importPhoto(number, stored, result, repeated: repeated, change)
                    try change.markImported(photo: number)
                    try change.emit(.imported(.init(photo: number, report)))
                }
            } catch {
                if let stored { await importer.discard(stored) }
                throw error
            }
            importRetries.reported.remove(key)
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
        guard !(failure is CancellationError), !importRetries.reported.contains(key) else { return }
        let problem = JobProblem(
            code: "import_failed",
            message: "The books were read but not imported into the library: \(failure). The import is tried again.",
            retryable: true, photo: key.photo)
        await retriedBySweep {
            try await change(key.job) { change in
                guard !change.job.isFinished else { return }
                try change.emit(.error(problem))
            }
            importRetries.reported.insert(key)
        }
    }

    /// Tries failed imports of completed jobs again that are due.
    ///
    /// - Returns: the jobs that are still not imported; they are kept until they are.
    func retryImports() async throws -> Set<String> {
        guard importer != nil else { return [] }
        var left: Set<String> = []
        for job in try await read({ try $0.unimportedJobs() }) {
            if importRetries.isDue(job.id, at: clock.now) {
                if await importPhotos(of: job) {
                    importRetries.forget(job.id)
                    continue
                }
                importRetries.fail(job.id, at: clock.now)
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
