import Bounds
package import Foundation

/// A lock between processes that ends with its owner, even if the process crashes.
package final class FileLock: Sendable {
    package enum Mode: Sendable {
        case shared, exclusive

        fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
    }

    private let file: URL
    private let descriptor: Int32

    /// Waits until no other owner holds the lock.
    ///
    /// - Parameter file: created if it does not exist.
    /// - Throws: `StorageError`.
    package convenience init(_ file: URL) throws(StorageError) {
        guard let descriptor = try Self.locked(file, LOCK_EX) else { throw StorageError(EWOULDBLOCK, writing: file) }
        self.init(file, descriptor)
    }

    /// - Parameters:
    ///   - file: created if it does not exist.
    ///   - attempts: how often the lock is tried, a millisecond apart.
    /// - Returns: nil if another owner holds the lock.
    /// - Throws: `StorageError`.
    package convenience init?(
        ifFree file: URL, _ mode: Mode = .exclusive, attempts: Int = 1
    ) throws(StorageError) {
        for attempt in Range(from: 1, upTo: attempts + 1) {
            if let descriptor = try Self.locked(file, mode.operation | LOCK_NB) {
                self.init(file, descriptor)
                return
            }
            if attempt < attempts { usleep(1000) }
        }
        return nil
    }

    private init(_ file: URL, _ descriptor: Int32) { (self.file, self.descriptor) = (file, descriptor) }

    /// Unlocks before closing: a child process that is being started holds a copy of the descriptor until it runs its
    /// program, and closing alone would keep the lock until then.
    deinit {
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// Whether another owner holds the lock exclusively.
    package static func isHeld(_ file: URL) -> Bool {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    /// Deletes the file before the lock ends; the next owner creates it again.
    package func removeFile() { unlink(file.path) }

    /// Returns the locked file's content, at most `limit` bytes of it.
    package func content(limit: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = pread(descriptor, &bytes, limit, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    /// Replaces the locked file's content, which is a part of either version after a crash.
    ///
    /// - Throws: `StorageError`.
    package func overwrite(_ bytes: [UInt8]) throws(StorageError) {
        let count = pwrite(descriptor, bytes, bytes.count, 0)
        // The system writes a part, and sets no error, where the disk becomes full.
        guard count == bytes.count else { throw StorageError(count < 0 ? errno : ENOSPC, writing: file) }
        guard ftruncate(descriptor, off_t(bytes.count)) == 0 else { throw StorageError(errno, writing: file) }
    }

    /// Returns the descriptor of the locked file; nil if another owner holds the lock.
    private static func locked(_ file: URL, _ operation: Int32) throws(StorageError) -> Int32? {
        while true {
            let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw StorageError(errno, writing: file) }
            var result = flock(descriptor, operation)
            while result != 0, errno == EINTR { result = flock(descriptor, operation) }
            let code = errno
            if result == 0, isFile(file, openAs: descriptor) { return descriptor }
            _ = close(descriptor)
            if result != 0 {
                guard code == EWOULDBLOCK else { throw StorageError(code, writing: file) }
                return nil
            }
        }
    }

    /// Whether the name still leads to the opened file: its last owner may have deleted it before it was locked.
    private static func isFile(_ file: URL, openAs descriptor: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && stat(file.path, &named) == 0 && opened.st_ino == named.st_ino
    }
}
