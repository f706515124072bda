import Bibliography
import Fixtures
import Imaging
import Lookup
import ShelflistAPI
import SpineReading
import Testing

@Suite("The picture of spines that a model is sent")
struct SpineSheetTests {
    private let photo = RGBImage(size: PixelSize(width: 1200, height: 1000), filledWith: RGBColor(0x3050A0))

    private func spine(x: Double, width: Double, height: Double = 900) -> Quad {
        Quad(
            PixelPoint(x: x + width, y: 50), PixelPoint(x: x + width, y: 50 + height), PixelPoint(x: x, y: 50 + height),
            PixelPoint(x: x, y: 50))
    }

    @Test("Any number of spines of any shape fits into 3,072 pixels", arguments: [1, 2, 7, 60])
    func fits(_ count: Int) throws {
        let font = try Typeface(file: SpineFont.dejaVuSans.file)
        for (width, height) in [(40.0, 900.0), (4, 900), (300, 200), (1, 1)] {
            let spines = (0..<count).map { spine(x: Double($0) * 10, width: width, height: height) }
            let sheet = SpineSheet(spines, of: photo, font: font)
            #expect(sheet.image.width <= SpineSheet.longSide && sheet.image.height <= SpineSheet.longSide)
            let colored = stride(from: 0, to: sheet.image.samples.count, by: 3).count {
                sheet.image.samples[$0] == 0x30 && sheet.image.samples[$0 + 2] == 0xA0
            }
            #expect(colored >= count, "each spine is in the picture")
        }
    }

    @Test(
        "A spine is cut in the direction of its text",
        arguments: [(down: true, first: PixelPoint(x: 140, y: 50)), (down: false, first: PixelPoint(x: 100, y: 950))])
    func direction(_ down: Bool, _ first: PixelPoint) {
        let size = photo.size
        let outline = Quad(PixelRect(x: 100, y: 50, width: 40, height: 900))
        let book = DetectedBook(
            id: "1", title: nil, confidence: 0, checked: true, reviewStatus: .needsReview,
            outline: SpineOutline(outline, in: size), text: [], matches: [])
        let run = spine(x: 105, width: 30, height: 500)
        let line = TextLine(text: "EMMA", score: 0.9, quad: down ? run : run.turnedHalf)
        let quad = SpineSheet.readingQuad(of: book, lines: [line], readSize: size, in: size)
        #expect(quad.topLeft.distance(to: first) < 0.01)
        #expect(quad.length > quad.height)
    }
}
