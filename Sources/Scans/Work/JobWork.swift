import Concurrency
import Reading
import Synchronization

/// What is done for jobs: reading photos, importing and looking up their books, and asking sources about them.
///
/// `JobRunner` decides when.
final class JobWork: Sendable {
    let log: JobLog
    let files: JobFiles
    let limits: JobLimits
    let reader: any ShelfReading
    let importer: ScanImporter
    let enricher: (any BookEnriching)?
    let identifier: (any PhotoIdentifying)?
    /// Receives failures that no caller waits for.
    let report: @Sendable (any Error) -> Void
    let statistics = Mutex(JobStatistics())
    let imports = Mutex(ImportRetries())
    let waits = Mutex(DiskWaits())
    /// The last look-up of each finished job.
    let lookups = Mutex<[String: Task<Void, Never>]>([:])

    init(
        _ importer: ScanImporter, log: JobLog, files: JobFiles, limits: JobLimits, reader: any ShelfReading,
        enricher: (any BookEnriching)?, identifier: (any PhotoIdentifying)?,
        report: @escaping @Sendable (any Error) -> Void
    ) {
        (self.log, self.files, self.limits, self.reader, self.importer) = (log, files, limits, reader, importer)
        (self.enricher, self.identifier, self.report) = (enricher, identifier, report)
    }

    /// Runs a step in the background that fails only where database or disk fail, and reports the failure.
    ///
    /// The job is unchanged then, and the next sweep runs the step again; a damaged job fails instead.
    ///
    /// - Returns: nil where the step failed.
    @discardableResult
    nonisolated(nonsending) func retriedBySweep<T>(_ step: () async throws -> T?) async -> T? {
        do {
            return try await step()
        } catch {
            await handle(error)
            return nil
        }
    }

    /// Reports a failure, once for a damaged job, which fails.
    nonisolated(nonsending) func handle(_ failure: any Error) async {
        do {
            if case .damaged(let id)? = failure as? JobError, try await !log.failDamaged(id) { return }
            if !(failure is CancellationError) { report(failure) }
        } catch {
            if !(error is CancellationError) { report(error) }
        }
    }
}
