import Bibliography

/// Excludes ways to read a spine that the language of titles and names excludes.
enum ReadingRules {
    /// A line ends within a word, so that the next belongs to the same title or author; names do not end with a possessive
    /// and are more than an article or a letter; neither title nor author ends with a comma.
    ///
    /// - Parameters:
    ///   - parses: not empty.
    ///   - lines: the text of the spine's lines, in reading order.
    /// - Returns: the ways that remain; all of them if none would.
    static func possible(_ parses: [SpineParse], lines: [String]) -> [SpineParse] {
        let divided = lines.indices.dropLast().filter { PrintedTitle.isHyphenated(lines[$0]) }
        let possible = parses.filter { parse in
            let (title, author) = (parse.title.lines, parse.author.lines)
            return !parse.author.measures.isPossessive && !parse.author.measures.isParticle
                && !parse.title.measures.endsWithComma && !parse.author.measures.endsWithComma
                && divided.allSatisfy { line in
                    title.contains(line) == title.contains(line + 1)
                        && author.contains(line) == author.contains(line + 1)
                }
        }
        return possible.isEmpty ? parses : possible
    }

    /// Returns the best way to read a spine, given how good each is.
    ///
    /// Where the best takes a person's full name for the title, and other text for the author or nothing, the name is the
    /// author of the rest.
    static func best(of parses: [SpineParse], _ values: [Double]) -> Int? {
        guard let best = values.indices.max(by: { values[$0] < values[$1] }) else { return nil }
        let name = parses[best].title
        guard isFullName(name), !isName(parses[best].author) else { return best }
        return values.indices.filter { index in
            let (title, author) = (parses[index].title, parses[index].author)
            return author.lines == name.lines && author.text == name.text && title.letters >= leastLetters
                && title.words.count { !CommonWords.contains($0) } >= 2 && !isName(title) && !title.isPublisher
        }.max { values[$0] < values[$1] } ?? best
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
        let isName = (NameWords.odds(of: given + surname).last ?? 0) > 0
        return isName && surname.count == 1 && surname[0].count > 3 && given.count { $0.count > 1 } == 1
            && NameInLine.isGivenPart(given)
            && (NameWords.odds(of: given + surname).last ?? 0) > 0
    }
}
