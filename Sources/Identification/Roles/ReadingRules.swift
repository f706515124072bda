import Bibliography
import Foundation

/// Excludes ways to read a spine that the language of titles and names excludes.
enum ReadingRules {
    /// A line ends within a word or at `&`, so that the next belongs to the same title or author; names that `&` joins are the
    /// author; names do not end with a possessive, a function word or `edition`, have no number and are more than an article or
    /// a letter; neither title nor author ends with a comma; a title starts or ends at the point between it and a name.
    ///
    /// - Parameters:
    ///   - parses: not empty.
    ///   - lines: the text of the spine's lines, in reading order.
    ///   - kinds: what their words alone say.
    /// - Returns: the ways that remain; all of them if none would.
    static func possible(_ parses: [SpineParse], lines: [String], kinds: [LineRole]) -> [SpineParse] {
        let pairs = lines.indices.dropLast()
        let joined = pairs.filter { line in
            (lines[line].last == "&" || lines[line + 1].first == "&")
                && kinds[line] == .other && kinds[line + 1] == .other
        }
        let divided = Set(joined).union(pairs.filter { PrintedTitle.isHyphenated(lines[$0]) })
        let names = joined.filter { areNames([lines[$0], lines[$0 + 1]]) }
        let points = lines.indices.compactMap { DividedLine($0, lines[$0]) }
        let possible = parses.filter { parse in
            let (title, author) = (parse.title.lines, parse.author.lines)
            return !parse.author.measures.isPossessive && !parse.author.measures.isParticle
                && !parse.author.measures.hasDigit && !parse.author.measures.endsUnlikeName
                && !parse.title.measures.endsWithComma && !parse.author.measures.endsWithComma
                && divided.allSatisfy { line in
                    title.contains(line) == title.contains(line + 1)
                        && author.contains(line) == author.contains(line + 1)
                }
                && names.allSatisfy { author.contains($0) || title == [$0, $0 + 1] }
                && points.allSatisfy { $0.divides(parse.title) }
        }
        return possible.isEmpty ? parses : possible
    }

    private static func areNames(_ lines: [String]) -> Bool {
        // An ampersand is folded to a word.
        let words = lines.map { TextNormalisation.words($0).filter { $0 != "and" } }
        return NameWords.areNames(words) && !Publishers.isPublisher(words.flatMap(\.self))
    }

    /// A line in which a point divides a name from the title: `Carroll · Die kleine Alice`.
    private struct DividedLine {
        private let line: Int
        private let startsWithName: Bool

        init?(_ line: Int, _ text: String) {
            guard text.contains(where: Self.isPoint), let split = NameInLine.split(text) else { return nil }
            (self.line, startsWithName) = (line, text.hasPrefix(split.name))
        }

        /// Whether the point is not within a title.
        func divides(_ title: PartRun) -> Bool {
            guard let part = title.parts.first(where: { $0.line == line }) else { return true }
            return !part.text.contains(where: Self.isPoint)
                && (startsWithName ? title.lines.first : title.lines.last) == line
        }

        private static func isPoint(_ character: Character) -> Bool { "·•".contains(character) }
    }

    /// Returns the best way to read a spine, given how good each is.
    ///
    /// Where the best takes a person's full name for the title, and other text for the author or nothing, the name is the
    /// author of the rest. Surnames that are set alike, one on each line, are of one author. A title of one word without a
    /// name beside it includes the line before, which is its adjective more often than anything else: `INTRODUCTORY` above
    /// `Combinatorics`.
    static func best(of parses: [SpineParse], _ values: [Double]) -> Int? {
        guard let best = values.indices.max(by: { values[$0] < values[$1] }) else { return nil }
        let (name, author) = (parses[best].title, parses[best].author)
        func likeliest(where matches: (SpineParse) -> Bool) -> Int? {
            values.indices.filter { matches(parses[$0]) }.max { values[$0] < values[$1] }
        }
        if isName(author) {
            return likeliest { parse in
                parse.title.lines == name.lines && parse.title.text == name.text
                    && parse.author.lines.count > author.lines.count && parse.author.lines.starts(with: author.lines)
                    && areSurnames(parse.author.parts)
            } ?? best
        }
        if isFullName(name) {
            return likeliest { parse in
                parse.author.lines == name.lines && parse.author.text == name.text
                    && parse.title.letters >= leastLetters
                    && parse.title.words.count { !CommonWords.contains($0) } >= 2 && !isName(parse.title)
                    && !parse.title.isPublisher
            } ?? best
        }
        guard name.words.count == 1, name.parts.count == 1, parses[best].cut == nil else { return best }
        return likeliest { parse in
            parse.cut == nil && parse.author.words.isEmpty && parse.title.lines == [name.lines[0] - 1, name.lines[0]]
                && isAdjective(parse.title.parts[0])
        } ?? best
    }

    /// Whether lines are one word each, set alike, and none is a publisher or a number.
    private static func areSurnames(_ parts: [SpinePart]) -> Bool {
        parts.allSatisfy { part in
            part.words.count == 1 && part.letters > 2 && part.kind == .other && part.shouts == parts[0].shouts
                && part.isVertical == parts[0].isVertical && abs(log(part.height / parts[0].height)) < 0.1
        }
    }

    /// Whether a line is one word that was read well and is not a name.
    private static func isAdjective(_ line: SpinePart) -> Bool {
        line.words.count == 1 && line.letters >= 4 && line.score >= 0.9 && line.meanOdds < 0 && line.likeness < 0.6
            && !line.hasDigit
    }

    /// Of a title that replaces a name.
    private static let leastLetters = 8

    private static func isName(_ run: PartRun) -> Bool {
        !run.words.isEmpty && (run.likeness >= 0.6 || run.odds.reduce(0, +) > 0.5 * Double(run.odds.count))
    }

    private static func isFullName(_ run: PartRun) -> Bool {
        run.words.count >= 2 && run.likeness >= 0.9 && run.words.first.map(NameWords.isGiven) == true
    }

    /// Whether title and author are the two halves of one name, and the spine shows nothing else.
    static func areOneName(_ roles: SpineRoles) -> Bool {
        guard let title = roles.title, let author = roles.author, !roles.roles.contains(.other) else { return false }
        let (surname, given) = (TextNormalisation.words(title), TextNormalisation.words(author))
        return surname.count == 1 && surname[0].count > 3 && given.count { $0.count > 1 } == 1
            && NameInLine.isGivenPart(given)
            && (NameWords.odds(of: given + surname).last ?? 0) > 0
    }
}
