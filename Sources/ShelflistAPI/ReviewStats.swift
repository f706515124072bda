/// How often the reader was right, by the decisions of people on its readings.
package struct ReviewStats: Codable, Hashable, Sendable {
    package struct Tier: Codable, Hashable, Sendable {
        package var tier: String
        package var reviewed: Int
        package var correct: Int

        package init(tier: String, reviewed: Int, correct: Int) {
            (self.tier, self.reviewed, self.correct) = (tier, reviewed, correct)
        }
    }

    /// Readings with a confidence in `from..<to`.
    package struct Bin: Codable, Hashable, Sendable {
        package var from: Double
        package var to: Double
        package var reviewed: Int
        package var correct: Int

        package init(from: Double, to: Double, reviewed: Int, correct: Int) {
            (self.from, self.to, self.reviewed, self.correct) = (from, to, reviewed, correct)
        }
    }

    package struct Month: Codable, Hashable, Sendable {
        /// In the form `2026-11`.
        package var month: String
        package var reviewed: Int
        package var correct: Int

        package init(month: String, reviewed: Int, correct: Int) {
            (self.month, self.reviewed, self.correct) = (month, reviewed, correct)
        }
    }

    /// What another threshold would have given for the same readings.
    package struct Threshold: Codable, Hashable, Sendable {
        package var threshold: Double
        /// Readings that would not have needed review, and how many of them were wrong.
        package var accepted: Int
        package var acceptedWrong: Int
        /// Readings that would have needed review.
        package var asked: Int

        package init(threshold: Double, accepted: Int, acceptedWrong: Int, asked: Int) {
            (self.threshold, self.accepted) = (threshold, accepted)
            (self.acceptedWrong, self.asked) = (acceptedWrong, asked)
        }
    }

    package var reviewed: Int
    package var correct: Int
    package var byTier: [Tier]
    package var byConfidence: [Bin]
    /// Oldest first, in UTC.
    package var byMonth: [Month]
    /// The confidence below which books need review.
    package var threshold: Double
    package var thresholds: [Threshold]

    package init(
        reviewed: Int, correct: Int, byTier: [Tier], byConfidence: [Bin], byMonth: [Month], threshold: Double,
        thresholds: [Threshold]
    ) {
        (self.reviewed, self.correct, self.byTier, self.byConfidence) = (reviewed, correct, byTier, byConfidence)
        (self.byMonth, self.threshold, self.thresholds) = (byMonth, threshold, thresholds)
    }
}
