/// An 8-bit sRGB picture: interleaved red, green, blue; rows top to bottom, without padding.
package struct RGBImage: Hashable, Sendable {
    package let size: PixelSize
    /// `size.width * size.height * 3` samples, 0...255.
    package var samples: [UInt8]

    package init(size: PixelSize, samples: [UInt8]) {
        precondition(samples.count == size.area * 3, "an RGB image has three samples per pixel")
        self.size = size
        self.samples = samples
    }

    /// A picture of one colour.
    package init(size: PixelSize, filledWith color: RGBColor = .white) {
        self.size = size
        samples = [UInt8](unsafeUninitializedCapacity: size.area * 3) { buffer, count in
            for i in stride(from: 0, to: size.area * 3, by: 3) {
                buffer[i] = color.red
                buffer[i + 1] = color.green
                buffer[i + 2] = color.blue
            }
            count = size.area * 3
        }
    }

    package var width: Int { size.width }
    package var height: Int { size.height }

    package subscript(x: Int, y: Int) -> RGBColor {
        get {
            let i = (y * size.width + x) * 3
            return RGBColor(red: samples[i], green: samples[i + 1], blue: samples[i + 2])
        }
        set {
            let i = (y * size.width + x) * 3
            samples[i] = newValue.red
            samples[i + 1] = newValue.green
            samples[i + 2] = newValue.blue
        }
    }
}

/// An 8-bit greyscale picture; rows top to bottom, without padding.
package struct GrayImage: Hashable, Sendable {
    package let size: PixelSize
    /// `size.width * size.height` samples from 0 (black) to 255 (white).
    package var samples: [UInt8]

    package init(size: PixelSize, samples: [UInt8]) {
        precondition(samples.count == size.area, "a grey image has one sample per pixel")
        self.size = size
        self.samples = samples
    }

    package var width: Int { size.width }
    package var height: Int { size.height }
}

/// One sRGB colour.
package struct RGBColor: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Creates a colour from `0xRRGGBB`.
    package init(_ hex: UInt32) {
        self.init(red: UInt8(hex >> 16 & 0xFF), green: UInt8(hex >> 8 & 0xFF), blue: UInt8(hex & 0xFF))
    }

    package static let black = RGBColor(0x000000)
    package static let white = RGBColor(0xFFFFFF)

    /// Luma by ITU-R BT.601, 0...255.
    package var luma: Double { 0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue) }
}
