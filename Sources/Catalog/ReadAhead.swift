import Foundation

/// Reads a file into the operating system's cache in the background.
///
/// A search reads hundreds of rows all over the catalog; from a disk each costs a tenth of a millisecond or more,
/// while sequential reading is cheap.
enum ReadAhead {
    /// Files above this share of the machine's memory are not read ahead.
    private static let largestShare = 0.25
    /// Linux limits each request to the disk's own read-ahead size, usually 128 kB.
    private static let step = 128 << 10

    /// Starts reading and returns; errors are ignored, because searches report them.
    static func begin(_ path: String) {
        Thread.detachNewThread {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return }
            defer { close(file) }
            let size = Int(lseek(file, 0, SEEK_END))
            guard Double(size) <= largestShare * Double(ProcessInfo.processInfo.physicalMemory) else { return }
            for offset in stride(from: 0, to: size, by: step) {
                #if canImport(Darwin)
                    var request = radvisory(ra_offset: off_t(offset), ra_count: Int32(step))
                    guard fcntl(file, F_RDADVISE, &request) == 0 else { return }
                #else
                    guard posix_fadvise(file, off_t(offset), off_t(step), POSIX_FADV_WILLNEED) == 0 else { return }
                #endif
            }
        }
    }
}
