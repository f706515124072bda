internal import CImageCodecs

/// Reads and writes JPEG with libjpeg-turbo.
package enum JPEGCodec {
    /// - Parameter quality: 1...100 on libjpeg's scale; 90 is visually close to the original.
    /// - Throws: `ImageError` with code `notEncodable` for a picture without pixels or with a side over 65,500.
    package static func encode(_ image: RGBImage, quality: Int) throws(ImageError) -> [UInt8] {
        guard (1...65_500).contains(image.width), (1...65_500).contains(image.height) else {
            throw ImageError(
                .notEncodable,
                "A JPEG has 1 to 65,500 pixels on a side; this picture is \(image.width) × \(image.height).")
        }
        return try CodecOutput.bytes(.jpeg) { data, count, error in
            shelf_jpeg_encode(
                image.samples, Int32(image.width), Int32(image.height), Int32(quality.clamped(to: 1...100)),
                &data, &count, &error)
        }
    }

    static func decode(_ bytes: [UInt8], _ request: DecodingRequest) throws(ImageError) -> DecodedPhoto {
        let orientation = JPEGMarkers.orientation(of: bytes)
        return try bytes.withUnsafeBufferPointer { buffer throws(ImageError) in
            let reader = try JPEGReader(borrowing: buffer)
            try request.check(reader.size, .jpeg)
            // libjpeg can decode at a reduced size in eighths; any remaining reduction is averaged.
            let eighths = (1...8).last { request.allows(reader.size, eighths: $0) } ?? 1
            let stored = try reader.start(eighths: eighths)
            let image = try RowAssembly.image(
                stored: stored, target: request.target(for: stored), orientation: orientation, read: reader.read)
            return DecodedPhoto(image: image, originalSize: orientation.upright(reader.size), format: .jpeg)
        }
    }
}

extension DecodingRequest {
    fileprivate func allows(_ size: PixelSize, eighths: Int) -> Bool {
        ((size.width * eighths + 7) / 8) * ((size.height * eighths + 7) / 8) <= workingPixels
    }
}

/// Owns the C reader; the bytes are borrowed and must outlive it.
private final class JPEGReader {
    private let handle: OpaquePointer?

    init(borrowing bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        var handle: OpaquePointer?
        var error = shelf_error()
        let status = shelf_jpeg_open(bytes.baseAddress, bytes.count, &handle, &error)
        self.handle = handle
        guard status == SHELF_OK else { throw error.imageError(status, .jpeg) }
    }

    deinit { shelf_jpeg_close(handle) }

    var size: PixelSize {
        PixelSize(width: Int(shelf_jpeg_width(handle)), height: Int(shelf_jpeg_height(handle)))
    }

    func start(eighths: Int) throws(ImageError) -> PixelSize {
        var (width, height): (Int32, Int32) = (0, 0)
        var error = shelf_error()
        let status = shelf_jpeg_start(handle, Int32(eighths), &width, &height, &error)
        guard status == SHELF_OK else { throw error.imageError(status, .jpeg) }
        return PixelSize(width: Int(width), height: Int(height))
    }

    func read(_ rows: UnsafeMutablePointer<UInt8>, count: Int) throws(ImageError) {
        var error = shelf_error()
        let status = shelf_jpeg_read(handle, rows, Int32(count), &error)
        guard status == SHELF_OK else { throw error.imageError(status, .jpeg) }
    }
}

/// The segments before the picture's data (ITU T.81, B.1.1).
enum JPEGMarkers {
    /// The orientation in the first EXIF segment; `up` without one.
    static func orientation(of bytes: [UInt8]) -> ExifOrientation {
        let exifPrefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
        var at = 2
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            if marker == 0xFF {
                at += 1  // a fill byte
                continue
            }
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            let end = at + 2 + length
            // The scan data begins here; no EXIF segment follows it.
            guard marker != 0xDA, length >= 2, end <= bytes.count else { return .up }
            let payload = bytes[at + 4..<end]
            if marker == 0xE1, payload.starts(with: exifPrefix) { return ExifOrientation(exif: payload) }
            at = end
        }
        return .up
    }
}
