import Bibliography
import SpineReading

/// What a line on a spine is.
package enum LineRole: String, Sendable {
    case title
    case author
    case publisher
    /// A volume number, call number or other figures.
    case number
    case other
}

/// Title and author as read on a spine, without any catalog.
package struct SpineRoles: Sendable {
    package var title: String?
    package var author: String?
    /// One role for each line given.
    package var roles: [LineRole]
    /// How clearly the parts told themselves apart, 0...1.
    package var clarity: Double
}

/// Decides which lines of one spine are title, author and publisher from their size, place, casing and words.
enum RoleAssignment {
    /// - Parameter lines: of one spine, in reading order.
    static func assign(_ lines: [ShelfLine]) -> SpineRoles {
        var roles = lines.map { role(of: $0) }
        var author = authorLines(lines, roles)
        let remaining = lines.indices.filter { roles[$0] == .other && !author.contains($0) }
        if remaining.isEmpty, author.count > 1 {
            // Every line looks like a name: the largest is the title ("Emma", "David Copperfield").
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
            // Only a name, or only a publisher: a name may well be the title.
            title = name
            name = nil
        }
        let clarity = title == nil ? 0 : name == nil ? 0.4 : 1
        return SpineRoles(title: title.map(Casing.settled), author: name.map(Casing.settled), roles: roles, clarity: clarity)
    }

    private static func role(of line: ShelfLine) -> LineRole {
        let letters = line.words.filter { $0.contains(where: \.isLetter) && $0.count > 1 }
        if letters.isEmpty { return line.line.text.filter(\.isNumber).count == 4 && line.height > 0 ? .number : .number }
        if Publishers.isPublisher(line.words) { return .publisher }
        return .other
    }

    /// The lines that look most like a person's name; several where a name is broken over lines.
    private static func authorLines(_ lines: [ShelfLine], _ roles: [LineRole]) -> [Int] {
        let scored = lines.indices.filter { roles[$0] == .other }.map { (index: $0, score: NameInLine.likeness(lines[$0].words, lines[$0].line.text)) }
        let names = scored.filter { $0.score >= 0.6 }.map(\.index)
        if !names.isEmpty {
            var taken = Set(names)
            // A surname on a line of its own beside a given name in the same size.
            for index in names where lines[index].words.count == 1 {
                for neighbour in [index - 1, index + 1] where lines.indices.contains(neighbour) {
                    if roles[neighbour] == .other, lines[neighbour].words.count == 1,
                        abs(lines[neighbour].height - lines[index].height) < 0.3 * lines[index].height
                    {
                        taken.insert(neighbour)
                    }
                }
            }
            return taken.sorted()
        }
        // A single word, clearly smaller than the rest, at one end of the spine: a surname.
        let others = lines.indices.filter { roles[$0] == .other }
        guard others.count >= 2, let first = others.first, let last = others.last else { return [] }
        let tallest = others.map { lines[$0].height }.max() ?? 0
        let ends = [first, last].filter { index in
            lines[index].words.count <= 2 && lines[index].words.allSatisfy { !CommonWords.contains($0) }
                && lines[index].height < 0.85 * tallest
        }
        return ends.min { lines[$0].words.count < lines[$1].words.count }.map { [$0] } ?? []
    }

    /// The most prominent remaining line and those that continue it: of about its size, next to it.
    private static func mainTitle(_ lines: [ShelfLine], candidates: [Int]) -> [Int] {
        func prominence(_ i: Int) -> Double {
            lines[i].height * Double(min(24, lines[i].words.joined().count)).squareRoot() * lines[i].line.score
        }
        guard let main = candidates.max(by: { prominence($0) < prominence($1) }) else { return [] }
        return candidates.filter { index in
            index == main
                || (lines[index].height > 0.7 * lines[main].height && lines[index].height < 1.45 * lines[main].height
                    && lines[index].isVertical == lines[main].isVertical)
        }
    }

    private static func joined(_ indices: [Int], _ lines: [ShelfLine]) -> String? {
        let text = indices.map { lines[$0].line.text }.joined(separator: " ")
        return text.isEmpty ? nil : text
    }
}

/// Finds a person's name in text.
enum NameInLine {
    /// 0...1: how much the words look like one or more people's names and nothing else.
    static func likeness(_ words: [String], _ text: String) -> Double {
        let joiners: Set<String> = ["and", "und", "y", "et", "i", "e", "with", "by", "von", "van", "de", "la", "di", "le", "du", "der", "dr", "jr"]
        let parts = words.filter { !joiners.contains($0) }
        guard !parts.isEmpty, parts.count <= 9, !parts.contains(where: { $0.contains(where: \.isNumber) }) else { return 0 }
        if parts.contains(where: CommonWords.contains) { return 0 }
        if text.contains(":") || text.contains("?") || text.contains("!") { return 0 }
        let given = parts.filter(GivenNames.contains).count
        let initials = parts.filter { $0.count == 1 }.count
        let startsAsName = GivenNames.contains(parts[0]) || parts[0].count == 1
        if startsAsName, parts.count >= 2, parts.count <= 4 { return 1 }
        if given >= 2, given * 3 >= parts.count { return 0.9 }
        if given == 1, parts.count == 1 { return 0.6 }
        if initials >= 1, parts.count <= 4, parts.last.map({ $0.count > 2 }) ?? false { return 0.8 }
        if given >= 1, parts.count <= 3 { return 0.7 }
        return 0
    }

    /// "PAUL BEATTY THE SELLOUT" → (title, name), where a given name starts or nearly ends the line.
    static func split(_ text: String) -> (title: String, name: String)? {
        let words = text.split(separator: " ").map(String.init)
        guard words.count >= 3 else { return nil }
        let folded = words.map { TextNormalisation.fold($0) }
        func isInitial(_ i: Int) -> Bool {
            let letters = folded[i].filter(\.isLetter)
            return words[i].contains(".") && !letters.isEmpty && letters.count <= 3 && folded[i].split(separator: " ").allSatisfy { $0.count == 1 }
        }
        func isSurname(_ i: Int) -> Bool { folded[i].count > 2 && !CommonWords.contains(folded[i]) }
        /// Where a name that starts at `start` ends.
        func nameEnd(from start: Int) -> Int? {
            guard GivenNames.contains(folded[start]) || isInitial(start) else { return nil }
            var end = start + 1
            while end < words.count - 1, isInitial(end) { end += 1 }
            return end < words.count && isSurname(end) ? end : nil
        }
        if let end = nameEnd(from: 0), end + 1 < words.count {
            return (words[(end + 1)...].joined(separator: " "), words[...end].joined(separator: " "))
        }
        for start in 1..<(words.count - 1) {
            if let end = nameEnd(from: start), end == words.count - 1 {
                return (words[..<start].joined(separator: " "), words[start...].joined(separator: " "))
            }
        }
        return nil
    }
}

/// Spines shout; a library does not.
enum Casing {
    /// Text all in capitals becomes capitalised words; other text stays as printed.
    static func settled(_ text: String) -> String {
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
