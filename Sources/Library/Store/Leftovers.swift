import Foundation
import Storage

extension LibraryFolder {
    /// Deletes temporary files of backups, restores and writes that were interrupted, of any age.
    ///
    /// Does nothing while another process has the library open, because the files may be in use; `cleanUpPhotos` deletes
    /// them a day later. To be called before this process opens the library.
    ///
    /// - Throws: `StorageError`; `CocoaError` if a folder cannot be listed or a file cannot be deleted.
    package func removeLeftovers() throws {
        guard FileManager.default.fileExists(atPath: url.path),
            let lock = try FileLock(ifFree: lockFile, .exclusive)
        else { return }
        defer { withExtendedLifetime(lock) {} }
        for file in try temporaryFiles() {
            do { try FileManager.default.removeItem(at: file) } catch CocoaError.fileNoSuchFile {
                // A command that works without the library has just renamed its file.
            }
        }
    }

    fileprivate func temporaryFiles() throws -> [URL] {
        let manager = FileManager.default
        return try [url, photos, covers].filter { manager.fileExists(atPath: $0.path) }.flatMap { parent in
            try manager.contentsOfDirectory(at: parent, includingPropertiesForKeys: [.contentModificationDateKey])
                .filter { Self.isTemporary($0.lastPathComponent) }
        }
    }

    static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(".restore-") || name.hasPrefix(".backup-")
            || name.hasPrefix(".") && name.hasSuffix(".tmp")
                && UUID(uuidString: "\(name.dropFirst().dropLast(4))") != nil
    }
}

extension LibraryStore {
    /// Deletes temporary files of backups, restores and writes that a crash interrupted, older than 24 hours.
    ///
    /// Younger ones may be in use by another process.
    func removeLeftovers() throws {
        for file in try folder.temporaryFiles() {
            // The next cleanup tries again.
            do { if try Self.isOld(file) { try FileManager.default.removeItem(at: file) } } catch {}
        }
    }

    /// Whether a file was last written more than `orphanAge` ago, by the clock that dates files.
    static func isOld(_ file: URL) throws -> Bool {
        let date = try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
        return date.map { $0 < Date(timeIntervalSinceNow: -orphanAge) } ?? false
    }
}
