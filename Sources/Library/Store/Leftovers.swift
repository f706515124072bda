import Foundation

extension LibraryStore {
    /// Deletes temporary files of backups, restores and writes that a crash interrupted, older than 24 hours.
    ///
    /// Younger ones may be in use by another process.
    func removeLeftovers() throws {
        for parent in [folder.url, folder.photos, folder.covers] {
            let files = try FileManager.default.contentsOfDirectory(
                at: parent, includingPropertiesForKeys: [.contentModificationDateKey])
            for file in files where Self.isTemporary(file.lastPathComponent) {
                // The next cleanup tries again.
                do { if try Self.isOld(file) { try FileManager.default.removeItem(at: file) } } catch {}
            }
        }
    }

    /// Whether a file was last written more than `orphanAge` ago, by the clock that dates files.
    static func isOld(_ file: URL) throws -> Bool {
        let date = try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
        return date.map { $0 < Date(timeIntervalSinceNow: -orphanAge) } ?? false
    }

    private static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(".restore-") || name.hasPrefix(".backup-")
            || name.hasPrefix(".") && name.hasSuffix(".tmp")
                && UUID(uuidString: "\(name.dropFirst().dropLast(4))") != nil
    }
}
