import Foundation

/// A photo on disk, with the path given by the user.
package struct PhotoFile: Hashable, Sendable {
    package var path: String

    /// Larger photos are rejected: 20 MB.
    package static let sizeLimit = 20_000_000

    package init(path: String) { self.path = path }

    /// Reads the whole file.
    ///
    /// - Throws: `PhotoFileError`.
    package func read() throws(PhotoFileError) -> [UInt8] {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw PhotoFileError(errno: errno, path: path) }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw PhotoFileError(errno: errno, path: path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isFolder(path)
        default: throw .isNoFile
        }
        let size = Int(status.st_size)
        guard size > 0 else { throw .isEmpty }
        guard size <= Self.sizeLimit else { throw .isTooLarge(bytes: size) }

        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let amount = Foundation.read(descriptor, buffer.baseAddress?.advanced(by: count), size - count)
                if amount > 0 {
                    count += amount
                } else if amount == 0 {
                    break  // truncated while it was read; decoding reports it
                } else if errno != EINTR {
                    failure = errno
                    break
                }
            }
        }
        guard failure == 0 else { throw PhotoFileError(errno: failure, path: path) }
        return bytes
    }
}

/// Why a photo's file could not be read, and how to fix it.
///
/// The message does not include the path, which is printed before it.
package enum PhotoFileError: Error, Equatable, CustomStringConvertible {
    case doesNotExist
    case isFolder(String)
    case isNoFile
    case isNotPermitted
    case isEmpty
    case isTooLarge(bytes: Int)
    case failed(reason: String)

    init(errno code: Int32, path: String) {
        switch code {
        case ENOENT, ENOTDIR: self = .doesNotExist
        case EACCES, EPERM: self = .isNotPermitted
        case EISDIR: self = .isFolder(path)
        case ENXIO: self = .isNoFile
        default: self = .failed(reason: String(cString: strerror(code)))
        }
    }

    package var description: String {
        switch self {
        case .doesNotExist:
            "There is no such file. Check the path."
        case .isFolder(let path):
            "This is a folder. Name the photos in it, for example \(path.hasSuffix("/") ? path : path + "/")*.jpg."
        case .isNoFile:
            "This is a device or a pipe, not a file. Save the photo to a file first."
        case .isNotPermitted:
            "You are not permitted to read this file. Change its permissions (chmod u+r) or read it as its owner."
        case .isEmpty:
            "The file is empty (0 bytes). Copy the photo again."
        case .isTooLarge(let bytes):
            """
            The file has \(Self.megabytes(bytes, rounding: .up)) MB; the limit is \
            \(Self.megabytes(PhotoFile.sizeLimit, rounding: .down)) MB. Save the photo smaller or as JPEG.
            """
        case .failed(let reason):
            "The file could not be read: \(reason). Check the disk, then try again."
        }
    }

    /// Rounded up, so that a file just above the limit never appears to have exactly its size.
    private static func megabytes(_ bytes: Int, rounding: FloatingPointRoundingRule) -> String {
        let tenths = (Double(bytes) / 100_000).rounded(rounding) / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }
}
