package import Foundation

/// Identifies a version of a file without reading it.
package struct FileStamp: Hashable, Sendable {
    private let node: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// - Returns: nil if the file does not exist.
    package init?(_ file: URL) {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        node = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if os(Linux)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #else
            (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #endif
    }
}
