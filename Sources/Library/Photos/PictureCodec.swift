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

    /// - Throws: `ImageError`.
    package static func jpeg(_ image: RGBImage, quality: Int) throws -> [UInt8] {
        BlockingExecutor.assertCurrent()
        return try JPEGCodec.encode(image, quality: quality)
    }
}
