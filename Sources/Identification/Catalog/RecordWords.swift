package import Bibliography

/// The words of one record that a spine may show.
///
/// A class, because hundreds are passed on for each spine.
package final class RecordWords: Sendable {
    enum Field: Sendable {
        case title
        case subtitle
        case author
        case series
        case publisher
    }

    struct Word: Sendable {
        let field: Field
        let weight: WordWeight
        /// The part of an author's name that spines print on its own.
        let isSurname: Bool
        /// The index of the author the word belongs to; 0 for other fields.
        let author: Int
    }

    package let record: BookRecord
    /// The folded words, and their fields.
    let folded: [FoldedWord]
    let words: [Word]
    /// Folded main title without spaces, compared with joined or split words.
    let compactTitle: [UInt8]
    /// The first author's folded surname without spaces; empty without an author.
    let compactSurname: [UInt8]
    /// All letters of the authors, of title and subtitle, and of the words of title and authors in alphabetical order.
    let authorLetters: [UInt8]
    let titleLetters: [UInt8]
    let sortedLetters: [UInt8]
    let authorCount: Int
    /// The title proper without the number of its volume, and the number.
    let volume: VolumeNumber.Title

    package init(_ record: BookRecord, weights: WordWeights) throws {
        self.record = record
        let (main, rest) = Self.split(record.title)
        var folded: [FoldedWord] = []
        var words: [Word] = []
        func add(_ text: String?, _ field: Field, surname: Set<String> = [], author: Int = 0) throws {
            for word in TextNormalisation.words(text ?? "") {
                folded.append(FoldedWord(word))
                words.append(
                    Word(
                        field: field, weight: try weights.weight(of: word), isSurname: surname.contains(word),
                        author: author))
            }
        }
        try add(main, .title)
        try add(rest, .subtitle)
        try add(record.subtitle, .subtitle)
        var firstSurname: [UInt8] = []
        let authors = record.authors.prefix(4).flatMap(PersonName.list).prefix(6)
        for (index, author) in authors.enumerated() {
            let surname = TextNormalisation.words(author.family)
            try add(author.displayName, .author, surname: Set(surname), author: index)
            if index == 0 { firstSurname = surname.joined().comparedLetters }
        }
        try add(record.series, .series)
        try add(record.publisher, .publisher)
        self.folded = folded
        self.words = words
        /// The bytes of the words of these fields.
        func bytes(_ fields: [Field]) -> [[UInt8]] {
            zip(words, folded).filter { fields.contains($0.0.field) }.map(\.1.bytes)
        }
        authorLetters = Array(bytes([.author]).joined())
        titleLetters = Array(bytes([.title, .subtitle]).joined())
        sortedLetters = Array(bytes([.title, .author]).sorted { $0.lexicographicallyPrecedes($1) }.joined())
        authorCount = authors.count
        volume = VolumeNumber.Title(main)
        compactSurname = firstSurname
        compactTitle = TextNormalisation.fold(main).comparedLetters.filter { $0 != UInt8(ascii: " ") }
    }

    /// The folded words of all fields that a record's words are taken from.
    static func text(of record: BookRecord) -> [String] {
        ([record.title, record.subtitle, record.series, record.publisher].compactMap { $0 } + record.authors)
            .flatMap(TextNormalisation.words)
    }

    /// The characters before or after which a space makes the mark of a subtitle.
    private static let marks = Array(":;/-(".utf8)

    /// Splits a catalog title at the beginning of the subtitle.
    package static func split(_ title: String) -> (main: String, rest: String?) {
        // Most titles have none of the marks. Those that are not ASCII begin with this byte.
        guard title.utf8.contains(where: { marks.contains($0) || $0 == 0xE2 }) else { return (title, nil) }
        for mark in [" : ", ": ", " ; ", "; ", " / ", " - ", " – ", " — ", " ("] {
            if let range = title.firstRange(of: mark), range.lowerBound > title.startIndex {
                let main = String(title[..<range.lowerBound])
                if !TextNormalisation.words(main).isEmpty { return (main, String(title[range.upperBound...])) }
            }
        }
        return (title, nil)
    }
}
