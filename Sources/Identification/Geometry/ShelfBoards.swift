import Bounds
import Imaging
import SpineReading

/// Separates lines of two rows, between which a board shows as an edge wider than one spine.
enum ShelfBoards {
    /// The minimum share of the width that shows the edge.
    private static let requiredShare = 0.85

    /// Whether an edge between two lines, one above the other, continues over the neighbouring spines; bands and
    /// labels of one spine end at its sides.
    ///
    /// - Parameter heights: reduced by the number of heights between the lines.
    static func separate(
        _ a: UprightLine, _ b: UprightLine, _ edges: ShelfEdges, searched heights: inout Int,
        effort: IdentificationEffort
    ) throws -> Bool {
        let (upper, lower) =
            a.quad.center.y <= b.quad.center.y ? (a.quad.bounds, b.quad.bounds) : (b.quad.bounds, a.quad.bounds)
        let gap = lower.y - upper.maxY
        let width = max(min(upper.width, upper.height), min(lower.width, lower.height))
        guard gap > 1.2 * width else { return false }
        heights -= Int(saturating: gap / step(width))
        let middle = (upper.center.x + lower.center.x) / 2
        return try edge(from: upper.maxY, to: lower.y, around: middle, width: width, edges, effort: effort) != nil
    }

    /// Returns the first height at which such an edge runs, searching from `start` to `end`.
    ///
    /// - Parameter step: the distance of two heights that are searched, in pixels; `nil` for a coarse search, which may
    ///   miss a thin edge.
    static func edge(
        from start: Double, to end: Double, around x: Double, width: Double, step: Double? = nil, _ edges: ShelfEdges,
        effort: IdentificationEffort
    ) throws -> Double? {
        let step = step ?? Self.step(width)
        // Wide enough to extend beyond the spine on both sides.
        let reach = 3.5 * width
        let slack = 0.12 * width + step / 2
        for y in stride(from: start, through: end, by: start <= end ? step : -step) {
            try effort.spend(edges.steps(slack: slack))
            func share(slope: Double, slack: Double) -> Double {
                edges.share(
                    from: PixelPoint(x: x - reach, y: y - slope * reach),
                    to: PixelPoint(x: x + reach, y: y + slope * reach),
                    slack: slack, atLeast: requiredShare)
            }
            // First a coarse check for any edge nearby, then for one straight line, because letters have edges
            // everywhere.
            guard share(slope: 0, slack: slack) >= requiredShare else { continue }
            if slopes.contains(where: { share(slope: $0, slack: 0) >= requiredShare }) { return y }
        }
        return nil
    }

    /// The distance of two heights that are searched, in pixels.
    private static func step(_ width: Double) -> Double { max(2, width / 12) }

    /// Covers tilted photos and shelves seen from the side.
    private static let slopes = stride(from: -0.09, through: 0.09, by: 0.015)
}
