import Bounds

/// A decoded photo.
package struct DecodedPhoto: Hashable, Sendable {
    /// Upright, and possibly smaller than the photo.
    ///
    /// Samples are interpreted as sRGB; colour profiles are not applied.
    package var image: RGBImage
    /// The size of the full photo after EXIF rotation.
    package var originalSize: PixelSize
    package var format: ImageFormat
}

/// Limits on a photo's size.
///
/// Checked against the header before any memory is allocated for the picture.
package struct PhotoLimits: Hashable, Codable, Sendable {
    package var maxBytes: Int
    package var maxPixels: Int
    /// Of width and height, in pixels, because a decoder needs memory for rows however few there are.
    package var maxSide: Int
    /// Of the long side to the short one; a panorama of a wall of shelves has less than 10.
    package var maxAspect: Int

    package init(
        maxBytes: Int = 20_000_000, maxPixels: Int = 100_000_000, maxSide: Int = 32_768, maxAspect: Int = 50
    ) {
        (self.maxBytes, self.maxPixels, self.maxSide, self.maxAspect) = (maxBytes, maxPixels, maxSide, maxAspect)
    }

    /// Whether a photo may have this size, as another process or machine states it.
    package func allow(_ size: PixelSize) -> Bool {
        // Divides instead of multiplying, because the product of any numbers may overflow.
        size.width > 0 && size.height > 0 && size.width <= maxPixels / size.height && size.longSide <= maxSide
            && size.longSide / max(1, maxAspect) <= min(size.width, size.height)
    }
}

/// Decodes JPEG, PNG, WebP and HEIC files to upright pictures.
package enum PhotoDecoder {
    /// - Parameters:
    ///   - bytes: the whole file. The format is detected from its content.
    ///   - workingPixels: photos with more pixels are decoded at a reduced size of at most this many pixels. This
    ///     bounds memory: decoding takes less than 600 MB for 100 megapixels in any format.
    /// - Throws: `ImageError`, with a message that follows the file name.
    package static func decode(
        _ bytes: [UInt8], limits: PhotoLimits = PhotoLimits(), workingPixels: Int = 26_000_000
    ) throws(ImageError) -> DecodedPhoto {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= limits.maxBytes else { throw .tooManyBytes(bytes.count, limit: limits.maxBytes) }
        if let processes = DecoderProcesses.shared {
            return try processes.decode(bytes, limits: limits, workingPixels: workingPixels)
        }
        let request = DecodingRequest(limits: limits, workingPixels: max(1, workingPixels))
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

/// The limits that each format's decoder applies.
struct DecodingRequest {
    var limits: PhotoLimits
    var workingPixels: Int

    /// Throws if a picture exceeds the limit.
    ///
    /// Called with the sizes from the header.
    func check(_ size: PixelSize, _ format: ImageFormat) throws(ImageError) {
        guard size.width > 0, size.height > 0 else { throw .damaged(format, "it has no pixels") }
        // Divides instead of multiplying, because a header may contain any number and the product overflow.
        guard size.width <= limits.maxPixels / size.height else {
            throw .tooManyPixels(size, limit: limits.maxPixels)
        }
        // libheif checks its own limits for each side only: a lower limit bounds what is between header and check.
        let maxSide = format == .heic ? min(limits.maxSide, 16_384) : limits.maxSide
        guard size.longSide <= maxSide else { throw .tooLong(size, limit: maxSide) }
        let maxAspect = format == .heic ? min(limits.maxAspect, 10) : limits.maxAspect
        guard size.longSide / maxAspect <= min(size.width, size.height) else {
            throw .tooNarrow(size, limit: maxAspect)
        }
    }

    /// Returns the size at which to decode a picture of `stored` pixels: unchanged if it is small enough.
    func target(for stored: PixelSize) -> PixelSize {
        guard stored.area > workingPixels else { return stored }
        let scale = (Double(workingPixels) / Double(stored.area)).squareRoot()
        let width = min(max(1, Int(saturating: Double(stored.width) * scale)), workingPixels)
        let height = min(max(1, Int(saturating: Double(stored.height) * scale)), workingPixels / width)
        return PixelSize(width: width, height: height)
    }
}
