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
        let canvas = DetectionCanvas(for: PixelSize(width: width, height: height))
        #expect(canvas.size == size)
        #expect(canvas.isSquare == (size == Self.square))
    }

    static let wide = PixelSize(width: 1920, height: 1440)
    static let tall = PixelSize(width: 1440, height: 1920)
    static let square = PixelSize(width: 1920, height: 1920)

    @Test("A frame uses a smaller canvas")
    func frame() {
        let canvas = DetectionCanvas(for: PixelSize(width: 768, height: 1024), detail: .frame)
        #expect(canvas.shape == [1, 3, 1024, 768])
    }

    @Test(
        "The sides are multiples of 32", arguments: [wide, tall, square], [DetectionCanvas.Detail.photo, .frame])
    func multiples(_ size: PixelSize, _ detail: DetectionCanvas.Detail) {
        let picture = PixelSize(
            width: size.width * detail.longSide / 1920, height: size.height * detail.longSide / 1920)
        let canvas = DetectionCanvas(for: picture, detail: detail)
        #expect(canvas.size == picture)
        #expect(canvas.size.width % 32 == 0 && canvas.size.height % 32 == 0)
    }

    @Test("A pixel is in three planes, blue first, with its mirror images around it")
    func tensor() {
        let image = RGBImage(size: PixelSize(width: 2, height: 1), samples: [255, 0, 51, 0, 255, 0])
        let tensor = DetectionCanvas(for: Self.wide).tensor(of: image)
        let plane = 1920 * 1440
        #expect(tensor.shape == [1, 3, 1440, 1920])
        func values(_ pixel: Int) -> [Float] { (0..<3).map { tensor.values[$0 * plane + pixel] } }
        #expect(values(0).map { ($0 * 100).rounded() } == [-60, -100, 100])
        #expect(values(1) == [-1, 1, -1])
        #expect((0..<9).map { values($0) == values(0) } == [true, false, false, true, true, false, false, true, true])
        #expect(values(1920) == values(0) && values(plane - 1) == values(1919))
    }
}
