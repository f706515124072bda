import Bibliography

/// Converts spine capitals to those of titles and names.
package enum Casing {
    /// Capitalises the words of a text that is all in capitals; other text is unchanged.
    package static func settled(_ text: String) -> String {
        settled(text) { previous, word in previous == nil || !CommonWords.contains(word) }
    }

    /// Does the same with a title: in Cyrillic letters, only its first word and names have capitals, as far as they are known
    /// by a given name or an initial.
    static func settledTitle(_ title: String) -> String {
        guard title.unicodeScalars.contains(where: Transliteration.isCyrillic) else { return settled(title) }
        func isGiven(_ word: String) -> Bool { NameWords.isGiven(TextNormalisation.fold(word)) }
        return settled(title) { previous, word in
            guard let previous else { return true }
            return isGiven(word) || isGiven(previous) || previous.count == 2 && previous.last == "."
        }
    }

    /// - Parameter isCapitalised: whether a word in small letters has a capital, by the word before it, which is nil for the first.
    private static func settled(_ text: String, isCapitalised: (String?, String) -> Bool) -> String {
        let letters = text.filter { $0.isUppercase || $0.isLowercase }
        guard letters.count > 3, letters.allSatisfy({ !$0.isLowercase }), !EastAsianText.isMost(of: text) else {
            return text
        }
        var previous: String?
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let lower = withFinalSigma(word.lowercased())
            defer { previous = lower }
            guard isCapitalised(previous, lower) else { return lower }
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

    /// Returns a Greek word in small letters with the form of sigma that stands at its end.
    private static func withFinalSigma(_ word: String) -> String {
        word.count > 1 && word.last == "σ" ? word.dropLast() + "ς" : word
    }
}
