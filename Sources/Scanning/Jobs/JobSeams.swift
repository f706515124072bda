import Bibliography
package import Foundation
package import Imaging
package import ShelflistAPI

/// Turns a photo into books.
///
/// `LocalPhotoReading` does it on this machine.
package protocol PhotoReading: Sendable {
    /// - Parameter report: told of stages as they begin, and of the spines as soon as they are found.
    /// - Throws: `ImageError` for bytes that are no photo within the limits, `CancellationError`, others for faults
    ///   of the reader.
    func read(
        _ bytes: [UInt8], name: String, options: JobOptions, report: @escaping @Sendable (ReadingReport) -> Void
    ) async throws -> ScannedPhoto

    /// Where the spines seem to stand in a viewfinder's frame.
    ///
    /// - Throws: as `read`.
    func outline(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline
}

/// What a reader tells while it reads.
package enum ReadingReport: Sendable {
    case stage(ScanStage)
    case spines([SpineOutline])
}

/// Puts the books of a photo into the library.
package protocol PhotoImporting: Sendable {
    /// Safe to repeat: the same photo of the same job adds nothing the second time.
    ///
    /// - Parameter result: with the books that no earlier photo of the job showed.
    func importPhoto(
        _ number: Int, of job: ScanJob, file: URL, result: ScannedPhoto
    ) async throws -> JobEvent.ImportCounts

    /// Keeps what catalogs and providers added to a book that was imported; what a person edited stays.
    func enrich(_ book: ScanBook, of job: ScanJob) async throws
}

extension PhotoImporting {
    package func enrich(_ book: ScanBook, of job: ScanJob) async throws {}
}

/// Asks catalogs and providers for more about the books of a job.
package protocol BookEnriching: Sendable {
    /// Whether there is nobody to ask, so that no book has to wait.
    var isOff: Bool { get }
    /// Asks for all books at once and reports each as its answer comes; returns when none is outstanding.
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

/// The reader of this machine.
package struct LocalPhotoReading: PhotoReading {
    private let scanner: PhotoScanner

    package init(scanner: PhotoScanner) { self.scanner = scanner }

    package func read(
        _ bytes: [UInt8], name: String, options: JobOptions, report: @escaping @Sendable (ReadingReport) -> Void
    ) async throws -> ScannedPhoto {
        try await scanner.scan(bytes, path: name, preprocessing: options.preprocessing) { stage in
            report(.stage(stage))
        } spines: { spines in
            if !spines.isEmpty { report(.spines(spines)) }
        }
    }

    package func outline(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        try await scanner.outline(frame, limits: limits)
    }
}

/// Time as the jobs see it: runs on evenly whatever becomes of the machine's clock, so that a jump of the clock
/// neither deletes results early nor keeps them for ever.
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
