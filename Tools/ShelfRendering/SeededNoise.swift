import Fixtures

/// Smooth random patterns for wood grain, cloth and dirt.
struct SeededNoise: Sendable {
    let seed: UInt64

    /// Value noise with one random value per integer point, interpolated between them; 0...1.
    func value(_ x: Double, _ y: Double) -> Double {
        let (fx, fy) = (x.rounded(.down), y.rounded(.down))
        let (ix, iy) = (Int(fx), Int(fy))
        let (u, v) = (SeededNoise.ease(x - fx), SeededNoise.ease(y - fy))
        let top = lattice(ix, iy) + (lattice(ix + 1, iy) - lattice(ix, iy)) * u
        let bottom = lattice(ix, iy + 1) + (lattice(ix + 1, iy + 1) - lattice(ix, iy + 1)) * u
        return top + (bottom - top) * v
    }

    /// Several octaves of `value`, each at twice the frequency and half the amplitude; 0...1.
    func layered(_ x: Double, _ y: Double, octaves: Int) -> Double {
        var (sum, weight, total, scale) = (0.0, 1.0, 0.0, 1.0)
        for octave in 0..<octaves {
            sum += weight * value(x * scale + Double(octave) * 17.3, y * scale - Double(octave) * 9.1)
            total += weight
            weight /= 2
            scale *= 2
        }
        return sum / total
    }

    private func lattice(_ x: Int, _ y: Int) -> Double {
        let key =
            UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: Int64(y))
            &* 0xC2B2_AE3D_27D4_EB4F
        return Double(SeededGenerator.mix(key ^ seed) >> 11) * 0x1p-53
    }

    private static func ease(_ t: Double) -> Double { t * t * (3 - 2 * t) }
}
