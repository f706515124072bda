import Imaging

/// Letters that the recognisers do not have.
///
/// They are read as letters that look like them, or left out, and what remains scores as high as text: 42 look-alike titles
/// with a confidence of up to 0.57 were reported on four shelves in Russian.
package enum UnknownLetters: String, Codable, Sendable {
    case cyrillic
    case other

    /// Lines whose text was not read are kept without it, so that their spines keep their place.
    private static let unread = ""

    /// Returns the lines of a photo whose letters are known, and others without text; the given lines where all are.
    ///
    /// - Parameter lines: as read, also those with no text.
    package static func withoutLookAlikes(_ lines: [TextLine]) -> (lines: [TextLine], letters: UnknownLetters?) {
        guard let letters = found(in: lines) else { return (lines.filter { !$0.text.isEmpty }, nil) }
        let kept = lines.compactMap { line -> TextLine? in
            if letters.areKnown(in: line) { return line }
            return isLong(line) ? TextLine(text: unread, score: line.score, quad: line.quad) : nil
        }
        return (kept, letters)
    }

    // MARK: Signs

    /// The least number of letters, 60, and of long lines, 5, that show which letters a shelf has.
    private static let (leastLetters, leastLines) = (60, 5)
    /// Of the Latin letters on shelves in Russian 0.04 to 0.07 have no Cyrillic twin, on others 0.19 and more.
    private static let lowestTelling = 0.12
    /// The letters of a line for each of its heights: 0.39 to 0.70 in the median where the letters are unknown, 1.14 and more
    /// elsewhere, also in Chinese and Japanese.
    private static let fewestLetters = 0.9
    private static let sureScore = 0.95
    private static let noiseBelow = 0.5

    private static func found(in lines: [TextLine]) -> UnknownLetters? {
        let clear = lines.filter { $0.score > noiseBelow }.map(\.text).joined()
        let letters = clear.count(where: \.isLetter)
        let latin = clear.count(where: isLatin)
        if latin >= leastLetters, 2 * latin > letters,
            Double(clear.count(where: isTelling)) < lowestTelling * Double(latin)
        {
            return .cyrillic
        }
        let counts = lines.filter(isLong).map(lettersPerHeight).sorted()
        return counts.count >= leastLines && counts[counts.count / 2] < fewestLetters ? .other : nil
    }

    /// Whether a line among those of unknown letters is sure to be of known ones.
    private func areKnown(in line: TextLine) -> Bool {
        guard line.score >= Self.sureScore else { return false }
        switch self {
        case .cyrillic:
            let letters = line.text.count(where: Self.isLatin)
            let telling = line.text.count(where: Self.isTelling)
            return telling >= 2 && Double(telling) >= Self.lowestTelling * Double(letters)
                || line.text.contains { $0.isLetter && !Self.isLatin($0) }
                    && Self.lettersPerHeight(line) >= Self.fewestLetters
        case .other: return Self.lettersPerHeight(line) >= Self.fewestLetters
        }
    }

    private static func isLong(_ line: TextLine) -> Bool { line.quad.length >= 3 * line.quad.height }

    private static func lettersPerHeight(_ line: TextLine) -> Double {
        Double(line.text.count { $0.isLetter || $0.isNumber }) * line.quad.height / max(1, line.quad.length)
    }

    private static func isLatin(_ character: Character) -> Bool { character.isASCII && character.isLetter }

    /// Whether no Cyrillic letter looks like this one.
    private static func isTelling(_ character: Character) -> Bool { "DFGJLQRSUVWZdfjlqsvwz".contains(character) }
}
