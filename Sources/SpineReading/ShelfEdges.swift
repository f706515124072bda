import Bounds
import Foundation
package import Imaging

/// The brightness edges of a photo, as evidence for the edges of spines and shelf boards, and the colours of spines.
///
/// Coordinates are pixels of the full-size photo in the shelf's frame.
package struct ShelfEdges: Sendable {
    /// Long side, in pixels, of the picture in which edges are detected.
    static let longSide = 1200
    /// The minimum brightness difference, in levels, across two pixels for an edge.
    private static let threshold: Float = 14

    let size: PixelSize
    /// Pixels of the small picture per pixel of the photo.
    let scale: Double
    /// Brightness, row-major.
    let brightness: [Float]
    /// Interleaved red, green and blue, row-major.
    let samples: [UInt8]

    /// The largest distance, in pixels of the photo, of two parallel segments without slack between which no edge is missed.
    package var finestStep: Double { 2 / scale }
    /// The size of a pixel of the small picture in pixels of the photo.
    package var pixel: Double { 1 / scale }

    /// - Parameters:
    ///   - photo: as stored.
    ///   - turn: the clockwise rotation that turns the shelf upright.
    package init(of photo: ImagePyramid, turn: QuarterTurn) {
        let image = photo.fitted(longSide: Self.longSide).turned(turn)
        size = image.size
        scale = Double(image.size.longSide) / Double(photo.size.longSide)
        samples = image.samples
        brightness = image.samples.withUnsafeBufferPointer { samples in
            (0..<image.size.area).map { pixel in
                0.299 * Float(samples[pixel * 3]) + 0.587 * Float(samples[pixel * 3 + 1])
                    + 0.114 * Float(samples[pixel * 3 + 2])
            }
        }
    }

    /// Returns the share, 0...1, of a segment along which an edge runs in its direction, with a tolerance of `slack`
    /// pixels of the photo to either side.
    ///
    /// O(length of the segment in pixels of the small picture).
    ///
    /// There are no edges outside of the photo.
    /// - Parameter minimum: lower shares are returned as 0, as soon as they are certain.
    package func share(from start: PixelPoint, to end: PixelPoint, slack: Double, atLeast minimum: Double = 0) -> Double
    {
        let (a, b) = (start * scale, end * scale)
        let length = a.distance(to: b)
        guard length >= 1 else { return 0 }
        let steps = min(160, max(8, Int(saturating: length)))
        let across = PixelPoint(x: -(b.y - a.y) / length, y: (b.x - a.x) / length)
        let reach = max(1, min(Self.longSide, Int(saturating: (slack * scale).rounded())))
        return brightness.withUnsafeBufferPointer { brightness in
            var missesLeft = Int(saturating: (1 - minimum) * Double(steps + 1) + 1e-9)
            var hits = 0
            for step in Range(from: 0, upTo: steps + 1) {
                let point = a + (b - a) * (Double(step) / Double(steps))
                if isEdge(at: point, across: across, reach: reach, in: brightness) {
                    hits += 1
                } else {
                    missesLeft -= 1
                    if missesLeft < 0 { return 0 }
                }
            }
            return Double(hits) / Double(steps + 1)
        }
    }

    /// Whether brightness changes across an edge through a point of the small picture.
    ///
    /// Called tens of thousands of times per photo, so positions are fixed-point in 1/65,536 pixel, which needs no rounding.
    private func isEdge(
        at point: PixelPoint, across: PixelPoint, reach: Int, in brightness: UnsafeBufferPointer<Float>
    ) -> Bool {
        let unit = 65_536.0
        let start = point - across * Double(reach + 1)
        var (x, y) = (Int(saturating: start.x * unit), Int(saturating: start.y * unit))
        let (stepX, stepY) = (Int(saturating: across.x * unit), Int(saturating: across.y * unit))
        // Comparisons with NaN are false, so there are no edges outside of the photo.
        var (previous, beforePrevious) = (Float.nan, Float.nan)
        for _ in Range(from: 0, upTo: 2 * reach + 3) {
            let (column, row) = (x >> 16, y >> 16)
            let isInside = column >= 0 && row >= 0 && column < size.width && row < size.height
            let value = isInside ? brightness[row &* size.width &+ column] : .nan
            if abs(value - beforePrevious) > Self.threshold { return true }
            (beforePrevious, previous) = (previous, value)
            x &+= stepX
            y &+= stepY
        }
        return false
    }
}
