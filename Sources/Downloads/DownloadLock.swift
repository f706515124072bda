import Foundation

/// Prevents two processes from downloading into one catalog at the same time.
package struct DownloadLock {
    private let path: String
    private let descriptor: Int32

    /// - Throws: `CatalogDownloadError.running` if another process, or another task of this one, has the lock.
    package init(_ path: String, catalog: String) throws {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                throw CatalogDownloadError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw CatalogDownloadError.running(catalog: catalog)
            }
            // The last owner may have deleted the file between the two calls.
            var opened = stat()
            var named = stat()
            if fstat(descriptor, &opened) == 0, stat(path, &named) == 0, opened.st_ino == named.st_ino {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    package func release() {
        unlink(path)
        close(descriptor)
    }

    package static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}

package enum CatalogDownloadError: Error, Equatable, CustomStringConvertible {
    case running(catalog: String)
    /// There is no catalog, or it was imported from files.
    case notDownloaded(catalog: String)
    case cannotWrite(path: String, reason: String)
    /// The estimated size exceeds the free space.
    case doesNotFit(catalog: String, neededBytes: Int, freeBytes: Int)
    /// Less than the reserve is free, or nothing at all.
    case diskFull(catalog: String, reserve: Int)

    package var description: String {
        switch self {
        case .running(let catalog):
            "A download into \(catalog) is running already. Wait until it is done, or stop it."
        case .notDownloaded(let catalog):
            "There is no downloaded catalog at \(catalog). Download one first."
        case .cannotWrite(let path, let reason):
            "\(path) cannot be written: \(reason). Check the folder and its permissions."
        case .doesNotFit(let catalog, let needed, let free):
            "The catalog needs about \(Self.megabytes(needed)) MB, but \(Self.megabytes(free)) MB are free on the disk of "
                + "\(catalog). Free some space, or keep fewer editions."
        case .diskFull(let catalog, let reserve):
            (reserve > 0
                ? "Less than \(Self.megabytes(reserve)) MB are free on the disk of \(catalog)."
                : "The disk of \(catalog) is full.") + " Free some space, then start the download again; it resumes."
        }
    }

    private static func megabytes(_ bytes: Int) -> Int { (bytes + 500_000) / 1_000_000 }
}
