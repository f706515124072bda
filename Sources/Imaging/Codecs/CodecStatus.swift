internal import CImageCodecs

extension shelf_error {
    /// The one way from a shim's status to an error.
    func imageError(_ status: shelf_status, _ format: ImageFormat) -> ImageError {
        switch status {
        case SHELF_TRUNCATED: .truncated(format)
        case SHELF_OUT_OF_MEMORY: .outOfMemory
        default: .damaged(format, message)
        }
    }

    /// The library's words, without the full stop.
    private var message: String {
        let text = withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? "no reason given" : text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
