import Foundation

/// Linear red, green, blue; 1 is white paper in good light.
typealias Radiance = SIMD3<Float>

/// The light in the room: a window on the upper left, and light reflected by the walls.
struct Lighting {
    private let occluders: [Solid]
    private let bounds: [(low: Vector3, high: Vector3)]
    /// Directions evenly distributed over the sphere (a Fibonacci lattice).
    private let sphere: [Vector3]
    /// Sample points on the window.
    private let window: [Vector3]

    private static let windowCenter = Vector3(-75, -110, -170)
    private static let windowColor = Radiance(1.0, 0.97, 0.91) * 0.62
    private static let skyColor = Radiance(0.96, 0.98, 1.02) * 0.8
    /// Light reflected by books and wood.
    private static let bounceColor = Radiance(1.0, 0.86, 0.7) * 0.085

    init(occluders: [Solid], rays: Int) {
        self.occluders = occluders
        bounds = occluders.map(\.bounds)
        sphere = (0..<rays * 2).map { i in
            let y = 1 - 2 * (Double(i) + 0.5) / Double(rays * 2)
            let (r, a) = ((1 - y * y).squareRoot(), Double(i) * 2.399_963_229_728_653)
            return Vector3(r * cos(a), y, r * sin(a))
        }
        let side = max(2, Int(Double(rays).squareRoot() * 0.8))
        window = (0..<side * side).map { i in
            let (u, v) = ((Double(i % side) + 0.5) / Double(side) - 0.5, (Double(i / side) + 0.5) / Double(side) - 0.5)
            return Lighting.windowCenter + Vector3(u * 70, v * 60, 0)
        }
    }

    /// Returns the light that a surface receives at a point.
    func falling(on surface: Vector3, normal: Vector3) -> Radiance {
        let point = surface + normal * 0.02
        var (sum, weights) = (Radiance.zero, Float(0))
        for direction in sphere {
            let cosine = Float(direction.dot(normal))
            guard cosine > 0 else { continue }
            weights += cosine
            sum +=
                cosine * (isBlocked(from: point, along: direction, upTo: 400) ? Lighting.bounceColor : sky(direction))
        }
        var light = sum / max(weights, 1e-6)
        for source in window {
            let way = source - point
            let distance = way.length
            let cosine = way.dot(normal) / distance
            guard cosine > 0, !isBlocked(from: point, along: way / distance, upTo: distance) else { continue }
            // Full intensity at the middle of the bookcase, two metres away.
            let falloff = Float(220 * 220 / (distance * distance) * cosine)
            light += Lighting.windowColor * falloff / Float(window.count)
        }
        return light
    }

    /// Returns the ambient light, brighter from the ceiling and the left than from the floor and the right.
    private func sky(_ direction: Vector3) -> Radiance {
        Lighting.skyColor * Float(0.85 - 0.3 * direction.y - 0.2 * direction.x - 0.15 * direction.z)
    }

    private func isBlocked(from start: Vector3, along direction: Vector3, upTo limit: Double) -> Bool {
        for i in occluders.indices where Lighting.mayHit(bounds[i], start, direction) {
            if occluders[i].isHit(from: start, along: direction, upTo: limit) { return true }
        }
        return false
    }

    /// Whether the box is not entirely behind the start in any direction.
    private static func mayHit(_ box: (low: Vector3, high: Vector3), _ start: Vector3, _ direction: Vector3) -> Bool {
        for i in 0..<3 {
            if direction[i] > 0 ? start[i] > box.high[i] : start[i] < box.low[i] { return false }
        }
        return true
    }
}

/// The light on one face, sampled at a grid of points and interpolated between them.
struct LightMap {
    private let columns: Int
    private let rows: Int
    private let values: [Radiance]

    /// `spacing` is in centimetres; the points are slightly inside the face, so that neighbours do not occlude them.
    init(_ face: Face, in light: Lighting, spacing: Double) {
        let (columns, rows) = (
            max(3, Int((face.across.length / spacing).rounded(.up)) + 1),
            max(3, Int((face.down.length / spacing).rounded(.up)) + 1)
        )
        func inside(_ i: Int, of count: Int) -> Double { min(0.995, max(0.005, Double(i) / Double(count - 1))) }
        values = (0..<rows).flatMap { row in
            (0..<columns).map { column in
                light.falling(
                    on: face.point(inside(column, of: columns), inside(row, of: rows)), normal: face.normal)
            }
        }
        (self.columns, self.rows) = (columns, rows)
    }

    func at(_ u: Double, _ v: Double) -> Radiance {
        let (x, y) = (u * Double(columns - 1), v * Double(rows - 1))
        let (i, j) = (min(Int(x), columns - 2), min(Int(y), rows - 2))
        let (s, t) = (Float(x - Double(i)), Float(y - Double(j)))
        let k = j * columns + i
        let top = values[k] + (values[k + 1] - values[k]) * s
        let bottom = values[k + columns] + (values[k + columns + 1] - values[k + columns]) * s
        return top + (bottom - top) * t
    }
}
