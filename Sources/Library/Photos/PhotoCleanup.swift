import Bounds
package import Foundation
import GRDB
import Storage

/// The files that a cleanup deleted, with the reasons.
package struct CleanupReport: Hashable, Codable, Sendable {
    package var deleted: [DeletedPhoto] = []
    /// Files that could not be deleted, with the reason; the next cleanup tries again.
    package var failed: [String: String] = [:]
}

package struct DeletedPhoto: Hashable, Codable, Sendable {
    package var file: String
    package var reason: Reason

    package enum Reason: String, Codable, Sendable {
        /// All its books are verified or corrected.
        case reviewed
        /// Nothing refers to it, and it is older than 24 hours.
        case orphaned
        /// It is a shelf picture, and the user does not keep them.
        case notKept
    }
}

extension LibraryStore {
    /// Seconds for which a photo without references is kept, because its scan may be in progress.
    package static let orphanAge: TimeInterval = 24 * 60 * 60
    /// Seconds for which a reviewed photo is kept because the user has not seen an automatic change of its books.
    package static let unseenAge: TimeInterval = 30 * 24 * 60 * 60

    /// Deletes photos that are no longer needed: first those whose books are all reviewed, and whose automatic changes
    /// were seen or are older than 30 days, unless the user keeps shelf photos; then photos and covers without references
    /// that are older than 24 hours.
    ///
    /// A smaller picture of each deleted photo is stored before, unless the user does not keep shelf pictures; then
    /// those that were stored earlier are deleted as well. Temporary files that a crash left are deleted, too.
    ///
    /// The reference is cleared before the file is deleted, so an interrupted cleanup leaves an unreferenced file that
    /// a later one deletes, and never a reference to a missing file.
    ///
    /// - Throws: `LibraryError`; files deleted before the error stay deleted.
    package func cleanUpPhotos() async throws -> CleanupReport {
        var report = CleanupReport()
        let keepsPictures = try await keepsShelfPictures()
        if try await !keepsShelfPhotos() {
            for photo in try await reviewedPhotos() { try await clear(photo, keepsPictures, &report) }
        }
        if !keepsPictures {
            for file in try await clearShelfPictures() { await delete(file, .notKept, &report) }
        }
        for file in try await orphans() { await delete(file.lastPathComponent, .orphaned, &report) }
        for file in try await unusedCovers() {
            delete(file, named: "\(folder.covers.lastPathComponent)/\(file.lastPathComponent)", .orphaned, &report)
        }
        SmallPhotos(folder).trim(keeping: folder.photos)
        try removeLeftovers()
        return report
    }

    /// The condition for rows of `photo` that are no longer needed.
    private static let isReviewed = """
        file IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM detection LEFT JOIN entry ON entry.id = detection.entry
            LEFT JOIN work ON work.id = entry.work
            WHERE photo = photo.id AND (outcome = 'pending' OR reviewStatus = 'needsReview'))
        AND NOT EXISTS (
            SELECT 1 \(Database.openChanges) AND h.seenAt IS NULL AND h.at > :unseenSince AND h.detection IN (
                SELECT id FROM detection WHERE detection.photo = photo.id))
        """

    private func reviewedPhotos() async throws -> [Photo] {
        try await read { db in
            try Photo.fetchAll(
                db, sql: "SELECT * FROM photo WHERE \(Self.isReviewed) ORDER BY id",
                arguments: ["unseenSince": clock().milliseconds - Int64(saturating: Self.unseenAge * 1000)])
        }
    }

    /// Deletes a reviewed photo, after its shelf picture was stored.
    private func clear(_ photo: Photo, _ keepsPicture: Bool, _ report: inout CleanupReport) async throws {
        guard let file = photo.file else { return }
        var picture = photo.picture
        if keepsPicture, picture == nil { picture = try await storeShelfPicture(of: file) }
        let kept = picture
        let isCleared = try await write { db in
            // A book may have returned to the queue while the picture was made.
            try db.execute(
                """
                UPDATE photo SET file = NULL, picture = :picture, clearedAt = :now
                WHERE id = :photo AND \(Self.isReviewed)
                """,
                [
                    "picture": kept, "now": db.milliseconds, "photo": photo.id,
                    "unseenSince": db.milliseconds - Int64(saturating: Self.unseenAge * 1000),
                ])
            return db.changesCount > 0
        }
        if isCleared {
            await delete(file, .reviewed, &report)
        } else if let kept, kept != photo.picture {
            unlink(folder.photo(kept).path)
        }
    }

    private func orphans() async throws -> [URL] {
        let used = """
            SELECT file FROM photo WHERE file IS NOT NULL
            UNION SELECT picture FROM photo WHERE picture IS NOT NULL
            """
        return try await unreferenced(in: folder.photos, used: used) { name in
            [Self.photoPrefix, ShelfPicture.prefix].contains(where: name.hasPrefix)
        }
    }

    /// Returns the files of a folder that no row refers to, older than 24 hours, by name.
    ///
    /// - Parameters:
    ///   - used: a query of the names that rows refer to.
    ///   - isOurs: whether this program gives files such a name.
    func unreferenced(in folder: URL, used: String, isOurs: (_ name: String) -> Bool) async throws -> [URL] {
        let used = try await read { db in try String.fetchSet(db, sql: used) }
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.contentModificationDateKey]
        ).filter { file in
            let name = file.lastPathComponent
            return try isOurs(name) && !used.contains(name) && Self.isOld(file)
        }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private func delete(_ file: String, _ reason: DeletedPhoto.Reason, _ report: inout CleanupReport) async {
        await pictures.remove(file)
        SmallPhotos(folder).forget(file)
        delete(folder.photo(file), named: file, reason, &report)
    }

    private func delete(_ file: URL, named name: String, _ reason: DeletedPhoto.Reason, _ report: inout CleanupReport) {
        if unlink(file.path) == 0 || errno == ENOENT {
            report.deleted.append(DeletedPhoto(file: name, reason: reason))
        } else {
            report.failed[name] = String(errno: errno)
        }
    }
}
