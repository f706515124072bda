import Foundation
import Imaging

/// A camera without lens distortion.
struct PinholeCamera {
    let position: Vector3
    /// Unit vectors in room coordinates of the picture's x and y axes and of the viewing direction.
    private let right: Vector3
    private let down: Vector3
    private let forward: Vector3
    /// In pixels.
    private let focalLength: Double
    private let center: PixelPoint

    /// Looks from `position` at `target`, rotated by `tilt` degrees clockwise as seen in the picture; `width`
    /// centimetres at the target's distance fill the width of the picture.
    init(position: Vector3, target: Vector3, tilt: Double, width: Double, size: PixelSize) {
        self.position = position
        forward = (target - position).unit
        let level = Vector3(0, 1, 0).cross(forward).unit
        let plumb = forward.cross(level)
        let (c, s) = (cos(tilt * .pi / 180), sin(tilt * .pi / 180))
        // A picture rotated clockwise comes from a camera rotated anticlockwise.
        right = level * c - plumb * s
        down = level * s + plumb * c
        focalLength = Double(size.width) * (target - position).length / width
        center = PixelPoint(x: Double(size.width) / 2, y: Double(size.height) / 2)
    }

    func project(_ point: Vector3) -> PixelPoint {
        let p = inCamera(point - position)
        return PixelPoint(x: center.x + focalLength * p.x / p.z, y: center.y + focalLength * p.y / p.z)
    }

    func quad(_ face: Face) -> Quad {
        let corners = face.corners.map(project)
        return Quad(corners[0], corners[1], corners[2], corners[3])
    }

    func sees(_ face: Face) -> Bool { face.normal.dot(position - face.origin) > 0 }

    func pixelsPerCentimetre(at point: Vector3) -> Double { focalLength / inCamera(point - position).z }

    /// Returns the map from pixels to the face's u and v: (row 0 · p / row 2 · p, row 1 · p / row 2 · p) for p = (x,
    /// y, 1).
    func inverse(of face: Face) -> [Vector3] {
        // A pixel's ray d hits the face where across · u + down · v + origin = t d in camera coordinates; so (u, v,
        // 1) / t is d times the inverse of the matrix of these three vectors.
        let (a, b, o) = (inCamera(face.across), inCamera(face.down), inCamera(face.origin - position))
        let determinant = a.dot(b.cross(o))
        return [b.cross(o), o.cross(a), a.cross(b)].map { row in
            // d = ((x - cx) / f, (y - cy) / f, 1)
            let r = row / determinant
            return Vector3(r.x / focalLength, r.y / focalLength, r.z - (r.x * center.x + r.y * center.y) / focalLength)
        }
    }

    private func inCamera(_ v: Vector3) -> Vector3 { Vector3(v.dot(right), v.dot(down), v.dot(forward)) }
}
