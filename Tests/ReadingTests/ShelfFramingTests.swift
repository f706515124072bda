import Foundation
import Imaging
import Reading
import SpineReading
import Testing

@Suite("How a photo was taken")
struct ShelfFramingTests {
    private static let size = PixelSize(width: 2000, height: 1500)

    @Test(
        "The tilt is the shelf's, not that of single leaning books", arguments: [-6.0, -1, 0, 2.5, 8],
        [0.0, 90, 180, -90])
    func tilt(_ degrees: Double, _ direction: Double) throws {
        let row = (0..<9).map { line(turnedBy: direction + degrees, x: 200 + 150 * Double($0)) }
        let leaning = [line(turnedBy: direction + 20, x: 1700), line(turnedBy: direction + 24, x: 1800)]
        let tilt = try #require(ShelfFraming.tilt(of: row + leaning))
        #expect(abs(tilt - degrees) < 0.01)
    }

    @Test("Few, short or badly read lines give no tilt")
    func unknown() {
        #expect(ShelfFraming.tilt(of: []) == nil)
        #expect(ShelfFraming.tilt(of: (0..<4).map { line(turnedBy: 3, x: 300 * Double($0)) }) == nil)
        #expect(ShelfFraming.tilt(of: (0..<9).map { line(turnedBy: 3, x: 200 * Double($0), length: 60) }) == nil)
        #expect(ShelfFraming.tilt(of: (0..<9).map { line(turnedBy: 3, x: 200 * Double($0), score: 0.5) }) == nil)
    }

    @Test(
        "Text that touches an edge of the photo is cut off",
        arguments: [
            (150, 700, []), (100, 700, [.left]), (1895, 700, [.right]), (1000, 15, [.top]), (1000, 1485, [.bottom]),
            (100, 15, [.left, .top]),
        ] as [(Double, Double, Set<PhotoEdge>)])
    func cut(_ x: Double, _ y: Double, _ edges: Set<PhotoEdge>) {
        let inner = line(turnedBy: 0, x: 1000)
        #expect(
            Set(ShelfFraming.cutEdges([inner, line(turnedBy: 0, x: x, y: y)], in: ShelfFramingTests.size)) == edges)
        let unclear = line(turnedBy: 0, x: x, y: y, score: 0.4)
        #expect(ShelfFraming.cutEdges([inner, unclear], in: ShelfFramingTests.size).isEmpty)
    }

    /// Around a centre.
    private func line(
        turnedBy degrees: Double, x: Double, y: Double = 700, length: Double = 200, score: Double = 0.95
    ) -> TextLine {
        let radians = degrees * .pi / 180
        func corner(_ u: Double, _ v: Double) -> PixelPoint {
            PixelPoint(x: x + u * cos(radians) - v * sin(radians), y: y + u * sin(radians) + v * cos(radians))
        }
        return TextLine(
            text: "Some title", score: score,
            quad: Quad(
                corner(-length / 2, -12), corner(length / 2, -12), corner(length / 2, 12), corner(-length / 2, 12)))
    }
}
