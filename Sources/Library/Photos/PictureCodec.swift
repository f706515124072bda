import Concurrency
package import Imaging

/// Decodes and encodes pictures for the library and for jobs.
///
/// Each call may take a second, so debug builds trap when it runs on Swift's cooperative pool instead of a
/// `BlockingExecutor`.
package enum PictureCodec {
    /// - Throws: `ImageError`.
    package static func decode(
        _ bytes: [UInt8], limits: PhotoLimits = PhotoLimits(), workingPixels: Int = 26_000_000
    ) throws -> DecodedPhoto {
        BlockingExecutor.assertCurrent()
        return try PhotoDecoder.decode(bytes, limits: limits, workingPixels: workingPixels)
    }

    /// Returns a photo as a JPEG without place, time and other metadata: a JPEG with its orientation as its only EXIF tag,
    /// any other format upright and encoded again.
    ///
    /// - Throws: `ImageError`.
    package static func withoutMetadata(_ bytes: [UInt8], limits: PhotoLimits = PhotoLimits()) throws -> [UInt8] {
        BlockingExecutor.assertCurrent()
        if ImageFormat.sniff(bytes) == .jpeg, let stripped = JPEGMarkers.withoutMetadata(bytes) { return stripped }
        return try jpeg(decode(bytes, limits: limits).image, quality: 92)
    }

    /// - Throws: `ImageError`.
    package static func jpeg(_ image: RGBImage, quality: Int) throws -> [UInt8] {
        BlockingExecutor.assertCurrent()
        return try JPEGCodec.encode(image, quality: quality)
    }
}
