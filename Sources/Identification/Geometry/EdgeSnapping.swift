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
    /// What an edge nearer to the text counts against one that is at least the text's width beyond it, because few spines
    /// have lines along all of their length, and most have neighbours that do.
    private static let skippedWeight = 0.25
    /// Positions up to this many apart may show the same edge.
    private static let sameEdge = 3

    let edges: ShelfEdges
    let body: OutlineFinder.Body
    let effort: IdentificationEffort

    // MARK: - Sides

    /// Returns the pair of sides with the best combination of clear edges and usual proportions.
    ///
    /// - Parameters:
    ///   - room: the maximum distance of either side from the text.
    ///   - along: the part of the spine along which edges are measured.
    /// - Throws: `IdentificationError.tooMuchText`.
    func sides(
        within room: (before: Double, after: Double), along: ClosedRange<Double>
    ) throws -> ClosedRange<Double> {
        let text = body.across
        let before = try candidates(from: text.lowerBound, to: text.lowerBound - room.before, along: along)
        let after = try candidates(from: text.upperBound, to: text.upperBound + room.after, along: along)
        try effort.spend(2 * before.count * after.count)
        var best = (low: text.lowerBound, high: text.upperBound, score: -Double.infinity)
        for low in before {
            for high in after {
                let width = max(1, high.position - low.position)
                let offCentre = abs((low.position + high.position) / 2 - text.middle) * 2 / width
                let textShare = max(1, text.length) / width
                let score =
                    Self.edgeWeight * (low.evidence + high.evidence)
                    - Self.offCentreWeight * min(offCentre, Self.mostOffCentre)
                    - Self.textShareWeight * abs(log(textShare / Self.usualTextShare))
                if score > best.score { best = (low.edge, high.edge, score) }
            }
        }
        return ClosedRange(ordered: min(best.low, text.lowerBound), max(best.high, text.upperBound))
    }

    /// Where a side may be.
    private struct Candidate {
        let position: Double
        /// Where the edge at the position is.
        var edge: Double
        /// How clearly an edge runs there along the spine, 0...1, less what clear edges nearer to the text say against it.
        var evidence = 0.0
    }

    /// Returns the text's own edge and each position outwards from it.
    private func candidates(from text: Double, to limit: Double, along: ClosedRange<Double>) throws -> [Candidate] {
        func origin(_ place: Double) -> PixelPoint { point(0, place) }
        let profile = edges.profile(
            from: origin(along.lowerBound), to: origin(along.upperBound), isStanding: body.isStanding,
            positions: ClosedRange(ordered: min(text, limit), max(text, limit)))
        let count = profile.clarities.count
        try effort.spend(200 * count + count * count / 2)
        let outwards = limit < text ? Array(profile.clarities.indices.reversed()) : Array(profile.clarities.indices)
        let clarities = outwards.map { max(0, profile.clarities[$0] - Self.leastSide) / (1 - Self.leastSide) }
        var candidates = [Candidate(position: text, edge: text)]
        for (rank, index) in outwards.enumerated() {
            let position = profile.position(of: index)
            var skipped = 0.0
            for nearer in Range(from: 0, upTo: rank - Self.sameEdge) where clarities[nearer] > 0 {
                let width = Double(rank - nearer) * profile.step
                skipped = max(skipped, clarities[nearer] * min(1, width / max(1, body.across.length)))
            }
            candidates.append(
                Candidate(
                    position: position, edge: clarities[rank] > 0 ? profile.centre(near: index) : position,
                    evidence: clarities[rank] - Self.skippedWeight * skipped))
        }
        return candidates
    }

    // MARK: - Ends

    /// Returns the ends of the spine: for standing books, the lower end is at the board; other ends are where the
    /// spine's sides end.
    ///
    /// Only positions close to the guess are considered, because farther away most edges belong to the shelf.
    ///
    /// - Throws: `IdentificationError.tooMuchText`.
    func ends(guess: ClosedRange<Double>, across: ClosedRange<Double>) throws -> ClosedRange<Double> {
        let text = body.along
        let beyond = 0.12 * text.length
        let start = try end(from: text.lowerBound, to: min(guess.lowerBound, text.lowerBound) - beyond, across: across)
        let last = max(guess.upperBound, text.upperBound)
        let foot =
            body.isStanding
            ? try board(below: text.upperBound, downTo: last + 0.25 * text.length, across: across)
                ?? end(from: text.upperBound, to: last + 0.05 * text.length, across: across)
            : try end(from: text.upperBound, to: last + beyond, across: across)
        let newStart = min(start ?? guess.lowerBound, text.lowerBound)
        return ClosedRange(ordered: newStart, max(foot ?? guess.upperBound, text.upperBound, newStart + 1))
    }

    /// Returns the last edge across the spine, going outwards from its text, that one of its sides reaches.
    ///
    /// Ornaments, labels and objects behind a spine have edges as well, but the spine's sides do not continue to
    /// them.
    private func end(from text: Double, to limit: Double, across: ClosedRange<Double>) throws -> Double? {
        let length = body.along.length
        let outward = limit < text ? -1.0 : 1.0
        let step = max(2, 0.004 * length)
        let half = 0.35 * width(across)
        var found: Double?
        for position in stride(from: text + outward * 0.01 * length, through: limit, by: outward * step) {
            try effort.spend(edges.steps(slack: step / 2))
            let share = edges.share(
                from: point(across.middle - half, position), to: point(across.middle + half, position),
                slack: step / 2, atLeast: Self.leastEnd)
            if share >= Self.leastEnd {
                let reached = found ?? text
                let isNear = abs(position - reached) <= 0.03 * length
                guard try isNear || sideRuns(from: reached, to: position, across) else { break }
                found = position
            }
            // Books beyond a board stand on another shelf.
            if body.isStanding, try board(below: position, downTo: position, across: across) != nil { break }
        }
        return found
    }

    private func sideRuns(from start: Double, to end: Double, _ across: ClosedRange<Double>) throws -> Bool {
        try effort.spend(2 * edges.steps(slack: 0.04 * width(across)))
        return [across.lowerBound, across.upperBound].contains { side in
            edges.share(
                from: point(side, start), to: point(side, end), slack: 0.04 * width(across), atLeast: Self.leastSide)
                >= Self.leastSide
        }
    }

    private func board(below start: Double, downTo end: Double, across: ClosedRange<Double>) throws -> Double? {
        try ShelfBoards.edge(
            from: start, to: end, around: point(across.middle, start).x, width: 0.7 * width(across),
            step: edges.finestStep, edges, effort: effort)
    }

    private func width(_ across: ClosedRange<Double>) -> Double { min(across.length, body.along.length) }

    private func point(_ across: Double, _ along: Double) -> PixelPoint {
        let shifted = across + body.acrossShift(at: along)
        return body.isStanding ? PixelPoint(x: shifted, y: along) : PixelPoint(x: along, y: shifted)
    }
}

extension ShelfEdges {
    /// The steps of `IdentificationEffort` that `share` takes at most.
    func steps(slack: Double) -> Int { 100 + Int(saturating: min(60_000, 64 * slack / finestStep)) }
}
