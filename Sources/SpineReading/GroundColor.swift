import Bounds
package import Imaging

extension ShelfEdges {
    /// Positions at which colours are taken along a line, at most.
    private static let mostAlong = 64.0
    /// Shares of a line's height at which colours are taken.
    ///
    /// Of 728 pairs of lines beside each other on one spine 92 % have grounds that differ by less than 70, of 1,835 pairs on two
    /// spines 23 %; over the whole height 91 %, because wide letters cover more than the ground.
    private static let rows = [0.03, 0.1, 0.17, 0.83, 0.9, 0.97]
    /// Levels of one channel that are one colour in the first look, as a power of 2.
    private static let coarseBits: UInt8 = 5
    /// The largest difference, in levels of each channel, from the most frequent colour: shades of one ground.
    private static let sameShade = 32

    /// Returns the colour of the ground on which text is printed: the most frequent one in its area, or nil outside of the
    /// photo.
    ///
    /// O(1): some hundred positions.
    ///
    /// - Parameter area: in pixels of the photo in the shelf's frame.
    package func ground(of area: Quad) -> RGBColor? {
        let colors = colors(in: area)
        var counts = [Int](repeating: 0, count: 1 << (3 * (8 - Self.coarseBits)))
        func bin(_ color: RGBColor) -> Int {
            let (bits, size) = (Self.coarseBits, 8 - Int(Self.coarseBits))
            return Int(color.red >> bits) << (2 * size) | Int(color.green >> bits) << size | Int(color.blue >> bits)
        }
        for color in colors { counts[bin(color)] += 1 }
        guard let most = counts.indices.max(by: { (counts[$0], $1) < (counts[$1], $0) }),
            let coarse = Self.mean(colors.filter { bin($0) == most })
        else { return nil }
        // A ground at the border of two bins is in both.
        return Self.mean(colors.filter { $0.largestDifference(from: coarse) <= Self.sameShade })
    }

    /// The colours above and below the letters, where most of them end.
    private func colors(in area: Quad) -> [RGBColor] {
        guard area.length.isFinite else { return [] }
        let reach = Double(Self.longSide)
        let along = (area.length * scale).clamped(to: ClosedRange(ordered: 4, Self.mostAlong))
        return Self.rows.flatMap { row -> [RGBColor] in
            let start = area.topLeft + (area.bottomLeft - area.topLeft) * row
            let end = area.topRight + (area.bottomRight - area.topRight) * row
            return stride(from: 0.5 / along, to: 1, by: 1 / along).compactMap { place in
                let point = (start + (end - start) * place) * scale
                guard abs(point.x) <= reach, abs(point.y) <= reach else { return nil }
                let (x, y) = (Int(saturating: point.x.rounded(.down)), Int(saturating: point.y.rounded(.down)))
                guard x >= 0, y >= 0, x < size.width, y < size.height else { return nil }
                let at = 3 * (y * size.width + x)
                return RGBColor(red: samples[at], green: samples[at + 1], blue: samples[at + 2])
            }
        }
    }

    private static func mean(_ colors: [RGBColor]) -> RGBColor? {
        guard !colors.isEmpty else { return nil }
        var (red, green, blue) = (0, 0, 0)
        for color in colors {
            red += Int(color.red)
            green += Int(color.green)
            blue += Int(color.blue)
        }
        return RGBColor(
            red: UInt8(red / colors.count), green: UInt8(green / colors.count), blue: UInt8(blue / colors.count))
    }
}

extension RGBColor {
    /// In levels, over the three channels.
    fileprivate func largestDifference(from other: RGBColor) -> Int {
        max(
            abs(Int(red) - Int(other.red)), abs(Int(green) - Int(other.green)), abs(Int(blue) - Int(other.blue)))
    }

    /// The sum of the differences of the three channels, in levels, 0...765.
    package func difference(from other: RGBColor) -> Int {
        abs(Int(red) - Int(other.red)) + abs(Int(green) - Int(other.green)) + abs(Int(blue) - Int(other.blue))
    }
}
