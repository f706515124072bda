import Imaging
import Testing

@Suite("Progressive JPEGs")
struct ProgressiveTests {
    @Sendable static func level(_ x: Int, _ y: Int) -> Int { (x * 7 + y * 13) % 120 * 2 + 8 }

    @Test("Scans refine the picture")
    func refinement() throws {
        let file = ProgressiveJPEG(blocksAcross: 9, blocksDown: 5, level: Self.level)
        let image = try PhotoDecoder.decode(file.bytes).image
        #expect(image.size == PixelSize(width: 72, height: 40))
        #expect(Self.levels(image, side: 8) == Self.levels(across: 9, down: 5))
    }

    @Test("Packed coefficients give the same picture")
    func packed() throws {
        // 58 megapixels with full colour: 348 MB of coefficients.
        let (across, down) = (1100, 820)
        let file = ProgressiveJPEG(blocksAcross: across, blocksDown: down, level: Self.level)
        let photo = try PhotoDecoder.decode(file.bytes)
        // Decoded at five eighths, the most that stays below 26 megapixels.
        #expect(photo.originalSize == PixelSize(width: across * 8, height: down * 8))
        #expect(photo.image.size == PixelSize(width: across * 5, height: down * 5))
        #expect(Self.levels(photo.image, side: 5) == Self.levels(across: across, down: down))
    }

    @Test("A file with more than a hundred scans is refused")
    func tooManyScans() throws {
        // One scan begins the brightness, one ends it, and the others say nothing new.
        let allowed = ProgressiveJPEG(blocksAcross: 2, blocksDown: 2, repeatedScans: 98, level: Self.level)
        #expect(decodingError(allowed.bytes) == nil)
        let tooMany = ProgressiveJPEG(blocksAcross: 2, blocksDown: 2, repeatedScans: 99, level: Self.level)
        let error = decodingError(tooMany.bytes)
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("more than 100 scans") == true)
    }

    private static func levels(across: Int, down: Int) -> [Int] {
        (0..<down).flatMap { y in (0..<across).map { x in level(x, y) } }
    }

    /// The brightness in the middle of each block.
    private static func levels(_ image: RGBImage, side: Int) -> [Int] {
        (0..<image.height / side).flatMap { y in
            (0..<image.width / side).map { x in Int(image[x * side + side / 2, y * side + side / 2].green) }
        }
    }
}
