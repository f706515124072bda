package import Foundation

/// Writes files completely or not at all: under a temporary name, synced, renamed, and the folder synced.
package enum DurableFile {
    package enum Kind: CaseIterable, Sendable {
        /// Keys and what else only the file's owner may read.
        case secret
        case data
        /// What can be made again: not synced, so that it may be empty after a power failure.
        case cache

        package var permissions: mode_t { self == .secret ? 0o600 : 0o644 }
        package var isSynced: Bool { self != .cache }
    }

    /// - Parameter keepsVersions: whether the file that is replaced stays as `NAME.1`, and the one before as `NAME.2`.
    /// - Throws: `StorageError`; no temporary file is left behind.
    package static func write(
        _ bytes: some ContiguousBytes, to destination: URL, as kind: Kind = .data, keepsVersions: Bool = false
    ) throws(StorageError) {
        let temporary = temporary(for: destination)
        defer { unlink(temporary.path) }
        let file = try NewFile(temporary, for: destination, permissions: kind.permissions)
        try file.write(bytes)
        guard kind.isSynced else {
            guard rename(temporary.path, destination.path) == 0 else { throw StorageError(errno, writing: destination) }
            return
        }
        try file.sync()
        if keepsVersions { try keepVersion(of: destination) }
        try move(temporary, to: destination)
    }

    /// Returns the URL of a version that `write` has kept; 1 is the newest.
    package static func version(_ number: Int, of file: URL) -> URL { file.appendingPathExtension("\(number)") }

    /// Keeps the file as version 1, and the former version 1 as version 2.
    ///
    /// A link needs no room on the disk, so that a full disk does not prevent the change.
    private static func keepVersion(of file: URL) throws(StorageError) {
        let (newest, older) = (version(1, of: file), version(2, of: file))
        guard access(file.path, F_OK) == 0 else { return }
        guard rename(newest.path, older.path) == 0 || errno == ENOENT else { throw StorageError(errno, writing: older) }
        if link(file.path, newest.path) == 0 { return }
        // A file system without links.
        let bytes = try OpenFile(file).read(try OpenFile(file).size)
        try write(bytes, to: newest, as: .secret)
    }

    /// Creates the folder of a file if it does not exist, accessible to this user only.
    ///
    /// - Throws: `StorageError`.
    package static func createFolder(of file: URL) throws(StorageError) {
        let folder = file.deletingLastPathComponent()
        // With a slash, a file of this name does not count.
        if access(folder.path + "/", F_OK) == 0 { return }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .file(folder.path, reason: "The folder cannot be created. Check the folder above it and the disk.")
        }
    }

    /// Returns an unused name in the folder of a file, under which the file is written before it is moved.
    package static func temporary(for destination: URL) -> URL {
        destination.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).tmp")
    }

    /// Moves a synced file, in place of the one that has the new name.
    ///
    /// - Throws: `StorageError`.
    package static func move(_ file: URL, to destination: URL) throws(StorageError) {
        guard rename(file.path, destination.path) == 0 else { throw StorageError(errno, writing: destination) }
        try syncFolder(of: destination)
    }

    /// Syncs the folder of a file, so that a move or removal of the file survives a power failure.
    ///
    /// - Throws: `StorageError`.
    package static func syncFolder(of file: URL) throws(StorageError) { try sync(file.deletingLastPathComponent()) }

    /// Syncs an existing file or folder.
    ///
    /// - Throws: `StorageError`.
    package static func sync(_ file: URL) throws(StorageError) {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno, writing: file) }
        defer { _ = close(descriptor) }
        // Some network file systems cannot sync folders.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw StorageError(errno, writing: file) }
    }
}

/// A file that is created and written from front to back.
package struct NewFile: ~Copyable, Sendable {
    private let descriptor: Int32
    private let destination: URL

    /// - Parameter destination: the file that errors name, if this one is renamed at the end.
    /// - Throws: `StorageError` if the file cannot be created or already exists.
    package init(_ url: URL, for destination: URL, permissions: mode_t = 0o644) throws(StorageError) {
        self.destination = destination
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw StorageError(errno, writing: destination) }
    }

    deinit { _ = close(descriptor) }

    /// - Throws: `StorageError`.
    package func write(_ bytes: some ContiguousBytes) throws(StorageError) {
        let failure = bytes.withUnsafeBytes { buffer -> Int32? in
            var written = 0
            while written < buffer.count {
                let count = Foundation.write(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                if count >= 0 { written += count } else if errno != EINTR { return errno }
            }
            return nil
        }
        if let failure { throw StorageError(failure, writing: destination) }
    }

    /// - Throws: `StorageError`.
    package func sync() throws(StorageError) {
        guard fsync(descriptor) == 0 else { throw StorageError(errno, writing: destination) }
    }
}

/// A file that is read from front to back.
package struct OpenFile: ~Copyable {
    private let descriptor: Int32
    private let url: URL

    /// - Throws: `StorageError`.
    package init(_ url: URL) throws(StorageError) {
        self.url = url
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno, reading: url) }
    }

    deinit { _ = close(descriptor) }

    /// In bytes.
    package var size: Int {
        get throws(StorageError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw StorageError(errno, reading: url) }
            return Int(status.st_size)
        }
    }

    /// - Returns: the next `count` bytes; fewer at the end of the file.
    package func read(_ count: Int) throws(StorageError) -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = Foundation.read(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
                if read == 0 { return }
                if read > 0 { filled += read } else if errno != EINTR { return failure = errno }
            }
        }
        if let failure { throw StorageError(failure, reading: url) }
        return bytes
    }

    /// Continues at the beginning.
    package func rewind() throws(StorageError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw StorageError(errno, reading: url) }
    }

    /// - Returns: whether the file can be positioned there.
    package func skip(_ count: Int) -> Bool { lseek(descriptor, off_t(count), SEEK_CUR) >= 0 }
}
