import Bounds
import Foundation
import Imaging
import SpineReading

/// Finds the sides and ends of a spine among the edges around its text.
///
/// Positions across the spine are in the frame of `OutlineFinder.Body`: at the middle of the text's length, in pixels.
struct EdgeSnapping {
    /// The minimum share of the spine's length along which a side shows an edge; for an end, the share of its width,
    /// or of its sides up to the end.
    private static let leastSide = 0.5
    private static let leastEnd = 0.85
    /// The weight of an edge along a whole side against the usual proportions of spines: on the labelled photos the
    /// text covers 0.6 of the spine's width in the median, and its middle is within 0.05 of the width of the spine's
    /// on half of them.
    private static let edgeWeight = 4.0
    private static let offCentreWeight = 4.0
    private static let mostOffCentre = 0.3
    private static let usualTextShare = 0.6
    private static let textShareWeight = 0.5

    let edges: ShelfEdges
    let body: OutlineFinder.Body

    // MARK: - Sides

    /// Returns the pair of sides with the best combination of clear edges and usual proportions.
    ///
    /// - Parameters:
    ///   - room: the maximum distance of either side from the text.
    ///   - along: the part of the spine along which edges are measured.
    func sides(within room: (before: Double, after: Double), along: ClosedRange<Double>) -> ClosedRange<Double> {
        let text = body.across
        let before = evidence(from: text.lowerBound, to: text.lowerBound - room.before, along: along)
        let after = evidence(from: text.upperBound, to: text.upperBound + room.after, along: along)
        var best = (sides: text, score: -Double.infinity)
        for low in before {
            for high in after {
                let width = max(1, high.position - low.position)
                let offCentre = abs((low.position + high.position) / 2 - text.middle) * 2 / width
                let textShare = max(1, text.length) / width
                let score =
                    Self.edgeWeight * (low.clarity + high.clarity)
                    - Self.offCentreWeight * min(offCentre, Self.mostOffCentre)
                    - Self.textShareWeight * abs(log(textShare / Self.usualTextShare))
                if score > best.score {
                    best = (ClosedRange(ordered: low.position, max(low.position, high.position)), score)
                }
            }
        }
        return best.sides
    }

    /// Returns how clear an edge runs along the spine at each of 41 positions, 0...1.
    private func evidence(from text: Double, to limit: Double, along: ClosedRange<Double>)
        -> [(position: Double, clarity: Double)]
    {
        let step = (limit - text) / 40
        return (0...40).map { index in
            let position = text + Double(index) * step
            let share = edges.share(
                from: point(position, along.lowerBound), to: point(position, along.upperBound), slack: abs(step) / 2,
                atLeast: Self.leastSide)
            return (position, max(0, share - Self.leastSide) / (1 - Self.leastSide))
        }
    }

    // MARK: - Ends

    /// Returns the ends of the spine: for standing books, the lower end is at the board; other ends are where the
    /// spine's sides end.
    ///
    /// Only positions close to the guess are considered, because farther away most edges belong to the shelf.
    func ends(guess: ClosedRange<Double>, across: ClosedRange<Double>) -> ClosedRange<Double> {
        let text = body.along
        let beyond = 0.12 * text.length
        let start = end(from: text.lowerBound, to: min(guess.lowerBound, text.lowerBound) - beyond, across: across)
        let last = max(guess.upperBound, text.upperBound)
        let foot =
            body.isStanding
            ? board(below: text.upperBound, downTo: last + 0.25 * text.length, across: across)
                ?? end(from: text.upperBound, to: last + 0.05 * text.length, across: across)
            : end(from: text.upperBound, to: last + beyond, across: across)
        let newStart = min(start ?? guess.lowerBound, text.lowerBound)
        return ClosedRange(ordered: newStart, max(foot ?? guess.upperBound, text.upperBound, newStart + 1))
    }

    /// Returns the last edge across the spine, going outwards from its text, that one of its sides reaches.
    ///
    /// Ornaments, labels and objects behind a spine have edges as well, but the spine's sides do not continue to
    /// them.
    private func end(from text: Double, to limit: Double, across: ClosedRange<Double>) -> Double? {
        let length = body.along.length
        let outward = limit < text ? -1.0 : 1.0
        let step = max(2, 0.004 * length)
        let half = 0.35 * width(across)
        var found: Double?
        for position in stride(from: text + outward * 0.01 * length, through: limit, by: outward * step) {
            let share = edges.share(
                from: point(across.middle - half, position), to: point(across.middle + half, position),
                slack: step / 2, atLeast: Self.leastEnd)
            if share >= Self.leastEnd {
                let reached = found ?? text
                guard abs(position - reached) <= 0.03 * length || sideRuns(from: reached, to: position, across) else {
                    break
                }
                found = position
            }
            // Books beyond a board stand on another shelf.
            if body.isStanding, board(below: position, downTo: position, across: across) != nil { break }
        }
        return found
    }

    private func sideRuns(from start: Double, to end: Double, _ across: ClosedRange<Double>) -> Bool {
        [across.lowerBound, across.upperBound].contains { side in
            edges.share(
                from: point(side, start), to: point(side, end), slack: 0.04 * width(across), atLeast: Self.leastSide)
                >= Self.leastSide
        }
    }

    private func board(below start: Double, downTo end: Double, across: ClosedRange<Double>) -> Double? {
        ShelfBoards.edge(
            from: start, to: end, around: point(across.middle, start).x, width: 0.7 * width(across), edges)
    }

    private func width(_ across: ClosedRange<Double>) -> Double { min(across.length, body.along.length) }

    private func point(_ across: Double, _ along: Double) -> PixelPoint {
        let shifted = across + body.acrossShift(at: along)
        return body.isStanding ? PixelPoint(x: shifted, y: along) : PixelPoint(x: along, y: shifted)
    }
}
