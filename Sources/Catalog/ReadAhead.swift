import Foundation

/// Has a file read into the operating system's memory while other work goes on.
///
/// A search looks at hundreds of rows all over the catalog; from a disk that is at rest, each costs a tenth of a
/// millisecond or more, where reading on from start to end costs little.
enum ReadAhead {
    /// A larger share of the machine's memory is left to others: then searches read what they need.
    private static let largestShare = 0.25
    /// Linux reads no more for one request than it reads ahead of that disk by itself: 128 kB mostly.
    private static let step = 128 << 10

    /// Begins reading and returns; whatever fails is left to the searches, which will say so.
    static func begin(_ path: String) {
        Thread.detachNewThread { read(path) }
    }

    private static func read(_ path: String) {
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
