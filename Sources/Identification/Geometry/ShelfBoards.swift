import Imaging
import SpineReading

/// Tells lines of two rows apart: between them runs a board, an edge across more than one spine.
enum ShelfBoards {
    /// Share of the way across that has to show the edge.
    private static let requiredShare = 0.85

    /// Whether an edge between two lines, one above the other, runs on over the neighbouring spines: the bands
    /// and labels of one spine end at its sides.
    static func separate(_ a: ShelfLine, _ b: ShelfLine, _ edges: ShelfEdges) -> Bool {
        let (upper, lower) =
            a.quad.center.y <= b.quad.center.y ? (a.quad.bounds, b.quad.bounds) : (b.quad.bounds, a.quad.bounds)
        let gap = lower.y - upper.maxY
        let width = max(min(upper.width, upper.height), min(lower.width, lower.height))
        guard gap > 1.2 * width else { return false }
        let middle = (upper.center.x + lower.center.x) / 2
        return edge(from: upper.maxY, to: lower.y, around: middle, width: width, edges) != nil
    }

    /// The first height at which such an edge runs, searched from one height to another.
    static func edge(from start: Double, to end: Double, around x: Double, width: Double, _ edges: ShelfEdges)
        -> Double?
    {
        let step = max(2, width / 12)
        // Wide enough to leave the spine on both sides.
        let reach = 3.5 * width
        for y in stride(from: start, through: end, by: start <= end ? step : -step) {
            func share(slope: Double, slack: Double) -> Double {
                edges.share(
                    from: PixelPoint(x: x - reach, y: y - slope * reach),
                    to: PixelPoint(x: x + reach, y: y + slope * reach),
                    slack: slack, atLeast: requiredShare)
            }
            // A quick look for anything near, then for one straight line: letters have edges everywhere.
            guard share(slope: 0, slack: 0.12 * width + step / 2) >= requiredShare else { continue }
            if slopes.contains(where: { share(slope: $0, slack: 0) >= requiredShare }) { return y }
        }
        return nil
    }

    /// Boards of photos held by hand, and of shelves seen from the side.
    private static let slopes = stride(from: -0.09, through: 0.09, by: 0.015)
}
