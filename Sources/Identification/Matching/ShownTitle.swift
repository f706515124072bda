package import Bibliography
package import ShelflistAPI

/// How much of a record's title a spine shows, misread and cut words included, and whether it shows other words.
package struct ShownTitle {
    /// The share of the letters of the title's words that were read, without function words and the author's name, 0...1.
    package let share: Double
    /// Whether a longer word was read well that is neither of the record nor of an imprint.
    package let isBesideOthers: Bool

    /// Fewer letters begin and end words of any title.
    private static let leastLetters = 3
    /// Words at least this similar are the same, misread letters aside.
    private static let sameWord = 0.7
    /// Of a line that was read well, 0...1, and the least number of letters of its words that count.
    private static let (leastScore, leastOther) = (0.9, 4)

    /// O(words of the spine × words of the record).
    package init(_ record: BookRecord, on lines: [ReadText]) {
        let author = record.authors.flatMap(TextNormalisation.words)
        let title = TextNormalisation.words(RecordWords.split(record.title).main)
            .filter { word in
                !CommonWords.contains(word)
                    && !author.contains { Spelling.similarity($0, word, minimum: Self.sameWord) >= Self.sameWord }
            }.map { FoldedWord($0) }
        let others = RecordWords.text(of: record).map { FoldedWord($0) }
        var shown = [Double](repeating: 0, count: title.count)
        var isBesideOthers = false
        for line in lines {
            let read = TextNormalisation.words(line.text)
            let words = read.map { FoldedWord($0) }
            let (own, all) = (WordAlignment(words, title), WordAlignment(words, others))
            for place in title.indices where own.record[place] >= Self.sameWord {
                shown[place] = max(shown[place], own.record[place] * Double(title[place].count))
            }
            let isImprint = Publishers.areOnly(read) || Publishers.isPublisher(read)
            for (place, word) in words.enumerated() where all.spine[place] < Self.sameWord {
                let whole = title.indices.filter { Self.isPiece(word, of: title[$0]) }
                for place in whole { shown[place] = max(shown[place], Double(word.count)) }
                if whole.isEmpty, !isImprint, line.score >= Self.leastScore, word.count >= Self.leastOther {
                    isBesideOthers = true
                }
            }
        }
        let letters = title.reduce(0) { $0 + $1.count }
        share = letters > 0 ? shown.reduce(0, +) / Double(letters) : 0
        self.isBesideOthers = isBesideOthers
    }

    /// Whether a title's word begins or ends with a word that was read.
    private static func isPiece(_ read: FoldedWord, of word: FoldedWord) -> Bool {
        read.count >= leastLetters && read.count < word.count
            && (word.bytes.starts(with: read.bytes) || word.bytes.suffix(read.count).elementsEqual(read.bytes))
    }
}
