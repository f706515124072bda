import Bounds
package import Imaging
package import SpineReading

/// Estimates the outlines of spines from the positions of their text.
///
/// The text covers only part of a spine. Across, a spine extends to the middle of the gap to its neighbours; along,
/// books of a row share their foot and are about as high as their neighbours. An edge in the photo near such an
/// estimate replaces it.
package struct OutlineFinder {
    /// The extent of one spine's text in the shelf's frame.
    struct Body {
        /// The direction along the spine is down for standing books and right for lying ones.
        let isStanding: Bool
        /// Lean of the spine: x per y (standing) or y per x (lying).
        let slope: Double
        /// Position across the spine of the text's edges, at the middle of its length.
        let across: ClosedRange<Double>
        let along: ClosedRange<Double>
        let alongMiddle: Double

        func acrossShift(at along: Double) -> Double { slope * (along - alongMiddle) }
    }

    private let bodies: [Body]
    private let size: PixelSize
    private let edges: ShelfEdges?

    /// - Parameters:
    ///   - spines: the lines of each spine.
    ///   - size: of the photo in the shelf's frame.
    ///   - edges: of the photo; `nil` if only text is known.
    package init(spines: [[UprightLine]], size: PixelSize, edges: ShelfEdges? = nil) {
        bodies = spines.map(Self.body)
        self.size = size
        self.edges = edges
    }

    /// One outline per spine, clockwise from its top left corner, in the shelf's frame.
    ///
    /// - Throws: `IdentificationError.tooMuchText`.
    package func quads(effort: IdentificationEffort = IdentificationEffort()) throws -> [Quad] {
        try bodies.indices.map { index in
            try effort.spend(10 * bodies.count)
            return try quad(of: index, effort)
        }
    }

    private static func body(of lines: [UprightLine]) -> Body {
        let verticalLength = lines.filter(\.isVertical).reduce(0) { $0 + $1.length }
        let horizontalLength = lines.filter { !$0.isVertical }.reduce(0) { $0 + $1.length }
        let bounds = lines.dropFirst().reduce(lines.first?.quad.bounds ?? PixelRect(x: 0, y: 0, width: 1, height: 1)) {
            $0.union($1.quad.bounds)
        }
        let isStanding = verticalLength > 0.5 * horizontalLength || bounds.height > 1.2 * bounds.width
        let slope = slope(of: lines, isStanding: isStanding)
        let alongs = lines.flatMap { $0.quad.corners.map { isStanding ? $0.y : $0.x } }
        let along = ClosedRange(ordered: alongs.min() ?? 0, alongs.max() ?? 1)
        let shifted = lines.flatMap { line in
            line.quad.corners.map { corner in
                isStanding ? corner.x - slope * (corner.y - along.middle) : corner.y - slope * (corner.x - along.middle)
            }
        }
        return Body(
            isStanding: isStanding, slope: slope, across: ClosedRange(ordered: shifted.min() ?? 0, shifted.max() ?? 1),
            along: along, alongMiddle: along.middle)
    }

    /// The mean of the lines that are long enough to have a direction.
    ///
    /// Their corners are found about equally well, so the weight of each, the inverse of its variance, is the square of its
    /// length.
    private static func slope(of lines: [UprightLine], isStanding: Bool) -> Double {
        let sum = lines.filter { $0.isVertical == isStanding && $0.length > 2 * $0.height }
            .reduce(PixelPoint(x: 0, y: 0)) { sum, line in
                // Lines may be read in opposite directions.
                let sign = (isStanding ? line.along.y : line.along.x) < 0 ? -1.0 : 1.0
                return sum + line.along * (sign * line.length * line.length)
            }
        let (run, rise) = isStanding ? (sum.y, sum.x) : (sum.x, sum.y)
        return run > 0 ? rise / run : 0
    }

    private func quad(of index: Int, _ effort: IdentificationEffort) throws -> Quad {
        let body = bodies[index]
        let mates = bodies.indices.filter { $0 != index && isNeighbour(bodies[$0], of: body) }.map { bodies[$0] }
        let (along, across) = try extents(of: body, mates: mates, effort)
        func corner(_ a: Double, _ l: Double) -> PixelPoint {
            let shifted = a + body.acrossShift(at: l)
            let (x, y) = body.isStanding ? (shifted, l) : (l, shifted)
            return PixelPoint(
                x: x.clamped(to: ClosedRange(ordered: 0, Double(size.width))),
                y: y.clamped(to: ClosedRange(ordered: 0, Double(size.height))))
        }
        let start = (across.lowerBound, along.lowerBound)
        let end = (across.upperBound, along.upperBound)
        return body.isStanding
            ? Quad(corner(start.0, start.1), corner(end.0, start.1), corner(end.0, end.1), corner(start.0, end.1))
            : Quad(corner(start.0, start.1), corner(start.0, end.1), corner(end.0, end.1), corner(end.0, start.1))
    }

    /// Whether the other spine is in the same row or stack: whether they overlap along a good part of their length.
    private func isNeighbour(_ other: Body, of body: Body) -> Bool {
        guard other.isStanding == body.isStanding else { return false }
        return other.along.sharedLength(with: body.along) > 0.3 * min(other.along.length, body.along.length)
    }

    private func extents(
        of body: Body, mates: [Body], _ effort: IdentificationEffort
    ) throws -> (along: ClosedRange<Double>, across: ClosedRange<Double>) {
        let guess = grownAlong(body, mates: mates)
        let gaps = gaps(around: body, mates: mates)
        guard let edges else { return (guess, grownAcross(body, gaps: gaps)) }
        let snapping = EdgeSnapping(edges: edges, body: body, effort: effort)
        let reach = max(2, 1.6 * body.across.length, 0.02 * Double(size.longSide))
        let allowed = ClosedRange(ordered: 2, reach)
        let room = (before: gaps.before.clamped(to: allowed), after: gaps.after.clamped(to: allowed))
        // First finds the sides along the text alone, then along the whole spine except its ends, because corners are
        // round and heads differ.
        let alongText = try snapping.sides(within: room, along: body.along.trimmed(0.02, 0.02))
        let along = try snapping.ends(guess: guess, across: alongText)
        return (along, try snapping.sides(within: room, along: along.trimmed(0.15, 0.1)))
    }

    /// Returns the distance to the text of the next spine on either side; infinite if there is none.
    private func gaps(around body: Body, mates: [Body]) -> (before: Double, after: Double) {
        var gaps = (before: Double.infinity, after: Double.infinity)
        for mate in mates {
            let shift = mate.acrossShift(at: body.alongMiddle)
            let low = mate.across.lowerBound + shift
            let high = mate.across.upperBound + shift
            if (low + high) / 2 < body.across.middle {
                gaps.before = min(gaps.before, max(0, body.across.lowerBound - high))
            } else {
                gaps.after = min(gaps.after, max(0, low - body.across.upperBound))
            }
        }
        return gaps
    }

    /// Extends to the middle of the gap to the next spine, but not farther than spines usually extend beyond their
    /// text.
    private func grownAcross(_ body: Body, gaps: (before: Double, after: Double)) -> ClosedRange<Double> {
        let width = body.across.length
        let reach = max(0.9 * width, 0.02 * Double(size.longSide))
        var before = min(reach, gaps.before / 2)
        var after = min(reach, gaps.after / 2)
        // If one side is open, the spine is assumed to be as symmetric around its text as the other side allows.
        if before == reach, after < reach { before = min(before, max(after, 0.35 * width)) }
        if after == reach, before < reach { after = min(after, max(before, 0.35 * width)) }
        return ClosedRange(ordered: body.across.lowerBound - before, body.across.upperBound + after)
    }

    /// Extends down to the row's foot and up to about the height of the nearest neighbours.
    private func grownAlong(_ body: Body, mates: [Body]) -> ClosedRange<Double> {
        let near = mates.sorted { distance($0, body) < distance($1, body) }
        let heads = near.prefix(4).map { -$0.along.lowerBound }
        let feet = near.prefix(body.isStanding ? 8 : 4).map(\.along.upperBound)
        let head = min(body.along.lowerBound, -(Self.farthest(of: heads) ?? -.infinity))
        let foot = max(body.along.upperBound, Self.farthest(of: feet) ?? -.infinity)
        let margin = 0.04 * body.along.length
        return ClosedRange(ordered: head - margin, foot + margin)
    }

    /// Returns the largest extent, or of more than two the second largest: text of two rows may be grouped as one spine.
    private static func farthest(of extents: [Double]) -> Double? {
        let sorted = extents.sorted(by: >)
        return sorted.count > 2 ? sorted[1] : sorted.first
    }

    private func distance(_ a: Body, _ b: Body) -> Double { abs(a.across.middle - b.across.middle) }
}
