internal import CImageCodecs

/// Reads and writes PNG with libpng: all pixel formats, transparency over white.
package enum PNGCodec {
    /// - Throws: `ImageError` with code `notEncodable` for a picture without pixels.
    package static func encode(_ image: RGBImage) throws(ImageError) -> [UInt8] {
        guard image.size.area > 0 else { throw ImageError(.notEncodable, "A PNG has at least one pixel.") }
        return try ImageFormat.png.encoded { data, count, error in
            shelf_png_encode(image.samples, Int32(image.width), Int32(image.height), &data, &count, &error)
        }
    }

    static func decode(_ bytes: [UInt8], _ request: DecodingRequest) throws(ImageError) -> DecodedPhoto {
        let orientation = PNGChunks.orientation(of: bytes)
        return try bytes.withUnsafeBufferPointer { buffer throws(ImageError) in
            var reader: OpaquePointer?
            defer { shelf_png_close(reader) }
            try ImageFormat.png.check { shelf_png_open(buffer.baseAddress, buffer.count, &reader, &$0) }
            let size = PixelSize(width: shelf_png_width(reader), height: shelf_png_height(reader))
            try request.check(size, .png)
            let target = request.target(for: size)
            let image: RGBImage
            if shelf_png_is_interlaced(reader) != 0 {
                // Rows of an interlaced picture are complete only at the end of the file.
                var whole = RGBImage(size: size)
                try ImageFormat.png.check { shelf_png_read_interlaced(reader, &whole.samples, &$0) }
                image = RowAssembly.image(whole, target: target, orientation: orientation)
            } else {
                image = try RowAssembly.image(
                    stored: size, target: target, orientation: orientation
                ) { rows, count throws(ImageError) in
                    try ImageFormat.png.check { shelf_png_read(reader, rows, Int32(count), &$0) }
                }
            }
            return DecodedPhoto(image: image, originalSize: orientation.upright(size), format: .png)
        }
    }
}

/// The chunks of a PNG file: length, type, data, checksum (ISO/IEC 15948, 5.3).
enum PNGChunks {
    /// The orientation in the `eXIf` chunk, which may come before or after the image data; `up` without one.
    static func orientation(of bytes: [UInt8]) -> ExifOrientation {
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = at + 8 + length
            guard end + 4 <= bytes.count else { break }
            if bytes[at + 4..<at + 8].elementsEqual("eXIf".utf8) { return ExifOrientation(exif: bytes[at + 8..<end]) }
            at = end + 4
        }
        return .up
    }
}
