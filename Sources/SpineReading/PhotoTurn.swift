import Foundation
package import Imaging
import ShelflistAPI

/// Estimates whether a photo is stored rotated from the directions of its lines.
///
/// Each kind of shelf has typical shares of directions, and each shelf deviates from them, so the counts are modelled
/// as Dirichlet-multinomial (Mosimann, 1962): a hundred lines are not a hundred independent observations.
package enum PhotoTurn {
    /// The prior probability of a kind of shelf, and how often its lines run in each direction when it is upright.
    private struct Shelf {
        let probability: Double
        let shares: [ReadingDirection: Double]
    }

    /// Spines mostly run down (English) or up (French, German, Spanish); text on wide spines and stacks is upright;
    /// upside-down text is rare.
    private static let shelves = [
        Shelf(
            probability: 0.50,
            shares: [.topToBottom: 0.70, .bottomToTop: 0.06, .upright: 0.22, .upsideDown: 0.02]),
        Shelf(
            probability: 0.25,
            shares: [.topToBottom: 0.06, .bottomToTop: 0.70, .upright: 0.22, .upsideDown: 0.02]),
        Shelf(
            probability: 0.15,
            shares: [.topToBottom: 0.40, .bottomToTop: 0.33, .upright: 0.25, .upsideDown: 0.02]),
        // A stack of books.
        Shelf(
            probability: 0.10,
            shares: [.topToBottom: 0.10, .bottomToTop: 0.08, .upright: 0.80, .upsideDown: 0.02]),
    ]

    /// The number of lines after which a shelf's own shares count as much as the typical ones.
    private static let concentration = 30.0

    /// At most one photo in a hundred is stored rotated in any one way: natural logarithm of the odds.
    private static let requiredEvidence = log(99.0)

    /// Two or three lines may all belong to one unusual book.
    private static let minimumLines = 4.0

    /// A line counts in full from the higher of these scores, and not at all up to the lower.
    ///
    /// Text that is read the wrong way round scores less than text that is upright, about 0.9: it must not decide
    /// between turns. The weight grows with the score, so that the small differences between the precisions that
    /// processors compute in make small differences here.
    private static let clearScores = (lower: 0.90, upper: 0.95)

    /// Returns the clockwise rotation that turns the shelf upright, or `none` if the evidence is not clear enough.
    package static func estimate(from lines: [TextLine]) -> QuarterTurn {
        var counts: [ReadingDirection: Double] = [:]
        for line in lines where line.score > clearScores.lower && line.text.count >= 4 {
            counts[line.direction, default: 0] += weight(ofScore: line.score)
        }
        guard counts.values.reduce(0, +) >= minimumLines else { return .none }
        func evidence(for turn: QuarterTurn) -> Double {
            let upright = Dictionary(uniqueKeysWithValues: counts.map { ($0.key.turned(turn), $0.value) })
            let terms = shelves.map { log($0.probability) + logLikelihood(of: upright, on: $0) }
            // With hundreds of lines each likelihood underflows a Double, so only differences are exponentiated.
            let most = terms.max() ?? 0
            return most + log(terms.reduce(0) { $0 + exp($1 - most) })
        }
        let best = QuarterTurn.allCases.max { evidence(for: $0) < evidence(for: $1) } ?? .none
        return evidence(for: best) - evidence(for: .none) >= requiredEvidence ? best : .none
    }

    private static func weight(ofScore score: Double) -> Double {
        min(1, (score - clearScores.lower) / (clearScores.upper - clearScores.lower))
    }

    private static func logLikelihood(of counts: [ReadingDirection: Double], on shelf: Shelf) -> Double {
        let start = lgamma(concentration) - lgamma(concentration + counts.values.reduce(0, +))
        return counts.reduce(start) { sum, observed in
            let expected = concentration * (shelf.shares[observed.key] ?? 0.01)
            return sum + lgamma(expected + observed.value) - lgamma(expected)
        }
    }
}
