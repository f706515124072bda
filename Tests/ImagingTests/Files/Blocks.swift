import Imaging
import PictureEncoders
import Testing

/// Pictures as text: each letter is a square of one colour, so that what comes back from any codec can be read.
enum Blocks {
    static let colors: [Character: RGBColor] = [
        "R": RGBColor(0xC8_1E28), "G": RGBColor(0x1E_A03C), "B": RGBColor(0x28_3CB4), "K": RGBColor(0x14_1414),
        "M": RGBColor(0x80_8080), "W": .white,
    ]
    static let side = 8

    static func picture(_ rows: [String]) -> RGBImage {
        let size = PixelSize(width: (rows.first?.count ?? 0) * side, height: rows.count * side)
        var image = RGBImage(size: size)
        for (y, row) in rows.enumerated() {
            for (x, letter) in row.enumerated() {
                for dy in 0..<side {
                    for dx in 0..<side { image[x * side + dx, y * side + dy] = colors[letter] ?? .white }
                }
            }
        }
        return image
    }

    /// The letters back, from the middle of each square; a dot for any other colour.
    static func read(_ image: RGBImage, side: Int = side, tolerance: Int = 24) -> [String] {
        (0..<image.height / side).map { y in
            String(
                (0..<image.width / side).map { x in
                    let color = image[x * side + side / 2, y * side + side / 2]
                    return colors.first { distance($0.value, color) <= tolerance }?.key ?? "."
                })
        }
    }

    private static func distance(_ a: RGBColor, _ b: RGBColor) -> Int {
        max(abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)), abs(Int(a.blue) - Int(b.blue)))
    }
}

extension ImageFormat {
    /// The picture in this format.
    func encoded(_ image: RGBImage) throws -> [UInt8] {
        switch self {
        case .jpeg: try JPEGCodec.encode(image, quality: 95)
        case .png: try PNGCodec.encode(image)
        case .webp: try WebPCodec.encode(image, quality: 95)
        case .heic: try HEICCodec.encode(image, quality: 90)
        }
    }

    /// The picture in this format, to be turned by the reader: by EXIF, in HEIC by its own properties.
    func encoded(_ image: RGBImage, orientation: ExifOrientation) throws -> [UInt8] {
        let exif = EXIFBytes.file(orientation: orientation.rawValue)
        switch self {
        case .jpeg: return addingEXIF(toJPEG: try encoded(image), exif: exif)
        case .png:
            let bytes = try encoded(image)
            // Behind the signature and the header's 25 bytes.
            return bytes.prefix(33) + PNGBytes.chunk("eXIf", exif) + bytes.dropFirst(33)
        case .webp:
            return WebPBytes.file(try encoded(image), width: image.width, height: image.height, exif: exif)
        case .heic: return try HEICCodec.encode(image, quality: 90, orientation: orientation)
        }
    }
}

/// What decoding throws; `nil` when it does not.
func decodingError(_ bytes: [UInt8], limits: PhotoLimits = PhotoLimits()) -> ImageError? {
    do throws(ImageError) {
        _ = try PhotoDecoder.decode(bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}
