import Imaging
import Testing

@Suite("How large a photo may be, and what it is decoded to")
struct LimitTests {
    @Test("A photo of exactly the byte limit is allowed", arguments: ImageFormat.allCases)
    func bytes(_ format: ImageFormat) throws {
        let file = try format.encoded(Blocks.picture(["RG"]))
        #expect(decodingError(file, limits: PhotoLimits(maxBytes: file.count)) == nil)
        #expect(decodingError(file, limits: PhotoLimits(maxBytes: file.count - 1))?.code == .tooManyBytes)
    }

    @Test("A photo of exactly the pixel limit is allowed", arguments: ImageFormat.allCases)
    func pixels(_ format: ImageFormat) throws {
        let file = try format.encoded(Blocks.picture(["RG"]))
        #expect(decodingError(file, limits: PhotoLimits(maxPixels: 128)) == nil)
        #expect(decodingError(file, limits: PhotoLimits(maxPixels: 127))?.code == .tooManyPixels)
    }

    @Test("The messages name both numbers")
    func messages() throws {
        let many = [UInt8](repeating: 0, count: 20_000_001)
        #expect(
            decodingError(many)?.message
                == "The file has 20.1 MB; the limit is 20 MB. Reduce its size or save it as JPEG.")
        #expect(
            decodingError(Self.hugePNG)?.message
                == "The photo has 50000 × 50000 pixels, 2500 megapixels; the limit is 100 megapixels. Reduce its size.")
    }

    static let hugePNG = PNGBytes(width: 50_000, height: 50_000, rows: [[0, 0, 0, 0]]).bytes

    /// A frame header and nothing behind it.
    static let hugeJPEG: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC0] + .big16(17) + [8] + .big16(65_500) + .big16(65_500)
        + [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0] + [0xFF, 0xDA] + .big16(12) + [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]

    static let bombs: [(name: String, bytes: [UInt8])] = [
        ("PNG, 50,000 × 50,000", hugePNG),
        ("PNG, as large as a header can say", PNGBytes(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, rows: []).bytes),
        ("JPEG, 65,500 × 65,500", hugeJPEG),
        ("WebP, 16,384 × 16,384", WebPBytes.header(width: 16_384, height: 16_384)),
        ("animated WebP, 16,777,216 × 255", WebPBytes.animation(width: 1 << 24, height: 255, [])),
    ]

    /// Decoding could only fail in another way, because nothing of the pictures is in the files.
    @Test("A header alone is refused, without memory for the picture", arguments: bombs)
    func bomb(_ name: String, _ bytes: [UInt8]) {
        // Code and data of the decoder are in memory after the first time.
        #expect(decodingError(bytes)?.code == .tooManyPixels)
        let before = ThreadMemory.pagesUsed
        #expect(decodingError(bytes)?.code == .tooManyPixels)
        // The smallest of the pictures fills 384 pages of 2 MB.
        #expect(ThreadMemory.pagesUsed - before < 100)
    }

    /// 12 KB of a file like this made the decoder ask for 9.6 GB.
    @Test("A long side and a narrow shape are refused by the header alone")
    func shapes() throws {
        func message(_ width: Int, _ height: Int) -> String? {
            let error = decodingError(PNGBytes(width: width, height: height, rows: []).bytes)
            return error?.code == .tooManyPixels ? error?.message : nil
        }
        #expect(
            message(100_000_000, 1)
                == "The photo has 100000000 × 1 pixels; the limit is 32768 pixels on a side. Reduce its size.")
        #expect(message(1, 32_769)?.contains("32768 pixels on a side") == true)
        #expect(
            message(1, 100)
                == "The photo has 1 × 100 pixels: one side is more than 50 times as long as the other. Crop it.")
        // Within the limits: only the picture's data is missing.
        #expect(message(32_768, 656) == nil)
        #expect(message(1, 50) == nil)
    }

    @Test("The limits of shape hold in every format", arguments: ImageFormat.allCases)
    func shapes(_ format: ImageFormat) throws {
        let file = try format.encoded(RGBImage(size: PixelSize(width: 128, height: 64)))
        #expect(decodingError(file, limits: PhotoLimits(maxSide: 128, maxAspect: 2)) == nil)
        #expect(decodingError(file, limits: PhotoLimits(maxSide: 127))?.code == .tooManyPixels)
        #expect(decodingError(file, limits: PhotoLimits(maxAspect: 1))?.code == .tooManyPixels)
    }

    static let working: [(pixels: Int, largest: Int)] = [
        (6400, 6400), (6399, 6399), (3200, 3200), (1600, 1600), (1000, 1000), (100, 100), (1, 1), (0, 1),
    ]

    @Test(
        "A photo is decoded to at most the working pixels in the same shape", arguments: ImageFormat.allCases, working)
    func workingPixels(_ format: ImageFormat, _ limit: (pixels: Int, largest: Int)) throws {
        let photo = try PhotoDecoder.decode(
            try format.encoded(Blocks.picture([String](repeating: "RGBMKWRGBM", count: 10))),
            workingPixels: limit.pixels)
        #expect(photo.originalSize == PixelSize(width: 80, height: 80))
        #expect(photo.image.size.area <= limit.largest)
        #expect(photo.image.size.area * 2 > limit.largest)
        #expect(abs(photo.image.width - photo.image.height) <= 1)
    }

    @Test("Colors are averages when a photo is decoded smaller", arguments: [ImageFormat.png, .webp, .heic])
    func averages(_ format: ImageFormat) throws {
        let stripes = RGBImage(
            size: PixelSize(width: 64, height: 64),
            samples: (0..<64 * 64).flatMap { $0 % 2 == 0 ? [200, 200, 200] : [100, 100, 100] })
        let photo = try PhotoDecoder.decode(try format.encoded(stripes), workingPixels: 32 * 32)
        #expect(photo.image.size == PixelSize(width: 32, height: 32))
        #expect(photo.image.samples.allSatisfy { (146...154).contains($0) })
    }

    @Test("Parts of pixels count in proportion")
    func thirds() throws {
        // Three pixels in a row become two: the middle one is half of each.
        let row = RGBImage(size: PixelSize(width: 3, height: 1), samples: [0, 0, 0, 90, 90, 90, 240, 240, 240])
        let photo = try PhotoDecoder.decode(try PNGCodec.encode(row), workingPixels: 2)
        #expect(photo.image.size == PixelSize(width: 2, height: 1))
        #expect(photo.image.samples == [30, 30, 30, 190, 190, 190])
    }
}
