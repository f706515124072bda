import Imaging
import PictureEncoders

/// Small valid files that together use all features of each format.
enum Originals {
    static func files(for decoder: Decoder) throws -> [[UInt8]] {
        switch decoder {
        case .jpeg:
            let files = try [picture, gray].flatMap {
                [try JPEGCodec.encode($0, quality: 90), try JPEGCodec.encode($0, quality: 20)]
            }
            return files + files.map(addingEXIF)
        case .png:
            return try [PNGCodec.encode(picture), palette, interlaced, deep]
        case .webp:
            let lossy = try WebPCodec.encode(picture, quality: 60)
            let lossless = try WebPCodec.encode(picture, quality: nil)
            return [
                lossy, lossless, extended(lossy, flags: 0x08, chunk("EXIF", exif)), animation(lossy),
                animation(lossless),
            ]
        case .heic:
            return try [
                HEICCodec.encode(picture, quality: 60), HEICCodec.encode(picture, quality: 60, orientation: .left),
            ]
        case .exif:
            return [exif, prefix + exif]
        case .sides:
            return try [Decoder.jpeg, .png, .webp, .heic].flatMap { try files(for: $0) }
        }
    }

    private static let size = PixelSize(width: 40, height: 24)

    /// Gradients, edges and noise, to exercise every part of a codec.
    private static let picture = RGBImage(
        size: size,
        samples: (0..<size.area).flatMap { i -> [UInt8] in
            let (x, y) = (i % size.width, i / size.width)
            return [UInt8(x * 6), x / 8 % 2 == y / 8 % 2 ? 220 : 30, UInt8((x * 37 + y * 101) % 97)]
        })

    private static let gray = RGBImage(size: size, filledWith: RGBColor(0x808080))

    private static func addingEXIF(toJPEG bytes: [UInt8]) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(2 + prefix.count + exif.count)] + prefix + exif + bytes.dropFirst(2)
    }

    private static let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

    /// One directory with the orientation entry.
    private static let exif: [UInt8] = [
        0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
    ]

    /// 5 × 3, four bits, transparency, EXIF.
    private static let palette = PNGFiles.file(
        width: 5, height: 3, bitDepth: 4, colorType: 3, [UInt8](repeating: 0, count: 12),
        before: [
            PNGFiles.chunk("PLTE", [1, 2, 3, 200, 100, 50]), PNGFiles.chunk("tRNS", [128]),
            PNGFiles.chunk("eXIf", exif),
        ])

    /// 3 × 3, colour and alpha, interlaced: passes of one, one, two, two and three rows' worth of filter bytes.
    private static let interlaced = PNGFiles.file(
        width: 3, height: 3, bitDepth: 8, colorType: 6, interlaced: true, [UInt8](repeating: 0, count: 5 + 9 * 4 + 1))

    /// 2 × 2, 16 bits.
    private static let deep = PNGFiles.file(
        width: 2, height: 2, bitDepth: 16, colorType: 2,
        [0] + [UInt8](repeating: 9, count: 12) + [2]
            + [UInt8](repeating: 7, count: 12))

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func extended(_ simple: [UInt8], flags: UInt8, _ more: [UInt8]) -> [UInt8] {
        riff(header(flags) + Array(simple.dropFirst(12)) + more)
    }

    private static func animation(_ simple: [UInt8]) -> [UInt8] {
        let frame =
            [UInt8](repeating: 0, count: 6) + little(size.width - 1, 3) + little(size.height - 1, 3) + little(100, 3)
            + [0]
        let frames = chunk("ANMF", frame + simple.dropFirst(12))
        return riff(header(0x02) + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + frames + frames)
    }

    private static func header(_ flags: UInt8) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + little(size.width - 1, 3) + little(size.height - 1, 3))
    }

    private static func riff(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
