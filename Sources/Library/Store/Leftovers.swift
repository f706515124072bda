import Foundation
import Storage

extension LibraryFolder {
    /// Deletes temporary files of backups and restores that were interrupted, and those of writes that are older than
    /// `writeAge`, because commands that work without the library may be writing the others.
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
            do {
                if try Self.needsLibrary(file.lastPathComponent) || LibraryStore.isOld(file, age: Self.writeAge) {
                    try FileManager.default.removeItem(at: file)
                }
            } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
                // A command that works without the library has just renamed its file.
            }
        }
    }

    /// Seconds after which a write without the library has ended.
    private static let writeAge: TimeInterval = 3600

    fileprivate func temporaryFiles() throws -> [URL] {
        let manager = FileManager.default
        return try [url, photos, covers].filter { manager.fileExists(atPath: $0.path) }.flatMap { parent in
            try manager.contentsOfDirectory(at: parent, includingPropertiesForKeys: [.contentModificationDateKey])
                .filter { Self.isTemporary($0.lastPathComponent) }
        }
    }

    static func isTemporary(_ name: String) -> Bool { needsLibrary(name) || isTemporary(name, prefix: ".") }

    private static func isTemporary(_ name: String, prefix: String) -> Bool {
        name.hasPrefix(prefix) && name.hasSuffix(".tmp")
            && UUID(uuidString: "\(name.dropFirst(prefix.count).dropLast(4))") != nil
    }

    /// Whether only processes that hold the library's lock write files of this name.
    private static func needsLibrary(_ name: String) -> Bool {
        [".restore-", ".backup-", backupPrefix].contains { name.hasPrefix($0) }
    }

    // MARK: Backups in any folder

    private static let backupPrefix = ".shelflist-backup-"

    /// Returns an unused name beside a backup, under which it is written before it is moved.
    static func temporary(forBackup file: URL) -> URL {
        file.deletingLastPathComponent().appending(path: "\(backupPrefix)\(UUID().uuidString).tmp")
    }

    /// Deletes the temporary files of backups to the folder of `file` that were killed, and not written for 24 hours.
    static func removeLeftovers(ofBackupsBeside file: URL) {
        // The backup reports a folder that cannot be read, and the next one tries again to delete a file.
        do {
            for file in try FileManager.default.contentsOfDirectory(
                at: file.deletingLastPathComponent(), includingPropertiesForKeys: [.contentModificationDateKey])
            where isTemporary(file.lastPathComponent, prefix: backupPrefix) {
                if try LibraryStore.isOld(file) { try FileManager.default.removeItem(at: file) }
            }
        } catch {}
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

    /// Whether a file was last written more than `age` seconds ago, by the clock that dates files.
    static func isOld(_ file: URL, age: TimeInterval = orphanAge) throws -> Bool {
        let date = try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
        return date.map { $0 < Date(timeIntervalSinceNow: -age) } ?? false
    }
}
