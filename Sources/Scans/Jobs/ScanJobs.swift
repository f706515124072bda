package import Concurrency
package import Reading

/// Accepts photos, reads a bounded number concurrently, and records progress in each job's event log.
///
/// Everything acknowledged to a caller is durable. After a crash, `start()` resumes: photos that were queued or being
/// read are read, and finished jobs keep their results and events.
package struct ScanJobs: Sendable {
    let work: JobWork
    package let runner: JobRunner
    package let intake: JobIntake
    package var limits: JobLimits { work.limits }
    package var files: JobFiles { work.files }
    package var reader: any ShelfReading { work.reader }
    package var log: JobLog { work.log }
    var importer: ScanImporter { work.importer }

    /// - Parameter onFailure: receives failures that no caller waits for; a later sweep tries again what can succeed.
    package init(
        _ importer: ScanImporter, files: JobFiles, reader: any ShelfReading,
        enricher: (any BookEnriching)? = nil, identifier: (any PhotoIdentifying)? = nil,
        limits: JobLimits = JobLimits(), clock: SteadyClock = SteadyClock(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        work = JobWork(
            importer, log: JobLog(importer.library, clock: clock), files: files, limits: limits, reader: reader,
            enricher: enricher, identifier: identifier, report: onFailure)
        runner = JobRunner(work)
        intake = JobIntake(work, runner: runner)
    }

    /// Whether books are looked up once their photos are read.
    package var looksUpBooks: Bool { !(work.enricher?.isOff ?? true) }
}
