import Foundation

extension LibraryStore {
    /// Deletes temporary files of backups, restores and writes that a crash interrupted, older than 24 hours.
    ///
    /// Younger ones may be in use by another process.
    func removeLeftovers() throws {
        let limit = clock().addingTimeInterval(-Self.orphanAge)
        for parent in [folder.url, folder.photos, folder.covers] {
            let files = try FileManager.default.contentsOfDirectory(
                at: parent, includingPropertiesForKeys: [.contentModificationDateKey])
            for file in files where Self.isTemporary(file.lastPathComponent) {
                let date = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
                guard let date, date < limit else { continue }
                // The next cleanup tries again.
                do { try FileManager.default.removeItem(at: file) } catch {}
            }
        }
    }

    private static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(".restore-") || name.hasPrefix(".backup-")
            || name.hasPrefix(".") && name.hasSuffix(".tmp")
                && UUID(uuidString: "\(name.dropFirst().dropLast(4))") != nil
    }
}
