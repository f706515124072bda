package import Reading

/// Progress on stderr: a bar on a terminal, otherwise one line per photo if there are several.
package struct RunProgress {
    private let names: [String]
    private let isOnTerminal = StandardStream.errors.isInteractive
    /// Photos in progress, each with the completed share.
    private var underWay: [Int: Double] = [:]
    private var done = 0
    /// The progress of all photos with its label, where a server reads them.
    private var whole: (fraction: Double, label: String)?
    private var current = ""
    private var isVisible = false

    package init(names: [String]) { self.names = names }

    package mutating func started(_ index: Int) {
        underWay[index] = 0
        current = "\(names[index]): opening"
        draw()
    }

    package mutating func reached(_ stage: ScanStage, index: Int) {
        underWay[index] = stage.progress.before
        current = "\(names[index]): \(stage.progress.words)"
        draw()
    }

    /// - Parameters:
    ///   - count: of the photo's unsure spines, those that were looked up in sources.
    ///   - total: the spines to look up.
    package mutating func lookedUp(_ count: Int, of total: Int, index: Int) {
        current = "\(names[index]): looked up \(count) of \(total) books"
        draw()
    }

    /// - Parameters:
    ///   - fraction: of all photos, 0...1.
    ///   - note: a sentence of the server.
    package mutating func reached(_ fraction: Double, label: String, note: String) {
        whole = (fraction, label)
        current = TerminalText.safe(note)
        draw()
    }

    /// - Parameter note: the result, unless it was already printed.
    package mutating func finished(_ index: Int, note: String?) {
        underWay[index] = nil
        done += 1
        if let note, !isOnTerminal, names.count > 1 {
            StandardStream.errors.write("[\(done)/\(names.count)] \(names[index]): \(note)\n")
        }
    }

    package mutating func draw() {
        guard isOnTerminal, done < names.count else { return }
        isVisible = true
        ProgressBar(
            fraction: whole?.fraction ?? (Double(done) + underWay.values.reduce(0, +)) / Double(names.count),
            label: whole?.label ?? (names.count == 1 ? "Reading" : "Read \(done) of \(names.count)"), note: current
        ).draw()
    }

    /// Removes the bar from the terminal before other output.
    package mutating func hide() {
        guard isVisible else { return }
        isVisible = false
        ProgressBar.clear()
    }
}

extension ScanStage {
    /// The stage in words, and the approximate share of a photo's time before it begins.
    fileprivate var progress: (words: String, before: Double) {
        switch self {
        case .decode: ("opening", 0)
        case .read: ("reading text", 0.1)
        case .identify: ("identifying books", 0.9)
        }
    }
}
