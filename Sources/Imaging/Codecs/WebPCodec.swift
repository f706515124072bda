internal import CImageCodecs

/// Reads WebP with libwebp: lossy and lossless, transparency over white, the first frame of an animation.
package enum WebPCodec {
    static func decode(_ bytes: [UInt8], _ request: DecodingRequest) throws(ImageError) -> DecodedPhoto {
        try WebPChunks.checkComplete(bytes)
        let orientation = WebPChunks.orientation(of: bytes)
        return try bytes.withUnsafeBufferPointer { buffer throws(ImageError) in
            let features = try features(of: buffer)
            let stored = PixelSize(width: Int(features.width), height: Int(features.height))
            try request.check(stored, .webp)
            let target = request.target(for: stored)
            let image =
                features.has_animation != 0
                ? try firstFrame(of: buffer, on: stored, target)
                : try still(buffer, target, hasAlpha: features.has_alpha != 0)
            return DecodedPhoto(
                image: RowAssembly.image(image, target: target, orientation: orientation),
                originalSize: orientation.upright(stored), format: .webp)
        }
    }

    private static func features(
        of bytes: UnsafeBufferPointer<UInt8>
    ) throws(ImageError) -> WebPBitstreamFeatures {
        var features = WebPBitstreamFeatures()
        try check(WebPGetFeatures(bytes.baseAddress, bytes.count, &features))
        return features
    }

    /// Decodes at `target`'s size, so that libwebp skips unneeded detail.
    private static func still(
        _ bytes: UnsafeBufferPointer<UInt8>, _ target: PixelSize, hasAlpha: Bool
    ) throws(ImageError) -> RGBImage {
        guard hasAlpha else {
            return RGBImage(size: target, samples: try pixels(of: bytes, target, MODE_RGB, channels: 3))
        }
        var image = RGBImage(size: target)
        image.paint(try pixels(of: bytes, target, MODE_rgbA, channels: 4), of: target, x: 0, y: 0)
        return image
    }

    /// Decodes the first frame at its position on a canvas that is otherwise white.
    private static func firstFrame(
        of bytes: UnsafeBufferPointer<UInt8>, on canvas: PixelSize, _ target: PixelSize
    ) throws(ImageError) -> RGBImage {
        var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
        guard let demuxer = WebPDemux(&data) else { throw .damaged(.webp, "its frames are missing") }
        defer { WebPDemuxDelete(demuxer) }
        var frame = WebPIterator()
        guard WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else { throw .damaged(.webp, "it has no frame") }
        defer { WebPDemuxReleaseIterator(&frame) }
        let size = PixelSize(width: Int(frame.width), height: Int(frame.height))
        let (x, y) = (Int(frame.x_offset), Int(frame.y_offset))
        guard size.width > 0, size.height > 0, x >= 0, y >= 0, x + size.width <= canvas.width,
            y + size.height <= canvas.height
        else { throw .damaged(.webp, "its first frame is outside of the picture") }

        // The frame's position on a canvas of the target's size, to the nearest pixel.
        func scaled(_ value: Int, _ from: Int, _ to: Int) -> Int { (value * to + from / 2) / from }
        let left = min(scaled(x, canvas.width, target.width), target.width - 1)
        let top = min(scaled(y, canvas.height, target.height), target.height - 1)
        let right = max(left + 1, scaled(x + size.width, canvas.width, target.width))
        let bottom = max(top + 1, scaled(y + size.height, canvas.height, target.height))
        let place = PixelSize(width: right - left, height: bottom - top)
        let fragment = UnsafeBufferPointer(start: frame.fragment.bytes, count: frame.fragment.size)
        let premultiplied = try pixels(of: fragment, place, MODE_rgbA, channels: 4)
        var image = RGBImage(size: target)
        image.paint(premultiplied, of: place, x: left, y: top)
        return image
    }

    /// Decodes samples at `size`; rows have no padding.
    private static func pixels(
        of bytes: UnsafeBufferPointer<UInt8>, _ size: PixelSize, _ mode: WEBP_CSP_MODE, channels: Int
    ) throws(ImageError) -> [UInt8] {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { throw .damaged(.webp, "libwebp has an incompatible version") }
        let original = try features(of: bytes)
        if Int(original.width) != size.width || Int(original.height) != size.height {
            config.options.use_scaling = 1
            config.options.scaled_width = Int32(size.width)
            config.options.scaled_height = Int32(size.height)
        }
        config.options.no_fancy_upsampling = 1  // text is legible in the luma
        config.output.colorspace = mode
        config.output.is_external_memory = 1
        var status = VP8_STATUS_OK
        let samples = [UInt8](unsafeUninitializedCapacity: size.area * channels) { buffer, count in
            config.output.u.RGBA.rgba = buffer.baseAddress
            config.output.u.RGBA.stride = Int32(size.width * channels)
            config.output.u.RGBA.size = size.area * channels
            status = WebPDecode(bytes.baseAddress, bytes.count, &config)
            count = status == VP8_STATUS_OK ? size.area * channels : 0
        }
        WebPFreeDecBuffer(&config.output)
        try check(status)
        return samples
    }

    private static func check(_ status: VP8StatusCode) throws(ImageError) {
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw .truncated(.webp)
        case VP8_STATUS_UNSUPPORTED_FEATURE: throw .damaged(.webp, "unknown feature")
        default: throw .damaged(.webp, "invalid data")
        }
    }
}

extension RGBImage {
    /// Composites premultiplied RGBA samples over white.
    fileprivate mutating func paint(_ premultiplied: [UInt8], of size: PixelSize, x: Int, y: Int) {
        for row in 0..<size.height {
            for column in 0..<size.width {
                let from = (row * size.width + column) * 4
                let to = ((y + row) * width + x + column) * 3
                let white = 255 - premultiplied[from + 3]
                for c in 0..<3 { samples[to + c] = premultiplied[from + c] &+ white }
            }
        }
    }
}

/// The chunks of a WebP file: type, length, data, padded to an even length (RFC 9649, 2.3).
enum WebPChunks {
    /// Throws `truncated` if the file is shorter than its header says.
    static func checkComplete(_ bytes: [UInt8]) throws(ImageError) {
        guard bytes.count >= 20, 8 + number(bytes, at: 4) <= bytes.count else { throw .truncated(.webp) }
    }

    /// The orientation in the `EXIF` chunk; `up` without one.
    static func orientation(of bytes: [UInt8]) -> ExifOrientation {
        var at = 12
        while at + 8 <= bytes.count {
            let length = number(bytes, at: at + 4)
            let end = at + 8 + length
            guard end <= bytes.count else { break }
            if bytes[at..<at + 4].elementsEqual("EXIF".utf8) { return ExifOrientation(exif: bytes[at + 8..<end]) }
            at = end + length % 2
        }
        return .up
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
        bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
