/// A progress bar of one line.
package struct ProgressBar {
    /// 0...1.
    package var fraction: Double
    package var label: String
    package var note: String

    package init(fraction: Double, label: String, note: String) {
        self.fraction = fraction
        self.label = label
        self.note = note
    }

    private static let cells = 20
    private static let eighths = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Draws the bar over the last one, on a terminal.
    func draw() { StandardStream.errors.write("\r\u{1B}[K" + text(width: StandardStream.errors.columns ?? 80)) }

    static func clear() { StandardStream.errors.write("\r\u{1B}[K") }

    /// Takes fewer than `width` columns, because some terminals start a new line after the last one.
    package func text(width: Int) -> String {
        let filled = Int((min(max(fraction, 0), 1) * Double(Self.cells * 8)).rounded())
        let (full, rest) = filled.quotientAndRemainder(dividingBy: 8)
        var bar = String(repeating: "█", count: full)
        if full < Self.cells { bar += Self.eighths[rest] }
        bar += String(repeating: " ", count: Self.cells - bar.count)
        return TerminalText.fitted("\(label) ▕\(bar)▏ \(note)", to: width - 1)
    }
}
