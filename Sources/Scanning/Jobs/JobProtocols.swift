import Bibliography
package import Foundation
package import Library
package import ShelflistAPI

/// Imports the photos of jobs into the library.
package protocol JobImporting: Sendable {
    /// Safe to repeat: the same photo of the same job adds nothing the second time.
    ///
    /// - Parameter result: with the books that no earlier photo of the job showed.
    func importPhoto(
        _ number: Int, of job: ScanJob, file: URL, result: ScannedPhoto
    ) async throws -> ScanImportReport

    /// Adds what catalogs and providers found about a book to its imported copies; a person's edits remain.
    func enrich(_ book: ScanBook, of job: ScanJob) async throws
}

/// Asks catalogs and providers for more about the books of a job.
package protocol BookEnriching: Sendable {
    /// Whether there is no source to ask, so that no book has to wait.
    var isOff: Bool { get }
    /// Looks all books up and reports each answer as it arrives. Returns when none is outstanding.
    func enrich(_ books: [ScanBook], report: @escaping @Sendable (EnrichmentReport) async -> Void) async
}

extension BookEnriching {
    package var isOff: Bool { false }
}

/// One answer of the catalogs and providers.
package enum EnrichmentReport: Sendable {
    case book(id: String, state: EnrichmentState, metadata: BookMetadata?)
    case degraded(UnavailableSource)
}

/// The time of the jobs: continues evenly when the machine's clock is set, so that a change of the clock neither
/// deletes results early nor keeps them indefinitely.
package struct JobClock: Sendable {
    private let start: Date
    private let uptime: @Sendable () -> Duration

    package init() {
        let clock = ContinuousClock()
        let origin = clock.now
        self.init(start: Date()) { origin.duration(to: clock.now) }
    }

    package init(start: Date, uptime: @escaping @Sendable () -> Duration) {
        self.start = start
        self.uptime = uptime
    }

    package var now: Date { start.addingTimeInterval(uptime() / .seconds(1)) }
}
