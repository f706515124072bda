import Fixtures
import Foundation
import Imaging
import TestSupport
import Testing

@Suite("Filling and stroking")
struct PaintingTests {
    static let triangle = [PixelPoint(x: 3.25, y: 2.5), PixelPoint(x: 30.75, y: 9), PixelPoint(x: 12, y: 33.3)]
    static let diamond = [
        PixelPoint(x: 20, y: 1), PixelPoint(x: 39, y: 20), PixelPoint(x: 20, y: 39), PixelPoint(x: 1, y: 20),
    ]
    static let sliver = [
        PixelPoint(x: 2.2, y: 5), PixelPoint(x: 2.6, y: 5), PixelPoint(x: 2.6, y: 35), PixelPoint(x: 2.2, y: 35),
    ]

    @Test("Filling paints as much as the polygon's area", arguments: [triangle, diamond, sliver])
    func area(_ polygon: [PixelPoint]) {
        #expect(abs(painted(Path(polygon: polygon)) - Polygon.area(polygon)) < 0.6)
        #expect(abs(painted(Path(polygon: polygon.reversed())) - Polygon.area(polygon)) < 0.6)
    }

    @Test("A circle has the area of a circle", arguments: [0.8, 5, 17.5])
    func circle(_ radius: Double) {
        let area = painted(.circle(center: PixelPoint(x: 20.3, y: 19.8), radius: radius))
        #expect(abs(area - .pi * radius * radius) < 0.01 * area + 0.05)
    }

    @Test("Only what is inside the picture is painted")
    func clipping() {
        let large = Path(PixelRect(x: -100, y: 30.5, width: 110, height: 500))
        #expect(abs(painted(large) - 10 * 9.5) < 0.1)
        let slanted = [
            PixelPoint(x: -20, y: 10), PixelPoint(x: 60, y: 10), PixelPoint(x: 60, y: 50), PixelPoint(x: -20, y: 20),
        ]
        let inside = Polygon.intersection(slanted, Quad(PixelRect(x: 0, y: 0, width: 40, height: 40)).corners)
        #expect(abs(painted(Path(polygon: slanted)) - Polygon.area(inside)) < 0.6)
        #expect(painted(Path(PixelRect(x: 60, y: 60, width: 5, height: 5))) == 0)
    }

    @Test("Points that are not finite or out of bounds paint nothing", arguments: [Double.nan, .infinity, 1e300])
    func absurd(_ value: Double) {
        #expect(
            painted(Path(polygon: [PixelPoint(x: value, y: 1), PixelPoint(x: 3, y: value), PixelPoint(x: 9, y: 9)]))
                == 0)
    }

    @Test("A contour against the other's direction is a hole, one along it is painted once")
    func winding() {
        let outer = Path(PixelRect(x: 5, y: 5, width: 30, height: 30))
        let inner = Path(PixelRect(x: 10, y: 10, width: 10, height: 10))
        let hole = Path(contours: inner.contours.map { Array($0.reversed()) })
        #expect(abs(painted(outer + hole) - 800) < 0.1)
        var image = RGBImage(size: PixelSize(width: 40, height: 40), filledWith: .black)
        image.fill(outer + inner, with: Paint(.white, alpha: 0.5))
        #expect(image[12, 12] == image[30, 30])
        #expect((127...128).contains(image[12, 12].red))
    }

    @Test("Half covered pixels are half painted along both axes")
    func antialiasing() {
        var image = RGBImage(size: PixelSize(width: 8, height: 8), filledWith: .black)
        image.fill(Path(PixelRect(x: 2.5, y: 3.25, width: 3, height: 2)), with: Paint(.white))
        #expect(image[2, 4].red == 128)
        #expect(image[4, 3].red == 191)
        #expect(image[4, 4] == .white)
        #expect(image[1, 4] == .black)
    }

    @Test("A solid stroke is as wide as requested with the edge in its middle")
    func solid() {
        let square = Path(PixelRect(x: 10, y: 10, width: 20, height: 20))
        let image = drawn { $0.stroke(square, StrokeStyle(width: 4), with: Paint(.white)) }
        #expect(
            (0..<40).map { image[$0, 20].red > 127 } == (0..<40).map { (8..<12).contains($0) || (28..<32).contains($0) }
        )
    }

    @Test(
        "Dashes start and end at the corners and cover their share of a side", arguments: [(6.0, 4.0), (3, 3), (10, 5)])
    func dashes(_ dash: Double, _ gap: Double) {
        let square = Path(PixelRect(x: 50, y: 50, width: 300, height: 300))
        let style = StrokeStyle(width: 4, line: .dashed(dash: dash, gap: gap))
        let image = drawn(400) { $0.stroke(square, style, with: Paint(.white)) }
        let side = (50..<350).map { Double(image[$0, 50].red) / 255 }
        #expect(side.first == 1 && side.last == 1)
        #expect(abs(side.reduce(0, +) / 300 - dash / (dash + gap)) < 0.03)
        let starts = zip(side, side.dropFirst()).count { $0 < 0.5 && $1 >= 0.5 }
        #expect(starts == Int((300 / (dash + gap)).rounded()))
    }

    @Test("A double stroke is two lines with the gap between them")
    func double() {
        let style = StrokeStyle(width: 2, line: .double(gap: 4))
        let image = drawn {
            $0.stroke(Path(PixelRect(x: 10, y: 10, width: 20, height: 20)), style, with: Paint(.white))
        }
        let lit = (0..<20).filter { image[$0, 20].red > 127 }
        #expect(lit == [6, 7, 12, 13])
    }

    private func drawn(_ side: Int = 40, _ draw: (inout RGBImage) -> Void) -> RGBImage {
        var image = RGBImage(size: PixelSize(width: side, height: side), filledWith: .black)
        draw(&image)
        return image
    }

    /// White on black, the sum of the picture is the painted area.
    private func painted(_ path: Path) -> Double {
        let image = drawn { $0.fill(path, with: Paint(.white)) }
        return image.samples.reduce(0.0) { $0 + Double($1) } / 255 / 3
    }
}

@Suite("Text")
struct TypefaceTests {
    private let typeface: Typeface
    private let serif: Typeface

    init() throws {
        typeface = try Typeface(file: SpineFont.dejaVuSans.file)
        serif = try Typeface(file: SpineFont.garamond.file)
    }

    @Test(
        "A run is as wide as measured, and twice the size is twice as wide",
        arguments: ["Moby-Dick", "AVATAR", "", "Brontë"])
    func width(_ text: String) {
        for font in [typeface, serif] {
            #expect(abs(font.run(text, size: 30).width - font.width(of: text, size: 30)) < 1e-9)
            #expect(abs(font.width(of: text, size: 60) - 2 * font.width(of: text, size: 30)) < 1e-9)
        }
    }

    @Test("Tracking adds to each letter")
    func tracking() {
        #expect(
            abs(typeface.run("Emma", size: 20, tracking: 3).width - typeface.width(of: "Emma", size: 20) - 12) < 1e-9)
    }

    @Test("Capitals rest on the baseline at the font's height, and p extends below it")
    func heights() throws {
        let capital = try #require(typeface.run("H", size: 100).path.bounds)
        #expect(abs(capital.maxY) < 0.5)
        #expect(abs(-capital.y - typeface.capHeight * 100) < 0.5)
        let low = try #require(typeface.run("p", size: 100).path.bounds)
        #expect((10...25).contains(low.maxY))
    }

    @Test("The ink starts at the origin and rests on its baseline")
    func place() throws {
        var image = RGBImage(size: PixelSize(width: 300, height: 300))
        let run = typeface.run("SPINE", size: 30)
        image.write(run, at: PixelPoint(x: 150, y: 150), with: Paint(.black))
        let ink = try #require(inkBounds(image))
        #expect(abs(ink.center.x - 150 - run.width / 2) < 2)
        #expect(abs(ink.center.y - 150 + typeface.capHeight * 15) < 2)
        #expect(abs(ink.width - run.width) < 6)
    }

    @Test("Letters keep their counters")
    func counters() {
        var image = RGBImage(size: PixelSize(width: 100, height: 100))
        image.write(typeface.run("O", size: 100), at: PixelPoint(x: 5, y: 90), with: Paint(.black))
        let middle = Int(90 - typeface.capHeight * 50)
        #expect(image[5 + Int(typeface.width(of: "O", size: 50)), middle] == .white)
        #expect((0..<100).contains { image[$0, middle] == .black })
    }

    @Test("Composed and decomposed accents draw the same")
    func composition() {
        #expect(typeface.run("Bronte\u{308}", size: 20) == typeface.run("Bront\u{EB}", size: 20))
    }

    @Test(
        "Characters that the font lacks are skipped",
        arguments: ["E\0mma", "Em\u{7}ma", "Em\nma", "Emma\u{202E}", "日Emma本", "Em\u{1F4D6}ma", "\u{FEFF}Emma"])
    func leftOut(_ text: String) {
        #expect(serif.run(text, size: 20) == serif.run("Emma", size: 20))
        #expect(!serif.draws("日") && serif.draws("é"))
    }

    @Test("A title is shortened to what fits", arguments: [20.0, 60, 100, 150, 300])
    func shortened(_ width: Double) {
        let title = "The Adventures of Sherlock Holmes"
        let short = typeface.shortened(title, size: 20, toFit: width)
        #expect(typeface.width(of: short, size: 20) <= width)
        #expect(short.isEmpty || short.hasSuffix("…"))
        #expect(width < 60 || title.hasPrefix(short.dropLast()) && short.count > 2)
        #expect(typeface.shortened(title, size: 20, toFit: 1000) == title)
    }

    @Test("Several tasks share one typeface")
    func shared() async {
        let expected = typeface.run("Shared by many", size: 33)
        await withTaskGroup(of: TextRun.self) { group in
            for _ in 0..<16 { group.addTask { [typeface] in typeface.run("Shared by many", size: 33) } }
            for await run in group { #expect(run == expected) }
        }
    }

    @Test("A file that is not a font is named in the error", arguments: [nil, "not a font", ""])
    func notAFont(_ content: String?) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "font.otf")
        if let content { try Data(content.utf8).write(to: file) }
        let error = #expect(throws: TypefaceError.self) { try Typeface(file: file) }
        #expect(error?.description.contains(file.lastPathComponent) == true)
    }

    /// Around everything darker than mid-gray.
    private func inkBounds(_ image: RGBImage) -> PixelRect? {
        let dark = (0..<image.size.area).filter { image[$0 % image.width, $0 / image.width].luma < 128 }
        return Path(
            polygon: dark.map { PixelPoint(x: Double($0 % image.width) + 0.5, y: Double($0 / image.width) + 0.5) }
        ).bounds
    }
}
