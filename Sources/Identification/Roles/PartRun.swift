import Bibliography
import Bounds

/// Parts of a spine that are read as one title or one author, with what the features of a parse need of them.
///
/// Hundreds of ways to read a spine share the same runs, so what costs time is found when it is first needed.
final class PartRun {
    let parts: [SpinePart]
    let words: [String]
    /// The log odds of each word, in nats, that it is part of a name.
    let odds: [Double]
    let text: String
    /// How much the text looks like names, 0...1.
    let likeness: Double
    let letters: Int
    /// Of the parts.
    let lines: [Int]
    private(set) lazy var measures = RunMeasures(parts, words: words, odds: odds, text: text)
    private(set) lazy var isPublisher =
        parts.contains { $0.kind != .other } || Publishers.isPublisher(words) || Publishers.isOrganisation(words)

    init(_ parts: [SpinePart]) {
        self.parts = parts
        words = parts.flatMap(\.words)
        odds = parts.flatMap(\.odds)
        text = parts.map(\.text).joined(separator: " ")
        likeness = NameInLine.likeness(words, text)
        letters = parts.reduce(0) { $0 + $1.letters }
        lines = parts.map(\.line)
    }

    /// The text as a title, without the `by` before its author, where there is one; nil without text.
    func title(beside author: String?) -> String? {
        guard let title = PrintedTitle.text(of: telling) else { return nil }
        let words = title.split(separator: " ")
        guard author != nil, words.count > 1, NameInLine.marksAuthor([words.last?.lowercased() ?? ""]) else {
            return title
        }
        return words.dropLast().joined(separator: " ")
    }

    /// The text as an author; nil without text.
    var author: String? {
        let text = telling.map(\.text).joined(separator: " ")
        return text.isEmpty ? nil : Casing.settled(text)
    }

    /// Whether the text starts with a word with which no name starts: `The Life of Ana Moreno`.
    var startsUnlikeName: Bool {
        guard words.count > 1, let first = words.first else { return false }
        return Self.unlikeNames.contains(first) && !NameInLine.isInitial(first, of: text)
    }

    private static let unlikeNames: Set<String> = [
        "the", "a", "an", "der", "die", "das", "ein", "eine", "of", "to", "for", "from", "in", "on", "about",
    ]

    /// A single character is a logo or a speck if there is other text.
    private var telling: [SpinePart] {
        let telling = parts.filter { $0.letters > 1 }
        return telling.isEmpty ? parts : telling
    }
}

/// The runs of whole lines, each made once.
struct PartRuns {
    let empty = PartRun([])
    private var known: [[Int]: PartRun] = [:]

    /// - Parameter parts: whole lines of one spine, in reading order.
    mutating func run(of parts: some Collection<SpinePart>) -> PartRun {
        let lines = parts.map(\.line)
        if let run = known[lines] { return run }
        let run = PartRun(Array(parts))
        known[lines] = run
        return run
    }

    /// Returns all runs of consecutive parts.
    mutating func runs(of parts: [SpinePart], atMost most: Int) -> [PartRun] {
        var runs: [PartRun] = []
        for start in parts.indices {
            for end in Range(from: start, upTo: min(parts.count, start + most)) {
                runs.append(run(of: parts[start...end]))
            }
        }
        return runs
    }

    /// Returns all runs that leave out one inner part.
    mutating func gappedRuns(of parts: [SpinePart], atMost most: Int) -> [PartRun] {
        guard parts.count > 2, parts.count <= 7 else { return [] }
        var gapped: [PartRun] = []
        for whole in runs(of: parts, atMost: most) where whole.parts.count > 2 {
            for left in whole.parts.indices.dropFirst().dropLast() {
                gapped.append(run(of: whole.parts.indices.filter { $0 != left }.map { whole.parts[$0] }))
            }
        }
        return gapped
    }
}
