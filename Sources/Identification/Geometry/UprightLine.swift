import Bibliography
import Bounds
package import Imaging
import ShelflistAPI
package import SpineReading

/// A text line in the shelf's frame: pixels of the photo rotated so that the shelf is upright.
package struct UprightLine: Hashable, Sendable {
    package let index: Int
    package let line: TextLine
    /// The line's corners in the shelf's frame, in reading order.
    package let quad: Quad
    /// Folded words of the text.
    package let words: [String]
    /// Unit vector along the reading direction.
    let along: PixelPoint
    /// Kept, because lines are compared in pairs.
    let isVertical: Bool
    let (length, height): (Double, Double)
    private let center: PixelPoint

    package init(index: Int, line: TextLine, quad: Quad) {
        self.index = index
        self.line = line
        self.quad = quad
        words = TextNormalisation.words(line.text)
        let direction = quad.direction
        along = direction * (1 / max(1e-6, direction.length))
        isVertical = ReadingDirection(angle: quad.angle).isVertical
        (length, height, center) = (quad.length, quad.height, quad.center)
    }

    /// Whether the line is of letters that are not known.
    var isUnread: Bool { line.text.isEmpty }

    /// Returns the extents of this line's corners along and across another line's reading direction.
    func extents(in frame: UprightLine) -> (along: ClosedRange<Double>, across: ClosedRange<Double>) {
        // Without arrays: called for each pair of lines.
        func projected(_ corner: PixelPoint) -> (u: Double, v: Double) {
            let d = corner - frame.center
            return (d.x * frame.along.x + d.y * frame.along.y, d.y * frame.along.x - d.x * frame.along.y)
        }
        let (a, b) = (projected(quad.topLeft), projected(quad.topRight))
        let (c, d) = (projected(quad.bottomRight), projected(quad.bottomLeft))
        return (
            ClosedRange(ordered: min(a.u, b.u, c.u, d.u), max(a.u, b.u, c.u, d.u)),
            ClosedRange(ordered: min(a.v, b.v, c.v, d.v), max(a.v, b.v, c.v, d.v))
        )
    }
}

extension ClosedRange<Double> {
    var length: Double { upperBound - lowerBound }
    var middle: Double { (lowerBound + upperBound) / 2 }

    func sharedLength(with other: ClosedRange<Double>) -> Double {
        Swift.max(0, Swift.min(upperBound, other.upperBound) - Swift.max(lowerBound, other.lowerBound))
    }

    /// The range without these shares of its length at either end.
    func trimmed(_ start: Double, _ end: Double) -> ClosedRange<Double> {
        ClosedRange(ordered: lowerBound + start * length, upperBound - end * length)
    }

    /// Distance between the ranges; 0 if they touch or overlap.
    func gap(to other: ClosedRange<Double>) -> Double {
        Swift.max(0, Swift.max(lowerBound, other.lowerBound) - Swift.min(upperBound, other.upperBound))
    }

    func union(_ other: ClosedRange<Double>) -> ClosedRange<Double> {
        ClosedRange(ordered: Swift.min(lowerBound, other.lowerBound), Swift.max(upperBound, other.upperBound))
    }
}
