/// Whether a person still has to look at a book.
public enum ReviewStatus: String, Codable, CaseIterable, Sendable {
    /// The reader was sure, or a person agreed.
    case verified
    /// The confidence is below the threshold and nobody has looked yet.
    case needsReview
    /// A person corrected it.
    case userEdited
}

/// How the review queue shows a confidence.
public enum ConfidenceTier: String, CaseIterable, Sendable {
    case needsReview
    case verify
    case ready

    /// The lowest confidence of the tier `verify`.
    public static let verifyFrom = 0.5
    /// The lowest confidence of the tier `ready`.
    public static let readyFrom = 0.8

    /// The tier of a calibrated probability, 0...1.
    public init(confidence: Double) {
        self = confidence < Self.verifyFrom ? .needsReview : confidence < Self.readyFrom ? .verify : .ready
    }
}
