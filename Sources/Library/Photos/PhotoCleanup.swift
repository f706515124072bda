package import Foundation
import GRDB

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
    }
}

extension LibraryStore {
    /// Seconds for which a photo without references is kept, because its scan may be in progress.
    package static let orphanAge: TimeInterval = 24 * 60 * 60
    /// Seconds for which a reviewed photo is kept because the user has not seen an automatic change of its books.
    package static let unseenAge: TimeInterval = 30 * 24 * 60 * 60

    /// Deletes photos that are no longer needed.
    ///
    /// First, unless the user keeps shelf photos, those whose books are all reviewed and whose automatic changes were
    /// seen or are older than 30 days. Then `bookshelf_scan_*` files without references that are older than 24 hours.
    ///
    /// The reference is cleared before the file is deleted, so an interrupted cleanup leaves an unreferenced file that
    /// a later one deletes, and never a reference to a missing file.
    ///
    /// - Throws: `LibraryError`; files deleted before the error stay deleted.
    package func cleanUpPhotos() async throws -> CleanupReport {
        var report = CleanupReport()
        if try await !keepsShelfPhotos() {
            for file in try await clearReviewedPhotos() { await delete(file, .reviewed, &report) }
        }
        for file in try await orphans() { await delete(file, .orphaned, &report) }
        SmallPhotos(folder).trim(keeping: folder.photos)
        return report
    }

    private func clearReviewedPhotos() async throws -> [String] {
        try await write { db in
            let photos = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, file FROM photo WHERE file IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM detection LEFT JOIN entry ON entry.id = detection.entry
                        LEFT JOIN work ON work.id = entry.work
                        WHERE photo = photo.id AND (outcome = 'pending' OR reviewStatus = 'needsReview'))
                    AND NOT EXISTS (
                        SELECT 1 \(Database.openChanges) AND h.seenAt IS NULL AND h.at > :unseenSince AND h.detection IN (
                            SELECT id FROM detection WHERE detection.photo = photo.id))
                    """, arguments: ["unseenSince": db.milliseconds - Int64(Self.unseenAge * 1000)])
            return try photos.map { row in
                let file: String = row["file"]
                try db.execute(
                    "UPDATE photo SET file = NULL, clearedAt = ? WHERE id = ?",
                    [db.milliseconds, row["id"] as RowID<Photo>])
                return file
            }
        }
    }

    private func orphans() async throws -> [String] {
        let referred = Set(
            try await read { try String.fetchAll($0, sql: "SELECT file FROM photo WHERE file IS NOT NULL") })
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.photos, includingPropertiesForKeys: [.contentModificationDateKey])
        let limit = clock().addingTimeInterval(-Self.orphanAge)
        return try files.filter { file in
            let name = file.lastPathComponent
            guard name.hasPrefix(Self.photoPrefix), !referred.contains(name) else { return false }
            let date = try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            return date.map { $0 < limit } ?? false
        }.map(\.lastPathComponent).sorted()
    }

    private func delete(_ file: String, _ reason: DeletedPhoto.Reason, _ report: inout CleanupReport) async {
        await pictures.remove(file)
        SmallPhotos(folder).forget(file)
        if unlink(folder.photo(file).path) == 0 || errno == ENOENT {
            report.deleted.append(DeletedPhoto(file: file, reason: reason))
        } else {
            report.failed[file] = String(cString: strerror(errno))
        }
    }
}
