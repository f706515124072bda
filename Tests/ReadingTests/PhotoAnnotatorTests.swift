import Bibliography
import Fixtures
import Foundation
import Imaging
import Reading
import ShelflistAPI
import Testing

@Suite("Annotated photos")
struct PhotoAnnotatorTests {
    private let annotator: PhotoAnnotator

    init() throws { annotator = try PhotoAnnotator(labelFont: SpineFont.dejaVuSans.file) }

    @Test(
        "The long side is at most 2,400 pixels, and the legend is below",
        arguments: [(3000, 2000, 2400, 1600), (600, 800, 600, 800)])
    func size(_ width: Int, _ height: Int, _ outWidth: Int, _ outHeight: Int) {
        let image = RGBImage(size: PixelSize(width: width, height: height), filledWith: RGBColor(0x808080))
        let result = annotator.annotate(image, books: [book(1, .ready)])
        #expect(result.width == outWidth)
        #expect(result.height > outHeight)
    }

    @Test(
        "Each tier has its color and its own line",
        arguments: [
            (ConfidenceTier.needsReview, RGBColor(0xFF9A85)), (.verify, RGBColor(0xFFCB52)),
            (.ready, RGBColor(0x9BE7B4)), (.notChecked, RGBColor(0xA9CCFF)),
        ])
    func lines(_ tier: ConfidenceTier, _ color: RGBColor) {
        let image = RGBImage(size: PixelSize(width: 1600, height: 1200), filledWith: RGBColor(0x808080))
        let result = annotator.annotate(image, books: [book(1, tier)])
        // The left edge lies at x = 640, from y = 240 to y = 960.
        let across = lit(color, in: result, (620..<660).map { ($0, 601) })
        let down = (300..<900).count { y in lit(color, in: result, (620..<660).map { ($0, y) }) > 0 }
        // The separate dashes along the line, which lies inside of the edge.
        let dashes = lit(color, in: result, (240..<960).map { (642, $0) })
        switch tier {
        case .notChecked: #expect(dashes > 80 && (100..<300).contains(down))
        case .needsReview: #expect((300..<480).contains(down) && (30..<60).contains(dashes))
        case .verify: #expect(across == 2 && down == 600)
        case .ready: #expect(across == 1 && down == 600)
        }
    }

    @Test("Spines keep their brightness and the rest is darker")
    func light() {
        let gray = RGBColor(0x808080)
        let image = RGBImage(size: PixelSize(width: 1600, height: 1200), filledWith: gray)
        let result = annotator.annotate(image, books: [book(1, .ready)])
        #expect(result[720, 700] == gray)
        #expect(result[300, 700].luma < gray.luma - 20)
        #expect(annotator.annotate(image, books: [])[300, 700] == gray)
    }

    @Test(
        "Titles from outside cannot break the drawing",
        arguments: [
            "", "\0", "日本語", "A\u{202E}B\u{0}C\u{1B}[31m", String(repeating: "long ", count: 5000),
            "e\u{301}\u{301}\u{301}", "🧑‍🧑‍🧒‍🧒",
        ])
    func hostileTitles(_ title: String) {
        let image = RGBImage(size: PixelSize(width: 400, height: 300))
        var hostile = book(7, .needsReview)
        hostile.title = title
        hostile.author = title
        #expect(annotator.annotate(image, books: [hostile]).width == 400)
    }

    @Test(
        "Spines without an area, at the edge or of the whole photo are drawn",
        arguments: [(0.5, 0.5, 0.0, 0.0), (0, 0, 1, 1), (0.99, 0, 0.01, 1), (0.2, 0.3, 0.6, 0)])
    func oddSpines(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        let rect = PixelRect(x: x * 100, y: y * 100, width: width * 100, height: height * 100)
        let quad = UnitQuad(Quad(rect), in: PixelSize(width: 100, height: 100))
        let odd = AnnotatedBook(number: 1, title: "Emma", quad: quad, tier: .verify)
        for size in [
            PixelSize(width: 1, height: 1), PixelSize(width: 40, height: 3), PixelSize(width: 300, height: 400),
        ] {
            let result = annotator.annotate(RGBImage(size: size), books: [odd])
            #expect(result.width == size.width && result.height > size.height)
        }
    }

    @Test("The legend grows with the books")
    func manyBooks() {
        let image = RGBImage(size: PixelSize(width: 1200, height: 900))
        let heights = [0, 1, 40, 400].map { count in
            annotator.annotate(image, books: (0..<count).map { book($0 + 1, .ready) }).height
        }
        #expect(heights == heights.sorted() && Set(heights).count == 4)
    }

    /// How many separate runs of a colour there are on a way through the picture.
    private func lit(_ color: RGBColor, in image: RGBImage, _ way: [(Int, Int)]) -> Int {
        let hits = way.map { x, y in
            let pixel = image[x, y]
            return abs(Int(pixel.red) - Int(color.red)) + abs(Int(pixel.green) - Int(color.green))
                + abs(Int(pixel.blue) - Int(color.blue)) < 60
        }
        return zip([false] + hits, hits).count { !$0 && $1 }
    }

    private func book(_ number: Int, _ tier: ConfidenceTier) -> AnnotatedBook {
        let spine = PixelRect(x: 40, y: 20, width: 10, height: 60)
        return AnnotatedBook(
            number: number, title: "Emma", author: "Jane Austen",
            quad: UnitQuad(Quad(spine), in: PixelSize(width: 100, height: 100)), tier: tier)
    }
}
