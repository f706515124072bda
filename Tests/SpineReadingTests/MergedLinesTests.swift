import Imaging
import SpineReading
import Testing

@Suite("Text found twice")
struct MergedLinesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var lines: [TextLine]
        var kept: Set<String>

        var testDescription: String { name }
    }

    static let overlapping = [
        Case(name: "nothing", lines: [], kept: []),
        Case(
            name: "the same place, the surer reading stays",
            lines: [line("BABEL", 0.9, rectangle(100, 20)), line("BA8EL", 0.7, rectangle(100, 20))], kept: ["BABEL"]),
        Case(
            name: "the same place, the longer of two sure readings stays",
            lines: [line("OLD", 0.95, rectangle(100, 20)), line("OLD MAN", 0.9, rectangle(110, 20))], kept: ["OLD MAN"]),
        Case(
            name: "a piece inside of a whole goes",
            lines: [
                line("MAN AND THE SEA", 0.9, rectangle(300, 20)),
                line("SEA", 0.99, rectangle(50, 18, at: PixelPoint(x: 600, y: 500))),
            ], kept: ["MAN AND THE SEA"]),
        Case(
            name: "two pieces of a whole that have less text go, although they are surer",
            lines: [
                line("THE OLD MAN AND THE SEA", 0.8, rectangle(400, 20)),
                line("OLD MAN", 0.99, rectangle(120, 18, at: PixelPoint(x: 420, y: 500))),
                line("SEA", 0.99, rectangle(50, 18, at: PixelPoint(x: 660, y: 500))),
            ], kept: ["THE OLD MAN AND THE SEA"]),
        Case(
            name: "two lines that have more text than one that ends too early stay",
            lines: [
                line("PINGU HAT A", 0.99, rectangle(290, 20, at: PixelPoint(x: 445, y: 500))),
                line("PINGU", 0.99, rectangle(120, 20, at: PixelPoint(x: 360, y: 500))),
                line("HAT AERGER", 0.99, rectangle(230, 20, at: PixelPoint(x: 545, y: 500))),
            ], kept: ["PINGU", "HAT AERGER"]),
        Case(
            name: "neighbours that share less than half stay",
            lines: [
                line("LEFT", 0.9, rectangle(100, 20)),
                line("RIGHT", 0.9, rectangle(100, 20, at: PixelPoint(x: 555, y: 500))),
            ], kept: ["LEFT", "RIGHT"]),
        Case(
            name: "neighbours that share more than half do not both stay",
            lines: [
                line("LEFT", 0.9, rectangle(100, 20)),
                line("RIGHT", 0.9, rectangle(100, 20, at: PixelPoint(x: 545, y: 500))),
            ], kept: ["RIGHT"]),
        Case(
            name: "a line across a spine's title stays",
            lines: [line("TITLE", 0.9, rectangle(200, 20, turnedBy: 90)), line("across", 0.9, rectangle(200, 20))],
            kept: ["TITLE", "across"]),
        Case(
            name: "leaning neighbours whose boxes overlap, but not they themselves, stay",
            lines: [
                line("FIRST", 0.9, rectangle(200, 20, turnedBy: 60)),
                line("SECOND", 0.9, rectangle(200, 20, turnedBy: 60, at: PixelPoint(x: 540, y: 500))),
            ], kept: ["FIRST", "SECOND"]),
        Case(
            name: "one reading each way round, the surer stays",
            lines: [
                line("EMMA", 0.95, rectangle(100, 20, turnedBy: 90)),
                line("VWWE", 0.6, rectangle(100, 20, turnedBy: -90)),
            ], kept: ["EMMA"]),
    ]

    @Test("One reading of each place is kept", arguments: overlapping)
    func resolved(_ example: Case) {
        let texts = OverlappingLines.resolved(example.lines).map(\.text)
        #expect(Set(texts) == example.kept && texts.count == example.kept.count)
        #expect(Set(OverlappingLines.resolved(example.lines.reversed()).map(\.text)) == example.kept)
    }

    /// What each look found, by the angle of its text; `t` stands for the look at the turned photo, `u` for the
    /// look at the photo as it is.
    static let looks: [(name: String, turned: [Quad], upright: [Quad], kept: [Quad])] = [
        ("nothing", [], [], []),
        (
            "a spine found by both is the turned look's", [rectangle(200, 20, turnedBy: 90)],
            [rectangle(190, 22, turnedBy: 91)], [rectangle(200, 20, turnedBy: 90)]
        ),
        (
            "an upright line found by both is the upright look's", [rectangle(200, 20)], [rectangle(190, 22)],
            [rectangle(190, 22)]
        ),
        (
            "a spine that only the upright look found stays", [], [rectangle(200, 20, turnedBy: 90)],
            [rectangle(200, 20, turnedBy: 90)]
        ),
        (
            "an upright line that only the turned look found stays", [rectangle(200, 20)], [],
            [rectangle(200, 20)]
        ),
        (
            "a leaning spine's bounding box says little: one that leans by 40° is still a spine",
            [rectangle(200, 20, turnedBy: 50)], [rectangle(190, 20, turnedBy: 50)], [rectangle(200, 20, turnedBy: 50)]
        ),
        (
            "places that share little both stay", [rectangle(200, 20, turnedBy: 90)],
            [rectangle(200, 20, turnedBy: 90, at: PixelPoint(x: 512, y: 500))],
            [
                rectangle(200, 20, turnedBy: 90),
                rectangle(200, 20, turnedBy: 90, at: PixelPoint(x: 512, y: 500)),
            ]
        ),
        (
            "a spine and a line across it both stay", [rectangle(200, 60, turnedBy: 90)], [rectangle(60, 20)],
            [rectangle(200, 60, turnedBy: 90), rectangle(60, 20)]
        ),
    ]

    @Test("Each pass is trusted with the text that is upright in it", arguments: looks.indices)
    func merged(_ index: Int) {
        let example = MergedLinesTests.looks[index]
        let merged = DetectedText(turned: example.turned, upright: example.upright).withoutDuplicates.areas
        #expect(Set(merged) == Set(example.kept) && merged.count == example.kept.count, "\(example.name)")
    }
}

private func line(_ text: String, _ score: Double, _ quad: Quad) -> TextLine {
    TextLine(text: text, score: score, quad: quad)
}
