import Bibliography
package import Foundation
import GRDB
import Storage
import Synchronization

/// The list of well-known works that comes with the program, indexed on first use.
///
/// The index is named by a hash of the list, so that a new version of the program makes its own. It can be deleted.
package final class StarterList: Sendable {
    private let list: URL
    private let folder: URL
    private let opened = Mutex<Catalog?>(nil)

    /// - Parameters:
    ///   - list: the packed CSV file.
    ///   - folder: for the index; created if it does not exist.
    package init(list: URL, folder: URL) { (self.list, self.folder) = (list, folder) }

    /// Returns the list as a catalog; indexes it first if that was not done yet, which takes one to two seconds.
    ///
    /// - Throws: `ImportFailure`, `CatalogError`, `DatabaseError`, `StorageError`, and the errors of creating `folder`.
    package func catalog() throws -> Catalog {
        try opened.withLock { opened in
            if let opened { return opened }
            let name = "starter-\(try ImportFile(path: list.path).fingerprint).sqlite"
            let file = folder.appending(path: name)
            if !FileManager.default.fileExists(atPath: file.path) { try index(to: file) }
            let catalog = try Catalog(existingAt: file.path, source: BookRecord.starterSource)
            opened = catalog
            return catalog
        }
    }

    /// Writes the index beside its place and renames it, so that no other process sees half of it.
    private func index(to file: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let temporary = folder.appending(path: ".\(UUID().uuidString).sqlite")
        defer {
            for suffix in ["", "-wal", "-shm"] {
                // Only present after a failure.
                try? FileManager.default.removeItem(atPath: temporary.path + suffix)
            }
        }
        let catalog = try Catalog(path: temporary.path)
        if let failure = try catalog.importFiles([list.path]).files.lazy.compactMap(\.failure).first {
            throw ListFailure(description: failure)
        }
        try catalog.database.close()
        try DurableFile.move(temporary, to: file)
    }
}
