import Bibliography
import Bounds

/// Finds people's names in text.
package enum NameInLine {
    private static let joiners: Set<String> = [
        "and", "und", "y", "et", "i", "e", "with", "by", "von", "van", "de", "la", "di", "le", "du", "der", "den",
        "ten", "dr", "jr", "md", "phd", "prof", "mccall", "mc",
    ]
    /// Whether a word stands between the names of people or the parts of one.
    static func joins(_ word: String) -> Bool { joiners.contains(word) }

    private static let particles: Set<String> = [
        "von", "van", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "le", "ten", "mc", "ibn",
        "bin", "al",
    ]

    /// Returns 0...1: how much the words look like one or more people's names and nothing else.
    package static func likeness(_ words: [String], _ text: String) -> Double {
        let parts = words.filter { !joiners.contains($0) }
        guard !parts.isEmpty, parts.count <= 10, !parts.contains(where: hasNumber) else { return 0 }
        if parts.contains(where: { CommonWords.contains($0) && !isInitial($0, of: text) }) { return 0 }
        if hasMark(text) { return 0 }
        if isListOfNames(text, words) { return 0.9 }
        let given = parts.filter(NameWords.isGiven).count
        let initials = parts.filter { $0.count == 1 }.count
        let startsAsName = NameWords.isGiven(parts[0]) || parts[0].count == 1
        if startsAsName, parts.count >= 2, parts.count <= 5 { return 1 }
        if given >= 2, given * 3 >= parts.count { return 0.9 }
        if given == 1, parts.count == 1 { return 0.6 }
        if initials >= 1, parts.count <= 4, parts.contains(where: { $0.count > 2 }) { return 0.8 }
        if words.count >= 3, words.count <= 5,
            words.dropFirst().contains(where: { ["von", "van", "mc", "ibn", "bin"].contains($0) })
        {
            return 0.8
        }
        if given >= 1, parts.count <= 3 { return 0.7 }
        return 0
    }

    /// Whether a letter that is a word, too, is part of a name: `A. Moreno`, `O'Brien`.
    static func isInitial(_ word: String, of text: String) -> Bool {
        word.count == 1 && [".", "'", "’"].contains { text.contains(word.uppercased() + $0) }
    }

    /// Whether the words are only given names and initials, so that the surname must be elsewhere.
    package static func isGivenPart(_ words: [String]) -> Bool {
        guard let first = words.first, NameWords.isGiven(first) || first.count == 1 else { return false }
        return words.allSatisfy { $0.count == 1 || NameWords.isGiven($0) || particles.contains($0) }
    }

    /// Whether text has a mark that names have not.
    static func hasMark(_ text: String) -> Bool { text.utf8.contains { marks.contains($0) } }
    private static let marks = Array(":?!".utf8)
    private static let listMarks = Array("/&,|".utf8) + [0xC2, 0xE2]

    static func hasNumber(_ word: String) -> Bool {
        var isASCII = true
        for byte in word.utf8 {
            if byte &- UInt8(ascii: "0") < 10 { return true }
            if byte >= 0x80 { isASCII = false }
        }
        return !isASCII && word.contains(where: \.isNumber)
    }

    /// "Hastie · Tibshirani · Friedman", "STRUNK / WHITE / KALMAN", "Gonick & Smith".
    private static func isListOfNames(_ text: String, _ words: [String]) -> Bool {
        // Most text has no mark between names; those beyond ASCII begin with these bytes.
        guard words.contains("and") || text.utf8.contains(where: { listMarks.contains($0) }) else { return false }
        let parts = text.replacing(" and ", with: "&").split { "·•/&,|".contains($0) }
            .map { TextNormalisation.words(String($0)) }.filter { !$0.isEmpty }
        let marks = text.contains { "·•/&|".contains($0) } || parts.count >= 3
        return marks && parts.count >= 2
            && parts.allSatisfy { words in
                words.count <= 3 && !words.contains(where: CommonWords.contains) && words.joined().count >= 3
            }
    }

    /// Splits a line that contains both: "PAUL BEATTY THE SELLOUT" → (title, name).
    package static func split(_ text: String) -> (title: String, name: String)? {
        splitAtMark(text) ?? splitAtCasing(text) ?? splitAtGivenName(text)
    }

    /// "Huxley: Kontrapunkt des Lebens", "Carroll · Die kleine Alice".
    private static func splitAtMark(_ text: String) -> (title: String, name: String)? {
        for mark in ["·", "•", ". ", ": ", " – ", " - ", " / "] {
            guard let range = text.firstRange(of: mark) else { continue }
            if mark == " / ", text[range.upperBound...].contains(mark) { continue }
            let before = String(text[..<range.lowerBound])
            let after = String(text[range.upperBound...])
            let (first, second) = (TextNormalisation.words(before), TextNormalisation.words(after))
            guard let last = first.last, second.joined().count >= 3 else { continue }
            // The full stop of an initial does not end a sentence.
            if mark == ". ", last.count < 3 { continue }
            // A slash divides the titles of two works, too: `The Long River / Lord Karl`.
            let least = mark == " / " ? 0.9 : 0.7
            if likeness(first, before) >= least, first.joined().count >= 4 { return (trimmed(after), trimmed(before)) }
            if mark != ". ", likeness(second, after) >= least { return (trimmed(before), trimmed(after)) }
            let isSurname = first.count == 1 && first[0].count >= 4 && !CommonWords.contains(first[0])
            if isSurname, ![". ", " / "].contains(mark), second.contains(where: CommonWords.contains),
                after.first?.isUppercase ?? false || mark == "·"
            {
                return (trimmed(after), trimmed(before))
            }
        }
        return nil
    }

    /// "Colm Tóibín BROOKLYN": if the casing changes, one side is the name.
    private static func splitAtCasing(_ text: String) -> (title: String, name: String)? {
        let words = text.split(separator: " ").map(String.init)
        func shouts(_ word: String) -> Bool? {
            let letters = word.filter(\.isLetter)
            return letters.count < 3 ? nil : letters.allSatisfy { !$0.isLowercase }
        }
        let casings = words.map(shouts)
        let known = casings.compactMap { $0 }
        guard let first = known.first, let change = casings.firstIndex(where: { $0 == !first }),
            !casings[change...].contains(where: { $0 == first })
        else { return nil }
        let before = words[..<change].joined(separator: " ")
        let after = words[change...].joined(separator: " ")
        let nameBefore = nameScore(before)
        let nameAfter = nameScore(after)
        guard max(nameBefore, nameAfter) > 0, nameBefore != nameAfter else { return nil }
        return nameBefore > nameAfter ? (trimmed(after), trimmed(before)) : (trimmed(before), trimmed(after))
    }

    private static func nameScore(_ text: String) -> Double {
        let words = TextNormalisation.words(text)
        let likeness = likeness(words, text)
        if likeness > 0 { return likeness }
        let isPlain =
            (1...3).contains(words.count)
            && !words.contains { CommonWords.contains($0) || $0.contains(where: \.isNumber) }
        return isPlain ? 0.3 : 0
    }

    /// Splits at a given name that starts the line or almost ends it.
    private static func splitAtGivenName(_ text: String) -> (title: String, name: String)? {
        let words = text.split(separator: " ").map(String.init)
        guard words.count >= 3 else { return nil }
        let folded = words.map { TextNormalisation.fold($0) }
        func isInitial(_ i: Int) -> Bool {
            words[i].contains(".") && !folded[i].isEmpty && folded[i].split(separator: " ").allSatisfy { $0.count == 1 }
        }
        func isSurname(_ i: Int) -> Bool { folded[i].count > 2 && !CommonWords.contains(folded[i]) }
        /// Returns the end of a name that starts at `start`.
        func nameEnd(from start: Int) -> Int? {
            guard NameWords.isGiven(folded[start]) || isInitial(start) else { return nil }
            var end = start + 1
            while end < words.count - 1,
                isInitial(end) || particles.contains(folded[end])
                    || (NameWords.isGiven(folded[end]) && isSurname(end + 1))
            {
                end += 1
            }
            return end < words.count && isSurname(end) ? end : nil
        }
        if let end = nameEnd(from: 0), end + 1 < words.count {
            return (words[(end + 1)...].joined(separator: " "), words[...end].joined(separator: " "))
        }
        for start in Range(from: 1, upTo: words.count - 1) where nameEnd(from: start) == words.count - 1 {
            return (words[..<start].joined(separator: " "), words[start...].joined(separator: " "))
        }
        return nil
    }

    /// Whether text ends with a word before the name of its author: `Poems by`.
    static func marksAuthor(_ words: [String]) -> Bool { words.last.map(["by", "von", "par", "por"].contains) == true }

    /// Whether a cut divides a name after a function word: `The Life of Karl` and `Rieder`.
    static func isDivided(_ before: [String], _ after: [String]) -> Bool {
        guard before.count > 2, let given = before.last, let surname = after.first else { return false }
        return NameWords.isGiven(given) && ["of", "by", "von", "de", "di"].contains(before[before.count - 2])
            && !CommonWords.contains(surname) && (after.count == 1 || !NameWords.isGiven(surname))
    }

    /// A text without its first words.
    static func without(_ words: Int, of text: String) -> String {
        text.split(separator: " ").dropFirst(words).joined(separator: " ")
    }

    static func trimmed(_ text: String) -> String {
        let marks = " .,:;·•/|-–"
        return String(text.drop { marks.contains($0) }.reversed().drop { marks.contains($0) }.reversed())
    }
}
