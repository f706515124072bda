/// How often the reader was right, by the decisions of people on its readings.
public struct ReviewStats: Codable, Hashable, Sendable {
    public struct Tier: Codable, Hashable, Sendable {
        public var tier: String
        public var reviewed: Int
        public var correct: Int

        public init(tier: String, reviewed: Int, correct: Int) {
            (self.tier, self.reviewed, self.correct) = (tier, reviewed, correct)
        }
    }

    /// Readings with a confidence in `from..<to`.
    public struct Bin: Codable, Hashable, Sendable {
        public var from: Double
        public var to: Double
        public var reviewed: Int
        public var correct: Int

        public init(from: Double, to: Double, reviewed: Int, correct: Int) {
            (self.from, self.to, self.reviewed, self.correct) = (from, to, reviewed, correct)
        }
    }

    public struct Month: Codable, Hashable, Sendable {
        /// In the form `2026-11`.
        public var month: String
        public var reviewed: Int
        public var correct: Int

        public init(month: String, reviewed: Int, correct: Int) {
            (self.month, self.reviewed, self.correct) = (month, reviewed, correct)
        }
    }

    /// What another threshold would have given for the same readings.
    public struct Threshold: Codable, Hashable, Sendable {
        public var threshold: Double
        /// Readings that would not have needed review, and how many of them were wrong.
        public var accepted: Int
        public var acceptedWrong: Int
        /// Readings that would have needed review.
        public var asked: Int

        public init(threshold: Double, accepted: Int, acceptedWrong: Int, asked: Int) {
            (self.threshold, self.accepted) = (threshold, accepted)
            (self.acceptedWrong, self.asked) = (acceptedWrong, asked)
        }
    }

    public var reviewed: Int
    public var correct: Int
    public var byTier: [Tier]
    public var byConfidence: [Bin]
    /// Oldest first, in UTC.
    public var byMonth: [Month]
    /// The confidence below which books need review.
    public var threshold: Double
    public var thresholds: [Threshold]

    public init(
        reviewed: Int, correct: Int, byTier: [Tier], byConfidence: [Bin], byMonth: [Month], threshold: Double,
        thresholds: [Threshold]
    ) {
        (self.reviewed, self.correct, self.byTier, self.byConfidence) = (reviewed, correct, byTier, byConfidence)
        (self.byMonth, self.threshold, self.thresholds) = (byMonth, threshold, thresholds)
    }
}
