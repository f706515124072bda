import Bibliography
import Foundation

/// Excludes ways to read a spine that the language of titles and names excludes.
enum ReadingRules {
    /// A line ends within a word or at `&`, so that the next belongs to the same title or author; names that `&` joins are
    /// the author; names do not start with an article or a preposition, do not end with a possessive, a function word or
    /// `edition`, have no number and are more than an article or a letter; neither title nor author ends with a comma; a
    /// title starts or ends at the point between it and a name, and does not have the name after `by`; the name before
    /// `mystery` is not the author's.
    ///
    /// - Parameters:
    ///   - parses: not empty.
    ///   - lines: the text of the spine's lines, in reading order.
    ///   - kinds: what their words alone say.
    ///   - credits: what they say of people.
    /// - Returns: the ways that remain; all of them if none would.
    static func possible(
        _ parses: [SpineParse], lines: [String], kinds: [LineRole], credits: [Contributors.Credit?]
    ) -> [SpineParse] {
        let pairs = lines.indices.dropLast()
        let joined = pairs.filter { line in
            (lines[line].last == "&" || lines[line + 1].first == "&")
                && kinds[line] == .other && kinds[line + 1] == .other
        }
        let divided = Set(joined).union(pairs.filter { PrintedTitle.isHyphenated(lines[$0]) })
        let names = joined.filter { areNames([lines[$0], lines[$0 + 1]]) }
        let points = lines.indices.compactMap { DividedLine($0, lines[$0]) }
        let credited = Set(lines.indices.filter { credits[$0] != nil && kinds[$0] == .other })
        // A life that a companion wrote down.
        let told = credited.first { credits[$0]?.part == .companion }
        let others = lines.indices.filter { kinds[$0] == .other && !credited.contains($0) }
        let heroes = lines.indices.dropLast().filter { namesCharacter(before: lines[$0 + 1]) }
        let characters = Set(heroes).union(heroes.filter { $0 > 0 && isGivenPart(lines[$0 - 1]) }.map { $0 - 1 })
        let possible = parses.filter { parse in
            let (title, author) = (parse.title.lines, parse.author.lines)
            return !parse.author.startsUnlikeName && !parse.author.measures.isPossessive
                && !parse.author.measures.isParticle
                && !parse.author.measures.hasDigit && !parse.author.measures.endsUnlikeName
                && !parse.title.measures.endsWithComma && !parse.author.measures.endsWithComma
                && divided.allSatisfy { line in
                    title.contains(line) == title.contains(line + 1)
                        && author.contains(line) == author.contains(line + 1)
                }
                && names.allSatisfy { author.contains($0) || title == [$0, $0 + 1] }
                && points.allSatisfy { $0.divides(parse.title) }
                && credited.isDisjoint(with: title)
                && (told == nil || author == told.map { [$0] } && title == others)
                && characters.isDisjoint(with: author)
        }
        return possible.isEmpty ? parses : possible
    }

    /// Whether a line follows the name of a book's hero: `A KARL RIEDER` and `MYSTERY`.
    private static func namesCharacter(before line: String) -> Bool {
        ["mystery", "mysteries", "novel", "adventure", "investigation"].contains(TextNormalisation.words(line).first)
    }

    private static func isGivenPart(_ line: String) -> Bool { NameInLine.isGivenPart(TextNormalisation.words(line)) }

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
            guard Self.hasPoint(text), let split = NameInLine.split(text) else { return nil }
            (self.line, startsWithName) = (line, text.hasPrefix(split.name))
        }

        /// Whether the point is not within a title.
        func divides(_ title: PartRun) -> Bool {
            guard let part = title.parts.first(where: { $0.line == line }) else { return true }
            return !Self.hasPoint(part.text)
                && (startsWithName ? title.lines.first : title.lines.last) == line
        }

        private static func hasPoint(_ text: String) -> Bool {
            text.contains { "·•".contains($0) } || text.contains(" / ")
        }
    }

    /// Returns the best way to read a spine, given how good each is.
    ///
    /// Where the best takes a person's full name for the title, and other text for the author or nothing, the name is the
    /// author of the rest. Surnames that are set alike, one on each line, are of one author. A title of one word without a
    /// name beside it includes the line before, which is its adjective more often than anything else: `INTRODUCTORY` above
    /// `Combinatorics`.
    static func best(of parses: [SpineParse], _ values: [Double], knowing names: KnownNames) -> Int? {
        guard let best = values.indices.max(by: { values[$0] < values[$1] }) else { return nil }
        let (name, author) = (parses[best].title, parses[best].author)
        func likeliest(where matches: (SpineParse) -> Bool) -> Int? {
            values.indices.filter { matches(parses[$0]) }.max { values[$0] < values[$1] }
        }
        if names.evidence(for: author.words) == 0, let subject = subject(of: parses[best]) {
            return likeliest { $0.title.lines == subject.title && $0.author.lines == subject.author } ?? best
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

    /// Where a spine shows the full names of two people on lines of their own, the larger one is the subject of a life and
    /// the smaller one its author: its lines if the way to read it has them the other way round.
    private static func subject(of parse: SpineParse) -> (title: [Int], author: [Int])? {
        let (title, author) = (parse.title, parse.author)
        guard parse.cut == nil, author.parts.count == 1, author.words.count <= 3, isFullName(author),
            let name = title.parts.last(where: { isLikelyName($0) }),
            author.measures.height >= largerSubject * name.height
        else { return nil }
        let others = title.lines.filter { $0 != name.line }
        return (author.lines + others, [name.line])
    }

    /// Whether a line has two or three words, none of which is a function word, that are a name rather than a title.
    private static func isLikelyName(_ line: SpinePart) -> Bool {
        2...3 ~= line.words.count && !line.hasCommonWord && !line.hasDigit
            && (line.likeness >= 0.6 || line.odds.reduce(0, +) > 0)
    }

    /// The ratio of their heights.
    private static let largerSubject = 1.25

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
