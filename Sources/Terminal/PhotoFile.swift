// The compiler finds the members of `stat` in one of these, depending on what else the module imports.
import Bounds
import CoreFoundation
import Dispatch
import Foundation

#if canImport(CDispatch)
    import CDispatch
#endif

/// A photo on disk, with the path given by the user.
package struct PhotoFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// Larger photos are rejected: 20 MB.
    private static let sizeLimit = 20_000_000

    /// Reads the whole file.
    ///
    /// - Throws: `CommandError` without the path, which is printed before it.
    package func read() throws -> [UInt8] { try withContents(read) }

    /// Checks that the file can be read and is small enough.
    ///
    /// - Throws: `CommandError`, as `read`.
    package func check() throws { try withContents { _, _ in } }

    /// - Parameter body: gets the open file and its size in bytes.
    private func withContents<Result>(_ body: (Int32, Int) throws -> Result) throws -> Result {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw failure(EISDIR)
        default: throw failure(ENXIO)
        }
        let size = Int(status.st_size)
        guard size > 0 else { throw CommandError("The file is empty (0 bytes). Copy the photo again.") }
        guard size <= Self.sizeLimit else {
            throw CommandError(
                """
                The file has \(Self.megabytes(size, rounding: .up)) MB; the limit is \
                \(Self.megabytes(Self.sizeLimit, rounding: .down)) MB. Save the photo smaller or as JPEG.
                """)
        }

        return try body(descriptor, size)
    }

    private func read(_ descriptor: Int32, _ size: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let amount = Foundation.read(descriptor, buffer.baseAddress?.advanced(by: count), size - count)
                if amount == 0 { break }  // truncated while it was read; decoding reports it
                if amount > 0 {
                    count += amount
                } else if errno != EINTR {
                    throw failure(errno)
                }
            }
        }
    }

    private func failure(_ code: Int32) -> CommandError {
        switch code {
        case ENOENT, ENOTDIR:
            CommandError("There is no such file. Check the path.")
        case EISDIR:
            CommandError(
                "This is a folder. Name the photos in it, for example \(path.hasSuffix("/") ? path : path + "/")*.jpg.")
        case ENXIO:
            CommandError("This is a device or a pipe, not a file. Save the photo to a file first.")
        case EACCES, EPERM:
            CommandError(
                "You are not permitted to read this file. Change its permissions (chmod u+r) or read it as its owner.")
        default:
            CommandError(
                "The file could not be read: \(String(cString: strerror(code))). Check the disk, then try again.")
        }
    }

    /// Rounded up, so that a file just above the limit never appears to have exactly its size.
    private static func megabytes(_ bytes: Int, rounding: FloatingPointRoundingRule) -> String {
        let tenths = (Double(bytes) / 100_000).rounded(rounding) / 10
        return tenths == tenths.rounded() ? String(Int(saturating: tenths)) : String(tenths)
    }
}
