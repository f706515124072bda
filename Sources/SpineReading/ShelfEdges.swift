import Foundation
package import Imaging

/// Where brightness changes in a photo: the evidence for the edges of spines and shelf boards.
///
/// Coordinates are pixels of the full-size photo in the shelf's frame.
package struct ShelfEdges: Sendable {
    /// Long side of the picture the edges are found in, in pixels.
    static let longSide = 1200
    /// A brightness difference of this many levels between neighbours but one counts as an edge.
    private static let threshold: Float = 14

    private let size: PixelSize
    private let scale: Double
    /// Brightness, row-major.
    private let brightness: [Float]

    /// - Parameters:
    ///   - photo: as it is stored.
    ///   - turn: by how much it has to be turned so that the shelf stands upright.
    package init(of photo: ImagePyramid, turn: QuarterTurn) {
        let image = photo.fitted(longSide: Self.longSide).turned(turn)
        size = image.size
        scale = Double(image.size.longSide) / Double(photo.size.longSide)
        brightness = image.samples.withUnsafeBufferPointer { samples in
            (0..<image.size.area).map { pixel in
                0.299 * Float(samples[pixel * 3]) + 0.587 * Float(samples[pixel * 3 + 1])
                    + 0.114 * Float(samples[pixel * 3 + 2])
            }
        }
    }

    /// The share, 0...1, of the way from one point to the other along which an edge runs in that direction,
    /// allowing for `slack` pixels of the photo to either side.
    ///
    /// Outside of the photo there are no edges.
    /// - Parameter minimum: below this, 0 is returned, as soon as it is sure.
    package func share(from start: PixelPoint, to end: PixelPoint, slack: Double, atLeast minimum: Double = 0) -> Double
    {
        let (a, b) = (start * scale, end * scale)
        let length = a.distance(to: b)
        guard length >= 1 else { return 0 }
        let steps = min(160, max(8, Int(length)))
        let across = PixelPoint(x: -(b.y - a.y) / length, y: (b.x - a.x) / length)
        let reach = max(1, Int((slack * scale).rounded()))
        return brightness.withUnsafeBufferPointer { brightness in
            var missesLeft = Int((1 - minimum) * Double(steps + 1) + 1e-9)
            var hits = 0
            for step in 0...steps {
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

    /// Whether brightness changes on the way across an edge through a point of the small picture.
    ///
    /// Asked some 100,000 times for a photo, so places are counted in 65,536ths of a pixel, which need no rounding.
    private func isEdge(
        at point: PixelPoint, across: PixelPoint, reach: Int, in brightness: UnsafeBufferPointer<Float>
    ) -> Bool {
        let unit = 65_536.0
        let start = point - across * Double(reach + 1)
        var (x, y) = (Int(start.x * unit), Int(start.y * unit))
        let (stepX, stepY) = (Int(across.x * unit), Int(across.y * unit))
        // Nothing differs from what is not a number: outside of the photo there are no edges.
        var (previous, beforePrevious) = (Float.nan, Float.nan)
        for _ in 0..<(2 * reach + 3) {
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
