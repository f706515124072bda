import Fixtures
import Foundation
import Imaging

/// The relief of a printed spine: its curvature, the weave of its cloth, creases, wear.
struct SpineRelief {
    private let book: DrawnBook
    private let scale: Double
    private let noise: SeededNoise
    /// The creases of a read paperback's spine, as fractions of its width.
    private let creases: [(at: Double, strength: Double)]

    init(book: DrawnBook, scale: Double, seed: UInt64) {
        self.book = book
        self.scale = scale
        noise = SeededNoise(seed: seed)
        var random = SeededGenerator(seed: seed)
        creases = (0..<3).map { _ in (random.double(in: 0.12...0.88), random.double(in: 0.0...1.0)) }
    }

    /// Multiplies every pixel by its shading.
    func apply(to image: inout RGBImage) {
        let (width, height) = (image.width, image.height)
        let columns = (0..<width).map { profile((Double($0) + 0.5) / Double(width)) }
        let rows = (0..<height).map { bands((Double($0) + 0.5) / scale) }
        for y in 0..<height {
            for x in 0..<width {
                let (cx, cy) = (Double(x) / scale, Double(y) / scale)
                let shade = columns[x].shade * rows[y] * grain(cx, cy)
                let light = columns[x].gloss + wear(cx, cy)
                let i = (y * width + x) * 3
                for c in i..<i + 3 {
                    let value = Double(image.samples[c]) * shade
                    image.samples[c] = UInt8(min(255, max(0, value + (235 - value) * light)))
                }
            }
        }
    }

    /// Shading and gloss across the curved spine.
    private func profile(_ u: Double) -> (shade: Double, gloss: Double) {
        let fromEdge = min(u, 1 - u)
        let rounded = 0.74 + 0.3 * cos((u - 0.44) * 2.2)
        switch book.design.binding {
        case .paperback:
            let creased = creases.reduce(0) { $0 + $1.strength * exp(-pow((u - $1.at) * book.thickness / 0.035, 2)) }
            return (1 - 0.16 * exp(-fromEdge * book.thickness / 0.08), 0.1 * min(1, creased))
        case .jacket:
            let streak = exp(-pow((u - 0.3) / 0.12, 2))
            return (rounded, 0.055 * streak)
        case .cloth, .leather:
            return (rounded * (1 - 0.25 * exp(-fromEdge * book.thickness / 0.1)), 0.02 * exp(-pow((u - 0.36) / 0.2, 2)))
        }
    }

    /// Shading along the spine, in centimetres: leather over raised cords, lit from above.
    private func bands(_ y: Double) -> Double {
        guard book.design.binding == .leather else { return 1 }
        return [0.12, 0.3, 0.48, 0.66, 0.84].reduce(1.0) { shade, cord in
            let distance = (y - cord * book.height) / 0.22
            return shade * (1 - 0.34 * distance * exp(0.5 - distance * distance))
        }
    }

    private func grain(_ x: Double, _ y: Double) -> Double {
        switch book.design.binding {
        case .paperback: return 0.985 + 0.03 * noise.value(x * 14, y * 14)
        case .jacket: return 0.99 + 0.02 * noise.layered(x * 2, y * 2, octaves: 2)
        case .cloth:
            let weave = sin(x * 62) * sin(y * 62)
            return 0.95 + 0.028 * weave + 0.1 * (noise.layered(x * 9, y * 9, octaves: 2) - 0.5)
        case .leather: return 0.86 + 0.28 * noise.layered(x * 3.2, y * 2.4, octaves: 4)
        }
    }

    /// Colour worn off at head and tail.
    private func wear(_ x: Double, _ y: Double) -> Double {
        let fromEnd = min(y, book.height - y)
        guard fromEnd < 0.6 else { return 0 }
        return 0.34 * exp(-fromEnd / 0.1) * noise.layered(x * 5 + 31, y * 9, octaves: 3)
    }
}
