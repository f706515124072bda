import ShelflistAPI

/// An error that occurred while reading or writing a picture.
///
/// The message is shown to the user. It does not name the file; callers that know the name put it in front.
package struct ImageError: ReportedError, Hashable {
    /// Stable, for programs.
    package enum Code: String, CaseIterable, Codable, Sendable {
        case empty
        case notAnImage
        /// A known format, or variant of a format, that Shelflist does not read.
        case unsupported
        case truncated
        case damaged
        case tooManyBytes
        /// Too many in all or on a side, or too many on one side for the other.
        case tooManyPixels
        case outOfMemory
        case notEncodable
    }

    package var code: Code
    package var message: String
    /// What a decoder found; nil for other errors.
    let problem: DecodingProblem?

    package init(_ code: Code, _ message: String) { self.init(code, message, nil) }

    private init(_ code: Code, _ message: String, _ problem: DecodingProblem?) {
        (self.code, self.message, self.problem) = (code, message, problem)
    }

    package static func == (a: ImageError, b: ImageError) -> Bool { a.code == b.code && a.message == b.message }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }

    package var problemCode: String {
        switch code {
        case .empty, .notAnImage, .unsupported: "not_an_image"
        case .truncated: "image_truncated"
        case .damaged: "image_damaged"
        case .tooManyBytes: "photo_too_large"
        case .tooManyPixels: "too_many_pixels"
        case .outOfMemory, .notEncodable: "reading_failed"
        }
    }

    package var description: String { message }
}

extension ImageError {
    static let formats = "JPEG, PNG, WebP or HEIC"

    static let empty = ImageError(.empty, "The file is empty. Copy the photo again, or take it again.", .empty)

    static let notAnImage = ImageError(.notAnImage, "This is not a photo. Choose a \(formats) file.", .notAnImage)

    static func unsupportedKind(_ name: String) -> ImageError {
        ImageError(
            .unsupported, "This is \(name), which is not supported. Save the photo as \(formats).", .unsupportedKind)
    }

    /// - Parameter detail: the library's message; nil if another process has it.
    static func unsupportedFeature(_ format: ImageFormat, _ detail: String?) -> ImageError {
        ImageError(
            .unsupported,
            "The \(format.name) file uses a feature that is not supported\(bracketed(detail)). Save it as JPEG.",
            .unsupportedFeature(format))
    }

    static func truncated(_ format: ImageFormat) -> ImageError {
        ImageError(
            .truncated, "The \(format.name) file ends too early: part of the photo is missing. Copy it again.",
            .truncated(format))
    }

    /// - Parameter detail: the library's message; nil if another process has it.
    static func damaged(_ format: ImageFormat, _ detail: String?) -> ImageError {
        ImageError(
            .damaged, "The \(format.name) file is damaged\(bracketed(detail)). Copy it again or re-save it.",
            .damaged(format))
    }

    private static func bracketed(_ detail: String?) -> String { detail.map { " (\($0))" } ?? "" }

    static func tooManyBytes(_ count: Int, limit: Int) -> ImageError {
        ImageError(
            .tooManyBytes,
            "The file has \(megas(count)) MB; the limit is \(megas(limit)) MB. Reduce its size or save it as JPEG.",
            .tooManyBytes)
    }

    static func tooManyPixels(_ size: PixelSize, limit: Int) -> ImageError {
        ImageError(
            .tooManyPixels,
            "The photo has \(size.width) × \(size.height) pixels, \(megas(size.area)) megapixels; "
                + "the limit is \(megas(limit)) megapixels. Reduce its size.", .tooManyPixels(size))
    }

    static func tooLong(_ size: PixelSize, limit: Int) -> ImageError {
        ImageError(
            .tooManyPixels,
            "The photo has \(size.width) × \(size.height) pixels; the limit is \(limit) pixels on a side. "
                + "Reduce its size.", .tooLong(size, limit: limit))
    }

    static func tooNarrow(_ size: PixelSize, limit: Int) -> ImageError {
        ImageError(
            .tooManyPixels,
            "The photo has \(size.width) × \(size.height) pixels: one side is more than \(limit) times as long as "
                + "the other. Crop it.", .tooNarrow(size, limit: limit))
    }

    static let outOfMemory = ImageError(
        .outOfMemory, "There is not enough memory for this photo. Reduce its size or read fewer photos at once.",
        .outOfMemory)

    /// The process that decoded the photo ended twice.
    static let endsDecoder = ImageError(
        .damaged, "The photo could not be decoded: it stopped the decoder twice. Re-save it, or take it again.")

    static func tookTooLong(_ limit: Duration) -> ImageError {
        let seconds = limit.components.seconds
        return ImageError(
            .damaged,
            "Decoding the photo took longer than \(seconds) \(seconds == 1 ? "second" : "seconds"). "
                + "Reduce its size or re-save it.")
    }

    static func noDecoder(_ reason: String) -> ImageError {
        ImageError(
            .outOfMemory, "The process that decodes photos could not be started (\(reason)). Try again later.")
    }

    /// Formats a count in millions with at most one decimal, rounded up so that a value above a limit never looks
    /// equal to it.
    private static func megas(_ count: Int) -> String {
        let tenths = (count + 99_999) / 100_000
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension RGBImage {
    /// Throws an error with code `notEncodable` for a picture without pixels or with a side of more than `limit`.
    package func check(sides limit: Int, _ rule: String) throws(ImageError) {
        guard size.area > 0, size.longSide <= limit else {
            throw ImageError(.notEncodable, "\(rule); this picture is \(width) × \(height).")
        }
    }
}

extension ImageFormat {
    /// The name as usually written.
    package var name: String { self == .webp ? "WebP" : rawValue.uppercased() }
}
