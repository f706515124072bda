import Imaging
import PictureEncoders
import Testing

@Suite("Every kind of pixel a file may hold")
struct PixelKindTests {
    static let jpegs: [(name: String, bytes: [UInt8])] = [
        ("progressive", SampleJPEGs.progressive),
        ("CMYK with Adobe's upside-down inks", SampleJPEGs.adobeCMYK),
        ("CMYK", SampleJPEGs.plainCMYK),
        ("YCCK", SampleJPEGs.ycck),
    ]

    @Test("Every kind of JPEG is decoded", arguments: jpegs)
    func jpeg(_ name: String, _ bytes: [UInt8]) throws {
        #expect(Blocks.read(try PhotoDecoder.decode(bytes).image) == SampleJPEGs.sixColors)
    }

    struct Pixels: Sendable, CustomTestStringConvertible {
        var name: String
        var file: PNGBytes
        var colors: [UInt32]
        var testDescription: String { name }
    }

    /// All one row; white, over which transparency is laid, shows in the mixed colours.
    static let pngs = [
        Pixels(
            name: "1 bit gray",
            file: PNGBytes(width: 3, height: 1, bitDepth: 1, colorType: 0, rows: [[0, 0b1010_0000]]),
            colors: [0xFFFFFF, 0x000000, 0xFFFFFF]),
        Pixels(
            name: "2 bit gray",
            file: PNGBytes(width: 3, height: 1, bitDepth: 2, colorType: 0, rows: [[0, 0b0001_1000]]),
            colors: [0x000000, 0x555555, 0xAAAAAA]),
        Pixels(
            name: "4 bit gray", file: PNGBytes(width: 2, height: 1, bitDepth: 4, colorType: 0, rows: [[0, 0x3F]]),
            colors: [0x333333, 0xFFFFFF]),
        Pixels(
            name: "8 bit gray", file: PNGBytes(width: 2, height: 1, colorType: 0, rows: [[0, 7, 200]]),
            colors: [0x070707, 0xC8C8C8]),
        Pixels(
            name: "16 bit gray, rounded",
            file: PNGBytes(
                width: 3, height: 1, bitDepth: 16, colorType: 0, rows: [[0, 0x80, 0x80, 0x80, 0xFF, 0, 0x7F]]),
            colors: [0x808080, 0x808080, 0x000000]),
        Pixels(
            name: "8 bit colour", file: PNGBytes(width: 2, height: 1, rows: [[0, 1, 2, 3, 250, 251, 252]]),
            colors: [0x010203, 0xFAFBFC]),
        Pixels(
            name: "16 bit colour",
            file: PNGBytes(width: 1, height: 1, bitDepth: 16, rows: [[0, 0x12, 0x12, 0x34, 0x34, 0xFF, 0xFF]]),
            colors: [0x1234FF]),
        Pixels(
            name: "palette",
            file: PNGBytes(width: 2, height: 1, bitDepth: 4, colorType: 3, rows: [[0, 0x10]]).with(
                "PLTE", [1, 2, 3, 9, 8, 7]),
            colors: [0x090807, 0x010203]),
        Pixels(
            name: "palette with transparency",
            file: PNGBytes(width: 2, height: 1, colorType: 3, rows: [[0, 0, 1]]).with("PLTE", [0, 0, 0, 9, 8, 7])
                .with("tRNS", [0x33]),
            colors: [0xCCCCCC, 0x090807]),
        Pixels(
            name: "a transparent colour",
            file: PNGBytes(width: 2, height: 1, rows: [[0, 1, 2, 3, 4, 5, 6]]).with("tRNS", [0, 1, 0, 2, 0, 3]),
            colors: [0xFFFFFF, 0x040506]),
        Pixels(
            name: "gray and alpha", file: PNGBytes(width: 2, height: 1, colorType: 4, rows: [[0, 0, 0x33, 9, 0xFF]]),
            colors: [0xCCCCCC, 0x090909]),
        Pixels(
            name: "colour and alpha",
            file: PNGBytes(width: 3, height: 1, colorType: 6, rows: [[0, 0, 0, 255, 0x33, 1, 2, 3, 255, 1, 2, 3, 0]]),
            colors: [0xCCCCFF, 0x010203, 0xFFFFFF]),
        Pixels(
            name: "16 bit colour and alpha",
            file: PNGBytes(
                width: 1, height: 1, bitDepth: 16, colorType: 6, rows: [[0, 0, 0, 0, 0, 255, 255, 0x33, 0x33]]),
            colors: [0xCCCCFF]),
    ]

    @Test("Every kind of PNG is decoded", arguments: pngs)
    func png(_ pixels: Pixels) throws {
        let image = try PhotoDecoder.decode(pixels.file.bytes).image
        #expect((0..<image.width).map { image[$0, 0] } == pixels.colors.map { RGBColor($0) })
    }

    @Test(
        "Interlaced PNGs with empty passes are decoded",
        arguments: [(1, 1), (2, 3), (5, 4), (8, 8), (9, 17), (40, 33)])
    func interlaced(_ width: Int, _ height: Int) throws {
        let samples = (0..<width * height * 3).map { UInt8($0 * 7 % 251) }
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(samples[(y * width + x) * 3..<(y * width + x) * 3 + 3]) }
        let file = PNGBytes.interlaced(width, height, colorType: 2, pixel: pixel)
        #expect(try PhotoDecoder.decode(file.bytes).image.samples == samples)
        let opaque = PNGBytes.interlaced(width, height, colorType: 6) { pixel($0, $1) + [255] }
        #expect(try PhotoDecoder.decode(opaque.bytes).image.samples == samples)
    }

    @Test("Lossless formats return every sample")
    func lossless() throws {
        let image = RGBImage(size: PixelSize(width: 31, height: 17), samples: (0..<31 * 17 * 3).map { UInt8($0 % 256) })
        #expect(try PhotoDecoder.decode(try PNGCodec.encode(image)).image == image)
        #expect(try PhotoDecoder.decode(try WebPCodec.encode(image, quality: nil)).image == image)
    }

    @Test("An animated WebP is its first frame on white")
    func animation() throws {
        func frame(_ rows: [String], x: Int, y: Int) throws -> WebPBytes.Frame {
            let picture = Blocks.picture(rows)
            return WebPBytes.Frame(
                simple: try WebPCodec.encode(picture, quality: nil), width: picture.width, height: picture.height, x: x,
                y: y)
        }
        let bytes = WebPBytes.animation(
            width: 32, height: 24,
            [try frame(["RG", "BK"], x: 8, y: 8), try frame(["MMMM", "MMMM", "MMMM"], x: 0, y: 0)])
        #expect(Blocks.read(try PhotoDecoder.decode(bytes).image) == ["WWWW", "WRGW", "WBKW"])
        let small = try PhotoDecoder.decode(bytes, workingPixels: 16 * 12)
        #expect(small.originalSize == PixelSize(width: 32, height: 24))
        #expect(Blocks.read(small.image, side: 4) == ["WWWW", "WRGW", "WBKW"])
    }

    @Test("A single pixel is decoded", arguments: ImageFormat.allCases)
    func onePixel(_ format: ImageFormat) throws {
        let photo = try PhotoDecoder.decode(try format.encoded(RGBImage(size: PixelSize(width: 1, height: 1))))
        #expect(photo.image.size == PixelSize(width: 1, height: 1))
        #expect(photo.image.samples.allSatisfy { $0 >= 250 })
    }

    @Test("Narrow pictures are decoded", arguments: ImageFormat.allCases, [(1, 10), (10, 1), (3, 5)])
    func narrow(_ format: ImageFormat, _ size: (width: Int, height: Int)) throws {
        let photo = try PhotoDecoder.decode(
            try format.encoded(RGBImage(size: PixelSize(width: size.width, height: size.height))))
        #expect(photo.image.size == PixelSize(width: size.width, height: size.height))
    }

    @Test("A picture that cannot be encoded is refused", arguments: ImageFormat.allCases)
    func notEncodable(_ format: ImageFormat) {
        let empty = RGBImage(size: PixelSize(width: 0, height: 0))
        #expect { try format.encoded(empty) } throws: { ($0 as? ImageError)?.code == .notEncodable }
    }
}

extension PNGBytes {
    fileprivate func with(_ chunk: String, _ data: [UInt8]) -> PNGBytes {
        var copy = self
        copy.before.append(PNGBytes.chunk(chunk, data))
        return copy
    }
}
