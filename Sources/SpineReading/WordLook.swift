import Bounds
import Foundation
import Imaging

/// Colour, weight and size of a word in the picture of a line.
struct WordLook {
    /// Red, green and blue of the letters, 0...1, without their blurred edges.
    let ink: SIMD3<Double>
    /// Natural logarithms of the mean width of strokes and of the height of the letters, in pixels.
    let (stroke, height): (Double, Double)

    /// The number of levels by which letters and ground are parted.
    private static let levels = 64
    /// Rows at the top and at the bottom of a line that show mostly ground.
    private static let edgeRows = 5
    /// If the share of a colour in these rows is nearer to a half, the more frequent colour is the ground.
    private static let clearShare = 0.15
    /// Less difference than this between the brightest and the darkest pixel is noise.
    private static let leastSpread: Float = 8
    private static let leastPixels = 6

    /// Parts the pixels in these columns into letters and ground along the direction in which their colours differ most, by
    /// Otsu's threshold (Otsu, 1979); `nil` if they do not differ.
    init?(of picture: RGBImage, from first: Int, to end: Int) {
        let columns = Range(from: max(0, first), upTo: min(picture.width, end))
        guard columns.count > 1, picture.height > 2 * Self.edgeRows else { return nil }
        let (width, count) = (columns.count, columns.count * picture.height)
        // Red, green and blue of each pixel, as this is done for each word of a photo.
        let colors = [UInt8](unsafeUninitializedCapacity: 3 * count) { colors, filled in
            picture.samples.withUnsafeBufferPointer { samples in
                for y in 0..<picture.height {
                    let start = 3 * (y * picture.width + columns.lowerBound)
                    for i in Range(from: 0, upTo: 3 * width) { colors[3 * y * width + i] = samples[start + i] }
                }
            }
            filled = 3 * count
        }
        let axis = Self.principalAxis(of: colors)
        let values = [Float](unsafeUninitializedCapacity: count) { values, filled in
            colors.withUnsafeBufferPointer { colors in
                for i in 0..<count {
                    values[i] =
                        Float(colors[3 * i]) * axis.x + Float(colors[3 * i + 1]) * axis.y
                        + Float(colors[3 * i + 2]) * axis.z
                }
            }
            filled = count
        }
        var (least, most) = (Float.infinity, -Float.infinity)
        for value in values { (least, most) = (min(least, value), max(most, value)) }
        guard most - least >= Self.leastSpread else { return nil }
        let scale = Float(Self.levels - 1) / (most - least)
        let bins = values.map { UInt8(level: ($0 - least) * scale) }
        var counts = [Int](repeating: 0, count: Self.levels)
        for bin in bins { counts[Int(bin)] += 1 }
        let threshold = Self.threshold(counts)

        let edge = Self.edgeRows * columns.count
        let ends = (bins.prefix(edge).count { Int($0) > threshold }, bins.suffix(edge).count { Int($0) > threshold })
        let edgeShare = Double(ends.0 + ends.1) / Double(2 * edge)
        let isGroundHigh =
            abs(edgeShare - 0.5) > Self.clearShare
            ? edgeShare > 0.5 : 2 * counts.suffix(Self.levels - threshold - 1).reduce(0, +) > bins.count
        let (low, high) = (Range(from: 0, upTo: threshold + 1), Range(from: threshold + 1, upTo: Self.levels))
        let inkBins = isGroundHigh ? Array(low) : Array(high.reversed())
        let inkCount = inkBins.reduce(0) { $0 + counts[$1] }
        guard inkCount >= Self.leastPixels, bins.count - inkCount >= Self.leastPixels else { return nil }

        // The half of the letters' pixels that differs most from the ground.
        var (taken, last) = (0, threshold)
        for bin in inkBins where 2 * taken < inkCount {
            last = bin
            taken += counts[bin]
        }
        var sum = SIMD3<Float>()
        for i in 0..<count where isGroundHigh ? bins[i] <= last : bins[i] >= last {
            sum += SIMD3(Float(colors[3 * i]), Float(colors[3 * i + 1]), Float(colors[3 * i + 2]))
        }
        ink = SIMD3<Double>(sum / Float(taken)) / 255

        let (limit, flip) = (UInt8(threshold), isGroundHigh ? 1 : 0)
        let rows = bins.withUnsafeBufferPointer { bins in
            (0..<picture.height).map { y in
                var (pixels, runs, wasInk) = (0, 0, 0)
                for i in Range(from: y * width, upTo: (y + 1) * width) {
                    let isInk = (bins[i] > limit ? 1 : 0) ^ flip
                    pixels &+= isInk
                    runs &+= isInk & ~wasInk
                    wasInk = isInk
                }
                return (pixels: pixels, runs: runs)
            }
        }
        let full = rows.map(\.pixels).sorted().suffix(picture.height / 4)
        let leastInk = 0.3 * Double(full.reduce(0, +)) / Double(max(1, full.count))
        let band = rows.indices.filter { Double(rows[$0].pixels) > leastInk }
        guard let top = band.first, let bottom = band.last else { return nil }
        let letters = rows[top...bottom].reduce(into: (pixels: 0, runs: 0)) {
            $0 = ($0.pixels + $1.pixels, $0.runs + $1.runs)
        }
        stroke = log(Double(letters.pixels) / Double(max(1, letters.runs)))
        height = log(Double(bottom - top + 1))
    }

    /// Returns the unit vector along which the colours differ most, by power iteration.
    private static func principalAxis(of colors: [UInt8]) -> SIMD3<Float> {
        var (r, g, b, rr, gg, bb, rg, gb, br) = (0, 0, 0, 0, 0, 0, 0, 0, 0)
        colors.withUnsafeBufferPointer { colors in
            for i in stride(from: 0, to: colors.count - 2, by: 3) {
                let (x, y, z) = (Int(colors[i]), Int(colors[i + 1]), Int(colors[i + 2]))
                (r, g, b) = (r &+ x, g &+ y, b &+ z)
                (rr, gg, bb) = (rr &+ x &* x, gg &+ y &* y, bb &+ z &* z)
                (rg, gb, br) = (rg &+ x &* y, gb &+ y &* z, br &+ z &* x)
            }
        }
        let count = Double(colors.count / 3)
        let mean = SIMD3(Double(r), Double(g), Double(b)) / count
        let variances = SIMD3<Float>(SIMD3(Double(rr), Double(gg), Double(bb)) / count - mean * mean)
        let shared = SIMD3<Float>(
            SIMD3(Double(rg), Double(gb), Double(br)) / count - mean * SIMD3(mean.y, mean.z, mean.x))
        let (red, green, blue) = (
            SIMD3(variances.x, shared.x, shared.z), SIMD3(shared.x, variances.y, shared.y),
            SIMD3(shared.z, shared.y, variances.z)
        )
        var axis = SIMD3<Float>(0.299, 0.587, 0.114)
        for _ in 0..<8 {
            let next = red * axis.x + green * axis.y + blue * axis.z
            let length = (next * next).sum().squareRoot()
            guard length > 0 else { return axis }
            axis = next / length
        }
        return axis
    }

    /// Returns the level that separates two groups best, with the greatest variance between them.
    private static func threshold(_ counts: [Int]) -> Int {
        let total = Double(counts.reduce(0, +))
        let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var (below, sumBelow, best) = (0.0, 0.0, (variance: -1.0, level: 0))
        for level in Range(from: 0, upTo: counts.count - 1) {
            below += Double(counts[level])
            sumBelow += Double(level * counts[level])
            let above = total - below
            guard below > 0, above > 0 else { continue }
            let difference = sumBelow / below - (sum - sumBelow) / above
            let variance = below * above * difference * difference
            if variance > best.variance { best = (variance, level) }
        }
        return best.level
    }

    /// The mean look of several words.
    struct Mean {
        private var (ink, stroke, height, letters) = (SIMD3<Double>(), 0.0, 0.0, 0.0)

        /// - Parameter count: the letters of the word; negative to take it away.
        mutating func add(_ look: WordLook?, _ count: Double) {
            guard let look else { return }
            ink += look.ink * count
            stroke += look.stroke * count
            height += look.height * count
            letters += count
        }

        /// Upper quartiles of the differences of ink, stroke and height, each times the balance, at 950 spaces inside the
        /// titles of 32 photos.
        private static let (inkScale, strokeScale, heightScale) = (0.29, 0.32, 0.40)

        /// Returns the difference in units of what is usual inside titles; a difference of few letters counts less.
        func contrast(with other: Mean) -> Double {
            guard letters > 0.01, other.letters > 0.01 else { return 0 }
            let d = ink / letters - other.ink / other.letters
            let differences =
                (abs(d.x) + abs(d.y) + abs(d.z)) / Self.inkScale
                + abs(stroke / letters - other.stroke / other.letters) / Self.strokeScale
                + abs(height / letters - other.height / other.letters) / Self.heightScale
            return differences * (letters * other.letters / (letters + other.letters)).squareRoot()
        }
    }
}
