package import Foundation

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

    /// Creates the folders that are missing, accessible to this user only.
    ///
    /// - Throws: `LibraryError.file`.
    package func prepare() throws {
        for folder in [url, photos, covers] {
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw LibraryError.file(
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

/// Writes files of the data directory completely or not at all: under a temporary name, synced, renamed, and the
/// folder synced.
package enum DurableFile {
    /// - Throws: `LibraryError.diskFull`, `.file`; nothing is left behind.
    package static func write(
        _ bytes: some ContiguousBytes, to destination: URL, permissions: mode_t = 0o644
    ) throws {
        let temporary = destination.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).tmp")
        defer { unlink(temporary.path) }
        let file = try NewFile(temporary, for: destination, permissions: permissions)
        try file.write(bytes)
        try file.sync()
        guard rename(temporary.path, destination.path) == 0 else { throw failure(errno, destination) }
        syncFolder(destination.deletingLastPathComponent())
    }

    /// Syncs a folder, so that a rename or removal in it survives a power failure.
    static func syncFolder(_ folder: URL) {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }

    static func failure(_ code: Int32, _ file: URL) -> LibraryError {
        switch code {
        case ENOSPC, EDQUOT: .diskFull(file.path)
        default:
            .file(
                file.path,
                reason: "It could not be written: \(String(cString: strerror(code))). Check the folder and the disk.")
        }
    }
}

/// A file that is created and written from front to back.
struct NewFile: ~Copyable {
    private let descriptor: Int32
    private let destination: URL

    /// - Parameter destination: the file that errors name, if this one is renamed at the end.
    /// - Throws: `LibraryError` if the file cannot be created or already exists.
    init(_ url: URL, for destination: URL, permissions: mode_t = 0o644) throws {
        self.destination = destination
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw DurableFile.failure(errno, destination) }
    }

    deinit { _ = close(descriptor) }

    func write(_ bytes: some ContiguousBytes) throws {
        try bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = Foundation.write(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                if count >= 0 {
                    written += count
                } else if errno != EINTR {
                    throw DurableFile.failure(errno, destination)
                }
            }
        }
    }

    func sync() throws {
        guard fsync(descriptor) == 0 else { throw DurableFile.failure(errno, destination) }
    }
}

/// A file that is read from front to back.
struct OpenFile: ~Copyable {
    private let descriptor: Int32
    private let url: URL

    init(_ url: URL) throws {
        self.url = url
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable }
    }

    deinit { _ = close(descriptor) }

    /// In bytes.
    var size: Int {
        get throws {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw unreadable }
            return Int(status.st_size)
        }
    }

    /// - Returns: the next `count` bytes; fewer at the end of the file.
    func read(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = Foundation.read(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
                if read == 0 { return }
                if read > 0 { filled += read } else if errno != EINTR { throw unreadable }
            }
        }
    }

    /// Continues at the beginning.
    func rewind() throws {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw unreadable }
    }

    /// - Returns: whether the file can be positioned there.
    func skip(_ count: Int) -> Bool { lseek(descriptor, off_t(count), SEEK_CUR) >= 0 }

    private var unreadable: LibraryError {
        .file(url.path, reason: "It cannot be read: \(String(cString: strerror(errno))).")
    }
}

/// A lock on the data directory that ends with the process, even if it crashes.
///
/// Stores share the lock; a restore holds it exclusively.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `LibraryError.inUse` if another process holds the lock, `.file`.
    init(_ folder: LibraryFolder, exclusive: Bool) throws {
        let file = folder.url.appending(path: "library.lock")
        descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw DurableFile.failure(errno, file) }
        guard flock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
            let code = errno
            _ = close(descriptor)
            throw code == EWOULDBLOCK ? LibraryError.inUse(folder.url.path) : DurableFile.failure(code, file)
        }
    }

    /// Unlocks before closing: a child process that is being started holds a copy of the descriptor until it runs its
    /// program, and closing alone would leave the folder locked until then.
    deinit {
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }
}
