package import Library
package import ShelflistAPI

/// Adding books that wait.
extension ScanJobs {
    /// Adds books of a job that a person chose, with what was found about them, in one transaction.
    ///
    /// - Parameters:
    ///   - chosen: the IDs of the books.
    ///   - shelf: nil for the job's.
    ///   - duplicates: decides on all duplicates, also on questions that are open already; nil asks.
    /// - Returns: what became of the books, with their IDs in the job.
    /// - Throws: `JobError.onlyChecked`, `LibraryError`, `StorageError`, `ImageError`; nothing is added then.
    package func add(
        _ chosen: Set<String>, of job: ScanJob, shelf: RowID<Shelf>?, duplicates: DuplicateDecision?,
        as token: UndoToken
    ) async throws -> [(id: String, book: AddedScanBook)] {
        guard job.options.purpose == nil else { throw JobError.onlyChecked }
        var stored: [Int: StoredPhoto] = [:]
        let numbers = Set(try await log.books(of: job.id).chosen(chosen).compactMap(\.positions.first?.photo))
        let library = importer.library.actions(as: token)
        do {
            for number in numbers {
                let key = PhotoKey(job: job.id, photo: number)
                guard let sha256 = try await log.read({ try $0.fingerprint(of: key) }) else { throw JobError.notFound }
                stored[number] = try await importer.store(file(number, of: job.id), sha256: sha256)
            }
            let added = try await log.change(job.id) { [stored] change -> [(id: String, book: AddedScanBook)] in
                // Sources may have identified the books otherwise while the photos were stored.
                let books = try change.db.books(of: job.id).chosen(chosen)
                guard books.count == chosen.count else { throw Self.changedMeanwhile }
                let scans = try scans(of: books, change, stored, shelf: shelf)
                let added = try library.add(
                    scans, threshold: ScanImporter.threshold(of: job), duplicates: duplicates, in: change.db)
                return added.compactMap { book in
                    books.first { Self.scan(of: $0, job.id) == [book.scan, book.book] }.map { ($0.id, book) }
                }
            }
            guard let added else { throw JobError.notFound }
            for (_, book) in added {
                if let entry = book.entry, let cover = book.cover { await importer.onCover(entry, cover) }
            }
            await importer.discardUnused(Array(stored.values))
            return added
        } catch {
            await importer.discardUnused(Array(stored.values))
            throw error
        }
    }

    private static var changedMeanwhile: LibraryError { .changedMeanwhile("the scan", current: nil) }

    /// Returns the photos of books, each with the books that it shows first, as in an automatic import.
    private func scans(
        of books: [ScanBook], _ change: JobChange, _ stored: [Int: StoredPhoto], shelf: RowID<Shelf>?
    ) throws -> [ScanImport] {
        try change.db.results(of: change.id).photos.compactMap { photo in
            let here = books.filter { $0.positions.first?.photo == photo.number }
            guard !here.isEmpty else { return nil }
            guard let picture = stored[photo.number] else { throw Self.changedMeanwhile }
            var scan = try importer.scan(
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
        book.positions.first.map { [ScanImporter.scan(job: job, photo: $0.photo), $0.bookID] } ?? []
    }
}

extension [ScanBook] {
    fileprivate func chosen(_ names: Set<String>) -> [ScanBook] { filter { names.contains($0.id) } }
}
