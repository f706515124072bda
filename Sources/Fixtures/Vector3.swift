import Foundation
import Imaging

/// A point or direction in the room, in centimetres: x to the right, y down, z away from the viewer.
///
/// The origin is the upper left inner corner of the bookcase's front.
typealias Vector = SIMD3<Double>

extension SIMD3<Double> {
    func dot(_ other: Vector) -> Double { (self * other).sum() }

    func cross(_ b: Vector) -> Vector {
        Vector(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x)
    }

    var length: Double { dot(self).squareRoot() }
    var unit: Vector { self / length }
}

/// A flat four-sided surface: `origin + u · across + v · down`, u and v in 0...1.
struct Face {
    var origin: Vector
    var across: Vector
    var down: Vector
    /// Points out of the solid.
    var normal: Vector

    func point(_ u: Double, _ v: Double) -> Vector { origin + across * u + down * v }
    var corners: [Vector] { [origin, origin + across, origin + across + down, origin + down] }
    var center: Vector { point(0.5, 0.5) }
}

/// A box at any angle.
///
/// Its front is the side that the viewer sees first: a spine, the edge of a board.
struct Solid {
    enum Side: CaseIterable {
        case front, head, tail, left, right, back
    }

    /// The corner of the front where `across` and `down` begin.
    var origin: Vector
    var across: Vector
    var down: Vector
    /// Into the picture.
    var depth: Vector

    func face(_ side: Side) -> Face {
        let (a, d, z) = (across.unit, down.unit, depth.unit)
        return switch side {
        case .front: Face(origin: origin, across: across, down: down, normal: -z)
        case .back: Face(origin: origin + depth, across: across, down: down, normal: z)
        // The rows of the picture of these sides begin at the back, those of the others at the head.
        case .head: Face(origin: origin + depth, across: across, down: -depth, normal: -d)
        case .tail: Face(origin: origin + down + depth, across: across, down: -depth, normal: d)
        case .left: Face(origin: origin, across: depth, down: down, normal: -a)
        case .right: Face(origin: origin + across, across: depth, down: down, normal: a)
        }
    }

    /// Whether a ray meets the box, by the slab method (Kay and Kajiya, 1986) in the frame of the box.
    func isHit(from start: Vector, along direction: Vector, upTo limit: Double) -> Bool {
        var (near, far) = (1e-6, limit)
        let offset = start - origin
        for axis in [across, down, depth] {
            let square = axis.dot(axis)
            let (position, speed) = (offset.dot(axis) / square, direction.dot(axis) / square)
            if abs(speed) < 1e-12 {
                if position < 0 || position > 1 { return false }
                continue
            }
            let (a, b) = (-position / speed, (1 - position) / speed)
            near = max(near, min(a, b))
            far = min(far, max(a, b))
            if near > far { return false }
        }
        return true
    }

    /// The box along the axes around this one.
    var bounds: (low: Vector, high: Vector) {
        var (low, high) = (origin, origin)
        for axis in [across, down, depth] {
            low += axis.clamped(lowerBound: Vector(repeating: -.infinity), upperBound: .zero)
            high += axis.clamped(lowerBound: .zero, upperBound: Vector(repeating: .infinity))
        }
        return (low, high)
    }
}

/// A camera without lens errors.
struct PinholeCamera {
    let position: Vector
    /// Unit vectors of the picture's x and y and of the view, in the room.
    private let right: Vector
    private let down: Vector
    private let forward: Vector
    /// Pixels.
    private let focalLength: Double
    private let center: PixelPoint

    /// Looks from `position` at `target`, turned by `tilt` degrees clockwise as the picture shows it;
    /// `width` centimetres at the target's distance fill the width of the picture.
    init(position: Vector, target: Vector, tilt: Double, width: Double, size: PixelSize) {
        self.position = position
        forward = (target - position).unit
        let level = Vector(0, 1, 0).cross(forward).unit
        let plumb = forward.cross(level)
        let (c, s) = (cos(tilt * .pi / 180), sin(tilt * .pi / 180))
        // A picture that is turned clockwise was taken by a camera turned the other way.
        right = level * c - plumb * s
        down = level * s + plumb * c
        focalLength = Double(size.width) * (target - position).length / width
        center = PixelPoint(x: Double(size.width) / 2, y: Double(size.height) / 2)
    }

    func project(_ point: Vector) -> PixelPoint {
        let p = inCamera(point - position)
        return PixelPoint(x: center.x + focalLength * p.x / p.z, y: center.y + focalLength * p.y / p.z)
    }

    func quad(_ face: Face) -> Quad {
        let corners = face.corners.map(project)
        return Quad(corners[0], corners[1], corners[2], corners[3])
    }

    func sees(_ face: Face) -> Bool { face.normal.dot(position - face.origin) > 0 }

    func pixelsPerCentimetre(at point: Vector) -> Double { focalLength / inCamera(point - position).z }

    /// The map from pixels to the face's u and v: (row 0 · p / row 2 · p, row 1 · p / row 2 · p) for
    /// p = (x, y, 1).
    func inverse(of face: Face) -> [Vector] {
        // A pixel's ray d meets the face where across · u + down · v + origin = t d, all as the camera sees
        // them; so (u, v, 1) / t is d times the inverse of the matrix of these three vectors.
        let (a, b, o) = (inCamera(face.across), inCamera(face.down), inCamera(face.origin - position))
        let determinant = a.dot(b.cross(o))
        return [b.cross(o), o.cross(a), a.cross(b)].map { row in
            // d = ((x - cx) / f, (y - cy) / f, 1)
            let r = row / determinant
            return Vector(r.x / focalLength, r.y / focalLength, r.z - (r.x * center.x + r.y * center.y) / focalLength)
        }
    }

    private func inCamera(_ v: Vector) -> Vector { Vector(v.dot(right), v.dot(down), v.dot(forward)) }
}
