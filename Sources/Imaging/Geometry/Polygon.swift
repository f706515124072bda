/// Plane geometry of point lists.
package enum Polygon {
    /// Returns the area by the shoelace formula, never negative.
    package static func area(_ points: [PixelPoint]) -> Double {
        guard points.count > 2 else { return 0 }
        var twice = 0.0
        for (a, b) in zip(points, points.dropFirst() + points.prefix(1)) { twice += a.x * b.y - b.x * a.y }
        return abs(twice) / 2
    }

    /// Returns the convex hull without collinear points, by Andrew's monotone chain; O(n log n).
    package static func convexHull(_ points: [PixelPoint]) -> [PixelPoint] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard sorted.count > 2 else { return sorted }
        func half(_ points: some Sequence<PixelPoint>) -> [PixelPoint] {
            var chain: [PixelPoint] = []
            for point in points {
                while chain.count >= 2, cross(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 {
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        return half(sorted) + half(sorted.reversed())
    }

    /// Returns the rectangle of least area around the points, at any angle; one of its sides is on a side of the hull
    /// (Freeman and Shapira, 1975).
    ///
    /// O(n log n + h²) for h hull points.
    ///
    /// `nil` for fewer than three points or collinear points.
    package static func minimumAreaRectangle(_ points: [PixelPoint]) -> Quad? {
        let hull = convexHull(points)
        guard hull.count > 2 else { return nil }
        var best: (area: Double, quad: Quad)?
        for (a, b) in zip(hull, hull.dropFirst() + hull.prefix(1)) {
            let length = a.distance(to: b)
            guard length > 0 else { continue }
            let along = PixelPoint(x: (b.x - a.x) / length, y: (b.y - a.y) / length)
            let across = PixelPoint(x: -along.y, y: along.x)
            let us = hull.map { $0.x * along.x + $0.y * along.y }
            let vs = hull.map { $0.x * across.x + $0.y * across.y }
            guard let u0 = us.min(), let u1 = us.max(), let v0 = vs.min(), let v1 = vs.max() else { continue }
            let area = (u1 - u0) * (v1 - v0)
            if best.map({ area < $0.area }) ?? true {
                func corner(_ u: Double, _ v: Double) -> PixelPoint { along * u + across * v }
                best = (area, Quad(corner(u0, v0), corner(u1, v0), corner(u1, v1), corner(u0, v1)))
            }
        }
        return best?.quad
    }

    /// Returns the part of `subject` inside the convex polygon `clip`, by Sutherland and Hodgman (1974).
    package static func intersection(_ subject: [PixelPoint], _ clip: [PixelPoint]) -> [PixelPoint] {
        let sign = signedArea(clip) >= 0 ? 1.0 : -1.0
        var output = subject
        for (a, b) in zip(clip, clip.dropFirst() + clip.prefix(1)) {
            let input = output
            output = []
            guard var previous = input.last else { return [] }
            for point in input {
                let inside = sign * cross(a, b, point) >= 0
                if inside != (sign * cross(a, b, previous) >= 0) {
                    output.append(crossing(previous, point, a, b))
                }
                if inside { output.append(point) }
                previous = point
            }
        }
        return output
    }

    /// Twice the signed area of the triangle; positive if `c` is clockwise (on screen) of a→b.
    static func cross(_ a: PixelPoint, _ b: PixelPoint, _ c: PixelPoint) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }

    /// Twice the signed area; positive if the points are clockwise on screen.
    static func signedArea(_ points: [PixelPoint]) -> Double {
        zip(points, points.dropFirst() + points.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
    }

    private static func crossing(_ p: PixelPoint, _ q: PixelPoint, _ a: PixelPoint, _ b: PixelPoint) -> PixelPoint {
        let fromP = cross(a, b, p)
        let fromQ = cross(a, b, q)
        return p + (q - p) * (fromP / (fromP - fromQ))
    }
}
