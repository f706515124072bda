import CZlib
import Foundation
import Storage

/// The bytes of an imported file or of a download.
package protocol ByteSource: AnyObject {
    /// Reads at most `buffer.count` bytes; 0 at the end.
    ///
    /// - Throws: `ImportFailure`; a download throws its own errors, and `CancellationError` once it is stopped.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// Bytes consumed of the file itself, for progress reports.
    var filePosition: Int { get }
}

extension ByteSource {
    /// Reads some bytes, at most `count`; none at the end.
    func read(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Skips bytes, to resume an interrupted import.
    func skip(_ count: Int) throws {
        var left = count
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            while left > 0 {
                let got = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)]))
                if got == 0 { return }
                left -= got
            }
        }
    }
}

/// Opens a file, and decompresses it if it starts like a gzip file.
func openByteSource(at path: String) throws -> any ByteSource {
    let file = try FileBytes(path: path)
    let start = try file.peek(2)
    return start == [0x1F, 0x8B] ? try GzipBytes(file) : file
}

final class FileBytes: ByteSource {
    private let file: UnsafeMutablePointer<FILE>
    private let path: String
    private(set) var filePosition = 0

    init(path: String) throws {
        guard let file = fopen(path, "rb") else {
            throw ImportFailure.cannotOpen(path: path, reason: String(errno: errno))
        }
        self.file = file
        self.path = path
    }

    deinit { fclose(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        let count = fread(base, 1, buffer.count, file)
        if count < buffer.count, ferror(file) != 0 {
            throw ImportFailure.cannotRead(path: path, reason: String(errno: errno))
        }
        filePosition += count
        return count
    }

    /// Returns the first bytes without consuming them.
    func peek(_ count: Int) throws -> [UInt8] {
        let start = try read(count)
        try seek(to: filePosition - start.count)
        return start
    }

    func seek(to position: Int) throws {
        guard fseeko(file, off_t(position), SEEK_SET) == 0 else {
            throw ImportFailure.cannotRead(path: path, reason: String(errno: errno))
        }
        filePosition = position
    }
}

/// The decompressed bytes of a gzip source with any number of members.
final class GzipBytes: ByteSource {
    private let file: any ByteSource
    // zlib keeps a pointer to its stream, so the structure must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    private var isInsideMember = true
    private var hasEnded = false

    var filePosition: Int { file.filePosition }

    init(_ file: any ByteSource) throws {
        self.file = file
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard shelflist_inflate_init_gzip(stream) == Z_OK else { throw ImportFailure.outOfMemory }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Returns the readable part of a damaged file before throwing its error, then throws it on every call.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !hasEnded, let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        stream.pointee.next_out = base.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(buffer.count)
        while stream.pointee.avail_out > 0 {
            if stream.pointee.avail_in == 0, try !refill() {
                if isInsideMember, buffer.count == Int(stream.pointee.avail_out) { throw ImportFailure.truncatedGzip }
                hasEnded = !isInsideMember
                break
            }
            let code = inflate(stream, Z_NO_FLUSH)
            if code == Z_STREAM_END {
                isInsideMember = false
                if stream.pointee.avail_in == 0, try !refill() {
                    hasEnded = true
                    break
                }
                // Another member may follow; trailing zeros are padding.
                let next = stream.pointee.next_in.pointee
                guard next == 0x1F, inflateReset(stream) == Z_OK else {
                    hasEnded = true
                    break
                }
                isInsideMember = true
            } else if code != Z_OK && code != Z_BUF_ERROR {
                if buffer.count > Int(stream.pointee.avail_out) { break }  // the error occurs again on the next call
                throw ImportFailure.brokenGzip(position: filePosition - Int(stream.pointee.avail_in))
            }
        }
        return buffer.count - Int(stream.pointee.avail_out)
    }

    private func refill() throws -> Bool {
        let count = try file.read(into: input)
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = uInt(count)
        return count > 0
    }
}
