import Bounds
import Foundation

/// An area bounded by closed polygons, in pixels of the image it will be drawn into.
///
/// Everything drawn is converted to a path first: a spine's outline, a dash, a word. Points are inside by the
/// non-zero winding rule, so letters keep their counters and overlapping pieces of a stroke are painted once.
package struct Path: Hashable, Sendable {
    /// Polygons; the last point of each is joined to its first.
    package var contours: [[PixelPoint]]

    package init(contours: [[PixelPoint]] = []) { self.contours = contours }

    package init(polygon: [PixelPoint]) { contours = [polygon] }

    package init(_ quad: Quad) { contours = [quad.corners] }

    package init(_ rect: PixelRect) { self.init(Quad(rect)) }

    /// The smallest rectangle around all points; `nil` for a path without points.
    package var bounds: PixelRect? {
        PixelRect(around: contours.joined())
    }

    package func map(_ transform: (PixelPoint) -> PixelPoint) -> Path {
        Path(contours: contours.map { $0.map(transform) })
    }

    package static func + (a: Path, b: Path) -> Path { Path(contours: a.contours + b.contours) }
}

extension Path {
    /// A circle as a polygon that deviates from it by at most 1/50 pixel.
    package static func circle(center: PixelPoint, radius: Double) -> Path {
        guard radius > 0 else { return Path() }
        return Path(polygon: arc(center: center, radius: radius, from: 0, to: 360))
    }

    /// A polygon with corners at equal distances, the first at `angle` degrees clockwise from the x axis.
    package static func regularPolygon(corners: Int, center: PixelPoint, radius: Double, angle: Double) -> Path {
        Path(polygon: (0..<corners).map { point(angle + 360 * Double($0) / Double(corners), of: center, radius) })
    }

    /// Points on an arc, including both ends; angles in degrees, clockwise on screen.
    static func arc(center: PixelPoint, radius: Double, from start: Double, to end: Double) -> [PixelPoint] {
        // The sagitta of a chord over the angle a is r (1 - cos(a / 2)), about r a² / 8.
        let step = (0.16 / max(radius, 0.1)).squareRoot() * 180 / .pi
        let count = max(3, Int(saturating: (abs(end - start) / step).rounded(.up)))
        return Range(from: 0, upTo: count + 1).map {
            point(start + (end - start) * Double($0) / Double(count), of: center, radius)
        }
    }

    private static func point(_ degrees: Double, of center: PixelPoint, _ radius: Double) -> PixelPoint {
        let angle = degrees * .pi / 180
        return PixelPoint(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
    }
}
