import Foundation
import Identification
import Imaging
import SpineReading
import Testing

@Suite("Whether two lines stand on one spine")
struct LineAffinityTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var pair: [TextLine]
        var affinity: ClosedRange<Double>

        var testDescription: String { name }
    }

    static let title = down("WUTHERING HEIGHTS", x: 300, from: 200, length: 400)

    /// Spines far off: how long lines are says how far a spine reaches.
    static let others = [1500.0, 1700, 1900].map { down("PRIDE AND PREJUDICE", x: $0, from: 200, length: 400) }

    static let cases = [
        Case(
            name: "in one run: surely", pair: [title, down("EMILY BRONTË", x: 300, from: 640, length: 200)],
            affinity: 0.95...1),
        Case(
            name: "in one run, of another size: surely",
            pair: [title, down("Penguin", x: 305, from: 700, length: 60, height: 14)], affinity: 0.95...1),
        Case(
            name: "in one run, shifted by half a line: likely",
            pair: [title, down("EMILY BRONTË", x: 318, from: 640, length: 200)], affinity: 0.7...0.9),
        Case(
            name: "two rows of one title, close together: perhaps",
            pair: [title, down("A NOVEL", x: 334, from: 200, length: 200)], affinity: 0.4...0.6),
        Case(
            name: "side by side, a line's height apart: hardly",
            pair: [title, down("JANE EYRE", x: 360, from: 200, length: 400)], affinity: 0...0.1),
        Case(
            name: "side by side, far apart: never", pair: [title, down("JANE EYRE", x: 460, from: 200, length: 400)],
            affinity: 0...0),
        Case(
            name: "in one run, but on the next shelf: never",
            pair: [title, down("JANE EYRE", x: 300, from: 1100, length: 300)], affinity: 0...0),
        Case(
            name: "a word across the foot of the spine: surely",
            pair: [title, across("12", from: 285, y: 650, length: 30)], affinity: 0.95...1),
        Case(
            name: "a word across the foot of another spine: never",
            pair: [title, across("12", from: 385, y: 650, length: 30)], affinity: 0...0),
        Case(
            name: "words across a wide spine, one below the other: likely",
            pair: [
                across("CHARLES", from: 300, y: 300, length: 120), across("DARWIN", from: 305, y: 340, length: 110),
            ],
            affinity: 0.6...1),
        Case(
            name: "words across two wide spines: hardly",
            pair: [
                across("CHARLES", from: 300, y: 300, length: 120), across("DARWIN", from: 600, y: 340, length: 110),
            ],
            affinity: 0...0.4),
        Case(
            name: "names across two standing spines side by side: never",
            pair: [across("SMITH", from: 300, y: 600, length: 70), across("JONES", from: 430, y: 600, length: 70)],
            affinity: 0...0),
        Case(
            name: "the same name across two standing spines that touch: never",
            pair: [across("SMITH", from: 300, y: 600, length: 70), across("SMITH", from: 385, y: 600, length: 70)],
            affinity: 0...0),
        Case(
            name: "title and author of a lying book: surely",
            pair: [
                across("WAR AND PEACE", from: 300, y: 300, length: 400),
                across("Tolstoy", from: 740, y: 302, length: 120),
            ],
            affinity: 0.95...1),
        Case(
            name: "two books in a stack: never",
            pair: [
                across("WAR AND PEACE", from: 300, y: 300, length: 400),
                across("MIDDLEMARCH", from: 300, y: 380, length: 380),
            ],
            affinity: 0...0),
    ]

    @Test("Two lines are on one spine by their positions", arguments: cases)
    func places(_ example: Case) throws {
        let affinity = try LineAffinity(placed(example.pair + LineAffinityTests.others))
        #expect(example.affinity.contains(affinity[0, 1]), "\(affinity[0, 1])")
        #expect(affinity[0, 1] == affinity[1, 0])
    }

    @Test("The affinity is the same however the shelf leans", arguments: cases, [-12.0, 7, 15])
    func leaning(_ example: Case, _ degrees: Double) throws {
        let lines = example.pair + LineAffinityTests.others
        let leaning = lines.map { line in
            var line = line
            line.quad = line.quad.map { turned($0, by: degrees) }
            return line
        }
        let (upright, leaned) = (try LineAffinity(placed(lines)), try LineAffinity(placed(leaning)))
        #expect(abs(upright[0, 1] - leaned[0, 1]) < 0.3)
        #expect((upright[0, 1] >= 0.5) == (leaned[0, 1] >= 0.5))
    }

    @Test(
        "Spines stand where short lines and words across them are most of the text",
        arguments: [
            // The length of vertical text, how many words, and how long each of two horizontal titles is.
            (1200.0, 12, 0.0, true), (1200, 12, 250, true), (1200, 12, 300, false), (300, 12, 0, false),
        ])
    func words(_ vertical: Double, _ count: Int, _ long: Double, _ areApart: Bool) throws {
        let pair = [across("SMITH", from: 300, y: 600, length: 70), across("JONES", from: 430, y: 600, length: 70)]
        let spines = [1500.0, 1700, 1900].map { down("PRIDE AND PREJUDICE", x: $0, from: 200, length: vertical / 3) }
        let words = (0..<count).map { across("WORD", from: 2200 + 100 * Double($0), y: 900, length: 80) }
        let titles = long == 0 ? [] : [1100.0, 1200].map { across("WAR AND PEACE", from: 300, y: $0, length: long) }
        let affinity = try LineAffinity(placed(pair + spines + words + titles))[0, 1]
        #expect((affinity == 0) == areApart, "\(affinity)")
    }

    @Test("The longer line decides in a photo of a single spine")
    func onlySpine() throws {
        let spine = [LineAffinityTests.title, down("Penguin", x: 300, from: 680, length: 60, height: 14)]
        #expect(try LineAffinity(placed(spine))[0, 1] >= 0.95)
    }

    @Test("The affinity of no lines is empty")
    func none() throws {
        _ = try LineAffinity([])
        #expect(try LineAffinity(placed([LineAffinityTests.title]))[0, 0] == 0)
    }

    /// Two lines and what is painted behind them.
    struct Painted: Sendable, CustomTestStringConvertible {
        var name: String
        var pair: [TextLine]
        var spines: [(PixelRect, RGBColor)]
        var isOne: Bool

        var testDescription: String { name }
    }

    static let (cream, blue, dark) = (RGBColor(0xEBE6DC), RGBColor(0x2038A0), RGBColor(0x141210))

    static let painted = [
        Painted(
            name: "two rows on one spine", pair: [title, down("A NOVEL", x: 345, from: 220, length: 300)],
            spines: [(PixelRect(x: 270, y: 130, width: 105, height: 600), cream)], isOne: true),
        Painted(
            name: "on two spines of other colours", pair: [title, down("JANE EYRE", x: 345, from: 220, length: 300)],
            spines: [
                (PixelRect(x: 270, y: 130, width: 52, height: 600), cream),
                (PixelRect(x: 322, y: 130, width: 52, height: 600), blue),
            ], isOne: false),
        Painted(
            name: "on two spines of one colour with a gap between",
            pair: [title, down("JANE EYRE", x: 345, from: 220, length: 300)],
            spines: [
                (PixelRect(x: 270, y: 130, width: 50, height: 600), cream),
                (PixelRect(x: 325, y: 130, width: 50, height: 600), cream),
            ], isOne: false),
        Painted(
            name: "two books in a stack that touch",
            pair: [
                across("WAR AND PEACE", from: 300, y: 300, length: 400),
                across("MIDDLEMARCH", from: 310, y: 338, length: 380),
            ],
            spines: [
                (PixelRect(x: 200, y: 279, width: 600, height: 40), cream),
                (PixelRect(x: 200, y: 319, width: 600, height: 40), blue),
            ], isOne: false),
        Painted(
            name: "a name across one book of a stack and the title of the book below",
            pair: [
                down("JANE AUSTEN", x: 320, from: 260, length: 60, height: 20),
                across("WUTHERING HEIGHTS", from: 250, y: 445, length: 240, height: 50),
            ],
            spines: [
                (PixelRect(x: 200, y: 250, width: 600, height: 150), cream),
                (PixelRect(x: 200, y: 400, width: 600, height: 120), blue),
            ], isOne: false),
    ]

    @Test("The side between two lines, and their grounds, show whether they are on one spine", arguments: painted)
    func picture(_ example: Painted) throws {
        var picture = RGBImage(size: photoSize, filledWith: LineAffinityTests.dark)
        for (area, color) in example.spines { picture.fill(area, with: color) }
        let edges = ShelfEdges(of: ImagePyramid(picture), turn: .none)
        let affinity = try LineAffinity(placed(example.pair + LineAffinityTests.others), edges: edges)
        #expect((affinity[0, 1] >= 0.5) == example.isOne, "\(affinity[0, 1])")
    }

    private func turned(_ point: PixelPoint, by degrees: Double) -> PixelPoint {
        let center = PixelPoint(x: 1000, y: 750)
        let radians = degrees * .pi / 180
        let d = point - center
        return center
            + PixelPoint(x: d.x * cos(radians) - d.y * sin(radians), y: d.x * sin(radians) + d.y * cos(radians))
    }
}
