import Bibliography
package import Foundation
import GRDB
package import Imaging
package import Library
package import Reading
package import ShelflistAPI

/// Imports what was read in photos into the library: for `scan --import`, documents of `scan --format json`, scan jobs
/// and the API.
package struct ScanImporter: Sendable {
    let library: LibraryStore
    private let limits: PhotoLimits
    let onCover: @Sendable (RowID<LibraryEntry>, URL) async -> Void

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
        scan.addText(of: photo)
        if let bytes { scan.stored = try await library.storePhoto(bytes, limits: limits) }
        do {
            return try await library.importScan(scan, threshold: threshold, duplicates: duplicates)
        } catch {
            if let stored = scan.stored { await discardUnused([stored]) }
            throw error
        }
    }
}

/// Importing the photos of jobs: what changes the library is a part of a transaction on the job.
extension ScanImporter {
    /// The name of a job's photo as a scan of the library.
    package static func scan(job: String, photo: Int) -> String { "\(job)/\(photo)" }

    /// Stores the picture of a photo before it is imported.
    ///
    /// - Parameter sha256: of the photo as it was received.
    func store(_ file: URL, sha256: String) async throws -> StoredPhoto {
        try await library.storePhoto(at: file, sha256: sha256, limits: limits)
    }

    /// Deletes those of the stored pictures that the library does not use: their import failed, or there was nothing to
    /// import any more.
    func discardUnused(_ photos: some Sequence<StoredPhoto> & Sendable) async {
        // Also in a cancelled task. A file that remains is deleted by the clean-up.
        await Task { for photo in photos { do { try await library.discard(photo) } catch {} } }.value
    }

    /// Imports a photo; its books as the user edited them, and not where the user rejected them.
    ///
    /// Safe to repeat: the same photo of the same job adds nothing the second time.
    ///
    /// - Parameters:
    ///   - result: with the books that no earlier photo of the job showed.
    ///   - repeated: the spines of the other books.
    func importPhoto(
        _ number: Int, _ stored: StoredPhoto, _ result: ScannedPhoto, repeated: [RepeatedSpine], _ change: JobChange
    ) throws -> ScanImportReport {
        var scan = try scan(number, result, change)
        scan.stored = stored
        scan.repeated = repeated
        return try library.actions(as: UndoToken(rawValue: change.id))
            .importScan(scan, threshold: Self.threshold(of: change.job), in: change.db)
    }

    /// Returns a photo with the edits of its books.
    func scan(_ number: Int, _ result: ScannedPhoto, _ change: JobChange) throws -> ScanImport {
        let edits = try change.db.edits(of: change.id)
        var scan = ScanImport(
            job: Self.scan(job: change.id, photo: number), stored: nil,
            size: PixelSize(width: result.width, height: result.height), books: result.books,
            edits: result.books.reduce(into: [:]) { $0[$1.id] = edits[$1.name(inPhoto: number)] },
            // The books of a shelf that was deleted while the photo waited lose their place only.
            shelf: try change.job.options.shelf.flatMap { RowID($0) }.flatMap {
                try library.ifExists($0, in: change.db)
            })
        scan.addText(of: result)
        return scan
    }

    /// The library's range is narrower than that of a job.
    static func threshold(of job: ScanJob) -> Double? {
        job.options.threshold?.clamped(to: LibraryStore.thresholdRange)
    }

    /// Brings what was imported of a photo up to date with its books as they are now identified.
    ///
    /// Changes only what no person has touched. Safe to repeat. Does nothing for a photo that was not imported.
    ///
    /// - Parameters:
    ///   - result: with all of the photo's books.
    ///   - wanted: the books that are imported if they are new.
    func update(
        _ number: Int, to result: ScannedPhoto, importing wanted: Set<String>, _ change: JobChange
    ) throws {
        try library.actions(as: UndoToken(rawValue: change.id)).update(
            try scan(number, result, change), importing: wanted, threshold: Self.threshold(of: change.job),
            in: change.db)
    }

    /// Returns what became of a job's books in the library, by book; nothing for a book that was not added.
    func states(of books: [ScanBook], job: String, in db: Database) throws -> [String: ScanBookOutcome] {
        var states: [String: ScanBookOutcome] = [:]
        let byPhoto = Dictionary(grouping: books) { $0.positions.first?.photo ?? $0.photo }
        for (photo, books) in byPhoto {
            let places = books.compactMap(\.positions.first).map { ($0.bookID, $0.boundingBox) }
            let found = try library.states(
                of: Dictionary(places) { first, _ in first }, inScan: Self.scan(job: job, photo: photo), in: db)
            for book in books { states[book.id] = book.positions.first.flatMap { found[$0.bookID] } }
        }
        return states
    }

    /// Returns the jobs with photos that the library still has.
    func jobsWithPhotos() async throws -> Set<String> {
        Set(try await library.scansWithPhotos().map { String($0.prefix { $0 != "/" }) })
    }

    /// Returns the library's picture of a photo; nil if it has none.
    func photoFile(_ number: Int, of job: String) async throws -> URL? {
        try await library.photoFile(ofScan: Self.scan(job: job, photo: number))
    }

    /// Adds what catalogs and providers found about a book to its imported copies; a person's edits remain.
    ///
    /// - Returns: the addresses of covers that the copies lack.
    func enrich(_ book: ScanBook, _ change: JobChange) throws -> [(entry: RowID<LibraryEntry>, cover: URL)] {
        guard let record = book.metadata?.record else { return [] }
        return try book.positions.compactMap { position in
            let scan = Self.scan(job: change.id, photo: position.photo)
            guard let entry = try library.entry(ofBook: position.bookID, inScan: scan, in: change.db),
                let cover = try library.enrich(entry, with: record, in: change.db)
            else { return nil }
            return (entry, cover)
        }
    }
}

extension ScanImport {
    /// Adds what a photo shows beside its spines.
    fileprivate mutating func addText(of photo: ScannedPhoto) {
        (labels, signs, looseLines, turn) = (photo.labels ?? [], photo.signs ?? [], photo.looseLines, photo.turn)
    }
}
