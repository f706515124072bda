import Bibliography
import Bounds
import Imaging
import SpineReading

/// The labels of a library: stickers with call numbers in one place on several spines, `796.323 Joh` or `N Mor`.
///
/// A label is known by its repetition, whatever its form: its short lines stand at one height of neighbouring spines and are set
/// alike.
struct CallNumbers {
    /// A call number, on a line or two.
    struct Label {
        fileprivate(set) var lines: [UprightLine]
        /// Its words, `N Mor`.
        fileprivate(set) var text: String
        fileprivate var form: String

        /// With what the author's name or the title starts, folded; nil where the label does not say it.
        var filedUnder: String? {
            let words = TextNormalisation.words(text)
            guard words.count > 1, let last = words.last, last.count >= 2, last.allSatisfy(\.isLetter) else {
                return nil
            }
            return last
        }
    }

    /// Fewer labels of one form with the figures of a class may be numbers of a series.
    private static let leastClasses = 3
    /// Fewer labels with the same first letters may be a series, or titles that begin alike.
    private static let leastLetters = 4
    /// Of these, so many must be different: the same words on several spines are a series or an imprint.
    private static let leastDifferent = 3
    /// In lengths of the line: the largest distance of stickers that are in one place, across the shelf's height.
    private static let farthest = 2.0
    /// In lengths of a long line: the largest distance of a label from the text of its spine.
    private static let reach = 2.0
    /// Heights at which boards are searched between labels and spines, as in `LineAffinity`.
    private static let mostSearched = 300_000
    /// The largest ratio of the heights of two labels, and of the two lines of one.
    private static let sameHeight = 1.5

    let labels: [Label]
    private let edges: ShelfEdges?
    /// The first three figures of the classes that the call numbers name.
    private let classes: Set<Substring>

    /// O(lines²).
    ///
    /// - Parameters:
    ///   - lines: all lines of a photo.
    ///   - edges: of the photo, to detect boards between a label and a spine; nil if only text is known.
    /// - Throws: `IdentificationError.tooMuchText`.
    init(_ lines: [UprightLine], edges: ShelfEdges? = nil, effort: IdentificationEffort) throws {
        let found = try Self.candidates(lines, effort)
        var known: Set<Int> = []
        var labels: [Label] = []
        for label in found where known.isDisjoint(with: label.lines.map(\.index)) {
            try effort.spend(3 * found.count)
            let alike = found.filter { Self.areAlike($0, label) }
            let hasClass = label.form.contains("9")
            guard alike.count >= (hasClass ? Self.leastClasses : Self.leastLetters),
                hasClass || Set(alike.map { $0.text.lowercased() }).count >= Self.leastDifferent
            else { continue }
            labels.append(label)
            known.formUnion(label.lines.map(\.index))
        }
        (self.labels, self.edges) = (labels, edges)
        classes = Set(labels.compactMap { Self.classNumber($0.text) })
    }

    /// Returns what may be labels by its form: pairs of lines first.
    private static func candidates(_ lines: [UprightLine], _ effort: IdentificationEffort) throws -> [Label] {
        let short = lines.filter { part($0.line.text) != nil }
        try effort.spend(3 * short.count * short.count)
        var labels: [Label] = []
        for upper in short {
            let below = short.filter { $0.index != upper.index && isBelow($0, upper) }
            guard
                let lower = below.min(by: {
                    $0.quad.center.distance(to: upper.quad.center)
                        < $1.quad.center.distance(to: upper.quad.center)
                })
            else { continue }
            let text = "\(upper.line.text) \(lower.line.text)"
            if let form = form(text) { labels.append(Label(lines: [upper, lower], text: text, form: form)) }
        }
        for line in lines {
            guard let form = form(line.line.text) else { continue }
            labels.append(Label(lines: [line], text: line.line.text, form: form))
        }
        return labels
    }

    /// Whether one line is set directly below the other.
    private static func isBelow(_ lower: UprightLine, _ upper: UprightLine) -> Bool {
        guard lower.line.direction == upper.line.direction, areAsHigh(lower, upper) else { return false }
        let (own, its) = (upper.extents(in: upper), lower.extents(in: upper))
        let gap = its.across.lowerBound - own.across.upperBound
        return its.across.middle > own.across.middle && gap <= upper.height && gap >= -0.5 * upper.height
            && own.along.sharedLength(with: its.along) >= 0.5 * min(own.along.length, its.along.length)
    }

    private static func areAsHigh(_ a: UprightLine, _ b: UprightLine) -> Bool {
        max(a.height, b.height) <= sameHeight * min(a.height, b.height)
    }

    /// Whether two labels are set alike in one place, and those of letters begin with the same ones.
    private static func areAlike(_ a: Label, _ b: Label) -> Bool {
        let (first, second) = (a.lines[0], b.lines[0])
        return a.form == b.form && a.lines.count == b.lines.count && first.isVertical == second.isVertical
            && areAsHigh(first, second)
            && abs(first.quad.center.y - second.quad.center.y) <= farthest * max(first.length, second.length)
            && (a.form.contains("9")
                || a.text.split(separator: " ").first?.lowercased() == b.text.split(separator: " ").first?.lowercased())
    }

    // MARK: Text

    /// The form of a call number, `9A` for `796.323 Joh`; nil for other text.
    private static func form(_ text: String) -> String? {
        let parts = text.split(separator: " ")
        let forms = parts.compactMap(part)
        guard (2...3).contains(parts.count), forms.count == parts.count else { return nil }
        let form = forms.joined()
        guard form.contains("A") else { return nil }
        guard !form.contains("9") else { return form }
        let words = TextNormalisation.words(text)
        let first = words.first ?? ""
        return first.count <= 3 && !CommonWords.contains(first) && !Numbering.isNumbering(words) && !isNumbered(words)
            ? form : nil
    }

    /// Whether a word of a volume is among these: `Book Two`, `Vol IV`.
    private static func isNumbered(_ words: [String]) -> Bool {
        words.contains(where: VolumeNumber.isVolumeWord)
    }

    /// `9` for the number of a class, `A` for one to four letters.
    private static func part(_ text: some StringProtocol) -> String? {
        if isClass(Substring(text)) { return "9" }
        return (1...4).contains(text.count) && text.allSatisfy(\.isLetter) ? "A" : nil
    }

    /// The first three figures of the class.
    private static func classNumber(_ text: String) -> Substring? {
        text.split(separator: " ").first(where: isClass)?.prefix(3)
    }

    /// Whether this is a class of the decimal classifications: `796`, `796.323`, `796(09)`.
    private static func isClass(_ part: Substring) -> Bool {
        part.count >= 3 && part.prefix(3).allSatisfy(\.isNumber)
            && part.dropFirst(3).allSatisfy { $0.isNumber || ".()-/:".contains($0) }
            && (part.count == 3 || part.contains { ".(".contains($0) })
    }

    // MARK: Spines

    /// Returns the lines of a photo without those of the labels.
    func others(of lines: [TextLine]) -> [TextLine] {
        let places = Set(labels.flatMap(\.lines).map(\.index))
        return lines.indices.filter { !places.contains($0) }.map { lines[$0] }
    }

    /// Returns the labels of each spine: those in line with its text, and on the same row of the shelf.
    ///
    /// O(labels × lines).
    ///
    /// - Parameter spines: the lines of each.
    /// - Throws: `IdentificationError.tooMuchText`.
    func owned(by spines: [[UprightLine]], effort: IdentificationEffort) throws -> [[Label]] {
        var owned = [[Label]](repeating: [], count: spines.count)
        guard !labels.isEmpty else { return owned }
        let texts = spines.map { SpineText($0) }
        let lengths = spines.joined().map(\.length).sorted()
        // On another row, a label is farther from the text.
        let farthest =
            lengths.isEmpty ? 0 : Self.reach * lengths[Int(saturating: 0.9 * Double(lengths.count - 1))]
        var searched = Self.mostSearched
        for label in labels {
            try effort.spend(10 * spines.count)
            let line = label.lines[0]
            let inLine = texts.indices.compactMap { index in
                texts[index]?.offset(of: line, within: farthest).map { (index: index, offset: $0) }
            }.sorted { ($0.offset, $0.index) < ($1.offset, $1.index) }
            let nearest = try inLine.first { spine in
                guard let edges, searched > 0, let text = texts[spine.index] else { return true }
                return try !ShelfBoards.separate(line, text.frame, edges, searched: &searched, effort: effort)
            }
            if let nearest { owned[nearest.index].append(label) }
        }
        return owned
    }

    /// Whether a line names a class as the labels do: the sign of a shelf, `796 SPORT`.
    func namesClass(_ line: UprightLine) -> Bool {
        Self.classNumber(line.line.text).map(classes.contains) ?? false
    }

    /// Whether a line is the sign of a shelf with books of such a class, with a word of three letters: `796 SPORT`.
    func isSign(_ line: UprightLine) -> Bool {
        namesClass(line) && line.words.contains { $0.count { $0.isLetter } >= 3 }
    }
}
