/// A photo as it should be looked at.
package struct DecodedPhoto: Hashable, Sendable {
    /// Upright, and perhaps smaller than the photo.
    ///
    /// Samples are taken as sRGB: colour profiles are not applied.
    package var image: RGBImage
    /// The size of the whole photo, upright by EXIF, as its file has it.
    package var originalSize: PixelSize
    package var format: ImageFormat

    package init(image: RGBImage, originalSize: PixelSize, format: ImageFormat) {
        self.image = image
        self.originalSize = originalSize
        self.format = format
    }
}

/// What a photo may measure.
///
/// Decided from its header, before anything is allocated for the picture.
package struct PhotoLimits: Hashable, Sendable {
    package var maxBytes: Int
    package var maxPixels: Int

    package init(maxBytes: Int = 20_000_000, maxPixels: Int = 100_000_000) {
        self.maxBytes = maxBytes
        self.maxPixels = maxPixels
    }
}

/// Bytes of a JPEG, PNG, WebP or HEIC file to an upright picture.
package enum PhotoDecoder {
    /// - Parameters:
    ///   - bytes: the whole file. Its format is told by its content.
    ///   - workingPixels: a photo with more pixels than this is decoded smaller, so that the picture has at most
    ///     this many. It bounds memory: decoding stays below 600 MB for 100 megapixels in any format.
    /// - Throws: `ImageError`, with a message to show behind the file's name.
    package static func decode(
        _ bytes: [UInt8], limits: PhotoLimits = PhotoLimits(), workingPixels: Int = 26_000_000
    ) throws(ImageError) -> DecodedPhoto {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= limits.maxBytes else { throw .tooManyBytes(bytes.count, limit: limits.maxBytes) }
        let request = DecodingRequest(maxPixels: limits.maxPixels, workingPixels: max(1, workingPixels))
        switch FileKind(bytes) {
        case .photo(.jpeg): return try JPEGCodec.decode(bytes, request)
        case .photo(.png): return try PNGCodec.decode(bytes, request)
        case .photo(.webp): return try WebPCodec.decode(bytes, request)
        case .photo(.heic): return try HEICCodec.decode(bytes, request)
        case .other(let name): throw .unsupportedKind(name)
        case .unknown: throw .notAnImage
        }
    }
}

/// What the decoder of each format has to keep to.
struct DecodingRequest {
    var maxPixels: Int
    var workingPixels: Int

    /// Refuses a picture beyond the limit; to be called with the header's numbers.
    func check(_ size: PixelSize, _ format: ImageFormat) throws(ImageError) {
        guard size.width > 0, size.height > 0 else { throw .damaged(format, "it has no pixels") }
        // Divided, not multiplied: a header may hold any number.
        guard size.width <= maxPixels / size.height else { throw .tooManyPixels(size, limit: maxPixels) }
    }

    /// The size to decode a picture of `stored` pixels at: itself where it is small enough.
    func target(for stored: PixelSize) -> PixelSize {
        guard stored.area > workingPixels else { return stored }
        let scale = (Double(workingPixels) / Double(stored.area)).squareRoot()
        let width = min(max(1, Int(Double(stored.width) * scale)), workingPixels)
        let height = min(max(1, Int(Double(stored.height) * scale)), workingPixels / width)
        return PixelSize(width: width, height: height)
    }
}
