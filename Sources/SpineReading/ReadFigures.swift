import Bounds

/// Figures that were read as letters.
package enum ReadFigures {
    /// Returns a text in which each capital O after a figure is a zero, unless a letter follows: `5O`, `1OO`.
    ///
    /// Four of 23 sources of photos have numbers that were read so; both are one shape in most typefaces.
    package static func corrected(_ text: String) -> String {
        guard text.contains("O"), text.contains(where: isFigure) else { return text }
        var letters = Array(text)
        for start in letters.indices where letters[start] == "O" && start > 0 && isFigure(letters[start - 1]) {
            // A formula: `H2O`.
            let before = letters[..<start].last { !isFigure($0) }
            if before?.isLetter == true { continue }
            let end = letters[start...].firstIndex { $0 != "O" } ?? letters.endIndex
            guard end == letters.endIndex || !letters[end].isLetter else { continue }
            for place in Range(from: start, upTo: end) { letters[place] = "0" }
        }
        return String(letters)
    }

    private static func isFigure(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
