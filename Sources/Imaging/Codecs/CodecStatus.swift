internal import CImageCodecs
internal import Foundation

extension shelf_error {
    /// Converts a shim's status to an `ImageError`.
    func imageError(_ status: shelf_status, _ format: ImageFormat) -> ImageError {
        switch status {
        case SHELF_TRUNCATED: .truncated(format)
        case SHELF_OUT_OF_MEMORY: .outOfMemory
        default: .damaged(format, message)
        }
    }

    /// The library's message without its full stop.
    private var message: String {
        let text = withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? "no reason given" : text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

/// Takes ownership of the malloc'd bytes of a shim's encoder.
enum CodecOutput {
    static func bytes(
        _ format: ImageFormat,
        encode: (inout UnsafeMutablePointer<UInt8>?, inout Int, inout shelf_error) -> shelf_status
    ) throws(ImageError) -> [UInt8] {
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        var error = shelf_error()
        let status = encode(&data, &count, &error)
        defer { free(data) }
        guard status == SHELF_OK else { throw error.imageError(status, format) }
        return Array(UnsafeBufferPointer(start: data, count: count))
    }
}
