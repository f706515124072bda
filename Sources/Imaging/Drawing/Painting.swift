import Bounds

/// A colour with opacity: at 0 it is invisible, at 1 it hides what is below.
package struct Paint: Hashable, Sendable {
    package var color: RGBColor
    package var alpha: Double

    package init(_ color: RGBColor, alpha: Double = 1) { (self.color, self.alpha) = (color, alpha) }
}

extension RGBImage {
    /// Fills a path, anti-aliased by exact coverage and clipped to the picture.
    ///
    /// Colours are blended in sRGB.
    package mutating func fill(_ path: Path, with paint: Paint) {
        let color = SIMD3(Float(paint.color.red), Float(paint.color.green), Float(paint.color.blue))
        blend(path, alpha: Float(paint.alpha.clamped(to: 0...1))) { _ in color }
    }

    /// Fills a path with the same area of `picture`, which has the same size.
    package mutating func fill(_ path: Path, with picture: RGBImage) {
        precondition(picture.size == size, "the fill picture must have the size of the target")
        picture.samples.withUnsafeBufferPointer { source in
            blend(path, alpha: 1) { i in SIMD3(Float(source[i]), Float(source[i + 1]), Float(source[i + 2])) }
        }
    }

    /// - Parameter color: returns the colour at an index of `samples`.
    @inline(__always)
    private mutating func blend(_ path: Path, alpha: Float, _ color: (Int) -> SIMD3<Float>) {
        let size = size
        samples.withUnsafeMutableBufferPointer { samples in
            Coverage.forEachRow(of: path, in: size) { y, columns, coverage in
                var i = (y * size.width + columns.lowerBound) * 3
                for covered in coverage {
                    let share = covered * alpha
                    if share > 0 {
                        let below = SIMD3(Float(samples[i]), Float(samples[i + 1]), Float(samples[i + 2]))
                        // Adding a half before truncation rounds to the nearest integer.
                        let mixed = below + (color(i) - below) * share + 0.5
                        samples[i] = UInt8(level: mixed.x)
                        samples[i + 1] = UInt8(level: mixed.y)
                        samples[i + 2] = UInt8(level: mixed.z)
                    }
                    i += 3
                }
            }
        }
    }

    /// Strokes the edges of a path.
    package mutating func stroke(_ path: Path, _ style: StrokeStyle, with paint: Paint) {
        fill(path.stroked(style), with: paint)
    }

    /// Draws one line of text, whose baseline starts at `origin`.
    package mutating func write(_ text: TextRun, at origin: PixelPoint, with paint: Paint) {
        fill(text.path.map { $0 + origin }, with: paint)
    }
}
