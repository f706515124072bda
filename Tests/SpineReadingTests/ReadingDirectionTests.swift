import Foundation
import Imaging
import ShelflistAPI
import SpineReading
import Testing

@Suite("Reading directions")
struct ReadingDirectionTests {
    @Test(
        "An angle is rounded to the nearest quarter",
        arguments: [
            (0, .upright), (44, .upright), (-44, .upright), (46, .topToBottom), (90, .topToBottom), (134, .topToBottom),
            (136, .upsideDown), (180, .upsideDown), (-180, .upsideDown), (-136, .upsideDown), (-134, .bottomToTop),
            (-90, .bottomToTop), (-46, .bottomToTop), (270, .bottomToTop), (359, .upright), (450, .topToBottom),
            (-270, .topToBottom),
        ] as [(Double, ReadingDirection)])
    func angle(_ angle: Double, _ direction: ReadingDirection) {
        #expect(ReadingDirection(angle: angle) == direction)
    }

    @Test("Every angle is at most 45 degrees from its direction")
    func everyAngle() throws {
        for angle in -720...720 {
            let direction = ReadingDirection(angle: Double(angle))
            let quarter = try #require(ReadingDirection.allCases.firstIndex(of: direction)) * 90
            let difference = ((angle - quarter) % 360 + 540) % 360 - 180
            #expect(abs(difference) <= 45, "\(angle)° was read as \(direction)")
        }
    }

    @Test("Turning a photo clockwise turns its lines")
    func turned() {
        let clockwise: [ReadingDirection] = [.upright, .topToBottom, .upsideDown, .bottomToTop]
        for (i, direction) in clockwise.enumerated() {
            for (quarters, turn) in [QuarterTurn.none, .quarter, .half, .threeQuarters].enumerated() {
                #expect(direction.turned(turn) == clockwise[(i + quarters) % 4])
                #expect(direction.turned(turn).turned(turn.inverse) == direction)
            }
        }
    }

    @Test("A line's direction turns with its corners", arguments: QuarterTurn.allCases, [0.0, 20, 90, 110, 180, -90])
    func corners(_ turn: QuarterTurn, _ angle: Double) {
        let line = TextLine(text: "Emma", score: 1, quad: rectangle(200, 30, turnedBy: angle))
        var turned = line
        turned.quad = line.quad.map { turn.apply(to: $0, in: PixelSize(width: 1200, height: 900)) }
        #expect(turned.direction == line.direction.turned(turn))
    }

    @Test(
        "An area's corners are in reading order from the left or, above 45°, from the top",
        arguments: [
            (0, 0), (30, 30), (44, 44), (46, 46), (60, 60), (90, 90), (120, 120), (134, 134), (136, -44), (150, -30),
            (180, 0), (-30, -30), (-44, -44), (-46, 134), (-90, 90),
        ] as [(Double, Double)])
    func readingOrder(_ drawn: Double, _ read: Double) {
        let corners = rectangle(100, 20, turnedBy: drawn).corners
        for start in 0..<4 {
            let clockwise = (0..<4).map { corners[(start + $0) % 4] }
            // Detectors hand out corners from any start, either way round.
            for order in [clockwise, clockwise.reversed()] {
                let quad = Quad(order[0], order[1], order[2], order[3]).readFromTopOrLeft
                #expect(abs(quad.angle - read) < 1e-9)
                #expect(abs(quad.length - 100) < 1e-9 && abs(quad.height - 20) < 1e-9)
                #expect(isClockwise(quad), "mirrored")
                #expect(Set(quad.corners) == Set(corners))
            }
        }
    }

    private func isClockwise(_ quad: Quad) -> Bool {
        let a = quad.topRight - quad.topLeft
        let b = quad.bottomLeft - quad.topLeft
        return a.x * b.y - a.y * b.x > 0
    }
}
