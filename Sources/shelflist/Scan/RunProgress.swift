import Scanning

/// Progress on stderr: a bar on a terminal, otherwise one line per photo if there are several.
struct RunProgress {
    private let names: [String]
    private let terminalWidth: Int?
    /// Photos in progress, each with the completed share.
    private var underWay: [Int: Double] = [:]
    private var done = 0
    private var current = ""
    private var isVisible = false

    init(names: [String]) {
        self.names = names
        terminalWidth = StandardStream.errors.isInteractive ? StandardStream.errors.columns ?? 80 : nil
    }

    mutating func started(_ index: Int) {
        underWay[index] = 0
        current = "\(names[index]): opening"
        draw()
    }

    mutating func reached(_ stage: ScanStage, index: Int) {
        underWay[index] = stage.shareBefore
        current = "\(names[index]): \(stage.words)"
        draw()
    }

    /// - Parameter note: the result, unless it was already printed.
    mutating func finished(_ index: Int, note: String?) {
        underWay[index] = nil
        done += 1
        if let note, terminalWidth == nil, names.count > 1 {
            StandardStream.errors.write("[\(done)/\(names.count)] \(names[index]): \(note)\n")
        }
    }

    mutating func draw() {
        guard let terminalWidth, done < names.count else { return }
        isVisible = true
        let bar = ProgressBar(
            fraction: (Double(done) + underWay.values.reduce(0, +)) / Double(names.count),
            label: names.count == 1 ? "Reading" : "Read \(done) of \(names.count)", note: current)
        StandardStream.errors.write("\r" + bar.text(width: terminalWidth) + "\u{1B}[K")
    }

    /// Removes the bar from the terminal before other output.
    mutating func hide() {
        guard isVisible else { return }
        isVisible = false
        StandardStream.errors.write("\r\u{1B}[K")
    }
}

extension ScanStage {
    fileprivate var words: String {
        switch self {
        case .decode: "opening"
        case .read: "reading text"
        case .identify: "identifying books"
        }
    }

    /// The approximate share of a photo's time before the stage begins; only used for the bar.
    fileprivate var shareBefore: Double {
        switch self {
        case .decode: 0
        case .read: 0.1
        case .identify: 0.9
        }
    }
}
