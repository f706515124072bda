import Bibliography
import Imaging
package import Library
package import ShelflistAPI

extension ScanImport {
    /// What a scan found, as the library takes it in.
    ///
    /// - Parameters:
    ///   - photos: the results, each with the photo as the library stored it (`LibraryStore.storePhoto`), or without
    ///     where the picture is not to be kept.
    ///   - job: names the scan; the same name again adds nothing twice.
    package init(
        job: String, photos: [(result: ScannedPhoto, stored: StoredPhoto?)], shelf: RowID<Shelf>? = nil
    ) {
        self.init(
            job: job,
            photos: photos.map { photo in
                ScannedShelfPhoto(
                    stored: photo.stored, size: PixelSize(width: photo.result.width, height: photo.result.height),
                    books: photo.result.books.map(ScannedBook.init))
            }, shelf: shelf)
    }
}

extension ScannedBook {
    package init(_ book: DetectedBook) {
        self.init(
            id: book.id, title: book.title, author: book.author, isbn: book.isbn, confidence: book.confidence,
            boundingBox: book.boundingBox, quad: book.quad,
            text: book.text, matches: book.matches)
    }
}

/// Takes photos into the library as soon as each is read.
package struct PhotoImporter: Sendable {
    private let store: LibraryStore
    /// Names the scan.
    package let job: String
    private let shelf: RowID<Shelf>?
    private let duplicates: DuplicateDecision?
    private let threshold: Double?

    /// - Parameters:
    ///   - job: names the scan.
    ///   - duplicates: decides for the whole scan what would otherwise be asked.
    ///   - threshold: 0.40...0.90; nil takes the library's setting.
    package init(
        store: LibraryStore, job: String, shelf: RowID<Shelf>? = nil, duplicates: DuplicateDecision? = nil,
        threshold: Double? = nil
    ) {
        self.store = store
        self.job = job
        self.shelf = shelf
        self.duplicates = duplicates
        self.threshold = threshold
    }

    /// Stores the photo and takes in its books.
    ///
    /// - Parameter bytes: the photo's file, as it was read.
    /// - Throws: `LibraryError`, `ImageError`.
    package func take(_ bytes: [UInt8], _ result: ScannedPhoto) async throws -> ScanImportReport {
        let stored = try await store.storePhoto(bytes)
        let report = try await store.importScan(
            ScanImport(job: job, photos: [(result, stored)], shelf: shelf), threshold: threshold,
            duplicates: duplicates)
        try await store.record(
            .bookshelfScanCompleted(
                photos: 1, books: result.books.count, needsReview: report.count(.needsReview)))
        return report
    }
}
