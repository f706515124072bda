import Bounds
import Foundation
package import Imaging
package import SpineReading

/// Two lines beside each other, and what the photo shows between them: whether an edge runs there, and whether both are
/// printed on one ground.
///
/// Lines one after the other are not judged by it: bands and labels of a spine have edges as clear as those of boards, and
/// grounds of their own.
package struct LinePair {
    /// The least share of the shorter line that is beside the other.
    private static let leastShared = 0.4
    /// In heights of the higher line: the largest distance of two lines, the largest of lines in different directions and of
    /// words printed across a wide standing spine, and how long such words are at most.
    private static let (farthest, farthestApart, longestStacked) = (1.5, 4.0, 8.0)
    /// An edge is searched along both lines, and beyond their ends by this share of their length.
    private static let beyond = 0.1
    /// An edge is searched between the lines and as many pixels of the edges' picture inside their borders.
    private static let inside = 1.5
    /// In levels: greater differences of two grounds say no more.
    private static let largestDifference = 250
    /// In heights of the higher line: greater lengths say no more.
    private static let longest = 12.0
    /// Of measuring the edges, about.
    private static let steps = 1_000

    private let frame, other: UprightLine
    private let own, its: (along: ClosedRange<Double>, across: ClosedRange<Double>)
    /// Of the shorter line's length that is beside the other, and of the narrower line's width that both have in common.
    private let sharedLength, sharedWidth: Double
    /// Of the higher line, in pixels.
    private let height: Double
    /// The distance of the lines in heights.
    private let gap: Double

    /// Nil for lines that are not beside each other, or too far apart.
    package init?(_ a: UprightLine, _ b: UprightLine) {
        (frame, other) = a.length >= b.length ? (a, b) : (b, a)
        (own, its) = (frame.extents(in: frame), other.extents(in: frame))
        height = max(1, a.height, b.height)
        sharedLength = own.along.sharedLength(with: its.along) / max(1, min(own.along.length, its.along.length))
        sharedWidth =
            own.across.sharedLength(with: its.across) / max(1, min(own.across.length, its.across.length))
        gap = own.across.gap(to: its.across) / height
        let isStacked = !a.isVertical && !b.isVertical && frame.length < Self.longestStacked * height
        let farthest = isStacked || a.isVertical != b.isVertical ? Self.farthestApart : Self.farthest
        guard sharedLength >= Self.leastShared, gap < farthest else { return nil }
    }

    /// Of the features.
    package static let names = [
        "gap", "sharedWidth", "difference", "clarity", "heights", "sharedLength", "isMixed", "isVertical", "length",
    ]
    /// Of a logistic regression over 784 pairs of lines of 15 labelled photos; `Scripts/fitting/fit_pairs.py` prints them.
    ///
    /// On 20 photos of other sources it finds 97.9 % of 573 pairs on one spine, and 2.1 % of 870 others.
    private static let (bias, weights) = (5.45, [-0.44, 13.07, -0.74, -9.91, 2.91, 6.0, -1.5, -3.05, -4.23])

    /// Returns the probability that both are on one spine, 0...1.
    ///
    /// - Parameter grounds: of both lines; nil where one is not known.
    /// - Throws: `IdentificationError.tooMuchText`.
    func probability(
        _ edges: ShelfEdges, grounds: (RGBColor, RGBColor)?, effort: IdentificationEffort
    ) throws -> Double {
        try effort.spend(Self.steps)
        let values = features(edges, grounds: grounds)
        return 1 / (1 + exp(-zip(Self.weights, values).reduce(Self.bias) { $0 + $1.0 * $1.1 }))
    }

    /// Returns the values of `names`: distance, shares, and lengths in heights of the higher line, the difference of the
    /// grounds in hundreds of levels.
    package func features(_ edges: ShelfEdges, grounds: (RGBColor, RGBColor)?) -> [Double] {
        let difference = grounds.map { min($0.0.difference(from: $0.1), Self.largestDifference) } ?? 0
        return [
            gap, sharedWidth, Double(difference) / 100, clarityBetween(edges), min(frame.height, other.height) / height,
            sharedLength, frame.isVertical == other.isVertical ? 0 : 1, frame.isVertical ? 1 : 0,
            min(1, frame.length / height / Self.longest),
        ]
    }

    /// How clear the clearest edge between the lines runs along both, 0...1.
    private func clarityBetween(_ edges: ShelfEdges) -> Double {
        let along = own.along.union(its.along).trimmed(-Self.beyond, -Self.beyond)
        let (first, second) =
            own.across.middle <= its.across.middle ? (own.across, its.across) : (its.across, own.across)
        let inside = Self.inside * edges.pixel
        // The profile's positions are along an axis of the photo.
        let slant = frame.isVertical ? -frame.along.y : frame.along.x
        guard slant != 0 else { return 0 }
        let low = (min(first.upperBound, second.lowerBound) - inside) / slant
        let high = (max(first.upperBound, second.lowerBound) + inside) / slant
        let center = frame.quad.center
        return edges.profile(
            from: center + frame.along * along.lowerBound, to: center + frame.along * along.upperBound,
            isStanding: frame.isVertical, positions: ClosedRange(ordered: min(low, high), max(low, high))
        ).clarities.max() ?? 0
    }
}
