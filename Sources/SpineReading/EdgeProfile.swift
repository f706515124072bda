import Bounds
import Foundation
package import Imaging

/// How clear edges run along a spine, at evenly spaced positions across it.
package struct EdgeProfile: Sendable {
    /// The position of the first value, and the distance of two, in pixels of the photo.
    package let start: Double
    package let step: Double
    /// The mean strength of the edge along the spine, 0...1, with a tolerance of a position to either side, and of a few
    /// positions in its direction.
    package let clarities: [Double]
    /// The mean strength exactly at the position and in the spine's direction, 0...1.
    fileprivate let strengths: [Double]

    package func position(of index: Int) -> Double { start + Double(index) * step }

    /// Returns where, within two positions, the edge near a position is: the centre of its strengths.
    package func centre(near index: Int) -> Double {
        var (weights, moments) = (0.0, 0.0)
        for near in Range(from: index - 2, upTo: index + 3) where strengths.indices.contains(near) {
            // Squared, because brightness changes a little everywhere.
            let weight = strengths[near] * strengths[near]
            weights += weight
            moments += weight * position(of: near)
        }
        return weights > 0 ? moments / weights : position(of: index)
    }
}

extension ShelfEdges {
    /// The brightness differences, in levels across two pixels, between which an edge's strength grows from 0 to 1.
    private static let (faintest, clearest): (Float, Float) = (2, 18)
    /// How far an edge's ends may lie from the spine's direction, in pixels of the small picture: an edge at both ends of
    /// a spine of 400 pixels may differ by half a degree.
    private static let slants = [-4.0, -2, 0, 2, 4]
    /// Values beside the positions asked for, which the tolerances need.
    private static let margin = 4

    /// Measures edges along a spine.
    ///
    /// Nothing depends on where the positions begin, so that they show the same edges for text that was detected a pixel
    /// beside. O(length × width in pixels of the small picture).
    ///
    /// - Parameters:
    ///   - start: where position 0 is at the start of the spine, in pixels of the photo; `end`, at its end.
    ///   - isStanding: whether positions count to the right; else down.
    ///   - positions: those wanted, in pixels.
    package func profile(
        from start: PixelPoint, to end: PixelPoint, isStanding: Bool, positions: ClosedRange<Double>
    ) -> EdgeProfile {
        let step = 1 / scale
        let reachable = ClosedRange(ordered: -Double(2 * Self.longSide), Double(2 * Self.longSide))
        let first = Int(saturating: (positions.lowerBound / step).rounded(.up).clamped(to: reachable)) - Self.margin
        let last = Int(saturating: (positions.upperBound / step).rounded(.down).clamped(to: reachable)) + Self.margin
        let count = max(2 * Self.margin + 1, min(last - first + 1, Self.longSide))
        let steps = min(160, max(8, Int(saturating: start.distance(to: end) * scale)))
        var sums = [[Float]](repeating: [Float](repeating: 0, count: count), count: Self.slants.count)
        var exact = [Float](repeating: 0, count: count)
        var row = EdgeRow(count: count)
        for place in Range(from: 0, upTo: steps + 1) {
            let share = Double(place) / Double(steps)
            let point = (start + (end - start) * share) * scale
            row.measure(
                self, across: (isStanding ? point.x : point.y) + Double(first), along: isStanding ? point.y : point.x,
                isStanding: isStanding, range: Self.faintest...Self.clearest)
            for (slant, most) in Self.slants.enumerated() {
                let shift = Int(saturating: (most * (share - 0.5)).rounded())
                for index in Range(from: 2, upTo: count - 2) { sums[slant][index] += row.widened[index + shift] }
            }
            for index in Range(from: 0, upTo: count) { exact[index] += row.strengths[index] }
        }
        let inner = Range(from: Self.margin, upTo: count - Self.margin)
        return EdgeProfile(
            start: Double(first + Self.margin) * step, step: step,
            clarities: inner.map { index in Double(sums.reduce(0) { max($0, $1[index]) }) / Double(steps + 1) },
            strengths: inner.map { Double(exact[$0]) / Double(steps + 1) })
    }
}

/// The edges across one line of pixels.
private struct EdgeRow {
    private var values: [Float]
    /// 0...1.
    private(set) var strengths: [Float]
    /// The largest strength of each pixel and its two neighbours.
    private(set) var widened: [Float]

    init(count: Int) {
        values = [Float](repeating: 0, count: count)
        (strengths, widened) = (values, values)
    }

    /// Measures the edges from a place on; outside of the photo there are none.
    ///
    /// - Parameters:
    ///   - across, along: the place of the first value, in pixels of the small picture.
    ///   - range: the differences of two levels that are strengths 0 and 1.
    mutating func measure(
        _ edges: ShelfEdges, across: Double, along: Double, isStanding: Bool, range: ClosedRange<Float>
    ) {
        let (size, stride) = (edges.size, isStanding ? 1 : edges.size.width)
        let (width, height) = isStanding ? (size.width, size.height) : (size.height, size.width)
        let nextLine = isStanding ? size.width : 1
        // A pixel's value is that of its centre.
        let (column, line) = ((across - 0.5).rounded(.down), (along - 0.5).rounded(.down))
        let reachable = ClosedRange(ordered: -Double(4 * ShelfEdges.longSide), Double(4 * ShelfEdges.longSide))
        let (x, y) = (Int(saturating: column.clamped(to: reachable)), Int(saturating: line.clamped(to: reachable)))
        let (partX, partY) = (Float(across - 0.5 - column), Float(along - 0.5 - line))
        for index in Range(from: 0, upTo: values.count) {
            let place = x + index
            guard place >= 0, place + 1 < width, y >= 0, y + 1 < height else {
                values[index] = .nan
                continue
            }
            let at = y * nextLine + place * stride
            let upper = edges.brightness[at] * (1 - partX) + edges.brightness[at + stride] * partX
            let lower =
                edges.brightness[at + nextLine] * (1 - partX) + edges.brightness[at + nextLine + stride] * partX
            values[index] = upper * (1 - partY) + lower * partY
        }
        for index in Range(from: 1, upTo: values.count - 1) {
            let difference = abs(values[index + 1] - values[index - 1])
            // Comparisons with NaN are false.
            strengths[index] =
                difference > range.lowerBound
                ? min(1, (difference - range.lowerBound) / (range.upperBound - range.lowerBound)) : 0
        }
        for index in Range(from: 1, upTo: values.count - 1) {
            widened[index] = max(strengths[index - 1], strengths[index], strengths[index + 1])
        }
    }
}
