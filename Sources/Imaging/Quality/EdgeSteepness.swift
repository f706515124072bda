import Bounds

/// Measures how steep the strongest edges of a picture are, independent of contrast.
///
/// Compares the step over two pixels with the step over eight around the same place. A hard edge makes its whole step
/// within two pixels, a ramp a quarter of it; small print more within two pixels than over eight. So a dim but sharp
/// photo counts as sharp, and plain areas do not count.
struct EdgeSteepness {
    /// 0 for ramps to 1 for hard edges, on the axis with the softer edges: motion blur affects only one.
    let steepness: Double
    /// Whether the picture has edges to measure.
    let hasStructure: Bool

    /// The share of pixels to measure, those with the strongest edges.
    private static let strongest = 0.05
    /// Half of the two distances compared, in pixels.
    private static let near = 1
    private static let far = 4
    /// The mean step over eight pixels, in levels, above which an edge is not noise.
    private static let leastStep = 3.0

    init(_ image: GrayImage) {
        let across = Self.axis(image, step: 1)
        let down = Self.axis(image, step: image.width)
        let axes = [across, down].filter { $0.wide >= Self.leastStep }
        hasStructure = !axes.isEmpty
        let ratio = axes.map { $0.narrow / $0.wide }.min() ?? 0
        let ramp = Double(Self.near) / Double(Self.far)
        steepness = ((ratio - ramp) / (1 - ramp)).clamped(to: 0...1)
    }

    /// Returns the mean steps, in levels, at the strongest edges between neighbours `step` samples apart.
    private static func axis(_ image: GrayImage, step: Int) -> (narrow: Double, wide: Double) {
        let width = image.width
        guard width > 2 * far, image.height > 2 * far else { return (0, 0) }
        return image.samples.withUnsafeBufferPointer { samples in
            // The number of pixels with each step, and the sum of their steps over the wider distance.
            var counts = [Int](repeating: 0, count: 256)
            var wideSums = [Int](repeating: 0, count: 256)
            var total = 0
            for y in Range(from: far, upTo: image.height - far) {
                for i in Range(from: y * width + far, upTo: (y + 1) * width - far) {
                    let narrow = abs(Int(samples[i + near * step]) - Int(samples[i - near * step]))
                    counts[narrow] += 1
                    wideSums[narrow] += abs(Int(samples[i + far * step]) - Int(samples[i - far * step]))
                }
                total += width - 2 * far
            }
            var taken = 0
            var narrow = 0
            var wide = 0
            for level in (1...255).reversed() where Double(taken) < strongest * Double(total) {
                taken += counts[level]
                narrow += counts[level] * level
                wide += wideSums[level]
            }
            guard taken > 0 else { return (0, 0) }
            return (Double(narrow) / Double(taken), Double(wide) / Double(taken))
        }
    }
}
