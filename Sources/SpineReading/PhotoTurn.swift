import Foundation
package import Imaging

/// Finds out whether a photo is stored turned, from the directions in which its lines run.
///
/// Each kind of shelf has its usual shares of directions; how far a shelf strays from them makes the counts
/// Dirichlet-multinomial (Mosimann, 1962), so that a hundred lines are not a hundred independent witnesses.
package enum PhotoTurn {
    /// How common a kind of shelf is, and how often its lines run in each direction while it stands upright.
    private struct Shelf {
        let probability: Double
        let shares: [ReadingDirection: Double]
    }

    /// Spines mostly run down (English) or up (French, German, Spanish), wide ones and stacks are upright;
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
        // A stack of lying books.
        Shelf(
            probability: 0.10,
            shares: [.topToBottom: 0.10, .bottomToTop: 0.08, .upright: 0.80, .upsideDown: 0.02]),
    ]

    /// After how many lines of one shelf its own habits count as much as what is usual.
    private static let concentration = 30.0

    /// One photo in a hundred, at the most, is stored turned in any one way: natural logarithm of the odds.
    private static let requiredEvidence = log(99.0)

    /// Two or three lines may all be of one odd book.
    private static let minimumLines = 4

    /// By how much, clockwise, the photo has to be turned so that the shelf stands upright; the likeliest
    /// turn where the lines leave little doubt, else `none`.
    package static func estimate(from lines: [TextLine]) -> QuarterTurn {
        let clear = lines.filter { $0.score >= 0.8 && $0.text.count >= 4 }
        guard clear.count >= minimumLines else { return .none }
        let counts = Dictionary(grouping: clear, by: \.direction).mapValues { Double($0.count) }
        func evidence(for turn: QuarterTurn) -> Double {
            let upright = Dictionary(uniqueKeysWithValues: counts.map { ($0.key.turned(turn), $0.value) })
            let terms = shelves.map { log($0.probability) + logLikelihood(of: upright, on: $0) }
            // Hundreds of lines are too unlikely, each way, for a Double: only the differences are taken out of the log.
            let most = terms.max() ?? 0
            return most + log(terms.reduce(0) { $0 + exp($1 - most) })
        }
        let best = QuarterTurn.allCases.max { evidence(for: $0) < evidence(for: $1) } ?? .none
        return evidence(for: best) - evidence(for: .none) >= requiredEvidence ? best : .none
    }

    private static func logLikelihood(of counts: [ReadingDirection: Double], on shelf: Shelf) -> Double {
        let start = lgamma(concentration) - lgamma(concentration + counts.values.reduce(0, +))
        return counts.reduce(start) { sum, observed in
            let expected = concentration * (shelf.shares[observed.key] ?? 0.01)
            return sum + lgamma(expected + observed.value) - lgamma(expected)
        }
    }
}
