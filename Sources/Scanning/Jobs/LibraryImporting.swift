import Bibliography
package import Foundation
package import Imaging
package import Library
package import ShelflistAPI

/// Puts the photos of jobs into the library, each as an import of its own.
package struct LibraryImporting: PhotoImporting {
    private let library: LibraryStore
    private let limits: PhotoLimits
    private let onCover: @Sendable (RowID<LibraryEntry>, URL) async -> Void

    /// - Parameters:
    ///   - limits: of the photos that are kept.
    ///   - onCover: told where the cover of a copy without one can be had.
    package init(
        library: LibraryStore, limits: PhotoLimits = PhotoLimits(),
        onCover: @escaping @Sendable (RowID<LibraryEntry>, URL) async -> Void = { _, _ in }
    ) {
        self.library = library
        self.limits = limits
        self.onCover = onCover
    }

    /// Under which name the library knows the import of a photo.
    package static func name(job: String, photo: Int) -> String { "\(job)/\(photo)" }

    package func importPhoto(
        _ number: Int, of job: ScanJob, file: URL, result: ScannedPhoto
    ) async throws -> JobEvent.ImportCounts {
        let report = try await take(number, of: job, file: file, result: result)
        try await library.record(
            .bookshelfScanCompleted(photos: 1, books: result.books.count, needsReview: report.count(.needsReview)))
        return JobEvent.ImportCounts(
            photo: number, entries: report.count(.verified) + report.count(.needsReview) + report.count(.copy),
            needsReview: report.count(.needsReview), duplicates: report.count(.question))
    }

    /// A shelf that was taken away while the photo waited costs the books their place, and no more.
    private func standing(_ name: String?) async throws -> RowID<Shelf>? {
        guard let number = name.flatMap({ Int64($0) }) else { return nil }
        do {
            return try await library.shelf(RowID(number)).id
        } catch LibraryError.notFound {
            return nil
        }
    }

    /// Keeps what was found about a book with every copy that the job made of it.
    package func enrich(_ book: ScanBook, of job: ScanJob) async throws {
        guard let record = book.metadata?.record else { return }
        for position in book.positions {
            let name = Self.name(job: job.id, photo: position.photo)
            guard let entry = try await library.entry(ofBook: position.bookID, inScan: name) else { continue }
            let wantsCover = try await library.enrich(entry, with: record)
            if wantsCover, let url = record.coverURL { await onCover(entry, url) }
        }
    }

    /// The same, with all that became of each book.
    ///
    /// - Parameters:
    ///   - duplicates: decides what would otherwise be asked.
    ///   - shelf: instead of the job's own.
    package func take(
        _ number: Int, of job: ScanJob, file: URL, result: ScannedPhoto, duplicates: DuplicateDecision? = nil,
        shelf named: RowID<Shelf>? = nil
    ) async throws -> ScanImportReport {
        let shelf = if let named { named } else { try await standing(job.options.shelf) }
        let stored = try await library.storePhoto([UInt8](try Data(contentsOf: file)), limits: limits)
        let scan = ScanImport(
            job: Self.name(job: job.id, photo: number), photos: [(result: result, stored: stored)], shelf: shelf)
        // The library's own range is narrower than that of a scan.
        let range = LibraryStore.thresholdRange
        let threshold = job.options.threshold.map { min(max($0, range.lowerBound), range.upperBound) }
        do {
            return try await library.importScan(scan, threshold: threshold, duplicates: duplicates)
        } catch {
            // The failure is what counts; a file that stays is deleted by the clean-up.
            try? await library.discard(stored)
            throw error
        }
    }
}
