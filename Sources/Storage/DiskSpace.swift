package import Foundation

/// The room on a disk.
package enum DiskSpace {
    /// Returns how many bytes this user can still write to the disk with a folder; nil if the file system does not say.
    package static func free(in folder: URL) -> Int? {
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0, status.f_blocks > 0 else { return nil }
        let (bytes, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return isTooLarge ? .max : bytes
    }
}
