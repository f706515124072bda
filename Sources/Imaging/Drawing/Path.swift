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
        var box: (left: Double, top: Double, right: Double, bottom: Double)?
        for point in contours.joined() {
            let b = box ?? (point.x, point.y, point.x, point.y)
            box = (min(b.left, point.x), min(b.top, point.y), max(b.right, point.x), max(b.bottom, point.y))
        }
        return box.map { PixelRect(x: $0.left, y: $0.top, width: $0.right - $0.left, height: $0.bottom - $0.top) }
    }

    package func map(_ transform: (PixelPoint) -> PixelPoint) -> Path {
        Path(contours: contours.map { $0.map(transform) })
    }

    package func transformed(by map: AffineMap) -> Path { self.map(map.apply) }

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
        Path(
            polygon: (0..<corners).map {
                let a = (angle + 360 * Double($0) / Double(corners)) * .pi / 180
                return PixelPoint(x: center.x + radius * cos(a), y: center.y + radius * sin(a))
            })
    }

    /// Points on an arc, including both ends; angles in degrees, clockwise on screen.
    static func arc(center: PixelPoint, radius: Double, from start: Double, to end: Double) -> [PixelPoint] {
        // The sagitta of a chord over the angle a is r (1 - cos(a / 2)), about r a² / 8.
        let step = (0.16 / max(radius, 0.1)).squareRoot() * 180 / .pi
        let count = max(3, Int((abs(end - start) / step).rounded(.up)))
        return (0...count).map {
            let a = (start + (end - start) * Double($0) / Double(count)) * .pi / 180
            return PixelPoint(x: center.x + radius * cos(a), y: center.y + radius * sin(a))
        }
    }
}

/// A linear map of the plane followed by a translation: x' = a x + c y + dx, y' = b x + d y + dy.
package struct AffineMap: Hashable, Sendable {
    package var a, b, c, d, dx, dy: Double

    /// Scales, then rotates by `angle` degrees clockwise on screen, then moves the origin to `origin`.
    package static func placing(at origin: PixelPoint, angle: Double = 0, scale: Double = 1) -> AffineMap {
        let (c, s) = (cos(angle * .pi / 180) * scale, sin(angle * .pi / 180) * scale)
        return AffineMap(a: c, b: s, c: -s, d: c, dx: origin.x, dy: origin.y)
    }

    package func apply(_ p: PixelPoint) -> PixelPoint {
        PixelPoint(x: a * p.x + c * p.y + dx, y: b * p.x + d * p.y + dy)
    }
}
