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

    /// Returns the letters of an area that runs down or up as one line, `TextRecognizer.lineHeight` high; `nil` if it is not
    /// as tall, or cannot be split into cells of similar size.
    static func line(in quad: Quad, of photo: ImagePyramid) -> RGBImage? {
        guard quad.runsVertically, quad.length > minimumAspect * quad.height else { return nil }
        let down = quad.topLeft.y < quad.topRight.y ? quad : quad.turnedHalf
        // The area upright in the photo: its top is the start of the text that runs down.
        let upright = Quad(down.bottomLeft, down.topLeft, down.topRight, down.bottomRight)
        let width = TextRecognizer.lineHeight
        let height = min(
            TextRecognizer.maximumWidth, Int(saturating: Double(width) * quad.length / max(1, quad.height)))
        return line(from: photo.warped(upright, to: PixelSize(width: width, height: height)))
    }

    /// Returns the letters of an upright strip as one line, `TextRecognizer.lineHeight` high; `nil` if the strip
    /// cannot be split into cells of similar size.
    static func line(from strip: RGBImage) -> RGBImage? {
        let ink = Ink(of: strip)
        let runs = runs(of: ink.rows).filter { $0.count * 6 > strip.width }
        return [runs, joined(runs, upTo: ink.columns.count)].first { areLetters($0, in: strip) }
            .map { sideBySide($0, of: strip) }
    }

    private static func areLetters(_ cells: [Range<Int>], in strip: RGBImage) -> Bool {
        guard cellCount.contains(cells.count) else { return false }
        let heights = cells.map(\.count).sorted()
        let typical = heights[heights.count / 2]
        return typical * 3 > strip.width && heights.allSatisfy { $0 * 3 > typical && $0 < typical * 2 }
    }

    /// Joins neighbouring runs while they are together at most as tall as the widest letter is wide.
    ///
    /// A Korean syllable may have parts one above the other, and is about as tall as wide.
    private static func joined(_ runs: [Range<Int>], upTo side: Int) -> [Range<Int>] {
        runs.reduce(into: []) { cells, run in
            if let last = cells.last, run.upperBound - last.lowerBound <= side + side / 8 {
                cells[cells.count - 1] = Range(from: last.lowerBound, upTo: run.upperBound)
            } else {
                cells.append(run)
            }
        }
    }

    /// Returns the runs of rows that contain ink.
    private static func runs(of ink: [Double]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for row in 0...ink.count {
            let hasInk = row < ink.count && ink[row] > leastInk
            if hasInk, start == nil { start = row }
            if !hasInk, let first = start {
                runs.append(Range(from: first, upTo: row))
                start = nil
            }
        }
        return runs
    }

    /// Of a row, 0...1.
    private static let leastInk = 0.04

    /// Where a strip has ink: pixels on the rarer side of Otsu's threshold (Otsu, 1979).
    private struct Ink {
        /// The share of each row, 0...1.
        let rows: [Double]
        /// From the first to the last column with ink in a hundredth of the rows.
        let columns: Range<Int>

        init(of strip: RGBImage) {
            let luma = (0..<strip.size.area).map { UInt8(level: strip[$0 % strip.width, $0 / strip.width].luma) }
            let threshold = otsuThreshold(of: luma)
            let bright = luma.count { $0 > threshold }
            let inkIsBright = bright * 2 < luma.count
            var (inRows, inColumns) = (
                [Int](repeating: 0, count: strip.height), [Int](repeating: 0, count: strip.width)
            )
            for place in luma.indices where (luma[place] > threshold) == inkIsBright {
                inRows[place / strip.width] += 1
                inColumns[place % strip.width] += 1
            }
            rows = inRows.map { Double($0) / Double(strip.width) }
            let filled = inColumns.indices.filter { inColumns[$0] * 100 > strip.height }
            columns = Range(from: filled.first ?? 0, upTo: (filled.last ?? 0) + 1)
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
