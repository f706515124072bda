import Bounds
internal import CImageCodecs
package import Imaging

extension HEICCodec {
    /// - Parameters:
    ///   - quality: 0...100.
    ///   - orientation: written as the format's own transformations, which decoders apply.
    /// - Throws: `ImageError` with code `notEncodable` where libheif has no encoder for HEVC.
    package static func encode(
        _ image: RGBImage, quality: Int, orientation: ExifOrientation = .up
    ) throws(ImageError) -> [UInt8] {
        try image.check(sides: 16_384, "A HEIC has 1 to 16,384 pixels on a side")
        let context = heif_context_alloc()
        defer { heif_context_free(context) }
        var encoder: OpaquePointer?
        defer { heif_encoder_release(encoder) }
        try check(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder))
        try check(heif_encoder_set_lossy_quality(encoder, Int32(quality.clamped(to: 0...100))))
        var picture: OpaquePointer?
        defer { heif_image_release(picture) }
        try create(&picture, from: image)
        let options = heif_encoding_options_alloc()
        defer { heif_encoding_options_free(options) }
        options?.pointee.image_orientation = heif_orientation(rawValue: UInt32(orientation.rawValue))
        try check(heif_context_encode_image(context, picture, encoder, options, nil))
        var writer = heif_writer(writer_api_version: 1) { _, data, count, target in
            target?.assumingMemoryBound(to: [UInt8].self).pointee =
                Array(UnsafeRawBufferPointer(start: data, count: count))
            return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
        }
        var bytes: [UInt8] = []
        // `&bytes` would pass a pointer to the elements; libheif's callback needs a pointer to the array itself.
        try check(withUnsafeMutablePointer(to: &bytes) { heif_context_write(context, &writer, $0) })
        return bytes
    }

    private static func create(_ picture: inout OpaquePointer?, from image: RGBImage) throws(ImageError) {
        let (width, height) = (Int32(image.width), Int32(image.height))
        try check(heif_image_create(width, height, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &picture))
        try check(heif_image_add_plane(picture, heif_channel_interleaved, width, height, 8))
        var stride: Int32 = 0
        guard let plane = heif_image_get_plane(picture, heif_channel_interleaved, &stride) else {
            throw ImageError(.outOfMemory, "There is not enough memory to encode the picture.")
        }
        image.samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            for y in 0..<image.height {
                (plane + y * Int(stride)).update(from: base + y * image.width * 3, count: image.width * 3)
            }
        }
    }

    private static func check(_ error: heif_error) throws(ImageError) {
        guard error.code != heif_error_Ok else { return }
        let reason = error.message.map { String(cString: $0) } ?? "no reason given"
        throw ImageError(.notEncodable, "libheif cannot write this picture: \(reason).")
    }
}
