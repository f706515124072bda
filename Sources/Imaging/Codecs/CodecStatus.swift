internal import CImageCodecs
internal import Foundation

extension ImageFormat {
    /// Calls a function of the format's shim and throws the error that it returns.
    func check(_ call: (inout shelf_error) -> shelf_status) throws(ImageError) {
        var error = shelf_error()
        switch call(&error) {
        case SHELF_OK: return
        case SHELF_TRUNCATED: throw .truncated(self)
        case SHELF_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .damaged(self, error.message)
        }
    }

    /// Returns the malloc'd bytes of the shim's encoder, and frees them.
    func encoded(
        _ encode: (inout UnsafeMutablePointer<UInt8>?, inout Int, inout shelf_error) -> shelf_status
    ) throws(ImageError) -> [UInt8] {
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer { free(data) }
        try check { encode(&data, &count, &$0) }
        return Array(UnsafeBufferPointer(start: data, count: count))
    }
}

extension shelf_error {
    /// The library's message without its full stop.
    fileprivate var message: String {
        let text = withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? "no reason given" : text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
