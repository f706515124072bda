import Imaging
import Testing

private func points(_ pairs: [(Double, Double)]) -> [PixelPoint] { pairs.map { PixelPoint(x: $0.0, y: $0.1) } }

@Suite("Polygons")
struct PolygonTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        var name: String
        var points: [PixelPoint]
        var area = 0.0
        var hull: [PixelPoint] = []

        init(_ name: String, _ pairs: [(Double, Double)], area: Double = 0, hull: [(Double, Double)] = []) {
            (self.name, self.area) = (name, area)
            points = ImagingTests.points(pairs)
            self.hull = ImagingTests.points(hull)
        }

        var testDescription: String { name }
    }

    static let shapes = [
        Shape("nothing", []),
        Shape("a point", [(3, 4)], hull: [(3, 4)]),
        Shape("two points", [(5, 1), (0, 0)], hull: [(0, 0), (5, 1)]),
        Shape("three points on a line", [(0, 0), (1, 1), (2, 2)], hull: [(0, 0), (2, 2)]),
        Shape("the same point three times", [(1, 1), (1, 1), (1, 1)], hull: [(1, 1)]),
        Shape("a square", [(0, 0), (4, 0), (4, 4), (0, 4)], area: 16, hull: [(0, 0), (4, 0), (4, 4), (0, 4)]),
        Shape(
            "a square, anticlockwise", [(0, 0), (0, 4), (4, 4), (4, 0)], area: 16,
            hull: [(0, 0), (4, 0), (4, 4), (0, 4)]),
        Shape(
            "a square with points on its sides", [(0, 0), (2, 0), (4, 0), (4, 4), (2, 4), (0, 4)], area: 16,
            hull: [(0, 0), (4, 0), (4, 4), (0, 4)]),
        Shape(
            "a square with a dent", [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)], area: 10,
            hull: [(0, 0), (4, 0), (4, 4), (0, 4)]),
        Shape("a triangle", [(0, 0), (6, 0), (0, 3)], area: 9, hull: [(0, 0), (6, 0), (0, 3)]),
    ]

    @Test("A polygon has an area", arguments: shapes)
    func area(_ shape: Shape) {
        #expect(Polygon.area(shape.points) == shape.area)
    }

    @Test("Points have a convex hull", arguments: shapes)
    func hull(_ shape: Shape) {
        let hull = Polygon.convexHull(shape.points)
        #expect(Set(hull) == Set(shape.hull))
        #expect(Polygon.area(hull) == Polygon.area(shape.hull))
    }

    static let rectangles: [(name: String, points: [PixelPoint], length: Double, height: Double)] = [
        ("upright", points([(0, 0), (10, 0), (10, 4), (0, 4)]), 10, 4),
        ("a diamond", points([(0, 5), (5, 0), (10, 5), (5, 10)]), 50.0.squareRoot(), 50.0.squareRoot()),
        ("on its corner, 3:4:5", points([(3, 0), (11, 6), (8, 10), (0, 4)]), 10, 5),
        ("with points inside", points([(0, 0), (3, 1), (10, 0), (10, 4), (5, 2), (0, 4)]), 10, 4),
        ("a triangle", points([(0, 0), (6, 0), (3, 2)]), 6, 2),
    ]

    @Test("Points have a smallest enclosing rectangle", arguments: rectangles)
    func rectangle(_ name: String, _ points: [PixelPoint], _ length: Double, _ height: Double) throws {
        let quad = try #require(Polygon.minimumAreaRectangle(points))
        #expect(abs(max(quad.length, quad.height) - length) < 1e-9)
        #expect(abs(min(quad.length, quad.height) - height) < 1e-9)
        #expect(abs(quad.area - length * height) < 1e-9)
        let grown = Polygon.intersection(points, quad.corners)
        #expect(abs(Polygon.area(grown) - Polygon.area(points)) < 1e-9, "every point is inside")
    }

    @Test(
        "A line has no enclosing rectangle",
        arguments: [[], [(0.0, 0.0)], [(0, 0), (1, 2)], [(0, 0), (1, 2), (2, 4)]])
    func noRectangle(_ pairs: [(Double, Double)]) {
        #expect(Polygon.minimumAreaRectangle(points(pairs)) == nil)
    }

    static let square = points([(0, 0), (4, 0), (4, 4), (0, 4)])
    static let intersections: [(name: String, other: [PixelPoint], area: Double)] = [
        ("itself", square, 16),
        ("itself, anticlockwise", square.reversed(), 16),
        ("shifted by half", points([(2, 2), (6, 2), (6, 6), (2, 6)]), 4),
        ("inside", points([(1, 1), (2, 1), (2, 2), (1, 2)]), 1),
        ("around", points([(-1, -1), (9, -1), (9, 9), (-1, 9)]), 16),
        ("beside", points([(4, 0), (8, 0), (8, 4), (4, 4)]), 0),
        ("far away", points([(10, 10), (12, 10), (12, 12), (10, 12)]), 0),
        ("a triangle over a corner", points([(-2, 0), (2, -4), (2, 4)]), 6),
        ("a bar across", points([(-5, 1), (9, 1), (9, 2), (-5, 2)]), 4),
    ]

    @Test("Polygons intersect in either direction", arguments: intersections)
    func intersection(_ name: String, _ other: [PixelPoint], _ area: Double) {
        #expect(abs(Polygon.area(Polygon.intersection(Self.square, other)) - area) < 1e-9)
        #expect(abs(Polygon.area(Polygon.intersection(other, Self.square)) - area) < 1e-9)
    }
}
