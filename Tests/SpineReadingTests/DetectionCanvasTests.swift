import Imaging
import Inference
import SpineReading
import Testing

@Suite("Canvases of the text detector")
struct DetectionCanvasTests {
    @Test(
        "A picture uses the smallest canvas that it fits on",
        arguments: [
            (1920, 1440, wide), (1920, 720, wide), (640, 480, wide), (1, 1, wide),
            (1440, 1920, tall), (1080, 1920, tall), (1440, 1441, tall),
            (1920, 1920, square), (1441, 1920, square), (1920, 1536, square),
        ])
    func canvas(_ width: Int, _ height: Int, _ size: PixelSize) {
        let canvas = DetectionCanvas(for: PixelSize(width: width, height: height), longSide: 1920)
        #expect(canvas.size == size)
    }

    static let wide = PixelSize(width: 1920, height: 1440)
    static let tall = PixelSize(width: 1440, height: 1920)
    static let square = PixelSize(width: 1920, height: 1920)

    @Test(
        "The sides are multiples of 32, and the picture fits",
        arguments: [wide, tall, square], [LookSize.frame, LookSize.upright, LookSize.fine])
    func multiples(_ size: PixelSize, _ longSide: Int) {
        let picture = PixelSize(width: size.width * longSide / 1920, height: size.height * longSide / 1920)
        let canvas = DetectionCanvas(for: picture, longSide: longSide).size
        #expect(canvas.width % 32 == 0 && canvas.height % 32 == 0)
        #expect((0..<32).contains(canvas.width - picture.width) && (0..<32).contains(canvas.height - picture.height))
    }

    @Test("A pixel is in three planes, blue first, in the numbers of the detectors' training, mirrored around it")
    func tensor() {
        let image = RGBImage(size: PixelSize(width: 2, height: 1), samples: [255, 0, 51, 0, 255, 0])
        let tensor = DetectionCanvas(for: Self.wide, longSide: 1920).tensor(of: image)
        let plane = 1920 * 1440
        #expect(tensor.shape == [1, 3, 1440, 1920])
        func values(_ pixel: Int) -> [Float] { (0..<3).map { tensor.values[$0 * plane + pixel] } }
        // (51 ÷ 255 − 0.485) ÷ 0.229, (0 − 0.456) ÷ 0.224, (1 − 0.406) ÷ 0.225
        #expect(values(0).map { ($0 * 1000).rounded() } == [-1245, -2036, 2640])
        #expect(values(1).map { ($0 * 1000).rounded() } == [-2118, 2429, -1804])
        #expect((0..<9).map { values($0) == values(0) } == [true, false, false, true, true, false, false, true, true])
        #expect(values(1920) == values(0) && values(plane - 1) == values(1919))
    }
}
