package import Foundation
import Storage

/// The data directory and the paths in it.
package struct LibraryFolder: Hashable, Sendable {
    package var url: URL

    package init(_ url: URL) { self.url = url }

    package var database: URL { url.appending(path: "library.sqlite") }
    /// The imported catalog, which other modules write; the library only backs it up.
    var catalog: URL { url.appending(path: "catalog.sqlite") }
    /// Photos of shelves: `bookshelf_scan_<uuid>.jpg`.
    package var photos: URL { url.appending(path: "photos", directoryHint: .isDirectory) }
    package var covers: URL { url.appending(path: "covers", directoryHint: .isDirectory) }

    /// Returns the URL of the photo of that name, always a file of the folder `photos`.
    package func photo(_ file: String) -> URL { PictureName.url(file, in: photos) }

    /// Returns the URL of the cover of that name, always a file of the folder `covers`.
    package func cover(_ file: String) -> URL { PictureName.url(file, in: covers) }

    /// Held shared by every process that has the library open.
    var lockFile: URL { url.appending(path: "library.lock") }

    /// Locks the folder for this process: shared by open stores, exclusive for a restore.
    ///
    /// - Throws: `LibraryError.inUse` if another process holds the lock, `StorageError`.
    func lock(_ mode: FileLock.Mode) throws -> FileLock {
        guard let lock = try FileLock(ifFree: lockFile, mode) else {
            throw LibraryError.inUse(url.path)
        }
        return lock
    }

    /// Creates the folders that are missing, accessible to this user only.
    ///
    /// - Throws: `StorageError`.
    package func prepare() throws {
        for folder in [url, photos, covers] {
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw StorageError.file(
                    folder.path,
                    reason: "The folder cannot be created. Choose one that you can write to (SHELFLIST_DATA).")
            }
        }
    }
}

/// The names of picture files: ASCII letters, digits, `.`, `_` and `-`, not beginning with a period.
///
/// The library names its pictures itself, but the rows of a restored backup may hold any text. Every path of a picture
/// is made here, so that no row leads out of the folder.
package enum PictureName {
    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 100
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Returns the URL of a picture; for an invalid name, that of a file that never exists.
    static func url(_ name: String, in folder: URL) -> URL {
        folder.appending(path: isValid(name) ? name : ".invalid")
    }
}
