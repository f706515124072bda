import CZlib

/// Compresses data with gzip (RFC 1952).
enum Gzip {
    /// - Returns: `nil` if zlib fails or the result is not smaller.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 512 else { return nil }
        var stream = z_stream()
        // 15 + 16 is the largest window with a gzip header. Level 9, because files are compressed once, at startup.
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
            return nil
        }
        defer { deflateEnd(&stream) }
        let capacity = Int(deflateBound(&stream, uLong(bytes.count)))
        var input = bytes
        var isWhole = false
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            input.withUnsafeMutableBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = uInt(capacity)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            count = isWhole ? Int(stream.total_out) : 0
        }
        return isWhole && output.count < bytes.count ? output : nil
    }
}
