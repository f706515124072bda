import Foundation
import Imaging

/// The colour of a face as linear reflected light.
struct Texture {
    private let picture: RGBImage

    init(_ picture: RGBImage) { self.picture = picture }

    init(_ color: RGBColor) { picture = RGBImage(size: PixelSize(width: 1, height: 1), filledWith: color) }

    /// Interpolates between the four nearest pixels; u and v in 0...1.
    func at(_ u: Double, _ v: Double) -> Radiance {
        let (x, y) = (
            min(max(u * Double(picture.width) - 0.5, 0), Double(picture.width - 1)),
            min(max(v * Double(picture.height) - 0.5, 0), Double(picture.height - 1))
        )
        let (i, j) = (Int(x), Int(y))
        let (s, t) = (Float(x - Double(i)), Float(y - Double(j)))
        let (right, below) = (i + 1 < picture.width ? 3 : 0, j + 1 < picture.height ? picture.width * 3 : 0)
        let k = (j * picture.width + i) * 3
        return picture.samples.withUnsafeBufferPointer { samples in
            func pixel(_ k: Int) -> Radiance {
                Radiance(
                    SRGB.linear[Int(samples[k])], SRGB.linear[Int(samples[k + 1])], SRGB.linear[Int(samples[k + 2])])
            }
            let top = pixel(k) + (pixel(k + right) - pixel(k)) * s
            let bottom = pixel(k + below) + (pixel(k + below + right) - pixel(k + below)) * s
            return top + (bottom - top) * t
        }
    }
}

/// The transfer function of sRGB (IEC 61966-2-1).
enum SRGB {
    static let linear: [Float] = (0..<256).map { byte in
        let v = Double(byte) / 255
        return Float(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4))
    }

    /// Converts linear light, 0...1, to 0...255.
    static func encoded(_ light: Float) -> Float {
        encodedTable[Int(min(max(light, 0), 1) * Float(encodedTable.count - 1))]
    }

    private static let encodedTable: [Float] = (0...16384).map { step in
        let v = Double(step) / 16384
        return Float(255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055))
    }
}

extension Texture {
    /// A sawn board with the grain along x.
    ///
    /// Sizes are in centimetres.
    static func board(_ wood: Wood, width: Double, height: Double, scale: Double, seed: UInt64) -> Texture {
        let noise = SeededNoise(seed: seed)
        let alongX = width >= height
        return Texture(
            .painted(PixelSize(centimetres: width, height, scale: scale)) { x, y in
                let (along, across) = alongX ? (x / scale, y / scale) : (y / scale, x / scale)
                return wood.color(along: along, across: across, noise)
            })
    }

    /// The head or tail of a book: covers left and right, pages between them.
    static func leaves(cover: RGBColor, thickness: Double, depth: Double, scale: Double, seed: UInt64) -> Texture {
        let noise = SeededNoise(seed: seed)
        let boards = min(0.16, thickness * 0.1)
        return Texture(
            .painted(PixelSize(centimetres: thickness, depth, scale: scale)) { x, y in
                let (cx, cy) = (x / scale, y / scale)
                let fromFront = depth - cy
                if cx < boards || cx > thickness - boards || fromFront < boards { return SIMD3(cover) * 0.92 }
                let leaf = 0.82 + 0.2 * noise.value(cx * 26, cy * 0.35) - 0.1 * noise.value(cx * 3, cy * 0.6)
                return SIMD3(232, 222, 200) * leaf
            })
    }

    /// A framed print of sun and hills, without text.
    static func landscape(width: Double, height: Double, scale: Double) -> Texture {
        let size = PixelSize(centimetres: width, height, scale: scale)
        let (w, h) = (Double(size.width), Double(size.height))
        var image = RGBImage(size: size, filledWith: RGBColor(0x2A2622))
        func inset(_ centimetres: Double) -> PixelRect {
            let edge = centimetres * scale
            return PixelRect(x: edge, y: edge, width: w - 2 * edge, height: h - 2 * edge)
        }
        image.fill(Path(inset(0.9)), with: Paint(RGBColor(0xF4EFE4)))
        let print = inset(2.3)
        image.fill(Path(print), with: Paint(RGBColor(0xF3D9B1)))
        image.fill(
            .circle(center: PixelPoint(x: w * 0.6, y: print.y + print.height * 0.34), radius: print.width * 0.16),
            with: Paint(RGBColor(0xE07A4F)))
        for (ridge, color) in [(0.5, 0xC9A36B), (0.64, 0x7D8B5A), (0.8, 0x3F5C55)] as [(Double, UInt32)] {
            let crest = (0...60).map { step in
                let x = Double(step) / 60
                let y = ridge + 0.07 * sin(x * 5 + ridge * 21) + 0.025 * sin(x * 13 + ridge * 9)
                return PixelPoint(x: print.x + x * print.width, y: print.y + y * print.height)
            }
            let ground = [PixelPoint(x: print.maxX, y: print.maxY), PixelPoint(x: print.x, y: print.maxY)]
            image.fill(Path(polygon: crest + ground), with: Paint(RGBColor(color)))
        }
        return Texture(image)
    }

    /// A plastered wall.
    static func plaster(width: Double, height: Double, scale: Double, seed: UInt64) -> Texture {
        let noise = SeededNoise(seed: seed)
        return Texture(
            .painted(PixelSize(centimetres: width, height, scale: scale)) { x, y in
                SIMD3(214, 208, 197) * (0.97 + 0.06 * noise.layered(x / scale * 1.5, y / scale * 1.5, octaves: 3))
            })
    }
}

extension Wood {
    /// Wavy bands for growth rings, short dark dashes for pores.
    fileprivate func color(along x: Double, across y: Double, _ noise: SeededNoise) -> SIMD3<Double> {
        switch self {
        case .painted:
            return SIMD3(228, 226, 219) * (0.975 + 0.05 * noise.layered(x * 0.6, y * 6, octaves: 3))
        case .oak, .walnut:
            let wander = 2.2 * noise.layered(x * 0.045, y * 0.35, octaves: 3)
            let years = 0.5 + 0.5 * sin((y * 1.1 + wander * 4) * 4.2)
            let fibre = noise.layered(x * 0.9, y * 22, octaves: 3)
            let pore = max(0, noise.value(x * 1.6, y * 34) - 0.72) * 1.6
            let shade = 0.84 + 0.09 * years + 0.16 * fibre - 0.22 * pore
            return (self == .oak ? SIMD3(201, 160, 112) : SIMD3(112, 78, 55)) * shade
        }
    }
}

extension RGBImage {
    fileprivate static func painted(_ size: PixelSize, _ color: (Double, Double) -> SIMD3<Double>) -> RGBImage {
        var image = RGBImage(size: size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let c = color(Double(x) + 0.5, Double(y) + 0.5).clamped(
                    lowerBound: .zero, upperBound: SIMD3(repeating: 255))
                image[x, y] = RGBColor(red: UInt8(c.x), green: UInt8(c.y), blue: UInt8(c.z))
            }
        }
        return image
    }
}

extension PixelSize {
    fileprivate init(centimetres width: Double, _ height: Double, scale: Double) {
        self.init(width: max(2, Int(width * scale)), height: max(2, Int(height * scale)))
    }
}

extension SIMD3<Double> {
    fileprivate init(_ color: RGBColor) { self.init(Double(color.red), Double(color.green), Double(color.blue)) }
}
