import Concurrency
package import Foundation
import Library
import ShelflistAPI

/// Keeping results for longer than other jobs.
extension ScanJobs {
    /// Returns whether a finished job has to be kept after its time: its photos are in the library, or the user has not
    /// decided on all its books.
    ///
    /// - Parameter withPhotos: the jobs with photos that the library still has.
    func isKept(_ id: String, withPhotos: Set<String>) async throws -> Bool {
        if withPhotos.contains(id) {
            try await removeUploads(of: id)
            return true
        }
        return try await log.read { db in
            guard let job = try db.job(id), job.status == .completed, job.options.asksBeforeAdding == true else {
                return false
            }
            let (books, edits) = (try db.books(of: id), try db.edits(of: id))
            let states = try importer.states(of: books, job: id, in: db)
            return books.contains { states[$0.id] == nil && edits[$0.id]?.isRejected != true }
        }
    }

    /// Deletes the uploaded photos of a kept job that the library has, so that each is stored once.
    private func removeUploads(of id: String) async throws {
        guard let job = try await log.read({ try $0.job(id) }), !job.isAsking else { return }
        for photo in job.photos where FileManager.default.fileExists(atPath: files.photo(photo.index, of: id).path) {
            guard let kept = try await importer.photoFile(photo.index, of: id) else { continue }
            try await BlockingExecutor.interactive.run {
                if FileManager.default.fileExists(atPath: kept.path) { try files.removePhoto(photo.index, of: id) }
            }
        }
    }

    /// Returns the file of a photo: as it was uploaded, or the library's once that was deleted.
    package func file(_ photo: Int, of id: String) async throws -> URL {
        let uploaded = files.photo(photo, of: id)
        guard !FileManager.default.fileExists(atPath: uploaded.path) else { return uploaded }
        return try await importer.photoFile(photo, of: id) ?? uploaded
    }
}
