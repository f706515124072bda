import Bibliography

/// Joins the lines of a title.
enum PrintedTitle {
    /// Returns the title as one text, with a colon before its subtitle; nil without text.
    ///
    /// - Parameter parts: in reading order.
    static func text(of parts: [SpinePart]) -> String? {
        let start = parts.indices.dropFirst().first { index in
            parts[index].startsSubtitle(after: parts[index - 1]) && !":;,-".contains(parts[index - 1].text.last ?? " ")
                && parts[..<index].allSatisfy { $0.height >= 1.1 * parts[index].height || $0.shouts == true }
        }
        let sides = [parts[..<(start ?? parts.endIndex)], parts[(start ?? parts.endIndex)...]]
            .map { joined($0.map(\.text)) }.filter { !$0.isEmpty }
        guard let main = sides.first else { return nil }
        let cleaned = withSubtitleMark(Numbering.withoutEdition(Numbering.withoutFirstVolume(main)))
        return ([cleaned] + sides.dropFirst()).map { Casing.settledTitle(withZeros($0)) }.joined(separator: ": ")
    }

    /// Puts zeros for the letters O after a figure: `5O Poems`.
    static func withZeros(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let isNumber = word.first?.isNumber == true && word.allSatisfy { $0.isNumber || "Oo".contains($0) }
            return isNumber ? String(word.map { $0.isNumber ? $0 : "0" }) : String(word)
        }.joined(separator: " ")
    }

    /// Whether a line ends within a word: `Engels-`.
    static func isHyphenated(_ text: String) -> Bool { text.last == "-" && text.dropLast().last?.isLetter == true }

    /// Joins lines; a word that was divided at the end of a line becomes one.
    static func joined(_ lines: [String]) -> String {
        lines.reduce(into: "") { text, line in
            if isHyphenated(text), line.first?.isLetter == true {
                let isSmall = text.dropLast().last?.isLowercase == true
                text = text.dropLast() + (isSmall ? line.lowercased() : line)
            } else {
                text += (text.isEmpty ? "" : " ") + line
            }
        }
    }

    /// Adds a colon where a capitalised article begins a subtitle: `Functional Histology A Text and Colour Atlas`.
    ///
    /// Only where another function word of the line is in small letters, because some titles capitalise all words.
    static func withSubtitleMark(_ text: String) -> String {
        let words = text.split(separator: " ")
        func isFunction(_ word: Substring) -> Bool { CommonWords.contains(word.lowercased()) }
        guard !text.contains(":"), words.contains(where: { isFunction($0) && $0.first?.isLowercase == true }),
            let start = words.indices.dropFirst(2).dropLast(2).first(where: { index in
                ["A", "An", "The"].contains(words[index]) && !isFunction(words[index - 1])
                    && words[index - 1].last?.isLetter == true
            })
        else { return text }
        return words[..<start].joined(separator: " ") + ": " + words[start...].joined(separator: " ")
    }
}
