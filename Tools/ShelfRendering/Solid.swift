/// A flat parallelogram: `origin + u · across + v · down`, u and v in 0...1.
struct Face {
    var origin: Vector3
    var across: Vector3
    var down: Vector3
    /// Points away from the solid.
    var normal: Vector3

    func point(_ u: Double, _ v: Double) -> Vector3 { origin + across * u + down * v }
    var corners: [Vector3] { [origin, origin + across, origin + across + down, origin + down] }
    var center: Vector3 { point(0.5, 0.5) }
}

/// A box at any angle.
///
/// Its front is the side facing the viewer: a spine, the edge of a board.
struct Solid {
    enum Side: CaseIterable {
        case front, head, tail, left, right, back
    }

    /// The corner of the front at which `across` and `down` start.
    var origin: Vector3
    var across: Vector3
    var down: Vector3
    /// Points into the picture.
    var depth: Vector3

    func face(_ side: Side) -> Face {
        let (a, d, z) = (across.unit, down.unit, depth.unit)
        return switch side {
        case .front: Face(origin: origin, across: across, down: down, normal: -z)
        case .back: Face(origin: origin + depth, across: across, down: down, normal: z)
        // The texture rows of these sides start at the back, those of the other sides at the head.
        case .head: Face(origin: origin + depth, across: across, down: -depth, normal: -d)
        case .tail: Face(origin: origin + down + depth, across: across, down: -depth, normal: d)
        case .left: Face(origin: origin, across: depth, down: down, normal: -a)
        case .right: Face(origin: origin + across, across: depth, down: down, normal: a)
        }
    }

    /// Whether a ray hits the box, by the slab method (Kay and Kajiya, 1986) in the frame of the box.
    func isHit(from start: Vector3, along direction: Vector3, upTo limit: Double) -> Bool {
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

    /// The axis-aligned bounding box.
    var bounds: (low: Vector3, high: Vector3) {
        var (low, high) = (origin, origin)
        for axis in [across, down, depth] {
            low += axis.clamped(lowerBound: Vector3(repeating: -.infinity), upperBound: .zero)
            high += axis.clamped(lowerBound: .zero, upperBound: Vector3(repeating: .infinity))
        }
        return (low, high)
    }
}
