import Bounds

package struct ProgressBar {
    /// 0...1.
    package var fraction: Double
    package var label: String
    package var note: String

    package init(fraction: Double, label: String, note: String) {
        (self.fraction, self.label, self.note) = (fraction, label, note)
    }

    private static let cells = 20
    private static let eighths = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Draws the bar over the last one on a terminal; prints a line in a log.
    package func draw() {
        let stream = StandardStream.errors
        guard stream.isInteractive else { return stream.write("\(label): \(note)\n") }
        stream.write("\r" + text(width: stream.columns ?? 80) + "\u{1B}[K")
    }

    /// Draws the progress of an import, on a terminal only.
    package static func show(_ done: Int, of all: Int, label: String) {
        guard StandardStream.errors.isInteractive, all > 0 else { return }
        let fraction = Double(done) / Double(all)
        ProgressBar(fraction: fraction, label: TerminalText.safe(label), note: "\(done) of \(all)").draw()
    }

    /// Removes the bar from a terminal.
    package static func clear() {
        if StandardStream.errors.isInteractive { StandardStream.errors.write("\r\u{1B}[K") }
    }

    /// Takes fewer than `width` columns, because some terminals start a new line after the last one.
    package func text(width: Int) -> String {
        let filled = Int(saturating: (min(max(fraction, 0), 1) * Double(Self.cells * 8)).rounded())
        let (full, rest) = filled.quotientAndRemainder(dividingBy: 8)
        var bar = String(repeating: "█", count: full)
        if full < Self.cells { bar += Self.eighths[rest] }
        bar += String(repeating: " ", count: Self.cells - bar.count)
        return TerminalText.fitted("\(label) ▕\(bar)▏ \(note)", to: width - 1)
    }
}
