import Imaging
import Testing

@Suite("Quarter turns")
struct QuarterTurnTests {
    /// In a picture 6 wide and 4 high: the top left corner, and a point near it.
    static let table: [(turn: QuarterTurn, corner: PixelPoint, point: PixelPoint, size: PixelSize)] = [
        (.none, PixelPoint(x: 0, y: 0), PixelPoint(x: 1, y: 2), PixelSize(width: 6, height: 4)),
        (.quarter, PixelPoint(x: 4, y: 0), PixelPoint(x: 2, y: 1), PixelSize(width: 4, height: 6)),
        (.half, PixelPoint(x: 6, y: 4), PixelPoint(x: 5, y: 2), PixelSize(width: 6, height: 4)),
        (.threeQuarters, PixelPoint(x: 0, y: 6), PixelPoint(x: 2, y: 5), PixelSize(width: 4, height: 6)),
    ]

    @Test("Points and sizes are turned", arguments: table)
    func apply(_ turn: QuarterTurn, _ corner: PixelPoint, _ point: PixelPoint, _ turned: PixelSize) {
        let size = PixelSize(width: 6, height: 4)
        #expect(turn.apply(to: PixelPoint(x: 0, y: 0), in: size) == corner)
        #expect(turn.apply(to: PixelPoint(x: 1, y: 2), in: size) == point)
        #expect(size.turned(turn) == turned)
    }

    @Test("The inverse turn restores every point", arguments: QuarterTurn.allCases)
    func inverse(_ turn: QuarterTurn) {
        let size = PixelSize(width: 6, height: 4)
        let point = PixelPoint(x: 1.5, y: 3)
        #expect(turn.inverse.apply(to: turn.apply(to: point, in: size), in: size.turned(turn)) == point)
        #expect(turn.inverse.inverse == turn)
        #expect((turn.rawValue + turn.inverse.rawValue) % 360 == 0)
    }
}

@Suite("Quadrilaterals")
struct QuadTests {
    struct Line: Sendable, CustomTestStringConvertible {
        var name: String
        var quad: Quad
        var length: Double
        var height: Double
        var angle: Double
        var testDescription: String { name }
    }

    private static func quad(_ a: (Double, Double), _ b: (Double, Double), _ c: (Double, Double), _ d: (Double, Double))
        -> Quad
    {
        Quad(
            PixelPoint(x: a.0, y: a.1), PixelPoint(x: b.0, y: b.1), PixelPoint(x: c.0, y: c.1),
            PixelPoint(x: d.0, y: d.1))
    }

    static let lines = [
        Line(name: "upright", quad: quad((0, 0), (10, 0), (10, 2), (0, 2)), length: 10, height: 2, angle: 0),
        Line(name: "down the spine", quad: quad((2, 0), (2, 10), (0, 10), (0, 0)), length: 10, height: 2, angle: 90),
        Line(name: "upside down", quad: quad((10, 2), (0, 2), (0, 0), (10, 0)), length: 10, height: 2, angle: -180),
        Line(name: "up the spine", quad: quad((0, 10), (0, 0), (2, 0), (2, 10)), length: 10, height: 2, angle: -90),
        Line(
            name: "falling by 45°", quad: quad((1, 0), (6, 5), (5, 6), (0, 1)), length: 50.0.squareRoot(),
            height: 2.0.squareRoot(), angle: 45),
        Line(
            name: "widening towards its end", quad: quad((0, 1), (12, -4), (12, 6), (0, 1)), length: 13, height: 5,
            angle: 0),
    ]

    @Test("A quad has length, height and direction", arguments: lines)
    func measures(_ line: Line) {
        #expect(abs(line.quad.length - line.length) < 1e-9)
        #expect(abs(line.quad.height - line.height) < 1e-9)
        #expect(abs(line.quad.angle - line.angle) < 1e-9)
    }

    @Test("A quad turned by half is read from the other end", arguments: lines)
    func turnedHalf(_ line: Line) {
        let turned = line.quad.turnedHalf
        #expect(abs(abs(turned.angle - line.angle) - 180) < 1e-9)
        #expect(turned.area == line.quad.area)
        #expect(turned.turnedHalf == line.quad)
    }

    @Test("A quad has bounds and a center and can be scaled")
    func bounds() {
        let diamond = Self.quad((5, 0), (10, 5), (5, 10), (0, 5))
        #expect(diamond.bounds == PixelRect(x: 0, y: 0, width: 10, height: 10))
        #expect(diamond.center == PixelPoint(x: 5, y: 5))
        #expect(diamond.area == 50)
        #expect(diamond.scaled(by: 2).area == 200)
        #expect(Quad(diamond.bounds).area == 100)
    }
}

@Suite("Rectangles")
struct PixelRectTests {
    static let pairs: [(name: String, other: PixelRect, shared: PixelRect?, overlap: Double)] = [
        ("itself", PixelRect(x: 0, y: 0, width: 4, height: 4), PixelRect(x: 0, y: 0, width: 4, height: 4), 1),
        (
            "half beside", PixelRect(x: 2, y: 0, width: 4, height: 4), PixelRect(x: 2, y: 0, width: 2, height: 4),
            1.0 / 3
        ),
        (
            "a quarter inside", PixelRect(x: 1, y: 1, width: 2, height: 2), PixelRect(x: 1, y: 1, width: 2, height: 2),
            0.25
        ),
        ("touching", PixelRect(x: 4, y: 0, width: 4, height: 4), nil, 0),
        ("away", PixelRect(x: 9, y: 9, width: 1, height: 1), nil, 0),
    ]

    @Test("Rectangles have an intersection, a union and an overlap", arguments: pairs)
    func overlap(_ name: String, _ other: PixelRect, _ shared: PixelRect?, _ overlap: Double) {
        let square = PixelRect(x: 0, y: 0, width: 4, height: 4)
        #expect(square.intersection(other) == shared)
        #expect(other.intersection(square) == shared)
        #expect(abs(square.overlap(with: other) - overlap) < 1e-12)
        let union = square.union(other)
        #expect(union.area >= square.area + other.area - (shared?.area ?? 0))
        #expect(union.intersection(other) == other)
    }
}
