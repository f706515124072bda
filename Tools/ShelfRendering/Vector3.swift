/// A point or direction in the room, in centimetres: x to the right, y down, z away from the viewer.
///
/// The origin is the upper left inner corner of the bookcase's front.
typealias Vector3 = SIMD3<Double>

extension SIMD3<Double> {
    func dot(_ other: Vector3) -> Double { (self * other).sum() }

    func cross(_ b: Vector3) -> Vector3 {
        Vector3(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x)
    }

    var length: Double { dot(self).squareRoot() }
    var unit: Vector3 { self / length }
}
