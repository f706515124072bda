/// Why a picture could not be read or written.
///
/// The message is for the user and does not name the file: whoever knows the name puts it in front.
package struct ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Stable, for programs.
    package enum Code: String, Codable, Sendable {
        case empty
        case notAnImage
        /// A format, or a variant of a format, that is known and not read.
        case unsupported
        case truncated
        case damaged
        case tooManyBytes
        case tooManyPixels
        case outOfMemory
        case notEncodable
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

extension ImageError {
    static let formats = "JPEG, PNG, WebP or HEIC"

    static let empty = ImageError(.empty, "The file is empty. Copy the photo again, or take it again.")

    static let notAnImage = ImageError(.notAnImage, "This is not a photo. Choose a \(formats) file.")

    static func unsupportedKind(_ name: String) -> ImageError {
        ImageError(.unsupported, "This is \(name), which is not read. Save the photo as \(formats).")
    }

    static func truncated(_ format: ImageFormat) -> ImageError {
        ImageError(
            .truncated, "The \(format.name) file ends too early: part of the photo is missing. Copy it again.")
    }

    /// - Parameter detail: the library's own words.
    static func damaged(_ format: ImageFormat, _ detail: String) -> ImageError {
        ImageError(
            .damaged,
            "The \(format.name) file is damaged or of an unusual kind (\(detail)). Copy it again, or save it anew.")
    }

    static func tooManyBytes(_ count: Int, limit: Int) -> ImageError {
        ImageError(
            .tooManyBytes,
            "The file has \(megas(count)) MB; the limit is \(megas(limit)) MB. Save it smaller, or as JPEG.")
    }

    static func tooManyPixels(_ size: PixelSize, limit: Int) -> ImageError {
        ImageError(
            .tooManyPixels,
            "The photo has \(size.width) × \(size.height) pixels, \(megas(size.area)) megapixels; "
                + "the limit is \(megas(limit)) megapixels. Save it smaller.")
    }

    static let outOfMemory = ImageError(
        .outOfMemory, "There is not enough memory for this photo. Save it smaller, or read fewer photos at once.")

    /// Millions with at most one decimal, rounded up so that a value above a limit never looks equal to it.
    private static func megas(_ count: Int) -> String {
        let tenths = (count + 99_999) / 100_000
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension ImageFormat {
    /// As people write it.
    package var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .webp: "WebP"
        case .heic: "HEIC"
        }
    }
}
