import Bibliography
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

    package init(index: Int, line: TextLine, quad: Quad) {
        self.index = index
        self.line = line
        self.quad = quad
        words = TextNormalisation.words(line.text)
        let direction = quad.direction
        along = direction * (1 / max(1e-6, direction.length))
    }

    var isVertical: Bool { ReadingDirection(angle: quad.angle).isVertical }
    var length: Double { quad.length }
    var height: Double { quad.height }

    /// Returns the extents of this line's corners along and across another line's reading direction.
    func extents(in frame: UprightLine) -> (along: ClosedRange<Double>, across: ClosedRange<Double>) {
        let projected = quad.corners.map { corner -> (u: Double, v: Double) in
            let d = corner - frame.quad.center
            return (d.x * frame.along.x + d.y * frame.along.y, d.y * frame.along.x - d.x * frame.along.y)
        }
        let us = projected.map(\.u)
        let vs = projected.map(\.v)
        return ((us.min() ?? 0)...(us.max() ?? 0), (vs.min() ?? 0)...(vs.max() ?? 0))
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
        (lowerBound + start * length)...(upperBound - end * length)
    }

    /// Distance between the ranges; 0 if they touch or overlap.
    func gap(to other: ClosedRange<Double>) -> Double {
        Swift.max(0, Swift.max(lowerBound, other.lowerBound) - Swift.min(upperBound, other.upperBound))
    }

    func union(_ other: ClosedRange<Double>) -> ClosedRange<Double> {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
