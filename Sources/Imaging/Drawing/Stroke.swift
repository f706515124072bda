import Bounds

/// How the edge of a polygon is drawn.
package struct StrokeStyle: Hashable, Sendable {
    package enum Line: Hashable, Sendable {
        case solid
        /// Dashes of about `dash` pixels with gaps of about `gap`, both stretched slightly so that every corner of
        /// the polygon is in the middle of a dash.
        case dashed(dash: Double, gap: Double)
        /// Two lines of the stroke's width with `gap` pixels between them, one on each side of the edge.
        case double(gap: Double)
    }

    /// In pixels.
    package var width: Double
    package var line: Line

    package init(width: Double, line: Line = .solid) { (self.width, self.line) = (width, line) }
}

extension Path {
    /// The area covered by stroking all contours.
    ///
    /// Corners are round, ends of dashes are square.
    package func stroked(_ style: StrokeStyle) -> Path {
        switch style.line {
        case .solid:
            return pieces(contours.map { $0 + $0.prefix(2) }, width: style.width)
        case .dashed(let dash, let gap):
            return pieces(contours.flatMap { Path.dashes(around: $0, dash: dash, gap: gap) }, width: style.width)
        case .double(let gap):
            let distance = (gap + style.width) / 2
            let solid = StrokeStyle(width: style.width)
            return grown(by: distance).stroked(solid) + grown(by: -distance).stroked(solid)
        }
    }

    /// Convex polygons with every side moved outwards by `distance` pixels (inwards if negative).
    ///
    /// Mitres are limited to four times the distance, so that sharp corners do not become spikes.
    package func grown(by distance: Double) -> Path {
        Path(
            contours: contours.map { raw in
                let polygon = raw.distinctNeighbours
                guard polygon.count > 2 else { return polygon }
                let outward = Polygon.signedArea(polygon) > 0 ? 1.0 : -1.0
                return polygon.indices.map { i in
                    let corner = polygon[i]
                    let before = (corner - polygon[(i + polygon.count - 1) % polygon.count]).unit
                    let after = (polygon[(i + 1) % polygon.count] - corner).unit
                    // The sum of both sides' normals; the corner moves along it until it is `distance` from each
                    // side.
                    let normal = PixelPoint(x: (before.y + after.y) * outward, y: -(before.x + after.x) * outward)
                    let along = 1 + before.x * after.x + before.y * after.y
                    return corner + normal * (distance / max(along, 0.25))
                }
            })
    }

    /// One rectangle per segment and one disc per inner point of each polyline, all with the same winding.
    private func pieces(_ polylines: [[PixelPoint]], width: Double) -> Path {
        guard width > 0 else { return Path() }
        var path = Path()
        for polyline in polylines.map(\.distinctNeighbours) {
            for (i, (a, b)) in zip(polyline, polyline.dropFirst()).enumerated() {
                let along = (b - a).unit
                let across = PixelPoint(x: -along.y, y: along.x) * (width / 2)
                path.contours.append([a - across, b - across, b + across, a + across])
                if i > 0 { path.contours += Path.circle(center: a, radius: width / 2).contours }
            }
        }
        return path
    }

    /// Splits each side into a whole number of periods that begin and end with half a dash, joined to the half dash
    /// around the corner.
    private static func dashes(around raw: [PixelPoint], dash: Double, gap: Double) -> [[PixelPoint]] {
        let polygon = raw.distinctNeighbours
        guard polygon.count > 1, dash > 0, gap > 0 else { return [polygon + polygon.prefix(2)] }
        var result: [[PixelPoint]] = []
        var arriving: [PixelPoint] = []
        for i in polygon.indices {
            let (a, b) = (polygon[i], polygon[(i + 1) % polygon.count])
            let length = a.distance(to: b)
            let periods = max(1, (length / (dash + gap)).rounded())
            let period = length / periods
            let half = period * dash / (dash + gap) / 2
            let along = (b - a).unit
            result.append(arriving + [a, a + along * half])
            for k in Range(from: 1, upTo: Int(saturating: periods)) {
                let middle = a + along * (Double(k) * period)
                result.append([middle - along * half, middle + along * half])
            }
            arriving = [b - along * half]
        }
        result[0] = arriving + result[0]
        return result
    }
}

extension PixelPoint {
    /// The vector scaled to length one; zero stays zero.
    package var unit: PixelPoint { length > 0 ? self * (1 / length) : self }
}

extension [PixelPoint] {
    /// The points without consecutive duplicates.
    fileprivate var distinctNeighbours: [PixelPoint] {
        reduce(into: []) { kept, point in if kept.last != point { kept.append(point) } }
    }
}
