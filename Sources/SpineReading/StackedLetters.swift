import Bounds
import Imaging

/// Reads stacked letters, each upright below the previous one: F O S S E down a spine.
///
/// Cuts the letters apart and places them side by side, so that the result is read like any other line.
struct StackedLetters: Sendable {
    /// The minimum ratio of height to width of a strip.
    static let minimumAspect = 2.5
    /// Fewer cells are read better as they are; more are not a title.
    private static let cellCount = 3...16

    /// Returns the letters of an upright strip as one line, `TextRecognizer.lineHeight` high; `nil` if the strip
    /// cannot be split into cells of similar size.
    static func line(from strip: RGBImage) -> RGBImage? {
        let cells = cells(of: strip)
        guard cellCount.contains(cells.count) else { return nil }
        let heights = cells.map(\.count).sorted()
        let typical = heights[heights.count / 2]
        guard typical * 3 > strip.width, heights.allSatisfy({ $0 * 3 > typical && $0 < typical * 2 }) else {
            return nil
        }
        return sideBySide(cells, of: strip)
    }

    /// Returns the runs of rows that contain ink, without speckles.
    private static func cells(of strip: RGBImage) -> [Range<Int>] {
        let ink = inkShare(of: strip)
        var cells: [Range<Int>] = []
        var start: Int?
        for row in 0...ink.count {
            let hasInk = row < ink.count && ink[row] > 0.04
            if hasInk, start == nil { start = row }
            if !hasInk, let first = start {
                cells.append(Range(from: first, upTo: row))
                start = nil
            }
        }
        return cells.filter { $0.count * 6 > strip.width }
    }

    /// Returns the share of pixels in each row on the rarer side of Otsu's threshold (Otsu, 1979).
    private static func inkShare(of strip: RGBImage) -> [Double] {
        let luma = (0..<strip.size.area).map { UInt8(level: strip[$0 % strip.width, $0 / strip.width].luma) }
        let threshold = otsuThreshold(of: luma)
        let bright = luma.count { $0 > threshold }
        let inkIsBright = bright * 2 < luma.count
        return (0..<strip.height).map { y in
            let row = luma[(y * strip.width)..<((y + 1) * strip.width)]
            let ink = row.count { ($0 > threshold) == inkIsBright }
            return Double(ink) / Double(strip.width)
        }
    }

    private static func sideBySide(_ cells: [Range<Int>], of strip: RGBImage) -> RGBImage {
        let height = TextRecognizer.lineHeight
        let pictures = cells.map { cell in
            // A margin above and below keeps letters away from the edge.
            let margin = max(1, cell.count / 8)
            let area = PixelRect(
                x: 0, y: Double(max(0, cell.lowerBound - margin)), width: Double(strip.width),
                height: Double(cell.count + 2 * margin))
            let picture = strip.cropped(area)
            let width = max(8, picture.width * height / max(1, picture.height))
            return picture.resized(to: PixelSize(width: min(width, 2 * height), height: height))
        }
        var line = RGBImage(size: PixelSize(width: pictures.reduce(0) { $0 + $1.width }, height: height))
        var left = 0
        for picture in pictures {
            for y in 0..<height {
                for x in 0..<picture.width { line[left + x, y] = picture[x, y] }
            }
            left += picture.width
        }
        return line
    }

    /// Returns the brightness that separates two groups of pixels best, with the greatest variance between them.
    private static func otsuThreshold(of values: [UInt8]) -> UInt8 {
        var histogram = [Int](repeating: 0, count: 256)
        for value in values { histogram[Int(value)] += 1 }
        let total = Double(values.count)
        let sum = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var (below, sumBelow, best) = (0.0, 0.0, (variance: -1.0, level: 0))
        for level in 0..<256 {
            below += Double(histogram[level])
            sumBelow += Double(level * histogram[level])
            let above = total - below
            guard below > 0, above > 0 else { continue }
            let difference = sumBelow / below - (sum - sumBelow) / above
            let variance = below * above * difference * difference
            if variance > best.variance { best = (variance, level) }
        }
        return UInt8(best.level)
    }
}
