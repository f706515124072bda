package import Concurrency
package import Reading

/// Accepts photos, reads a bounded number concurrently, and records progress in each job's event log.
///
/// Everything acknowledged to a caller is durable. After a crash, `start()` resumes: photos that were queued or being
/// read are read, and finished jobs keep their results and events.
package struct ScanJobs: Sendable {
    package let limits: JobLimits
    package let files: JobFiles
    package let reader: any ShelfReading
    package let log: JobLog
    package let runner: JobRunner
    package let intake: JobIntake
    let importer: ScanImporter
    let imports: PhotoImports
    let failures: JobFailures
    private let lookups: JobLookups

    /// - Parameter onFailure: receives failures that no caller waits for; a later sweep tries again what can succeed.
    package init(
        _ importer: ScanImporter, files: JobFiles, reader: any ShelfReading,
        enricher: (any BookEnriching)? = nil, identifier: (any PhotoIdentifying)? = nil,
        limits: JobLimits = JobLimits(), clock: SteadyClock = SteadyClock(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        (self.limits, self.files, self.reader, self.importer) = (limits, files, reader, importer)
        log = JobLog(importer.library, clock: clock)
        failures = JobFailures(report: onFailure)
        imports = PhotoImports(log: log, files: files, importer: importer, failures: failures)
        lookups = JobLookups(log: log, enricher: enricher, importer: importer, failures: failures)
        let asker = PhotoAsker(
            log: log, files: files, reader: reader, identifier: identifier, importer: importer, lookups: lookups,
            failures: failures)
        runner = JobRunner(
            log: log, limits: limits,
            reader: PhotoReader(
                log: log, files: files, limits: limits, reader: reader, imports: imports, asker: asker,
                failures: failures),
            asker: asker, finisher: JobFinisher(log: log, imports: imports, lookups: lookups), failures: failures)
        intake = JobIntake(log: log, files: files, limits: limits, runner: runner, imports: imports)
    }

    /// Whether books are looked up once their photos are read.
    package var looksUpBooks: Bool { !lookups.isOff }
}
