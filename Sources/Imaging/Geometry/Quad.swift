import Foundation

/// A convex quadrilateral in pixels of one particular image.
///
/// The corners of a text line follow its reading direction: top of the start, top of the end, bottom of the end,
/// bottom of the start. For upright text that is top left, top right, bottom right, bottom left; for text that runs
/// down a spine it is top right, bottom right, bottom left, top left.
package struct Quad: Hashable, Codable, Sendable {
    package var topLeft: PixelPoint
    package var topRight: PixelPoint
    package var bottomRight: PixelPoint
    package var bottomLeft: PixelPoint

    package init(_ topLeft: PixelPoint, _ topRight: PixelPoint, _ bottomRight: PixelPoint, _ bottomLeft: PixelPoint) {
        (self.topLeft, self.topRight, self.bottomRight, self.bottomLeft) = (topLeft, topRight, bottomRight, bottomLeft)
    }

    package init(_ rect: PixelRect) {
        self.init(
            PixelPoint(x: rect.x, y: rect.y), PixelPoint(x: rect.maxX, y: rect.y),
            PixelPoint(x: rect.maxX, y: rect.maxY), PixelPoint(x: rect.x, y: rect.maxY))
    }

    package var corners: [PixelPoint] { [topLeft, topRight, bottomRight, bottomLeft] }

    package var center: PixelPoint { (topLeft + topRight + bottomRight + bottomLeft) * 0.25 }

    /// Mean length of the two sides along the reading direction.
    package var length: Double { (topLeft.distance(to: topRight) + bottomLeft.distance(to: bottomRight)) / 2 }

    /// Mean length of the two sides across the reading direction.
    package var height: Double { (topLeft.distance(to: bottomLeft) + topRight.distance(to: bottomRight)) / 2 }

    /// Angle of the reading direction from the x axis in degrees, -180..<180; 90 is text running down.
    package var angle: Double { direction.angleInDegrees }

    /// The vector from the middle of the start to the middle of the end.
    package var direction: PixelPoint {
        (topRight + bottomRight) * 0.5 - (topLeft + bottomLeft) * 0.5
    }

    package var area: Double { Polygon.area(corners) }

    /// The area shared with another quadrilateral; `nil` where their bounds do not overlap.
    package func sharedArea(with other: Quad) -> Double? {
        guard bounds.intersection(other.bounds) != nil else { return nil }
        return Polygon.area(Polygon.intersection(corners, other.corners))
    }

    package var bounds: PixelRect { PixelRect(around: corners) ?? PixelRect(x: 0, y: 0, width: 0, height: 0) }

    package func map(_ transform: (PixelPoint) -> PixelPoint) -> Quad {
        Quad(transform(topLeft), transform(topRight), transform(bottomRight), transform(bottomLeft))
    }

    package func scaled(by factor: Double) -> Quad { map { $0 * factor } }

    /// The same area read from the other end, as after rotating the text by 180 degrees.
    package var turnedHalf: Quad { Quad(bottomRight, bottomLeft, topLeft, topRight) }
}

extension PixelPoint {
    /// Angle of this vector from the x axis in degrees, -180..<180, clockwise on screen.
    package var angleInDegrees: Double {
        let angle = atan2(y, x) * 180 / .pi
        return angle >= 180 ? angle - 360 : angle
    }
}
