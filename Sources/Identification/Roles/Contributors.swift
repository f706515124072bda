import Bibliography
import SpineReading

/// The lines of a spine that say what a person did for the book: `edited by Ana Moreno`, `with Karl Rieder`.
enum Contributors {
    enum Part: Sendable {
        /// Wrote or edited the book.
        case author
        /// Wrote it with the author, who is named on another line.
        case companion
        /// Translated or illustrated it, or wrote a part of it.
        case other
    }

    /// What a line says.
    struct Credit: Sendable {
        var part: Part
        /// The words before the name.
        var marks: Int
    }

    /// The longer ones first.
    private static let marks: [(words: [String], part: Part)] = {
        let texts: [(part: Part, marks: [String])] = [
            (
                .author,
                [
                    "edited by", "ed by", "written by", "by", "herausgegeben von", "hrsg von", "hg von", "editado por",
                    "a cura di", "sous la direction de",
                ]
            ),
            (.companion, ["with", "in collaboration with"]),
            (
                .other,
                [
                    "translated by", "translation by", "illustrated by", "illustrations by", "introduction by",
                    "introduced by", "foreword by", "preface by", "afterword by", "with an introduction by",
                    "with a foreword by", "read by", "ubersetzt von", "ubertragen von", "illustriert von",
                    "traduit par",
                    "traduccion de", "ilustrado por", "перевод",
                ]
            ),
        ]
        let marks = texts.flatMap { text in
            text.marks.map { (words: $0.split(separator: " ").map(String.init), part: text.part) }
        }
        return marks.sorted { $0.words.count > $1.words.count }
    }()

    /// Returns what each line says; nil for other lines.
    ///
    /// `Translated` may be on a line of its own before `by`, and a surname after a given name.
    static func credits(_ lines: [[String]]) -> [Credit?] {
        var credits = [Credit?](repeating: nil, count: lines.count)
        for place in lines.indices {
            if credits[place] != nil { continue }
            let (line, next) = (lines[place], place + 1 < lines.count ? lines[place + 1] : [])
            let isDivided = line.count == 1 && next.first == "by" && next.count > 1
            guard let (mark, part) = marks.first(where: { (isDivided ? line + next : line).starts(with: $0.words) }),
                isDivided ? mark.count == 2 : line.count > mark.count
            else { continue }
            let named = isDivided ? place + 1 : place
            let (count, name) = (isDivided ? 1 : mark.count, Array(lines[named].dropFirst(isDivided ? 1 : mark.count)))
            guard isName(name) else { continue }
            if isDivided { credits[place] = Credit(part: .other, marks: line.count) }
            credits[named] = Credit(part: part, marks: count)
            if part == .other, NameInLine.isGivenPart(name), named + 1 < lines.count, lines[named + 1].count == 1 {
                credits[named + 1] = Credit(part: part, marks: 0)
            }
        }
        return credits
    }

    private static func isName(_ words: [String]) -> Bool {
        guard !words.contains(where: { CommonWords.contains($0) && !NameInLine.joins($0) }) else { return false }
        return NameInLine.likeness(words, words.joined(separator: " ")) >= 0.6 || NameWords.areNames([words])
    }

    /// Whether a line names the source of a praise: `—KARL RIEDER, The Evening Post`.
    static func isAttribution(_ text: String) -> Bool {
        guard let first = text.first, "—―".contains(first) else { return false }
        return text.dropFirst().first?.isLetter == true
            && TextNormalisation.words(text).first.map { $0.count == 1 || !CommonWords.contains($0) } == true
    }

    /// Whether a line begins a quotation, beside the line that names its source.
    static func isQuotation(_ text: String) -> Bool { text.first.map { "\"“„«".contains($0) } == true }
}
