import Bibliography
import Concurrency
package import Foundation
package import Imaging
package import Library
package import Reading
package import ShelflistAPI

/// Imports what was read in photos into the library: for `scan --import`, documents of `scan --format json`, scan jobs
/// and the API.
package struct ScanImporter: Sendable {
    private let library: LibraryStore
    private let limits: PhotoLimits
    private let onCover: @Sendable (RowID<LibraryEntry>, URL) async -> Void

    /// - Parameters:
    ///   - limits: of the photos that are stored.
    ///   - onCover: receives the address of a cover for a copy without one.
    package init(
        library: LibraryStore, limits: PhotoLimits = PhotoLimits(),
        onCover: @escaping @Sendable (RowID<LibraryEntry>, URL) async -> Void = { _, _ in }
    ) {
        self.library = library
        self.limits = limits
        self.onCover = onCover
    }

    /// Stores a photo and imports its books.
    ///
    /// - Parameters:
    ///   - bytes: the photo's file; nil where the picture is not stored.
    ///   - scan: names the scan. Importing the same photo of the same scan again adds nothing.
    ///   - position: the photo's place in the scan, from 0; identifies a photo without bytes.
    ///   - repeated: the spines whose books are imported with an earlier photo of the scan.
    ///   - edits: what the user made of the books before they are added.
    ///   - threshold: 0.40...0.90; nil for the library's setting.
    ///   - duplicates: decides on all duplicates; nil asks.
    /// - Throws: `LibraryError`, `ImageError`.
    package func importPhoto(
        _ photo: ScannedPhoto, bytes: [UInt8]?, scan: String, position: Int = 0, repeated: [RepeatedSpine] = [],
        edits: @escaping ScanBookEdits = { [:] }, shelf: RowID<Shelf>? = nil, threshold: Double? = nil,
        duplicates: DuplicateDecision? = nil
    ) async throws -> ScanImportReport {
        let scan = ScanImport(
            job: scan, position: position, stored: nil, size: PixelSize(width: photo.width, height: photo.height),
            books: photo.books, repeated: repeated, edits: edits, shelf: shelf)
        return try await storing([PhotoFile(scan: scan) { bytes }]) {
            try await library.importScan($0[0], threshold: threshold, duplicates: duplicates)
        }
    }

    /// Stores photos and imports them.
    private func storing<Report: Sendable>(
        _ photos: [PhotoFile], _ importing: ([ScanImport]) async throws -> Report
    ) async throws -> Report {
        var scans = photos.map(\.scan)
        do {
            for (index, photo) in photos.enumerated() {
                guard let bytes = try await BlockingExecutor.interactive.run({ try photo.bytes() }) else { continue }
                scans[index].stored = try await library.storePhoto(bytes, limits: limits)
            }
            return try await importing(scans)
        } catch {
            // The import's failure is reported; a file that remains is deleted by the clean-up.
            for photo in scans.compactMap(\.stored) { try? await library.discard(photo) }
            throw error
        }
    }

    /// Adds books of a job that a person chose, with what was found about them, in one transaction.
    ///
    /// - Parameters:
    ///   - shelf: nil for the job's.
    ///   - duplicates: decides on all duplicates, also on questions that are open already; nil asks.
    /// - Returns: what became of the books, with their IDs in the job.
    /// - Throws: `LibraryError`, `ImageError`; nothing is added then.
    package func add(
        _ books: [ScanBook], of job: ScanJob, from jobs: ScanJobs, shelf: RowID<Shelf>?, duplicates: DuplicateDecision?,
        as token: UndoToken
    ) async throws -> [(id: String, book: AddedScanBook)] {
        var photos: [PhotoFile] = []
        var names: [[String]: String] = [:]
        for (number, result) in try await jobs.results(of: job.id).photos {
            // Books are imported with the photo of their first sighting, as in an automatic import.
            let here = books.filter { $0.positions.first?.photo == number }
            guard !here.isEmpty else { continue }
            var scan = try await scan(
                number, of: job, result.keeping(firstSightingsOf: here, photo: number),
                repeated: books.repeated(in: number, of: job.id), edits: jobs.edits(ofPhoto: number, in: job.id),
                shelf: shelf)
            for book in here {
                names[[scan.job, book.positions[0].bookID]] = book.id
                scan.records[book.positions[0].bookID] = book.metadata?.record
            }
            let file = try await jobs.file(number, of: job.id)
            photos.append(PhotoFile(scan: scan, file))
        }
        let added = try await storing(photos) {
            try await library.actions(as: token).add($0, threshold: Self.threshold(of: job), duplicates: duplicates)
        }
        for book in added {
            if let entry = book.entry, let cover = book.cover { await onCover(entry, cover) }
        }
        return added.compactMap { book in names[[book.scan, book.book]].map { ($0, book) } }
    }
}

/// A photo that is to be stored, with its books.
private struct PhotoFile {
    var scan: ScanImport
    /// Returns the file's content; nil where the picture is not stored.
    var bytes: @Sendable () throws -> [UInt8]?

    init(scan: ScanImport, bytes: @escaping @Sendable () throws -> [UInt8]?) {
        self.scan = scan
        self.bytes = bytes
    }

    init(scan: ScanImport, _ file: URL) { self.init(scan: scan) { [UInt8](try Data(contentsOf: file)) } }
}

extension ScanImporter: JobImporting {
    /// The name of a job's photo as a scan of the library.
    package static func scan(job: String, photo: Int) -> String { "\(job)/\(photo)" }

    package func importPhoto(
        _ number: Int, of job: ScanJob, file: URL, result: ScannedPhoto, repeated: [RepeatedSpine],
        edits: @escaping ScanBookEdits
    ) async throws -> ScanImportReport {
        let scan = try await scan(number, of: job, result, repeated: repeated, edits: edits, shelf: nil)
        let library = library.actions(as: UndoToken(rawValue: job.id))
        return try await storing([PhotoFile(scan: scan, file)]) {
            try await library.importScan($0[0], threshold: Self.threshold(of: job))
        }
    }

    /// - Parameter named: nil for the job's.
    private func scan(
        _ number: Int, of job: ScanJob, _ result: ScannedPhoto, repeated: [RepeatedSpine],
        edits: @escaping ScanBookEdits, shelf named: RowID<Shelf>?
    ) async throws -> ScanImport {
        let shelf = if let named { named } else { try await existingShelf(job.options.shelf) }
        return ScanImport(
            job: Self.scan(job: job.id, photo: number), stored: nil,
            size: PixelSize(width: result.width, height: result.height), books: result.books, repeated: repeated,
            edits: edits, shelf: shelf)
    }

    /// The library's range is narrower than that of a job.
    private static func threshold(of job: ScanJob) -> Double? {
        job.options.threshold?.clamped(to: LibraryStore.thresholdRange)
    }

    package func update(
        _ number: Int, of job: ScanJob, to result: ScannedPhoto, importing wanted: Set<String>,
        edits: @escaping ScanBookEdits
    ) async throws {
        let scan = try await scan(number, of: job, result, repeated: [], edits: edits, shelf: nil)
        try await library.actions(as: UndoToken(rawValue: job.id))
            .update(scan, importing: wanted, threshold: Self.threshold(of: job))
    }

    package func states(of books: [ScanBook], job: String) async throws -> [String: ScanBookOutcome] {
        var states: [String: ScanBookOutcome] = [:]
        let byPhoto = Dictionary(grouping: books) { $0.positions.first?.photo ?? $0.photo }
        for (photo, books) in byPhoto {
            let places = books.compactMap { book in
                book.positions.first.map { ScanPlace(book: $0.bookID, box: $0.boundingBox) }
            }
            let found = try await library.states(of: places, inScan: Self.scan(job: job, photo: photo))
            for book in books { states[book.id] = book.positions.first.flatMap { found[$0.bookID] } }
        }
        return states
    }

    package func jobsWithPhotos() async throws -> Set<String> {
        Set(try await library.scansWithPhotos().map { String($0.prefix { $0 != "/" }) })
    }

    package func photoFile(_ number: Int, of job: String) async throws -> URL? {
        try await library.photoFile(ofScan: Self.scan(job: job, photo: number))
    }

    /// Nil for a shelf that was deleted while the photo waited: the books lose their place only.
    private func existingShelf(_ id: String?) async throws -> RowID<Shelf>? {
        guard let number = id.flatMap({ Int64($0) }) else { return nil }
        do {
            return try await library.shelf(RowID(number)).id
        } catch LibraryError.notFound {
            return nil
        }
    }

    package func enrich(_ book: ScanBook, of job: ScanJob) async throws {
        guard let record = book.metadata?.record else { return }
        for position in book.positions {
            let scan = Self.scan(job: job.id, photo: position.photo)
            guard let entry = try await library.entry(ofBook: position.bookID, inScan: scan) else { continue }
            if let cover = try await library.enrich(entry, with: record) { await onCover(entry, cover) }
        }
    }
}
