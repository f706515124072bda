import SpineReading

/// Separates the few Han characters that the reader finds in logos, stickers and patterns on spines of other scripts.
enum HanSpecks {
    /// More characters are text.
    private static let mostCharacters = 3
    /// A larger share of a photo's letters is text: a shelf with books in Chinese or Japanese.
    private static let highestShare = 0.05

    /// Returns the other lines, and those specks; none where Han characters are a larger share of the photo's letters.
    static func separated(_ lines: [TextLine]) -> (text: [TextLine], specks: [TextLine]) {
        let counts = lines.map { line in
            (han: line.text.unicodeScalars.count(where: isHan), letters: line.text.count(where: \.isLetter))
        }
        let (han, letters) = counts.reduce((0, 0)) { ($0.0 + $1.han, $0.1 + $1.letters) }
        guard han > 0, Double(han) <= highestShare * Double(letters) else { return (lines, []) }
        let isSpeck = zip(lines, counts).map { line, count in
            count.han > 0 && line.text.count(where: { !$0.isWhitespace }) <= mostCharacters
        }
        return (
            zip(lines, isSpeck).filter { !$1 }.map(\.0), zip(lines, isSpeck).filter { $1 }.map(\.0)
        )
    }

    private static func isHan(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isIdeographic }
}
