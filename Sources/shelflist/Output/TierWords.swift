import Bibliography
import Imaging

/// How the terminal shows a tier: told apart without colours too, by the shapes that annotated photos have.
extension ConfidenceTier {
    var mark: String {
        switch self {
        case .ready: "✓"
        case .verify: "△"
        case .needsReview: "!"
        }
    }

    var words: String {
        switch self {
        case .ready: "ready to add"
        case .verify: "verify"
        case .needsReview: "needs review"
        }
    }

    var style: TextStyle {
        switch self {
        case .ready: .green
        case .verify: .yellow
        case .needsReview: .red
        }
    }

    /// `△ 59 % sure`.
    ///
    /// Rounded down, so that it never says more than the mark beside it; a probability is never 100 %, nor 0.
    func sureness(_ confidence: Double) -> String {
        let percent = Int((confidence * 100 + 1e-9).rounded(.down).clamped(to: 1...99))
        return "\(mark) \(percent < 10 ? " " : "")\(percent) % sure"
    }
}
