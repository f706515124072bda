import Imaging
import Testing

@Suite("Connected runs")
struct ConnectedRunsTests {
    /// A map drawn as text, `#` for a set pixel, and what is in it: the pixels and the bounds of each component.
    struct Drawing: Sendable, CustomTestStringConvertible {
        var name: String
        var rows: [String]
        var components: [Component]

        var testDescription: String { name }
    }

    struct Component: Hashable, Sendable {
        var pixels: Int
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        init(_ pixels: Int, x: Double, y: Double, width: Double, height: Double) {
            (self.pixels, self.x, self.y, self.width, self.height) = (pixels, x, y, width, height)
        }
    }

    static let drawings = [
        Drawing(name: "nothing", rows: ["....", "...."], components: []),
        Drawing(
            name: "one pixel", rows: ["....", "..#."], components: [Component(1, x: 2, y: 1, width: 1, height: 1)]),
        Drawing(name: "all of it", rows: ["###", "###"], components: [Component(6, x: 0, y: 0, width: 3, height: 2)]),
        Drawing(
            name: "two apart in a row", rows: ["##.##"],
            components: [Component(2, x: 0, y: 0, width: 2, height: 1), Component(2, x: 3, y: 0, width: 2, height: 1)]),
        Drawing(
            name: "two apart by a row", rows: ["###", "...", "###"],
            components: [Component(3, x: 0, y: 0, width: 3, height: 1), Component(3, x: 0, y: 2, width: 3, height: 1)]),
        Drawing(
            name: "touching by a corner, down to the right", rows: ["##..", "..##"],
            components: [Component(4, x: 0, y: 0, width: 4, height: 2)]),
        Drawing(
            name: "touching by a corner, down to the left", rows: ["..##", "##.."],
            components: [Component(4, x: 0, y: 0, width: 4, height: 2)]),
        Drawing(
            name: "missing each other by one pixel", rows: ["##...", "...##"],
            components: [Component(2, x: 0, y: 0, width: 2, height: 1), Component(2, x: 3, y: 1, width: 2, height: 1)]),
        Drawing(
            name: "a U, whose arms meet at its foot", rows: ["#..#", "#..#", "####"],
            components: [Component(8, x: 0, y: 0, width: 4, height: 3)]),
        Drawing(
            name: "a W, whose arms meet one by one", rows: ["#.#.#", "#.#.#", ".#.#."],
            components: [Component(8, x: 0, y: 0, width: 5, height: 3)]),
        Drawing(
            name: "a comb, hanging from its back", rows: ["#####", "#.#.#", "#.#.#"],
            components: [Component(11, x: 0, y: 0, width: 5, height: 3)]),
        Drawing(
            name: "a ring around a dot", rows: ["#####", "#...#", "#.#.#", "#...#", "#####"],
            components: [Component(16, x: 0, y: 0, width: 5, height: 5), Component(1, x: 2, y: 2, width: 1, height: 1)]),
        Drawing(
            name: "the end of one row and the start of the next", rows: ["...#", "#..."],
            components: [Component(1, x: 3, y: 0, width: 1, height: 1), Component(1, x: 0, y: 1, width: 1, height: 1)]),
        Drawing(
            name: "a spiral", rows: ["######", "#.....", "#.####", "#.#..#", "#.##.#", "#....#", "######"],
            components: [Component(27, x: 0, y: 0, width: 6, height: 7)]),
        Drawing(
            name: "a chessboard", rows: ["#.#.", ".#.#", "#.#."],
            components: [Component(6, x: 0, y: 0, width: 4, height: 3)]),
    ]

    @Test("Components are found", arguments: drawings)
    func found(_ drawing: Drawing) {
        let components = find(drawing.rows).map { runs in
            let (left, right) = (runs.map(\.first).min() ?? 0, runs.map(\.last).max() ?? 0)
            let (top, bottom) = (runs.first?.y ?? 0, runs.last?.y ?? 0)
            return Component(
                pixels(runs), x: Double(left), y: Double(top), width: Double(right - left + 1),
                height: Double(bottom - top + 1))
        }
        #expect(Set(components) == Set(drawing.components))
        #expect(components.count == drawing.components.count)
    }

    @Test("Components hold every set pixel once in any orientation", arguments: drawings)
    func turned(_ drawing: Drawing) {
        let columns = (0..<(drawing.rows.first?.count ?? 0)).map { x in
            String(drawing.rows.map { Array($0)[x] })
        }
        for rows in [drawing.rows.map { String($0.reversed()) }, drawing.rows.reversed(), columns] {
            #expect(find(rows).map(pixels).sorted() == drawing.components.map(\.pixels).sorted())
        }
    }

    @Test("The runs of a component are ordered by row and column")
    func runs() throws {
        let ring = try #require(find([".##.", "#..#", ".#.."]).first)
        #expect(ring.map { [$0.first, $0.last, $0.y] } == [[1, 2, 0], [0, 0, 1], [3, 3, 1], [1, 1, 2]])
    }

    private func pixels(_ runs: [PixelRun]) -> Int { runs.reduce(0) { $0 + $1.count } }

    private func find(_ rows: [String]) -> [[PixelRun]] {
        let size = PixelSize(width: rows.first?.count ?? 0, height: rows.count)
        return ConnectedRuns.regions(in: rows.joined().map { $0 == "#" }, size: size, diagonally: true)
    }
}
