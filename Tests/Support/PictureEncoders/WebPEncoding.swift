import Bounds
internal import CImageCodecs
package import Imaging

extension WebPCodec {
    /// - Parameter quality: 0...100; `nil` for lossless.
    /// - Throws: `ImageError` with code `notEncodable` for a picture without pixels or with a side over 16,383.
    package static func encode(_ image: RGBImage, quality: Int?) throws(ImageError) -> [UInt8] {
        try image.check(sides: 16_383, "A WebP has 1 to 16,383 pixels on a side")
        var data: UnsafeMutablePointer<UInt8>?
        let (width, height, stride) = (Int32(image.width), Int32(image.height), Int32(image.width * 3))
        let count =
            if let quality {
                WebPEncodeRGB(image.samples, width, height, stride, Float(quality.clamped(to: 0...100)), &data)
            } else {
                WebPEncodeLosslessRGB(image.samples, width, height, stride, &data)
            }
        defer { WebPFree(data) }
        // The size is valid, so only a lack of memory can make encoding fail.
        guard count > 0 else { throw ImageError(.outOfMemory, "There is not enough memory to encode the picture.") }
        return Array(UnsafeBufferPointer(start: data, count: count))
    }
}
