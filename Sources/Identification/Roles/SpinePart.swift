import Bibliography
import Bounds
import SpineReading

/// A line of a spine, or one side of a line that holds both title and author.
///
/// A class, because hundreds of ways to read a spine share it.
final class SpinePart {
    /// The index of the line among those of the spine.
    let line: Int
    let text: String
    let words: [String]
    /// What the words alone say: a publisher, a number, or other text.
    let kind: LineRole
    let score: Double
    let height: Double
    let isVertical: Bool
    /// The extent in the frame of the spine's longest line.
    let along: ClosedRange<Double>
    let across: ClosedRange<Double>

    let letters: Int
    /// Whether the letters are capitals only; `nil` for fewer than three letters.
    let shouts: Bool?
    /// The log odds of each word, in nats, that it is part of a name, beside the other words of its line.
    let odds: [Double]
    let meanOdds: Double
    /// The size of the text, in relative units.
    let prominence: Double
    let unknown: Int
    let likeness: Double
    let hasCommonWord: Bool
    let hasDigit: Bool
    let isOpen: Bool

    init(
        line: Int, text: String, words: [String], odds: [Double], kind: LineRole, of source: UprightLine,
        along: ClosedRange<Double>, across: ClosedRange<Double>
    ) {
        self.line = line
        self.text = text
        self.words = words
        self.kind = kind
        self.along = along
        self.across = across
        score = source.line.score
        height = max(1, source.height)
        isVertical = source.isVertical
        letters = words.reduce(0) { $0 + $1.count }
        prominence = height * Double(min(24, letters)).squareRoot() * score
        let cased = text.filter(\.isLetter)
        shouts = cased.count < 3 ? nil : cased.allSatisfy { !$0.isLowercase }
        self.odds = odds
        meanOdds = odds.isEmpty ? 0 : odds.reduce(0, +) / Double(odds.count)
        unknown = words.count { $0.count > 2 && NameWords.odds($0) == nil && !CommonWords.contains($0) }
        likeness = NameInLine.likeness(words, text)
        hasCommonWord = words.contains(where: CommonWords.contains)
        hasDigit = words.contains(where: NameInLine.hasNumber)
        isOpen = words.last.map(CommonWords.contains) ?? false
    }

    /// The lines of one spine, in their order.
    ///
    /// - Parameter credits: of the lines; what they say before a name is left out.
    static func parts(
        of lines: [UprightLine], kinds: [LineRole], credits: [Contributors.Credit?]
    ) -> [SpinePart] {
        guard let frame = lines.max(by: { $0.length < $1.length }) else { return [] }
        return lines.indices.map { index in
            let extents = lines[index].extents(in: frame)
            let whole = lines[index].line.text
            let text = credits[index].map { NameInLine.without($0.marks, of: whole) } ?? whole
            let words = text == whole ? lines[index].words : TextNormalisation.words(text)
            return SpinePart(
                line: index, text: text, words: words, odds: NameWords.odds(of: words), kind: kinds[index],
                of: lines[index],
                along: extents.along, across: extents.across)
        }
    }

    /// Whether this line begins the subtitle of a title that ends with another line: it is smaller or changes from capitals
    /// to small letters, and neither line needs the other to be complete.
    func startsSubtitle(after line: SpinePart) -> Bool {
        guard let last = line.words.last, let first = words.first, words.count > 1 else { return false }
        let isOpening = TextNormalisation.isArticle(first) || Self.subtitleWords.contains(first)
        if CommonWords.contains(last) || CommonWords.contains(first) && !isOpening {
            return false
        }
        return line.height >= Self.subtitleRatio * height || line.shouts == true && shouts == false
    }

    /// Chosen by eye: the lines of one title are usually set in sizes that differ by less.
    private static let subtitleRatio = 1.25
    /// Function words, besides articles, that begin a subtitle more often than they continue a title: `Your Guide to`.
    private static let subtitleWords: Set<String> = ["your", "how", "why", "what"]

    /// Returns both sides of a line cut between two words, for each place between words, and what is seen there.
    func cuts(of source: UprightLine) -> [(before: SpinePart, after: SpinePart, change: VisibleChange?)] {
        let pieces = text.split(separator: " ")
        guard pieces.count > 1, pieces.count <= 16 else { return [] }
        let spaces = source.line.spaces.flatMap { $0.count == pieces.count - 1 ? $0 : nil }
        return Range(from: 1, upTo: pieces.count).compactMap { place in
            let (before, after) = (
                side(pieces[..<place], source) { odds.prefix($0) }, side(pieces[place...], source) { odds.suffix($0) }
            )
            guard !before.words.isEmpty, !after.words.isEmpty else { return nil }
            return (before, after, spaces.map { VisibleChange(at: place - 1, of: $0) })
        }
    }

    /// - Parameter odds: returns those of as many words at this side of the line.
    private func side(
        _ pieces: ArraySlice<Substring>, _ source: UprightLine, odds: (_ words: Int) -> ArraySlice<Double>
    ) -> SpinePart {
        let text = NameInLine.trimmed(pieces.joined(separator: " "))
        let words = TextNormalisation.words(text)
        let kind: LineRole =
            Publishers.isPublisher(words) && !Publishers.isOrdinary(words)
            ? .publisher : Numbering.isNumbering(words) ? .number : .other
        return SpinePart(
            line: line, text: text, words: words, odds: Array(odds(words.count)), kind: kind, of: source, along: along,
            across: across)
    }
}
