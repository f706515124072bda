/// Whether a book still has to be reviewed.
public enum ReviewStatus: String, Codable, CaseIterable, Sendable {
    /// The confidence reached the threshold, or the user confirmed the book.
    case verified
    /// The confidence is below the threshold, and the user has not reviewed the book.
    case needsReview
    /// The user corrected the book.
    case userEdited

    /// Decodes a word that this version does not know as `needsReview`.
    public init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .needsReview
    }
}

/// The tiers by which the review queue groups books.
public enum ConfidenceTier: String, CaseIterable, Sendable {
    /// No source was asked, so that the confidence says only how well the book was read.
    case notChecked
    case needsReview
    case verify
    case ready

    /// The lowest confidence of the tier `verify`.
    public static let verifyFrom = 0.5
    /// The lowest confidence of the tier `ready`.
    public static let readyFrom = 0.8

    /// - Parameters:
    ///   - confidence: 0...1; of a checked book, a calibrated probability.
    ///   - checked: whether a source of records was asked about the book.
    public init(confidence: Double, checked: Bool) {
        self =
            !checked
            ? .notChecked : confidence < Self.verifyFrom ? .needsReview : confidence < Self.readyFrom ? .verify : .ready
    }
}
