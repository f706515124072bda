import Foundation
import SpineReading

/// How much a model's opinion changes the probability of a record.
///
/// Without answers of real models to fit, the factors follow from cautious assumptions: a model names the book that is
/// there in 80 % of the cases, and the same wrong book as the text in 10 %, because both see the same letters.
enum OpinionWeight {
    private static let right = 0.8
    private static let sameMistake = 0.1
    /// The probability of an opinion that neither text nor catalog supports; below every threshold.
    static let highestFromMemory = 0.39
    /// The probability of an opinion that the text supports and no catalog has; below the default threshold.
    static let highestWithoutRecord = 0.59

    /// Returns the factor on the odds of a record that the opinion names, at least 1.
    static func agreement(_ opinion: SpineOpinion) -> Double {
        1 + (right / sameMistake - 1) * opinion.certainty
    }

    /// Returns the factor on the odds of a record that the opinion does not name, at most 1.
    static func disagreement(_ opinion: SpineOpinion) -> Double {
        1 + ((1 - right) / (1 - sameMistake) - 1) * opinion.certainty
    }

    /// Multiplies the odds of a probability.
    static func probability(_ probability: Double, times factor: Double) -> Double {
        let raised = probability * factor
        return raised / (raised + 1 - probability)
    }
}
