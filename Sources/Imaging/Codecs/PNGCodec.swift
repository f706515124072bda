internal import CImageCodecs

/// Reads and writes PNG with libpng: all pixel formats, transparency over white.
package enum PNGCodec {
    /// - Throws: `ImageError` with code `notEncodable` for a picture without pixels.
    package static func encode(_ image: RGBImage) throws(ImageError) -> [UInt8] {
        guard image.size.area > 0 else { throw ImageError(.notEncodable, "A PNG has at least one pixel.") }
        return try CodecOutput.bytes(.png) { data, count, error in
            shelf_png_encode(image.samples, Int32(image.width), Int32(image.height), &data, &count, &error)
        }
    }

    static func decode(_ bytes: [UInt8], _ request: DecodingRequest) throws(ImageError) -> DecodedPhoto {
        let orientation = PNGChunks.orientation(of: bytes)
        return try bytes.withUnsafeBufferPointer { buffer throws(ImageError) in
            let reader = try PNGReader(borrowing: buffer)
            try request.check(reader.size, .png)
            let target = request.target(for: reader.size)
            let image: RGBImage
            if reader.isInterlaced {
                // Rows of an interlaced picture are complete only at the end of the file.
                let whole = try reader.readInterlaced()
                image = RowAssembly.image(whole, target: target, orientation: orientation)
            } else {
                image = try RowAssembly.image(
                    stored: reader.size, target: target, orientation: orientation, read: reader.read)
            }
            return DecodedPhoto(image: image, originalSize: orientation.upright(reader.size), format: .png)
        }
    }
}

/// Owns the C reader; the bytes are borrowed and must outlive it.
private final class PNGReader {
    private let handle: OpaquePointer?

    init(borrowing bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        var handle: OpaquePointer?
        var error = shelf_error()
        let status = shelf_png_open(bytes.baseAddress, bytes.count, &handle, &error)
        self.handle = handle
        guard status == SHELF_OK else { throw error.imageError(status, .png) }
    }

    deinit { shelf_png_close(handle) }

    var size: PixelSize { PixelSize(width: shelf_png_width(handle), height: shelf_png_height(handle)) }

    var isInterlaced: Bool { shelf_png_is_interlaced(handle) != 0 }

    func read(_ rows: UnsafeMutablePointer<UInt8>, count: Int) throws(ImageError) {
        var error = shelf_error()
        let status = shelf_png_read(handle, rows, Int32(count), &error)
        guard status == SHELF_OK else { throw error.imageError(status, .png) }
    }

    func readInterlaced() throws(ImageError) -> RGBImage {
        var image = RGBImage(size: size)
        var error = shelf_error()
        let status = image.samples.withUnsafeMutableBufferPointer {
            shelf_png_read_interlaced(handle, $0.baseAddress, &error)
        }
        guard status == SHELF_OK else { throw error.imageError(status, .png) }
        return image
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
