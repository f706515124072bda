import Identification
import Imaging
import SpineReading
import Testing

@Suite("The outline of a spine")
struct SpineOutlineTests {
    /// A spine on a dark wall, painted, with one line of text along most of it.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var line: TextLine
        var spine: PixelRect
        /// What is painted over wall and spine: bands, shadows.
        var painted: [(PixelRect, RGBColor)] = []

        var testDescription: String { name }
    }

    static let standing = PixelRect(x: 600, y: 300, width: 110, height: 800)
    static let title = down("Some title", x: 655, from: 360, length: 680, height: 60)
    static let lying = PixelRect(x: 500, y: 700, width: 800, height: 110)
    static let white = RGBColor(red: 235, green: 230, blue: 220)
    static let red = RGBColor(red: 150, green: 30, blue: 30)
    static let black = RGBColor(red: 20, green: 18, blue: 16)

    static let cases = [
        Case(name: "a standing one with its text in the middle", line: title, spine: standing),
        Case(
            name: "text that is off the middle", line: down("Some title", x: 645, from: 360, length: 680, height: 60),
            spine: standing),
        Case(
            name: "bands across it are not its ends", line: title, spine: standing,
            painted: [
                (PixelRect(x: 600, y: 335, width: 110, height: 14), red),
                (PixelRect(x: 600, y: 1055, width: 110, height: 14), red),
            ]),
        Case(
            name: "a stripe along it is not its side", line: title, spine: standing,
            painted: [(PixelRect(x: 696, y: 300, width: 4, height: 800), red)]),
        Case(
            name: "a ledge on the wall above it is not its head", line: title, spine: standing,
            painted: [(PixelRect(x: 560, y: 262, width: 190, height: 8), red)]),
        Case(
            name: "a lying one", line: across("Some title", from: 560, y: 755, length: 680, height: 60), spine: lying),
    ]

    @Test("The outline follows the edges in the photo", arguments: cases)
    func edges(_ spine: Case) throws {
        var picture = RGBImage(size: photoSize, filledWith: Self.black)
        for (area, color) in [(spine.spine, Self.white)] + spine.painted { picture.fill(area, with: color) }
        let outline = OutlineFinder(
            spines: [placed([spine.line])], size: photoSize,
            edges: ShelfEdges(of: ImagePyramid(picture), turn: .none))
        let found = try #require(outline.quads().first).bounds
        #expect(found.overlap(with: spine.spine) >= 0.93, "\(found)")
    }

    @Test("The outline is estimated from the text without a photo")
    func guess() throws {
        let outline = OutlineFinder(spines: [placed([Self.title])], size: photoSize)
        let found = try #require(outline.quads().first).bounds
        #expect(found.x < 625 && found.maxX > 685 && found.y < 360 && found.maxY > 1040)
    }
}

extension RGBImage {
    fileprivate mutating func fill(_ area: PixelRect, with color: RGBColor) {
        for y in Int(area.y)..<Int(area.maxY) {
            for x in Int(area.x)..<Int(area.maxX) {
                let place = (y * size.width + x) * 3
                samples.replaceSubrange(place..<place + 3, with: [color.red, color.green, color.blue])
            }
        }
    }
}
