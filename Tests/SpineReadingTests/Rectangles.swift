import Foundation
import Imaging

/// A rectangle around a centre, in reading order, turned clockwise by an angle in degrees.
func rectangle(
    _ length: Double, _ height: Double, turnedBy degrees: Double = 0, at center: PixelPoint = PixelPoint(x: 500, y: 500)
) -> Quad {
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    func corner(_ u: Double, _ v: Double) -> PixelPoint {
        center + PixelPoint(x: u * cosine - v * sine, y: u * sine + v * cosine)
    }
    let (u, v) = (length / 2, height / 2)
    return Quad(corner(-u, -v), corner(u, -v), corner(u, v), corner(-u, v))
}
