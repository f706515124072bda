import Bounds
package import Imaging

/// The probability, 0...1, for each pixel of a picture that it belongs to the core of a text line.
package struct ProbabilityMap {
    /// Row-major, `stride` values per row; only the first `size.width` of each row are valid.
    package var values: UnsafeBufferPointer<Float>
    package var stride: Int
    package var size: PixelSize

    package init(values: UnsafeBufferPointer<Float>, stride: Int, size: PixelSize) {
        (self.values, self.stride, self.size) = (values, stride, size)
    }
}

/// An area that the detector classifies as text.
package struct TextArea: Equatable {
    /// A rectangle at any angle, in pixels of the map.
    package var quad: Quad
    /// Mean probability inside it.
    package var score: Double
}

/// Converts the probability map of a DB detector to rectangles around text lines, as in "Real-time Scene Text
/// Detection with Differentiable Binarization" (Liao et al., 2020), with the parameters of the PP-OCR models.
package struct DBPostProcessing: Sendable {
    /// Pixels with a higher probability are text.
    package var threshold: Float = 0.3
    /// Areas with a lower mean probability are dropped.
    package var minimumScore = 0.5
    /// The map shows shrunken lines; they are expanded by area × ratio ÷ perimeter.
    package var unclipRatio = 1.6
    /// Areas with a shorter side in pixels are noise.
    package var minimumSide = 3.0
    /// The maximum number of areas to process, largest first; bounds the work for pictures full of texture.
    package var maximumAreas = 2000
    /// Pixels by which the sides of a shrunken line are moved inwards before it is expanded.
    package var inset = 0.0

    package init() {}

    package func areas(in map: ProbabilityMap) -> [TextArea] {
        var regions = ConnectedRuns.regions(in: mask(of: map), size: map.size, diagonally: true)
        if regions.count > maximumAreas {
            let sizes = regions.map { $0.reduce(0) { $0 + $1.count } }
            regions = regions.indices.sorted { sizes[$0] > sizes[$1] }.prefix(maximumAreas).map { regions[$0] }
        }
        return regions.compactMap { runs in
            // The first and last pixel of each run are enough for the convex hull.
            let outline =
                runs.map { PixelPoint(x: Double($0.first), y: Double($0.y)) }
                + runs.map { PixelPoint(x: Double($0.last), y: Double($0.y)) }
            guard let core = Polygon.minimumAreaRectangle(outline),
                min(core.length, core.height) >= minimumSide
            else { return nil }
            let score = meanProbability(in: core, of: map)
            guard score >= minimumScore else { return nil }
            let quad = unclipped(core.inset(by: inset))
            guard min(quad.length, quad.height) >= minimumSide + 2 else { return nil }
            return TextArea(quad: quad, score: score)
        }
    }

    /// Expands the rectangle by the same distance on all sides.
    package func unclipped(_ quad: Quad) -> Quad {
        let (length, height) = (quad.length, quad.height)
        guard length > 0, height > 0 else { return quad }
        let distance = length * height * unclipRatio / (2 * (length + height))
        let along = (quad.topRight - quad.topLeft) * (distance / length)
        let across = (quad.bottomLeft - quad.topLeft) * (distance / height)
        return Quad(
            quad.topLeft - along - across, quad.topRight + along - across, quad.bottomRight + along + across,
            quad.bottomLeft - along + across)
    }

    /// Returns the pixels above the threshold, dilated by one to the right and down (2 × 2) so that broken lines
    /// join.
    private func mask(of map: ProbabilityMap) -> [Bool] {
        let (width, height) = (map.size.width, map.size.height)
        var mask = [Bool](repeating: false, count: map.size.area)
        for y in 0..<height {
            let row = y * map.stride
            for x in 0..<width where map.values[row + x] > threshold {
                let i = y * width + x
                mask[i] = true
                if x + 1 < width { mask[i + 1] = true }
                if y + 1 < height {
                    mask[i + width] = true
                    if x + 1 < width { mask[i + width + 1] = true }
                }
            }
        }
        return mask
    }

    /// Returns the mean over the pixels whose centre is inside the rectangle.
    private func meanProbability(in quad: Quad, of map: ProbabilityMap) -> Double {
        var sum = 0.0
        var count = 0
        let top = max(0, Int(saturating: quad.bounds.y.rounded(.down)))
        let bottom = min(map.size.height - 1, Int(saturating: quad.bounds.maxY.rounded(.up)))
        guard top <= bottom else { return 0 }
        for y in Range(from: top, upTo: bottom + 1) {
            guard let span = quad.horizontalSpan(at: Double(y)) else { continue }
            let left = max(0, Int(saturating: span.lowerBound.rounded(.up)))
            let right = min(map.size.width - 1, Int(saturating: span.upperBound.rounded(.down)))
            guard left <= right else { continue }
            for x in Range(from: left, upTo: right + 1) { sum += Double(map.values[y * map.stride + x]) }
            count += right - left + 1
        }
        return count > 0 ? sum / Double(count) : 0
    }
}

extension Quad {
    /// Moves the sides of a rectangle inwards, in pixels.
    fileprivate func inset(by distance: Double) -> Quad {
        let (along, across) = ((topRight - topLeft) * (distance / length), (bottomLeft - topLeft) * (distance / height))
        return Quad(
            topLeft + along + across, topRight - along + across, bottomRight - along - across,
            bottomLeft + along - across)
    }

    /// Returns the x range inside the quadrilateral on the horizontal line at `y`.
    func horizontalSpan(at y: Double) -> ClosedRange<Double>? {
        var least = Double.infinity
        var most = -Double.infinity
        for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            guard min(a.y, b.y) <= y, max(a.y, b.y) >= y else { continue }
            let xs = a.y == b.y ? [a.x, b.x] : [a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)]
            for x in xs {
                least = min(least, x)
                most = max(most, x)
            }
        }
        return least <= most ? ClosedRange(ordered: least, most) : nil
    }
}
