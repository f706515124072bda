import Bounds
import Foundation

/// A photo at full, half, quarter … size, so that downscaled crops of large areas are fast and not aliased.
package struct ImagePyramid: Sendable {
    /// Full size first; each level is half of the previous one.
    private let levels: [RGBImage]

    /// The shortest long side of a level, in pixels.
    private static let smallest = 800

    /// Halves until the long side would be shorter than `smallest`.
    ///
    /// Takes a third more memory than the image.
    package init(_ image: RGBImage) {
        var levels = [image]
        while let last = levels.last, last.size.longSide / 2 >= Self.smallest { levels.append(last.halved()) }
        self.levels = levels
    }

    package var size: PixelSize { levels[0].size }

    /// Returns the smallest level that is at least `longSide` pixels long, scaled down to it.
    package func fitted(longSide: Int) -> RGBImage {
        (levels.last { $0.size.longSide >= longSide } ?? levels[0]).fitted(longSide: longSide)
    }

    /// Rectifies `quad` (in pixels of the full-size image) by a perspective map into a picture of `target` size with
    /// bilinear sampling; `quad.topLeft` becomes its top left corner.
    ///
    /// Border pixels are repeated outside of the photo.
    package func warped(_ quad: Quad, to target: PixelSize) -> RGBImage {
        let reduction = min(quad.length / Double(target.width), quad.height / Double(target.height))
        let level = min(levels.count - 1, max(0, Int(saturating: log2(max(1, reduction)) + 0.35)))
        let scale = 1 / Double(1 << level)
        return levels[level].warped(quad.scaled(by: scale), to: target)
    }
}

extension RGBImage {
    /// Does the same as `ImagePyramid.warped`, without choosing a level.
    package func warped(_ quad: Quad, to target: PixelSize) -> RGBImage {
        let map = Homography(unitSquareTo: quad)
        let (maxX, maxY) = (width - 1, height - 1)
        let (columns, rows) = (ClosedRange(ordered: 0, Double(maxX)), ClosedRange(ordered: 0, Double(maxY)))
        let result = [UInt8](unsafeUninitializedCapacity: target.area * 3) { output, count in
            samples.withUnsafeBufferPointer { input in
                var o = 0
                for row in 0..<target.height {
                    let v = (Double(row) + 0.5) / Double(target.height)
                    for column in 0..<target.width {
                        let u = (Double(column) + 0.5) / Double(target.width)
                        let point = map(u, v)
                        let x = (point.x - 0.5).clamped(to: columns)
                        let y = (point.y - 0.5).clamped(to: rows)
                        let (x0, y0) = (Int(pixels: x), Int(pixels: y))
                        let (fx, fy) = (Float(x - Double(x0)), Float(y - Double(y0)))
                        let right = x0 < maxX ? 3 : 0
                        let below = y0 < maxY ? width * 3 : 0
                        let i = (y0 * width + x0) * 3
                        for channel in 0..<3 {
                            let j = i + channel
                            let top = Float(input[j]) * (1 - fx) + Float(input[j + right]) * fx
                            let bottom = Float(input[j + below]) * (1 - fx) + Float(input[j + below + right]) * fx
                            output[o + channel] = UInt8(level: top * (1 - fy) + bottom * fy + 0.5)
                        }
                        o += 3
                    }
                }
            }
            count = target.area * 3
        }
        return RGBImage(size: target, samples: result)
    }

    /// Returns the part of the picture inside `rect`, expanded to whole pixels and clipped to the picture.
    package func cropped(_ rect: PixelRect) -> RGBImage {
        let left = Int(saturating: rect.x.rounded(.down)).clamped(to: ClosedRange(ordered: 0, width - 1))
        let top = Int(saturating: rect.y.rounded(.down)).clamped(to: ClosedRange(ordered: 0, height - 1))
        let right = Int(saturating: rect.maxX.rounded(.up)).clamped(to: ClosedRange(ordered: left + 1, width))
        let bottom = Int(saturating: rect.maxY.rounded(.up)).clamped(to: ClosedRange(ordered: top + 1, height))
        var cut: [UInt8] = []
        cut.reserveCapacity((right - left) * (bottom - top) * 3)
        for y in Range(from: top, upTo: bottom) { cut += samples[((y * width + left) * 3)..<((y * width + right) * 3)] }
        return RGBImage(size: PixelSize(width: right - left, height: bottom - top), samples: cut)
    }
}

/// The perspective map from the unit square to a quadrilateral (Heckbert, "Fundamentals of Texture
/// Mapping", 1989): (0,0) → topLeft, (1,0) → topRight, (1,1) → bottomRight, (0,1) → bottomLeft.
package struct Homography: Sendable {
    private let a, b, c, d, e, f, g, h: Double

    package init(unitSquareTo quad: Quad) {
        let (p0, p1, p2, p3) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
        let (dx1, dy1) = (p1.x - p2.x, p1.y - p2.y)
        let (dx2, dy2) = (p3.x - p2.x, p3.y - p2.y)
        let (sx, sy) = (p0.x - p1.x + p2.x - p3.x, p0.y - p1.y + p2.y - p3.y)
        let determinant = dx1 * dy2 - dx2 * dy1
        let flat = abs(determinant) < 1e-9
        g = flat ? 0 : (sx * dy2 - dx2 * sy) / determinant
        h = flat ? 0 : (dx1 * sy - sx * dy1) / determinant
        a = p1.x - p0.x + g * p1.x
        b = p3.x - p0.x + h * p3.x
        c = p0.x
        d = p1.y - p0.y + g * p1.y
        e = p3.y - p0.y + h * p3.y
        f = p0.y
    }

    @inline(__always)
    package func callAsFunction(_ u: Double, _ v: Double) -> PixelPoint {
        let w = g * u + h * v + 1
        return PixelPoint(x: (a * u + b * v + c) / w, y: (d * u + e * v + f) / w)
    }
}
