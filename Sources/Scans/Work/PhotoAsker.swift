import Foundation
import Library
import Reading
import ShelflistAPI

/// Asks sources about the books of photos that were read, and publishes what changes.
extension JobWork {
    /// Whether sources are asked about photos of such a job that are read now.
    func asks(_ options: JobOptions) -> Bool {
        options.purpose == nil && identifier.map { !$0.isOff(for: options.reader) } ?? false
    }

    /// Asks about a photo and publishes what changes.
    ///
    /// - Returns: false where the photo is not to be asked about.
    /// - Throws: errors of the databases and `CancellationError`; the photo is then asked about again.
    func ask(_ question: QuestionQueue.Question) async throws -> Bool {
        let key = question.key
        guard let identifier, let job = try await askingJob(key) else { return false }
        let asked = PhotoQuestion(
            question.photo, mode: job.options.reader, threshold: job.options.threshold
        ) { [files] in try files.bytes(ofPhoto: key.photo, of: key.job) }
        let photo: ScannedPhoto
        do {
            let reader = reader.reading(shelf: job.options.shelf)
            photo = try await identifier.identify(asked, with: reader) { [self] report in
                switch report {
                case .identified(let photo): await retriedBySweep { try await publish(photo, key) }
                case .open(let spines): await retriedBySweep { try await logOpen(spines, key) }
                case .unavailable(let outage): await retriedBySweep { try await logOutage(outage, key) }
                }
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The books stay as they are: the same answers would fail again.
            report(error)
            return true
        }
        do {
            try await publish(photo, key)
        } catch let error as LibraryError {
            // The same books would be refused again.
            guard case .invalid = error else { throw error }
            report(error)
        }
        return true
    }

    /// Looks up the renamed books of a photo that was asked about, and ends asking about it.
    ///
    /// - Throws: errors of the database and `CancellationError`; the photo is then asked about again.
    func endAsking(about key: PhotoKey) async throws {
        try Task.checkCancellation()
        await enrichRenamed(key.job)
        try Task.checkCancellation()
        try await log.change(key.job) { try $0.endAsking(photo: key.photo) }
    }

    /// Returns the job of a photo that is to be asked about; nil if it is not.
    private func askingJob(_ key: PhotoKey) async throws -> ScanJob? {
        try await log.read { db in try db.value("asking", of: key) == true ? db.job(key.job) : nil }
    }

    /// Stores and logs what changed in a photo's books, and brings the library up to date.
    private func publish(_ photo: ScannedPhoto, _ key: PhotoKey) async throws {
        try Task.checkCancellation()
        let isChanged = try await log.change(key.job) { [importer] change in
            guard try change.isAsking(photo: key.photo) else { return false }
            var photo = photo
            if let threshold = change.job.options.threshold { photo.apply(threshold: threshold) }
            guard let update = try change.update(photo, photo: key.photo) else { return false }
            try change.emit(.updated(update))
            guard let result = try change.db.result(of: key) else { return true }
            let new = change.job.options.importsResults ? try change.db.books(of: key.job) : []
            try importer.update(
                key.photo, to: result, importing: new.firstSightings(inPhoto: key.photo), change)
            return true
        }
        if isChanged == true { try files.removePictures(of: key.photo, job: key.job) }
    }

    private func logOpen(_ spines: Int, _ key: PhotoKey) async throws {
        try await log.change(key.job) { change in
            if try change.isAsking(photo: key.photo) { try change.emitLookups(open: spines, photo: key.photo) }
        }
    }

    private func logOutage(_ outage: UnavailableSource, _ key: PhotoKey) async throws {
        try await log.change(key.job) { change in
            if try change.isAsking(photo: key.photo) { try change.emitOnce(outage) }
        }
    }
}
