import Bibliography
package import ShelflistAPI

/// The text of one spine, prepared for comparison with records.
package struct SpineWords: Sendable {
    struct Word: Sendable {
        /// 0...1: how rare the word is, reduced if it was read poorly or belongs to a publisher's name.
        let rarity: Double
        let isFigure: Bool
        /// Whether the word is in the catalog, has three letters or more, and is not part of a call number.
        let isKnown: Bool
    }

    /// The folded words, in reading order.
    package let text: [String]
    let folded: [FoldedWord]
    let words: [Word]
    /// For each word whether it is a given name.
    let isGivenName: [Bool]
    /// All letters in reading order, and with the words in alphabetical order.
    let letters: LetterAlignment
    let sortedLetters: LetterAlignment
    let compact: [UInt8]
    /// The three letters of a library's call number (`796.332 Luc`), which most libraries take from the main entry.
    let callLetters: [[UInt8]]
    /// Numbers that are not part of a call number.
    let figures: Set<String>
    /// Those that may be of a volume, also where they need the titles of others to be recognised (a lone `I`, `上`).
    let volumeNumbers: Set<String>

    /// Words beyond this limit are ignored; no spine has more.
    package static let wordLimit = 64

    package init(_ lines: [ReadText], weights: WordWeights) throws {
        var text: [String] = []
        var words: [Word] = []
        var isCall: [Bool] = []
        var callLetters: [[UInt8]] = []
        var volumeNumbers: Set<String> = []
        for line in lines {
            let folded = TextNormalisation.words(line.text)
            let call = CallNumber.find(in: line.text)
            callLetters += call.letters.map { Array($0.utf8) }
            volumeNumbers.formUnion(VolumeNumber.all(in: line.text).filter { !call.words.contains($0) })
            let isPublisher = lines.count > 1 && Publishers.isPublisher(folded)
            for word in folded where text.count < Self.wordLimit && word.utf8.count <= 64 {
                let weight = try weights.weight(of: word)
                var rarity = weight.rarity
                let isFigure = word.allSatisfy(\.isNumber)
                if isFigure || word.comparedCount <= 2 { rarity = min(rarity, 0.15) }
                if call.words.contains(word) { rarity = min(rarity, 0.05) }
                if isPublisher { rarity *= 0.15 } else if Publishers.isPublisherWord(word) { rarity *= 0.6 }
                text.append(word)
                isCall.append(call.words.contains(word))
                words.append(
                    Word(
                        rarity: rarity * line.score * line.score, isFigure: isFigure,
                        isKnown: weight.isKnown && !isFigure && word.comparedCount >= 3
                            && !call.words.contains(word)))
            }
        }
        self.text = text
        self.words = words
        isGivenName = text.map(GivenNames.contains)
        folded = text.map { FoldedWord($0) }
        let own = text.indices.filter { !isCall[$0] }.map { text[$0] }
        compact = own.joined().comparedLetters
        letters = LetterAlignment(compact)
        sortedLetters = LetterAlignment(own.sorted().joined().comparedLetters)
        self.callLetters = callLetters
        figures = Set(own.compactMap(Figures.value))
        self.volumeNumbers = volumeNumbers
    }
}

/// Call numbers on library labels: a class or kind (`796.332`, `JN`) with three letters of the main entry.
package enum CallNumber {
    /// Returns the letters of all possible call numbers in the text, folded, and all their folded words.
    ///
    /// `fue` in "796.51(46.71) Fue CAMINS", `pla` in "Ariel P 841B Pla", `kri` in "1(Kri)".
    package static func find(in text: String) -> (letters: [String], words: Set<String>) {
        let tokens = text.split { $0.isWhitespace || "()[]/|".contains($0) }
        var letters: [String] = []
        var words: Set<String> = []
        for (place, token) in tokens.enumerated() where isMark(token) {
            let beside = [place - 1, place + 1].filter { tokens.indices.contains($0) && isClass(tokens[$0]) }
            guard !beside.isEmpty else { continue }
            letters.append(TextNormalisation.fold(String(token)))
            words.formUnion(([place] + beside).flatMap { TextNormalisation.words(String(tokens[$0])) })
        }
        return (letters, words)
    }

    /// Three letters, the first a capital: `Fue`.
    private static func isMark(_ token: Substring) -> Bool {
        guard token.count == 3, token.allSatisfy(\.isLetter), let first = token.first, first.isUppercase else {
            return false
        }
        return token.dropFirst().allSatisfy(\.isLowercase)
            && !CommonWords.contains(TextNormalisation.fold(String(token)))
    }

    /// Digits, or a kind of one to three capitals: `N`, `JN`.
    private static func isClass(_ token: Substring) -> Bool {
        token.contains(where: \.isNumber) || token.count <= 3 && token.allSatisfy { $0.isLetter && $0.isUppercase }
    }
}

/// Volume numbers and years in any notation.
enum Figures {
    /// Returns the number that a folded word represents: `2` for `ii`; `nil` for other words.
    ///
    /// A lone `i`, `v` or `x` is a word or a speck as often as a number.
    static func value(_ word: String) -> String? {
        word.allSatisfy(\.isNumber) ? word : roman[word]
    }

    private static let roman: [String: String] = [
        "ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "xi": "11", "xii": "12",
    ]
}
