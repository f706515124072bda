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

        var picture: RGBImage {
            var picture = RGBImage(size: photoSize, filledWith: SpineOutlineTests.black)
            for (area, color) in [(spine, SpineOutlineTests.white)] + painted { picture.fill(area, with: color) }
            return picture
        }
    }

    static let standing = PixelRect(x: 600, y: 300, width: 110, height: 800)
    static let title = down("Some title", x: 655, from: 360, length: 680, height: 60)
    static let lying = PixelRect(x: 500, y: 700, width: 800, height: 110)
    static let white = RGBColor(red: 235, green: 230, blue: 220)
    static let red = RGBColor(red: 150, green: 30, blue: 30)
    static let black = RGBColor(red: 20, green: 18, blue: 16)
    static let gray = RGBColor(red: 110, green: 110, blue: 100)
    static let wall = RGBColor(red: 45, green: 40, blue: 35)

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
        let outline = OutlineFinder(
            spines: [placed([spine.line])], size: photoSize,
            edges: ShelfEdges(of: ImagePyramid(spine.picture), turn: .none))
        let found = try #require(try outline.quads().first).bounds
        #expect(found.overlap(with: spine.spine) >= 0.93, "\(found)")
    }

    /// Without the stripe, an edge as clear as the side beside it.
    static let clearCases = cases.filter { !$0.name.contains("stripe") }

    @Test(
        "Text that was detected some pixels beside moves an outline by few pixels", arguments: clearCases,
        [(-3.0, -2.0), (-1.7, 3.0), (-0.4, 0.3), (0.6, -1.0), (1.5, 2.2), (3.0, -3.0)])
    func shiftedText(_ spine: Case, by shift: (x: Double, y: Double)) throws {
        let edges = ShelfEdges(of: ImagePyramid(spine.picture), turn: .none)
        func outline(_ line: TextLine) throws -> PixelRect {
            let finder = OutlineFinder(spines: [placed([line])], size: photoSize, edges: edges)
            return try #require(try finder.quads().first).bounds
        }
        let (found, shifted) = (try outline(spine.line), try outline(spine.line.shifted(by: shift)))
        #expect(shifted.overlap(with: spine.spine) >= 0.93, "\(shifted)")
        let (sides, ends) = found.moves(to: shifted, isStanding: spine.spine.height > spine.spine.width)
        #expect(sides <= 3 && ends <= 7, "sides by \(sides), ends by \(ends)")
    }

    @Test("Spines side by side keep their outlines where the text is detected some pixels beside")
    func shiftedRow() throws {
        let widths = [60.0, 140, 90, 48, 170, 110, 75]
        let colors = [Self.white, Self.red, Self.gray, Self.black, Self.white, Self.gray, Self.red]
        var picture = RGBImage(size: photoSize, filledWith: Self.wall)
        var spines: [PixelRect] = []
        var left = 500.0
        for (index, width) in widths.enumerated() {
            let height = 700 + 20 * Double(index % 3)
            let spine = PixelRect(x: left, y: 1100 - height, width: width, height: height)
            picture.fill(spine, with: colors[index])
            spines.append(spine)
            left += width
        }
        let edges = ShelfEdges(of: ImagePyramid(picture), turn: .none)
        func outlines(_ shift: (x: Double, y: Double)) throws -> [PixelRect] {
            let texts = spines.map { spine in
                let line = down(
                    "Some title", x: spine.center.x, from: spine.y + 80, length: spine.height - 160,
                    height: 0.6 * spine.width)
                return placed([line.shifted(by: shift)])
            }
            return try OutlineFinder(spines: texts, size: photoSize, edges: edges).quads().map(\.bounds)
        }
        let found = try outlines((0, 0))
        for shift in stride(from: -3, through: 3, by: 0.75) {
            for (index, outline) in try outlines((shift, -shift)).enumerated() {
                #expect(outline.overlap(with: spines[index]) >= 0.85, "spine \(index) by \(shift): \(outline)")
                let sides = found[index].moves(to: outline, isStanding: true).sides
                #expect(sides <= 4, "spine \(index) by \(shift): \(sides)")
            }
        }
    }

    @Test("A spine whose text spans two rows does not lengthen its neighbours")
    func neighbourOfTwoRows() throws {
        let row = (0..<5).map { index in
            down("Some title", x: 400 + 150 * Double(index), from: 800, length: 500, height: 60)
        }
        let twoRows = [
            down("Some title", x: 1150, from: 100, length: 500, height: 60),
            down("Some title", x: 1150, from: 800, length: 500, height: 60),
        ]
        let outlines = try OutlineFinder(spines: row.map { placed([$0]) } + [placed(twoRows)], size: photoSize).quads()
        for outline in outlines.dropLast() { #expect(outline.bounds.y > 700, "\(outline.bounds)") }
    }

    @Test("The outline is estimated from the text without a photo")
    func guess() throws {
        let outline = OutlineFinder(spines: [placed([Self.title])], size: photoSize)
        let found = try #require(try outline.quads().first).bounds
        #expect(found.x < 625 && found.maxX > 685 && found.y < 360 && found.maxY > 1040)
    }
}

extension TextLine {
    fileprivate func shifted(by shift: (x: Double, y: Double)) -> TextLine {
        TextLine(text: text, score: score, quad: quad.map { $0 + PixelPoint(x: shift.x, y: shift.y) })
    }
}

extension PixelRect {
    /// How far the sides and the ends of a spine are from those of another outline, in pixels.
    fileprivate func moves(to other: PixelRect, isStanding: Bool) -> (sides: Double, ends: Double) {
        let across = max(abs(x - other.x), abs(maxX - other.maxX))
        let along = max(abs(y - other.y), abs(maxY - other.maxY))
        return isStanding ? (across, along) : (along, across)
    }
}

extension RGBImage {
    mutating func fill(_ area: PixelRect, with color: RGBColor) {
        for y in Int(area.y)..<Int(area.maxY) {
            for x in Int(area.x)..<Int(area.maxX) {
                let place = (y * size.width + x) * 3
                samples.replaceSubrange(place..<place + 3, with: [color.red, color.green, color.blue])
            }
        }
    }
}
