import Imaging

/// Letters that the recognisers do not have.
///
/// They are read as letters that look like them, or left out, and what remains scores as high as text: 42 look-alike titles
/// with a confidence of up to 0.57 were reported on four shelves in Russian.
package enum UnknownLetters: String, Codable, Sendable {
    case cyrillic
    case greek
    case other

    /// The script; nil where only that they are unknown is known.
    var script: LetterScript? {
        switch self {
        case .cyrillic: .cyrillic
        case .greek: .greek
        case .other: nil
        }
    }

    /// Lines whose text was not read are kept without it, so that their spines keep their place.
    private static let unread = ""

    /// Returns the lines of a photo whose letters are known, and others without text.
    ///
    /// - Parameter lines: as read, also those with no text.
    package func withoutLookAlikes(_ lines: [TextLine]) -> [TextLine] {
        lines.compactMap { line -> TextLine? in
            if areKnown(in: line) { return line }
            return Self.isLong(line) ? TextLine(text: Self.unread, score: line.score, quad: line.quad) : nil
        }
    }

    /// Whether a long line has several Latin letters, and hardly one that no Cyrillic letter looks like; noise aside.
    static func areLookAlikes(_ line: TextLine) -> Bool {
        let letters = line.text.count(where: isLatin)
        return isLong(line) && line.score >= noiseBelow && letters >= leastOfLine
            && Double(line.text.count(where: isTelling)) < lowestTelling * Double(letters)
    }

    /// Whether a line has so few letters for its length that most were left out.
    static func areFew(in line: TextLine) -> Bool {
        line.quad.length >= shortestOfFew * line.quad.height && lettersPerHeight(line) < fewestOfLine
    }

    // MARK: Signs

    /// The least number of letters, 60, and of long lines, 5, that show which letters a shelf has.
    private static let (leastLetters, leastLines) = (60, 5)
    /// Of the Latin letters on shelves in Russian 0.04 to 0.07 have no Cyrillic twin, on others 0.19 and more.
    private static let lowestTelling = 0.12
    /// As the quick recogniser reads them, 0.05 to 0.15 have none, on others 0.19 and more.
    private static let suspectTelling = 0.17
    /// The recognisers know Greek letters without accents, and read three of four wrong: on other shelves they are one
    /// letter in a hundred.
    private static let mostGreek = 0.25
    /// The letters of a line for each of its heights: 0.39 to 0.70 in the median where the letters are unknown, 1.14 and more
    /// elsewhere, also in Chinese and Japanese.
    private static let fewestLetters = 0.9
    /// Of 20 shelves in known letters, 0 to 4 % of the lines have fewer, of shelves in Russian 48 to 82 %.
    private static let fewestOfLine = 0.6
    /// In heights: a shorter line with few letters is an initial or a number.
    private static let shortestOfFew = 5.0
    /// A word of fewer letters has none without a Cyrillic twin often enough.
    private static let leastOfLine = 5
    private static let sureScore = 0.95
    /// The median score of long lines: between the two, only a recogniser of the script can decide.
    ///
    /// 0.47 to 0.8 on drawn shelves in Arabic, Hebrew, Hindi, Korean and Thai, 0.95 and more on 33 shelves in known letters.
    private static let (unknownScore, doubtfulScore) = (0.82, 0.9)
    private static let noiseBelow = 0.5

    /// Returns the letters that a shelf may have, by what the quick recogniser reads; another has to confirm them.
    static func suspected(in lines: [TextLine]) -> UnknownLetters? { named(in: lines, below: suspectTelling) }

    private static func named(in lines: [TextLine], below lowestTelling: Double) -> UnknownLetters? {
        let clear = lines.filter { $0.score > noiseBelow }.map(\.text).joined()
        let letters = clear.count(where: \.isLetter)
        let latin = clear.count(where: isLatin)
        if letters >= leastLetters,
            Double(clear.count(where: LetterScript.greek.contains)) >= mostGreek * Double(letters)
        {
            return .greek
        }
        if latin >= leastLetters, 2 * latin > letters,
            Double(clear.count(where: isTelling)) < lowestTelling * Double(latin)
        {
            return .cyrillic
        }
        return nil
    }

    /// Returns the letters that a shelf has, by what the thorough recogniser reads; nil where they are known.
    package static func found(in lines: [TextLine]) -> UnknownLetters? {
        if let letters = named(in: lines, below: lowestTelling) { return letters }
        let long = lines.filter(isLong)
        guard long.count >= leastLines else { return nil }
        return median(long.map(lettersPerHeight)) < fewestLetters || median(long.map(\.score)) < unknownScore
            ? .other : nil
    }

    /// Whether most lines score so low that another script may explain them; it has to confirm this.
    static func areDoubtful(in lines: [TextLine]) -> Bool {
        let long = lines.filter(isLong)
        return long.count >= leastLines && median(long.map(\.score)) < doubtfulScore
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Whether a line among those of unknown letters is sure to be of known ones.
    func areKnown(in line: TextLine) -> Bool {
        guard line.score >= Self.sureScore else { return false }
        switch self {
        case .cyrillic, .greek:
            let letters = line.text.count(where: Self.isLatin)
            let telling = line.text.count(where: Self.isTelling)
            return telling >= 2 && Double(telling) >= Self.lowestTelling * Double(letters)
                || line.text.contains(where: Self.isOfAnotherScript)
                    && Self.lettersPerHeight(line) >= Self.fewestLetters
        case .other: return Self.lettersPerHeight(line) >= Self.fewestLetters
        }
    }

    private static func isLong(_ line: TextLine) -> Bool { line.quad.length >= 3 * line.quad.height }

    private static func lettersPerHeight(_ line: TextLine) -> Double {
        Double(line.text.count { $0.isLetter || $0.isNumber }) * line.quad.height / max(1, line.quad.length)
    }

    /// Whether a letter is neither Latin, with or without marks, nor Greek: those are look-alikes, too.
    private static func isOfAnotherScript(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, character.isLetter else { return false }
        return scalar.value > 0x24F && !(0x1E00...0x1EFF ~= scalar.value) && !LetterScript.greek.contains(character)
    }

    private static func isLatin(_ character: Character) -> Bool { character.isASCII && character.isLetter }

    /// Whether no Cyrillic letter, or part of one, looks like this one: Л is read as JI.
    private static func isTelling(_ character: Character) -> Bool { "DFGLQRSUVWZdflqsvwz".contains(character) }
}
