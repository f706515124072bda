extension JPEGMarkers {
    /// Returns a JPEG file without the metadata in it: place, time, camera, thumbnails, text, and data after the picture.
    ///
    /// The picture is not encoded again. The orientation is kept as the only EXIF tag, and colour profiles are kept,
    /// because pictures look different without them.
    ///
    /// - Returns: `nil` if the file's segments are damaged; decoding and encoding then remove metadata.
    package static func withoutMetadata(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var kept: [UInt8] = [0xFF, 0xD8]
        kept.reserveCapacity(bytes.count)
        let orientation = orientation(of: bytes)
        var hasOrientation = orientation == .up
        var at = 2
        while at + 2 <= bytes.count {
            guard bytes[at] == 0xFF else { return nil }
            let marker = bytes[at + 1]
            if marker == 0xFF {
                at += 1  // a fill byte
                continue
            }
            if marker == 0xD9 { return kept + [0xFF, 0xD9] }
            guard at + 4 <= bytes.count else { return nil }
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            var end = at + 2 + length
            guard length >= 2, end <= bytes.count else { return nil }
            // JFIF's header has to stay the first segment.
            if marker != 0xE0, !hasOrientation {
                kept += segment(orientation)
                hasOrientation = true
            }
            if marker == 0xDA { end = endOfScan(bytes, from: end) }
            if isKept(marker, bytes[at + 4..<max(at + 4, min(end, at + 2 + length))]) { kept += bytes[at..<end] }
            at = end
        }
        // A file that ends too early is kept as far as it goes.
        return kept
    }

    /// Whether a segment is needed to draw the picture.
    private static func isKept(_ marker: UInt8, _ payload: ArraySlice<UInt8>) -> Bool {
        switch marker {
        case 0xE0: payload.starts(with: "JFIF\0".utf8)
        case 0xE2: payload.starts(with: "ICC_PROFILE\0".utf8)
        // Says how the colours are encoded.
        case 0xEE: payload.starts(with: "Adobe".utf8)
        // Other application data, and comments.
        case 0xE1...0xEF, 0xFE: false
        default: true
        }
    }

    /// Returns the offset of the marker after a scan's data.
    private static func endOfScan(_ bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var at = start
            while at + 1 < bytes.count {
                // 0xFF00 is a byte of data, and restart markers are part of the data.
                if bytes[at] == 0xFF, bytes[at + 1] != 0, bytes[at + 1] != 0xFF, !(0xD0...0xD7).contains(bytes[at + 1])
                {
                    return at
                }
                at += 1
            }
            return bytes.count
        }
    }

    /// An EXIF segment with one tag (TIFF 6.0, section 2; EXIF 2.32, 4.7.2 B).
    private static func segment(_ orientation: ExifOrientation) -> [UInt8] {
        [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0] + [0, 0, 0, 0]
    }
}
