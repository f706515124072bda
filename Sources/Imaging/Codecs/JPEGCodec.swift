internal import CImageCodecs

/// Reads and writes JPEG with libjpeg-turbo.
package enum JPEGCodec {
    /// - Parameter quality: 1...100 on libjpeg's scale; 90 is visually close to the original.
    /// - Throws: `ImageError` with code `notEncodable` for a picture without pixels or with a side over 65,500.
    package static func encode(_ image: RGBImage, quality: Int) throws(ImageError) -> [UInt8] {
        try image.check(sides: 65_500, "A JPEG has 1 to 65,500 pixels on a side")
        return try ImageFormat.jpeg.encoded { data, count, error in
            shelf_jpeg_encode(
                image.samples, Int32(image.width), Int32(image.height), Int32(quality.clamped(to: 1...100)),
                &data, &count, &error)
        }
    }

    static func decode(_ bytes: [UInt8], _ request: DecodingRequest) throws(ImageError) -> DecodedPhoto {
        let orientation = JPEGMarkers.orientation(of: bytes)
        return try bytes.withUnsafeBufferPointer { buffer throws(ImageError) in
            var reader: OpaquePointer?
            defer { shelf_jpeg_close(reader) }
            try ImageFormat.jpeg.check { shelf_jpeg_open(buffer.baseAddress, buffer.count, &reader, &$0) }
            let size = PixelSize(width: Int(shelf_jpeg_width(reader)), height: Int(shelf_jpeg_height(reader)))
            try request.check(size, .jpeg)
            // libjpeg can decode at a reduced size in eighths; any remaining reduction is averaged.
            let eighths = (1...8).last { request.allows(size, eighths: $0) } ?? 1
            var (width, height): (Int32, Int32) = (0, 0)
            try ImageFormat.jpeg.check { shelf_jpeg_start(reader, Int32(eighths), &width, &height, &$0) }
            let stored = PixelSize(width: Int(width), height: Int(height))
            let image = try RowAssembly.image(
                stored: stored, target: request.target(for: stored), orientation: orientation
            ) { rows, count throws(ImageError) in
                try ImageFormat.jpeg.check { shelf_jpeg_read(reader, rows, Int32(count), &$0) }
            }
            return DecodedPhoto(image: image, originalSize: orientation.upright(size), format: .jpeg)
        }
    }
}

extension DecodingRequest {
    fileprivate func allows(_ size: PixelSize, eighths: Int) -> Bool {
        ((size.width * eighths + 7) / 8) * ((size.height * eighths + 7) / 8) <= workingPixels
    }
}

/// The segments before the picture's data (ITU T.81, B.1.1).
package enum JPEGMarkers {
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
