import Foundation

/// What the confidence in a match is computed from; all of it grows with the confidence.
struct MatchFeatures: Sendable {
    var titleCoverage: Double
    var authorCoverage: Double
    var explained: Double
    /// Weight of the title words and author words read, in natural units, cut at 20.
    var titleMass: Double
    var authorMass: Double
    /// Evidence over the best other title, cut at 8.
    var margin: Double
    /// Best alignment of the title's letters inside the letters read, 0...1.
    var titleRatio: Double
    /// Score of the worst read line that carries the match, 0...1.
    var lineScore: Double

    var vector: [Double] {
        [titleCoverage, authorCoverage, explained, titleMass / 10, authorMass / 10, margin / 4, titleRatio, lineScore]
    }
}

/// Calibrated probabilities from features.
struct ConfidenceModel: Sendable {
    var bias: Double
    var weights: [Double]

    static let catalog = ConfidenceModel(bias: -9.0, weights: [2.6, 1.6, 3.2, 0.9, 0.5, 0.9, 2.6, 0.6])

    func probability(_ features: MatchFeatures) -> Double {
        let sum = zip(weights, features.vector).reduce(bias) { $0 + $1.0 * $1.1 }
        var probability = 1 / (1 + exp(-sum))
        // Author-only spines and one stray word of a title are the usual false positives.
        if features.titleCoverage < 0.4 || features.titleRatio < 0.5 { probability /= 2 }
        return probability
    }
}
