import Imaging
import Inference
import SpineReading
import Testing

@Suite("Canvases of the text detector")
struct DetectionCanvasTests {
    @Test(
        "A picture uses the smallest canvas that it fits on",
        arguments: [
            (1920, 1440, DetectionCanvas.Format.wide), (1920, 720, .wide), (640, 480, .wide), (1, 1, .wide),
            (1440, 1920, .tall), (1080, 1920, .tall), (1440, 1441, .tall),
            (1920, 1920, .square), (1441, 1920, .square), (1920, 1536, .square),
        ])
    func canvas(_ width: Int, _ height: Int, _ format: DetectionCanvas.Format) {
        let canvas = DetectionCanvas(for: PixelSize(width: width, height: height))
        #expect(canvas.format == format)
        #expect(canvas.size.width >= width && canvas.size.height >= height)
    }

    @Test("A frame uses a smaller canvas")
    func frame() {
        let canvas = DetectionCanvas(for: PixelSize(width: 768, height: 1024), detail: .frame)
        #expect(canvas.shape == [1, 3, 1024, 768])
    }

    @Test(
        "The sides are multiples of 32",
        arguments: [DetectionCanvas.Format.wide, .tall, .square], [DetectionCanvas.Detail.photo, .frame])
    func multiples(_ format: DetectionCanvas.Format, _ detail: DetectionCanvas.Detail) {
        let canvas = DetectionCanvas(format, detail: detail)
        #expect(canvas.size.width % 32 == 0 && canvas.size.height % 32 == 0)
    }

    @Test("A pixel is in three planes, blue first, with its mirror images around it")
    func tensor() {
        let image = RGBImage(size: PixelSize(width: 2, height: 1), samples: [255, 0, 51, 0, 255, 0])
        let tensor = DetectionCanvas(.wide).tensor(of: image)
        let plane = 1920 * 1440
        #expect(tensor.shape == [1, 3, 1440, 1920])
        func values(_ pixel: Int) -> [Float] { (0..<3).map { tensor.values[$0 * plane + pixel] } }
        #expect(values(0).map { ($0 * 100).rounded() } == [-60, -100, 100])
        #expect(values(1) == [-1, 1, -1])
        #expect((0..<9).map { values($0) == values(0) } == [true, false, false, true, true, false, false, true, true])
        #expect(values(1920) == values(0) && values(plane - 1) == values(1919))
    }
}
