import Bibliography
import Imaging
import SpineReading

/// The role of a line on a spine.
package enum LineRole: String, Sendable {
    case title
    case author
    case publisher
    /// A volume number, call number or other number.
    case number
    case other
}

/// Title and author as read on a spine, without a catalog.
package struct SpineRoles: Sendable {
    package var title: String?
    package var author: String?
    /// One role per line.
    package var roles: [LineRole]
}

/// Decides which lines of one spine are title, author and publisher, based on size, position, casing and words.
package enum RoleAssignment {
    /// - Parameter lines: of one spine, in reading order.
    package static func assign(_ lines: [UprightLine]) -> SpineRoles {
        var roles = lines.map { role(of: $0, among: lines) }
        var author = authorLines(lines, roles)
        let remaining = lines.indices.filter { roles[$0] == .other && !author.contains($0) }
        if remaining.isEmpty, author.count <= 2, let figures = figuresAsTitle(lines, roles, beside: author) {
            roles[figures] = .title
        }
        if remaining.isEmpty, !roles.contains(.title), author.count > 1,
            author.contains(where: { !NameInLine.isGivenPart(lines[$0].words) })
        {
            // Every line looks like a name; the largest is the title ("Emma", "David Copperfield").
            let largest = author.max { lines[$0].height < lines[$1].height } ?? author[0]
            author.removeAll { $0 == largest }
            roles[largest] = .title
        }
        for index in author { roles[index] = .author }
        var titleLines = lines.indices.filter { roles[$0] == .title }
        if titleLines.isEmpty { titleLines = mainTitle(lines, candidates: remaining) }
        for index in titleLines { roles[index] = .title }

        var title = joined(titleLines, lines)
        var name = joined(author, lines)
        if name == nil, let whole = title, let parts = NameInLine.split(whole) {
            (title, name) = (parts.title, parts.name)
        }
        if title == nil, author.count == 1, let whole = name, let parts = NameInLine.split(whole) {
            (title, name) = (parts.title, parts.name)
        }
        if title == nil {
            // There is only a name or only a publisher; a name may be the title.
            title = name
            name = nil
        }
        return SpineRoles(
            title: title.map { Casing.settled(Numbering.withoutFirstVolume($0)) }, author: name.map(Casing.settled),
            roles: roles)
    }

    private static func role(of line: UprightLine, among lines: [UprightLine]) -> LineRole {
        if Publishers.isPublisher(line.words) { return .publisher }
        if Numbering.isNumbering(line.words) { return .number }
        guard lines.count > 1 else { return .other }
        if Publishers.isOrganisation(line.words) { return .publisher }
        return Numbering.continuesNumbering(line.words) ? .number : .other
    }

    /// Returns a large line of digits if nothing else can be the title: `1984`, `2666`.
    private static func figuresAsTitle(_ lines: [UprightLine], _ roles: [LineRole], beside author: [Int]) -> Int? {
        guard let name = author.map({ lines[$0].height }).max() else { return nil }
        return lines.indices.filter { index in
            roles[index] == .number && lines[index].words.count == 1 && (3...4).contains(lines[index].words[0].count)
                && lines[index].words[0].contains(where: \.isNumber) && lines[index].height >= 0.7 * name
        }.max { lines[$0].height < lines[$1].height }
    }

    /// Returns the lines that look most like a person's name; several if a name spans several lines.
    private static func authorLines(_ lines: [UprightLine], _ roles: [LineRole]) -> [Int] {
        let others = lines.indices.filter { roles[$0] == .other }
        let names = others.filter { NameInLine.likeness(lines[$0].words, lines[$0].line.text) >= 0.6 }
        if !names.isEmpty {
            var taken: Set<Int> = []
            // A given name alone does not count if there is a better name.
            let whole = names.filter { lines[$0].words.count > 1 }
            for index in whole.isEmpty ? names : whole {
                taken.insert(index)
                let isUnfinished = NameInLine.isGivenPart(lines[index].words)
                let rest = others.filter { !taken.contains($0) && (isUnfinished || !names.contains($0)) }
                // One line has to remain for the title.
                guard rest.count > 1 else { continue }
                let next = rest.filter { continuesName($0, after: index, lines, isUnfinished) }
                    .min { distance($0, index, lines) < distance($1, index, lines) }
                if let next { taken.insert(next) }
            }
            takeGivenNames(names, into: &taken, lines, others)
            return taken.sorted()
        }
        return loneSurname(lines, others).map { [$0] } ?? []
    }

    /// Adds a given name on its own line that is as large as the name beside it, because it belongs to the name and
    /// not to the title: "Arthur", "Conan Doyle".
    private static func takeGivenNames(
        _ names: [Int], into taken: inout Set<Int>, _ lines: [UprightLine], _ others: [Int]
    ) {
        for name in taken.sorted() where lines[name].words.count > 1 {
            let given = names.first { index in
                !taken.contains(index) && lines[index].words.count == 1 && GivenNames.contains(lines[index].words[0])
                    && abs(lines[index].height - lines[name].height) < 0.2 * lines[name].height
                    && continuesName(index, after: name, lines, true)
            }
            // One line has to remain for the title.
            if let given, others.count > taken.count + 1 { taken.insert(given) }
        }
    }

    /// Whether a short line continues the name: next to it in about the same size, along or below.
    private static func continuesName(_ index: Int, after name: Int, _ lines: [UprightLine], _ isUnfinished: Bool)
        -> Bool
    {
        let words = lines[index].words
        let tolerance = isUnfinished ? 0.45 : 0.2
        // A given name and a surname are a complete name; text in the same size after it is the title.
        guard isUnfinished || !GivenNames.contains(lines[name].words[0]) else { return false }
        guard words.count <= (isUnfinished ? 2 : 1), lines[index].isVertical == lines[name].isVertical,
            abs(lines[index].height - lines[name].height) < tolerance * lines[name].height,
            words.contains(where: { !CommonWords.contains($0) && $0.count > 2 }),
            !words.contains(where: { $0.contains(where: \.isNumber) })
        else { return false }
        let own = lines[name].extents(in: lines[name])
        let its = lines[index].extents(in: lines[name])
        let reach = isUnfinished ? 2.0 : 0.8
        return own.along.gap(to: its.along) < reach * lines[name].height
            && own.across.gap(to: its.across) < (isUnfinished ? 1.0 : 0.5) * lines[name].height
    }

    private static func distance(_ a: Int, _ b: Int, _ lines: [UprightLine]) -> Double {
        lines[a].quad.center.distance(to: lines[b].quad.center) * max(lines[a].height, lines[b].height)
            / min(lines[a].height, lines[b].height)
    }

    /// Returns a short line at one end of a spine whose other lines read like a title or are larger.
    private static func loneSurname(_ lines: [UprightLine], _ others: [Int]) -> Int? {
        guard others.count >= 2, let first = others.first, let last = others.last else { return nil }
        let tallest = others.map { lines[$0].height }.max() ?? 0
        let candidates = [first, last].filter { index in
            let words = lines[index].words
            guard words.count <= 3, words[0].count >= 4, lines[index].line.score >= 0.85,
                !lines[index].line.text.hasSuffix(","), words.count == 1 || lines[index].height < 0.9 * tallest,
                !words.contains(where: { CommonWords.contains($0) || $0.contains(where: \.isNumber) })
            else { return false }
            // The end of a title that spans several lines: "visual de los", "Deportes".
            if index == last, let before = others.dropLast().last, isOpen(lines[before]) { return false }
            let rest = others.filter { $0 != index }.flatMap { lines[$0].words }
            let readsLikeTitle = rest.count >= 3 && rest.contains(where: CommonWords.contains) || rest.count >= 4
            // One word beside two: "Coolidge", "Amity Shlaes".
            if words.count == 2, rest.count == 1 { return true }
            return readsLikeTitle || words.count == 1 && lines[index].height < 0.8 * tallest
        }
        return candidates.min { lines[$0].height < lines[$1].height }
    }

    /// Returns the most prominent remaining line and those that continue it: next to it and about as large.
    private static func mainTitle(_ lines: [UprightLine], candidates: [Int]) -> [Int] {
        func prominence(_ i: Int) -> Double {
            lines[i].height * Double(min(24, lines[i].words.joined().count)).squareRoot() * lines[i].line.score
        }
        guard let main = candidates.max(by: { prominence($0) < prominence($1) }) else { return [] }
        var title = Set(
            candidates.filter { index in
                index == main
                    || (lines[index].height > 0.7 * lines[main].height
                        && lines[index].height < 1.45 * lines[main].height
                        && lines[index].isVertical == lines[main].isVertical)
            })
        // An incomplete line continues in the next one, whatever its size: "An Introduction to", "Thermal Physics".
        for (line, next) in zip(candidates, candidates.dropFirst()) where isOpen(lines[line]) {
            if title.contains(line) || title.contains(next) { title.formUnion([line, next]) }
        }
        for (before, line) in zip(candidates, candidates.dropFirst()).reversed() where isOpen(lines[before]) {
            if title.contains(line) { title.insert(before) }
        }
        return title.sorted()
    }

    /// Whether a line ends with a word that requires another after it.
    private static func isOpen(_ line: UprightLine) -> Bool {
        guard let last = line.words.last else { return false }
        return CommonWords.contains(last) && line.line.score >= 0.6
    }

    private static func joined(_ indices: [Int], _ lines: [UprightLine]) -> String? {
        // A single character is a logo or a speck if there is other text.
        let telling = indices.filter { lines[$0].words.joined().count > 1 }
        let text = (telling.isEmpty ? indices : telling).map { lines[$0].line.text }.joined(separator: " ")
        return text.isEmpty ? nil : text
    }
}

/// Converts spine capitals to title case.
package enum Casing {
    /// Capitalises text that is all in capitals; other text is unchanged.
    package static func settled(_ text: String) -> String {
        let letters = text.filter(\.isLetter)
        guard letters.count > 3, letters.allSatisfy({ !$0.isLowercase }) else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).enumerated().map { index, word in
            let lower = word.lowercased()
            if index > 0, CommonWords.contains(lower) { return lower }
            if word.contains("."), word.filter(\.isLetter).count <= 3 { return String(word) }
            var capitalised = ""
            var startsWord = true
            for character in lower {
                capitalised += startsWord && character.isLetter ? character.uppercased() : String(character)
                startsWord = !(character.isLetter || character.isNumber || character == "'" || character == "’")
            }
            return capitalised
        }.joined(separator: " ")
    }
}
