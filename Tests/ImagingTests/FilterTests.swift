import Imaging
import Testing

@Suite("Filters")
struct FilterTests {
    static func row(_ levels: [UInt8]) -> RGBImage {
        RGBImage(size: PixelSize(width: levels.count, height: 1), samples: levels.flatMap { [$0, $0, $0] })
    }

    static let tones: [(tones: [Tone], before: [UInt8], after: [UInt8])] = [
        ([], [0, 7, 255], [0, 7, 255]),
        ([.contrast(1)], [0, 7, 255], [0, 7, 255]),
        ([.contrast(1.5)], [80, 120], [70, 130]),
        ([.contrast(2)], [0, 200], [0, 255]),
        ([.contrast(0)], [80, 120], [100, 100]),
        ([.brightness(towards: 128)], [40, 40], [128, 128]),
        ([.brightness(towards: 60)], [180, 180], [60, 60]),
        // As far as the steepest curve goes.
        ([.brightness(towards: 60)], [200, 200], [76, 76]),
        ([.brightness(towards: 128)], [0, 0], [0, 0]),
        ([.brightness(towards: 128)], [255, 255], [255, 255]),
        // Black and white stay, and their mean is where it should be.
        ([.brightness(towards: 128)], [0, 255], [0, 255]),
        ([.brightness(towards: 100), .contrast(3)], [50, 50], [100, 100]),
    ]

    @Test("Contrast keeps the mean and brightness moves it", arguments: tones)
    func tone(_ tones: [Tone], _ before: [UInt8], _ after: [UInt8]) {
        #expect(FilterChain(tones).apply(to: Self.row(before)) == Self.row(after))
    }

    @Test("The median is of nine pixels in each channel", arguments: [(1, 1), (1, 5), (7, 1), (37, 23)])
    func median(_ width: Int, _ height: Int) {
        let size = PixelSize(width: width, height: height)
        let image = RGBImage(
            size: size, samples: (0..<(size.area * 3)).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 73 &+ $0 &* 29) })
        var expected = image
        for y in 0..<height {
            for x in 0..<width {
                let nine = (-1...1).flatMap { dy in
                    (-1...1).map { image[min(max(x + $0, 0), width - 1), min(max(y + dy, 0), height - 1)] }
                }
                expected[x, y] = RGBColor(
                    red: nine.map(\.red).sorted()[4], green: nine.map(\.green).sorted()[4],
                    blue: nine.map(\.blue).sorted()[4])
            }
        }
        #expect(FilterChain([], denoises: true).apply(to: image) == expected)
    }

    @Test("Only dark and flat photos are filtered automatically")
    func automatic() throws {
        let good = QualityTests.shelf()
        #expect(FilterChain.automatic(for: PhotoQuality(measuring: good)) == nil)
        for poor in [QualityTests.shelf(4, 24), QualityTests.shelf(10, 80), QualityTests.shelf(120, 160)] {
            let before = PhotoQuality(measuring: poor)
            let chain = try #require(FilterChain.automatic(for: before))
            #expect(!chain.denoises)
            let after = PhotoQuality(measuring: chain.apply(to: poor))
            #expect(after.contrast > 1.3 * before.contrast)
            #expect((0.3...0.7).contains(after.exposure))
        }
    }
}
