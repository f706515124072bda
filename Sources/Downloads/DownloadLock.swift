import Foundation
import ShelflistAPI
package import Storage

/// Prevents two processes from downloading into one catalog at the same time.
package struct DownloadLock {
    private let lock: FileLock

    /// - Throws: `CatalogDownloadError.running` if another process, or another task of this one, has the lock.
    package init(_ path: String, catalog: String) throws {
        let held: FileLock?
        do {
            held = try FileLock(ifFree: URL(filePath: path))
        } catch {
            throw CatalogDownloadError(error, writing: path)
        }
        guard let held else { throw CatalogDownloadError.running(catalog: catalog) }
        lock = held
    }

    package func release() { lock.removeFile() }

    package static func isHeld(_ path: String) -> Bool { FileLock.isHeld(URL(filePath: path)) }
}

package enum CatalogDownloadError: ReportedError, Equatable {
    case running(catalog: String)
    /// There is no catalog, or it was imported from files.
    case notDownloaded(catalog: String)
    /// A file beside the catalog cannot be written or locked.
    case storage(StorageError)
    /// The estimated size exceeds the free space.
    case doesNotFit(catalog: String, neededBytes: Int, freeBytes: Int)
    /// Less than the reserve is free, or nothing at all.
    case diskFull(catalog: String, reserve: Int)

    init(_ error: StorageError, writing path: String) {
        self = if case .diskFull = error { .diskFull(catalog: path, reserve: 0) } else { .storage(error) }
    }

    package var problemCode: String {
        switch self {
        case .running: "download_running"
        case .notDownloaded: "not_downloaded"
        case .storage: "not_saved"
        case .doesNotFit, .diskFull: "disk_full"
        }
    }

    package var description: String {
        switch self {
        case .running(let catalog):
            "A download into \(catalog) is running already. Wait until it is done, or stop it."
        case .notDownloaded(let catalog):
            "There is no downloaded catalog at \(catalog). Download one first."
        case .storage(let error): error.description
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
