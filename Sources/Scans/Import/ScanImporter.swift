import Bibliography
package import Foundation
package import GRDB
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
    ///   - threshold: 0.40...0.90; nil for the library's setting.
    ///   - duplicates: decides on all duplicates; nil asks.
    /// - Throws: `LibraryError`, `ImageError`.
    package func importPhoto(
        _ photo: ScannedPhoto, bytes: [UInt8]?, scan: String, position: Int = 0, shelf: RowID<Shelf>? = nil,
        threshold: Double? = nil, duplicates: DuplicateDecision? = nil
    ) async throws -> ScanImportReport {
        var scan = ScanImport(
            job: scan, position: position, stored: nil, size: PixelSize(width: photo.width, height: photo.height),
            books: photo.books, shelf: shelf)
        if let bytes { scan.stored = try await library.storePhoto(bytes, limits: limits) }
        return try await discarding([scan.stored].compactMap { $0 }) { [scan] in
            try await library.importScan(scan, threshold: threshold, duplicates: duplicates)
        }
    }

    /// Runs an import of stored photos, and deletes those that it does not refer to if it fails.
    private func discarding<Report>(
        _ photos: [StoredPhoto], _ importing: () async throws -> Report
    ) async throws -> Report {
        do {
            return try await importing()
        } catch {
            for photo in photos { await discard(photo) }
            throw error
        }
    }

    /// Adds books of a job that a person chose, with what was found about them, in one transaction.
    ///
    /// - Parameters:
    ///   - chosen: the IDs of the books.
    ///   - shelf: nil for the job's.
    ///   - duplicates: decides on all duplicates, also on questions that are open already; nil asks.
    /// - Returns: what became of the books, with their IDs in the job.
    /// - Throws: `LibraryError`, `StorageError`, `ImageError`; nothing is added then.
    package func add(
        _ chosen: Set<String>, of job: ScanJob, from jobs: ScanJobs, shelf: RowID<Shelf>?,
        duplicates: DuplicateDecision?, as token: UndoToken
    ) async throws -> [(id: String, book: AddedScanBook)] {
        var stored: [Int: StoredPhoto] = [:]
        let numbers = Set(try await jobs.log.books(of: job.id).chosen(chosen).compactMap(\.positions.first?.photo))
        let library = library.actions(as: token)
        do {
            for number in numbers {
                let sha256 = try await jobs.log.read { try $0.fingerprint(of: PhotoKey(job: job.id, photo: number)) }
                stored[number] = try await store(jobs.file(number, of: job.id), sha256: sha256 ?? "")
            }
            let added = try await jobs.log.change(job.id) { [stored] change -> [(id: String, book: AddedScanBook)] in
                // Sources may have identified the books otherwise while the photos were stored.
                let books = try change.db.books(of: job.id).chosen(chosen)
                let scans = try scans(of: books, change, stored, shelf: shelf)
                let added = try library.add(
                    scans, threshold: Self.threshold(of: job), duplicates: duplicates, in: change.db)
                return added.compactMap { book in
                    books.first { Self.scan(of: $0, job.id) == [book.scan, book.book] }.map { ($0.id, book) }
                }
            }
            for (_, book) in added ?? [] {
                if let entry = book.entry, let cover = book.cover { await onCover(entry, cover) }
            }
            return added ?? []
        } catch {
            for photo in stored.values { await discard(photo) }
            throw error
        }
    }

    /// Returns the photos of books, each with the books that it shows first, as in an automatic import.
    private func scans(
        of books: [ScanBook], _ change: JobChange, _ stored: [Int: StoredPhoto], shelf: RowID<Shelf>?
    ) throws -> [ScanImport] {
        try change.db.results(of: change.id).photos.compactMap { photo in
            let here = books.filter { $0.positions.first?.photo == photo.number }
            guard !here.isEmpty else { return nil }
            guard let picture = stored[photo.number] else {
                throw LibraryError.changedMeanwhile("the scan", current: nil)
            }
            var scan = try scan(
                photo.number, photo.result.keeping(firstSightingsOf: here, photo: photo.number), change)
            scan.stored = picture
            scan.repeated = books.repeated(in: photo.number, of: change.id)
            if let shelf { scan.shelf = shelf }
            for book in here { scan.records[book.positions[0].bookID] = book.metadata?.record }
            return scan
        }
    }

    /// Returns the names of the photo that shows a book first, and of the book in it.
    private static func scan(of book: ScanBook, _ job: String) -> [String] {
        book.positions.first.map { [scan(job: job, photo: $0.photo), $0.bookID] } ?? []
    }
}

extension [ScanBook] {
    fileprivate func chosen(_ names: Set<String>) -> [ScanBook] { filter { names.contains($0.id) } }
}

extension ScanImporter: JobImporting {
    /// The name of a job's photo as a scan of the library.
    package static func scan(job: String, photo: Int) -> String { "\(job)/\(photo)" }

    package func store(_ file: URL, sha256: String) async throws -> StoredPhoto {
        try await library.storePhoto(at: file, sha256: sha256, limits: limits)
    }

    package func discard(_ photo: StoredPhoto) async {
        // The import's failure is reported; a file that remains is deleted by the clean-up.
        do { try await library.discard(photo) } catch {}
    }

    package func importPhoto(
        _ number: Int, _ stored: StoredPhoto, _ result: ScannedPhoto, repeated: [RepeatedSpine], _ change: JobChange
    ) throws -> ScanImportReport {
        var scan = try scan(number, result, change)
        scan.stored = stored
        scan.repeated = repeated
        return try library.actions(as: UndoToken(rawValue: change.id))
            .importScan(scan, threshold: Self.threshold(of: change.job), in: change.db)
    }

    private func scan(_ number: Int, _ result: ScannedPhoto, _ change: JobChange) throws -> ScanImport {
        ScanImport(
            job: Self.scan(job: change.id, photo: number), stored: nil,
            size: PixelSize(width: result.width, height: result.height), books: result.books,
            edits: try change.db.edits(ofPhoto: number, in: change.id),
            // The books of a shelf that was deleted while the photo waited lose their place only.
            shelf: try change.job.options.shelf.flatMap { RowID($0) }.flatMap {
                try library.ifExists($0, in: change.db)
            })
    }

    /// The library's range is narrower than that of a job.
    private static func threshold(of job: ScanJob) -> Double? {
        job.options.threshold?.clamped(to: LibraryStore.thresholdRange)
    }

    package func update(
        _ number: Int, to result: ScannedPhoto, importing wanted: Set<String>, _ change: JobChange
    ) throws {
        try library.actions(as: UndoToken(rawValue: change.id)).update(
            try scan(number, result, change), importing: wanted, threshold: Self.threshold(of: change.job),
            in: change.db)
    }

    package func states(of books: [ScanBook], job: String, in db: Database) throws -> [String: ScanBookOutcome] {
        var states: [String: ScanBookOutcome] = [:]
        let byPhoto = Dictionary(grouping: books) { $0.positions.first?.photo ?? $0.photo }
        for (photo, books) in byPhoto {
            let places = books.compactMap { book in
                book.positions.first.map { ScanPlace(book: $0.bookID, box: $0.boundingBox) }
            }
            let found = try library.states(of: places, inScan: Self.scan(job: job, photo: photo), in: db)
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

    package func enrich(_ book: ScanBook, of job: ScanJob) async throws {
        guard let record = book.metadata?.record else { return }
        for position in book.positions {
            let scan = Self.scan(job: job.id, photo: position.photo)
            guard let entry = try await library.entry(ofBook: position.bookID, inScan: scan) else { continue }
            if let cover = try await library.enrich(entry, with: record) { await onCover(entry, cover) }
        }
    }
}
