import Bibliography
import SpineReading

/// Decides whether lines without a record are the text of a book.
enum BookText {
    /// Whether at least one longer word was read well that is not a function word, an imprint, a number or the label of a
    /// library, and there is more than a word of four letters, which is a piece of a title more often than one.
    static func isBook(_ lines: [UprightLine], labels: CallNumbers) -> Bool {
        let words = lines.flatMap(\.words)
        return words.joined().count > 4 && !Publishers.areOnly(words)
            && lines.contains { line in
                line.line.score >= 0.6 && !isBesideTitle(line.words) && !labels.isLabel(line)
                    && line.words.contains { $0.filter(\.isLetter).count >= 3 && !CommonWords.contains($0) }
            }
    }

    /// Whether words are an imprint, a number or an edition.
    static func isBesideTitle(_ words: [String]) -> Bool {
        Publishers.isPublisher(words) || Numbering.isNumbering(words) || Numbering.continuesNumbering(words)
    }
}
