import Bounds
import Foundation

/// One way to read a spine: which lines are its title and which its author.
struct SpineParse {
    /// How a line that holds more than one of them was cut.
    struct Cut {
        /// The line holds title and author; else something is cut off that is neither.
        var isShared: Bool
        /// Whether a mark, the casing or a given name suggests the place.
        var isMarked: Bool
        var changesCasing: Bool
        /// The log odds of being a name, in nats, of the last word of the author's side minus those of the next word.
        var edge = 0.0
        /// What is seen at the place; nil where only text is known.
        var change: VisibleChange?
    }

    var title: PartRun
    var author: PartRun
    var rest: [SpinePart]
    var cut: Cut?

    /// More lines than this are not combined; the smallest are left out.
    private static let mostLines = 9
    private static let mostTitleLines = 7
    private static let mostAuthorLines = 6
    /// Of making one way to read a spine and its features, about.
    private static let stepsOfWay = 500

    /// Returns all ways that are considered; empty only if there are no lines.
    ///
    /// - Throws: `IdentificationError.tooMuchText`.
    static func all(
        of lines: [UprightLine], kinds: [LineRole], credits: [Contributors.Credit?], effort: IdentificationEffort
    ) throws -> [SpineParse] {
        let parts = SpinePart.parts(of: lines, kinds: kinds, credits: credits)
        var usable = parts.filter { $0.kind == .other && !$0.words.isEmpty }
        if usable.isEmpty { usable = parts.filter { !$0.words.isEmpty } }
        if usable.count > mostLines {
            let kept = Set(
                usable.sorted { $0.height * Double($0.letters) * $0.score > $1.height * Double($1.letters) * $1.score }
                    .prefix(mostLines).map(\.line))
            usable = usable.filter { kept.contains($0.line) }
        }
        func parse(_ title: PartRun, _ author: PartRun, cut: Cut? = nil, cutOff: [SpinePart] = []) -> SpineParse {
            let rest = parts.filter { !title.lines.contains($0.line) && !author.lines.contains($0.line) }
            return SpineParse(title: title, author: author, rest: cutOff + rest, cut: cut)
        }
        var runs = PartRuns()
        func authors(beside title: PartRun) throws -> [PartRun] {
            let used = Set(title.lines)
            let authors =
                [runs.empty] + runs.runs(of: usable.filter { !used.contains($0.line) }, atMost: mostAuthorLines)
            try effort.spend(stepsOfWay * authors.count)
            return authors
        }
        var found: [SpineParse] = []
        let figures = parts.filter {
            $0.kind == .number && $0.words.count == 1 && (3...4).contains($0.letters) && $0.hasDigit
        }
        for title in runs.runs(of: usable, atMost: mostTitleLines) + runs.gappedRuns(of: usable, atMost: mostTitleLines)
            + figures.map({ PartRun([$0]) })
        {
            found += try authors(beside: title).map { parse(title, $0) }
        }
        for (place, whole) in usable.enumerated() {
            let split = NameInLine.split(whole.text)
            for (before, after, seen) in whole.cuts(of: lines[whole.line])
            where !Numbering.isEdition(divided: before.words, after.words)
                && !NameInLine.isDivided(before.words, after.words)
            {
                let change = before.shouts != nil && after.shouts != nil && before.shouts != after.shouts
                for (part, other) in [(before, after), (after, before)] {
                    // `The Diary of` is not a title before its author.
                    let isOpen = part.text == before.text && before.isOpen && !NameInLine.marksAuthor(before.words)
                    // The rest of the title is on the lines before or after.
                    let titles =
                        Range(from: 0, upTo: place + 1).map { Array(usable[$0..<place]) + [part] }
                        + Range(from: place + 1, upTo: usable.count).map { [part] + Array(usable[(place + 1)...$0]) }
                    let shared = Cut(
                        isShared: true, isMarked: split?.title == part.text && split?.name == other.text,
                        changesCasing: change,
                        edge: part.text == before.text
                            ? (after.odds.first ?? 0) - (before.odds.last ?? 0)
                            : (before.odds.last ?? 0) - (after.odds.first ?? 0),
                        change: seen)
                    let author = PartRun([other])
                    // The rest of the author is on the line that does not lie behind the title.
                    let next = part.text == after.text ? place - 1 : place + 1
                    let longer =
                        usable.indices.contains(next)
                        ? PartRun(next < place ? [usable[next], other] : [other, usable[next]]) : nil
                    for title in titles.filter({ $0.count <= 4 }).map(PartRun.init) {
                        try effort.spend(2 * stepsOfWay)
                        if !isOpen { found.append(parse(title, author, cut: shared)) }
                        if let longer, !isOpen, !title.lines.contains(usable[next].line) {
                            found.append(parse(title, longer, cut: shared))
                        }
                        guard other.kind != .other, !other.words.allSatisfy(CommonWords.contains),
                            part.words.first.map(Publishers.continuesTitle) != true
                        else { continue }
                        let off = Cut(isShared: false, isMarked: false, changesCasing: change, change: seen)
                        found += try authors(beside: title).map { parse(title, $0, cut: off, cutOff: [other]) }
                    }
                }
            }
        }
        return found
    }
}
