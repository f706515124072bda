import Bibliography
import SpineReading

/// Decides whether lines without a record are the text of a book.
enum BookText {
    /// Whether at least one longer word was read well that is not a function word, an imprint, a number or the label of a
    /// library, and there is more than a word of four letters, which is a piece of a title more often than one.
    static func isBook(_ lines: [UprightLine], labels: CallNumbers) -> Bool {
        if lines.contains(where: { isEastAsianTitle($0, labels: labels) }) { return true }
        let words = ReadingOrder.sorted(lines).flatMap(\.words)
        // Noise beside an imprint is short.
        let isImprint = [words, words.filter { $0.count { $0.isLetter } >= 3 }].contains(where: Publishers.areOnly)
        let isOrdinary = Publishers.isOrdinaryTitle(words)
        return words.joined().count > (isOrdinary ? 2 : 4) && (isOrdinary || !isImprint && !Numbering.isSticker(words))
            && lines.contains { line in
                line.line.score >= 0.6 && (isOrdinary || !isBesideTitle(line.words))
                    && !Contributors.isAttribution(line.line.text) && !labels.namesClass(line)
                    && line.words.contains { $0.filter(\.isLetter).count >= 3 && !CommonWords.contains($0) }
            }
    }

    /// Whether Han characters or kana were read well that are not an imprint, a name with what it did for the book, or the
    /// label of a library.
    private static func isEastAsianTitle(_ line: UprightLine, labels: CallNumbers) -> Bool {
        let text = line.line.text
        guard line.line.score >= 0.6, EastAsianText.isMost(of: text), !labels.namesClass(line),
            EastAsianText.names(text) == nil
        else { return false }
        return EastAsianText.credits(text).others.contains { part in
            EastAsianText.length(part) >= leastCharacters && !EastAsianText.isImprint(part)
                && !EastAsianText.isNumber(part)
        }
    }

    /// Fewer Han characters or kana are a logo, a stamp or a piece of a title more often than a title.
    private static let leastCharacters = 3

    /// Whether words are an imprint, a number or an edition.
    static func isBesideTitle(_ words: [String]) -> Bool {
        Publishers.isPublisher(words) || Numbering.isNumbering(words) || Numbering.continuesNumbering(words)
    }
}
