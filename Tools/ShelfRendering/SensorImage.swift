import Fixtures
import Foundation
import Imaging

/// The photo as linear light, before blur, noise and quantisation.
struct SensorImage {
    let size: PixelSize
    private var light: [Float]

    init(size: PixelSize) {
        self.size = size
        light = [Float](repeating: 0, count: size.area * 3)
    }

    /// Draws a face over the existing picture, anti-aliased at its edges.
    mutating func expose(_ face: Face, through camera: PinholeCamera, texture: Texture, light map: LightMap) {
        let rows = camera.inverse(of: face)
        let width = size.width
        light.withUnsafeMutableBufferPointer { sensor in
            Coverage.forEachRow(of: Path(camera.quad(face)), in: size) { y, columns, coverage in
                for (x, covered) in zip(columns, coverage) where covered > 0 {
                    let pixel = Vector3(Double(x) + 0.5, Double(y) + 0.5, 1)
                    let w = 1 / rows[2].dot(pixel)
                    let (u, v) = (min(max(rows[0].dot(pixel) * w, 0), 1), min(max(rows[1].dot(pixel) * w, 0), 1))
                    let seen = texture.at(u, v) * map.at(u, v)
                    let i = (y * width + x) * 3
                    sensor[i] += (seen.x - sensor[i]) * covered
                    sensor[i + 1] += (seen.y - sensor[i + 1]) * covered
                    sensor[i + 2] += (seen.z - sensor[i + 2]) * covered
                }
            }
        }
    }

    /// Applies lens blur, vignette, exposure and sensor noise, and converts to sRGB.
    func developed(_ camera: DrawnCamera, seed: UInt64) -> RGBImage {
        let blurred = softened(by: camera.blur * Double(size.longSide) / 4000)
        var random = SeededGenerator(seed: seed ^ 0xF11A)
        let grain = (0..<4096).map { _ in Float(random.gaussian() * camera.noise) }
        let (cx, cy) = (Double(size.width) / 2, Double(size.height) / 2)
        var image = RGBImage(size: size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (dx, dy) = ((Double(x) - cx) / cx, (Double(y) - cy) / cx)
                let exposure = Float(camera.brightness * (1 - 0.13 * (dx * dx + dy * dy)))
                let bits = random.next()
                let luma = grain[Int(bits & 4095)]
                let i = (y * size.width + x) * 3
                for c in 0..<3 {
                    let own = grain[Int(bits >> UInt64(12 * (c + 1)) & 4095)]
                    let value = SRGB.encoded(SensorImage.shoulder(blurred[i + c] * exposure)) + 0.85 * luma + 0.4 * own
                    image.samples[i + c] = UInt8(min(max(value + 0.5, 0), 255))
                }
            }
        }
        return image
    }

    /// Compresses highlights instead of clipping them.
    private static func shoulder(_ light: Float) -> Float {
        light < 0.7 ? light : 0.7 + 0.3 * (1 - exp(-(light - 0.7) / 0.3))
    }

    /// Applies a Gaussian blur with a small radius, in pixels.
    private func softened(by sigma: Double) -> [Float] {
        guard sigma > 0.15 else { return light }
        let radius = max(1, Int((sigma * 2.5).rounded(.up)))
        var kernel = (-radius...radius).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
        let sum = kernel.reduce(0, +)
        kernel = kernel.map { $0 / sum }
        let horizontal = SensorImage.convolved(
            light, kernel, lines: size.height, length: size.width, lineStep: size.width * 3, step: 3)
        return SensorImage.convolved(
            horizontal, kernel, lines: size.width, length: size.height, lineStep: 3, step: size.width * 3)
    }

    private static func convolved(
        _ input: [Float], _ kernel: [Float], lines: Int, length: Int, lineStep: Int, step: Int
    ) -> [Float] {
        let radius = kernel.count / 2
        return [Float](unsafeUninitializedCapacity: input.count) { output, count in
            // The inner loop follows memory order in both directions: positions outside, lines inside.
            for outer in 0..<(step == 3 ? lines : length) {
                for inner in 0..<(step == 3 ? length : lines) {
                    let (line, place) = step == 3 ? (outer, inner) : (inner, outer)
                    var sum = SIMD3<Float>.zero
                    for k in -radius...radius {
                        let i = line * lineStep + min(max(place + k, 0), length - 1) * step
                        sum += SIMD3(input[i], input[i + 1], input[i + 2]) * kernel[k + radius]
                    }
                    let i = line * lineStep + place * step
                    (output[i], output[i + 1], output[i + 2]) = (sum.x, sum.y, sum.z)
                }
            }
            count = input.count
        }
    }
}

extension SeededGenerator {
    /// Returns a normally distributed number with standard deviation 1 (Box and Muller, 1958).
    mutating func gaussian() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }
}
