public import Foundation
import Identification
public import Library

/// Puts the photos of jobs into the library, each as an import of its own.
public struct LibraryImporting: PhotoImporting {
    private let library: LibraryStore

    public init(library: LibraryStore) { self.library = library }

    /// Under which name the library knows the import of a photo.
    public static func name(job: String, photo: Int) -> String { "\(job)/\(photo)" }

    public func importPhoto(
        _ number: Int, of job: ScanJob, file: URL, result: ScannedPhoto
    ) async throws -> JobEvent.ImportCounts {
        let report = try await take(number, of: job, file: file, result: result)
        return JobEvent.ImportCounts(
            photo: number, entries: report.count(.verified) + report.count(.needsReview) + report.count(.copy),
            needsReview: report.count(.needsReview), duplicates: report.count(.question))
    }

    /// The same, with all that became of each book.
    ///
    /// - Parameter duplicates: decides what would otherwise be asked.
    public func take(
        _ number: Int, of job: ScanJob, file: URL, result: ScannedPhoto, duplicates: DuplicateDecision? = nil,
        shelf: String? = nil
    ) async throws -> ScanImportReport {
        let stored = try await library.storePhoto([UInt8](try Data(contentsOf: file)))
        let shelf: RowID<Shelf>? = (shelf ?? job.options.shelf).flatMap { Int64($0) }.map { RowID($0) }
        let scan = ScanImport(
            job: Self.name(job: job.id, photo: number), photos: [(result: result, stored: stored)], shelf: shelf)
        // The library's own range is narrower than that of a scan.
        let range = LibraryStore.thresholdRange
        let threshold = job.options.threshold.map { min(max($0, range.lowerBound), range.upperBound) }
        return try await library.importScan(scan, threshold: threshold, duplicates: duplicates)
    }
}
