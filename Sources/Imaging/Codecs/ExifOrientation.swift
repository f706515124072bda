/// The transformation that turns a stored picture upright.
///
/// The raw value is that of the EXIF tag Orientation (EXIF 2.32, 4.6.4 A). The case names say where the top of the
/// upright picture is in the stored one.
package enum ExifOrientation: Int, CaseIterable, Sendable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    /// The stored rows are upright columns from the left.
    case leftMirrored = 5
    /// Needs a clockwise turn by 90 degrees, as a photo from a phone held upright.
    case right = 6
    case rightMirrored = 7
    /// Needs an anticlockwise turn by 90 degrees.
    case left = 8

    package var exchangesSides: Bool { rawValue >= 5 }

    /// The size of the upright picture.
    package func upright(_ stored: PixelSize) -> PixelSize {
        exchangesSides ? PixelSize(width: stored.height, height: stored.width) : stored
    }

    /// Maps stored pixels to offsets in the row-major upright picture: the offset of the first stored pixel, and the
    /// steps to the next stored pixel to the right and below.
    func placement(of stored: PixelSize) -> (start: Int, right: Int, down: Int) {
        let (w, h) = (stored.width, stored.height)
        return switch self {
        case .up: (0, 1, w)
        case .upMirrored: (w - 1, -1, w)
        case .down: (w * h - 1, -1, -w)
        case .downMirrored: (w * (h - 1), 1, -w)
        case .leftMirrored: (0, h, 1)
        case .right: (h - 1, h, -1)
        case .rightMirrored: (w * h - 1, -h, -1)
        case .left: (h * (w - 1), -h, 1)
        }
    }
}

extension ExifOrientation {
    /// Reads the orientation from EXIF data, which is a TIFF file, with or without the prefix "Exif\0\0".
    ///
    /// `up` when the tag is missing or the data is damaged: damaged EXIF is not a reason to reject a photo.
    package init(exif: some RandomAccessCollection<UInt8>) {
        let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
        let tiff = TIFFBytes(exif.starts(with: prefix) ? Array(exif.dropFirst(6)) : Array(exif))
        self = tiff?.orientation ?? .up
    }
}

/// Reads just enough of TIFF 6.0 to find one tag in the first directory.
private struct TIFFBytes {
    private let bytes: [UInt8]
    private let bigEndian: Bool

    init?(_ bytes: [UInt8]) {
        guard let order = bytes.first, order == 0x49 || order == 0x4D, bytes.dropFirst().first == order else {
            return nil
        }
        self.bytes = bytes
        bigEndian = order == 0x4D
        guard number(at: 2, count: 2) == 42 else { return nil }
    }

    var orientation: ExifOrientation? {
        guard let directory = number(at: 4, count: 4), let entries = number(at: directory, count: 2) else { return nil }
        for entry in 0..<entries {
            // An entry is tag, type, count and value: 2 + 2 + 4 + 4 bytes.
            let at = directory + 2 + entry * 12
            guard let tag = number(at: at, count: 2) else { return nil }
            guard tag == 0x0112 else { continue }
            let isLong = number(at: at + 2, count: 2) == 4
            return number(at: at + 8, count: isLong ? 4 : 2).flatMap(ExifOrientation.init)
        }
        return nil
    }

    private func number(at offset: Int, count: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        let digits = bytes[offset..<offset + count]
        return bigEndian ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
