package import Bibliography
import Bounds
import Imaging

/// The terminal's symbols and colours of a tier; the symbols have the shapes used in annotated photos.
extension ConfidenceTier {
    package var mark: String { look.mark }
    package var words: String { look.words }
    package var style: TextStyle { look.style }

    private var look: (mark: String, words: String, style: TextStyle) {
        switch self {
        case .ready: ("✓", "ready to add", .green)
        case .verify: ("△", "verify", .yellow)
        case .needsReview: ("!", "needs review", .red)
        case .notChecked: ("□", "read, not checked", .cyan)
        }
    }

    /// Formats a confidence: `△ 59 % sure`; for a book that was not checked, no number.
    ///
    /// Rounded down, so that it never exceeds the tier shown beside it; never 0 or 100 %.
    package func sureness(_ confidence: Double) -> String {
        if self == .notChecked { return "\(mark) \(words)" }
        let percent = Int(saturating: (confidence * 100 + 1e-9).rounded(.down).clamped(to: 1...99))
        return "\(mark) \(percent < 10 ? " " : "")\(percent) % sure"
    }
}
