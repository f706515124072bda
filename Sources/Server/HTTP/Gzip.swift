import CZlib

/// Compression of texts for browsers (RFC 1952).
enum Gzip {
    /// - Returns: `nil` where zlib cannot, or where nothing would be gained.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 512 else { return nil }
        var stream = z_stream()
        // 15 + 16: the largest window, in a gzip wrapper. 9: it is done once, at the start.
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
