import Bibliography
import ShelflistAPI
import SpineReading

/// Names the spines that were read before and on whose books a person decided, whatever catalogs say.
struct KnownSpines {
    /// Texts at least this similar are of the same spine, misread letters aside.
    private static let sameText = 0.9
    /// Shorter texts are on many spines; in bytes.
    private static let shortest = 8
    /// Of the same text, another book is possible: another volume, or another copy of the cover.
    private static let confidence = 0.95

    private let spines: [(text: String, record: BookRecord)]

    init(_ known: [KnownSpine]) {
        spines = known.map { (text: Self.text($0.lines), record: $0.record) }
            .filter { $0.text.utf8.count >= Self.shortest }
    }

    /// Names spines of a photo.
    ///
    /// A book is named once: a text that several spines show, such as the name of a series, does not distinguish them.
    ///
    /// - Parameter shown: the places of the spines that are books.
    /// - Throws: `IdentificationError.tooMuchText`.
    func name(_ judged: inout [JudgedSpine], shown: [Int], effort: IdentificationEffort) throws {
        guard !spines.isEmpty else { return }
        try effort.spend(shown.count * (10 * spines.count + shown.count))
        let found = shown.map { (spine: $0, record: record(of: judged[$0])) }
        for (spine, record) in found {
            guard let record, found.count(where: { $0.record?.workKey == record.workKey }) == 1 else { continue }
            judged[spine].name(record, confidence: Self.confidence)
        }
    }

    /// Returns the record of the known spines with this text; nil if there are none, or of several books.
    private func record(of spine: JudgedSpine) -> BookRecord? {
        let text = Self.text(spine.lines.map(\.line.text))
        guard text.utf8.count >= Self.shortest else { return nil }
        let same = spines.filter { Spelling.similarity($0.text, text, minimum: Self.sameText) >= Self.sameText }
        guard let first = same.first?.record, same.allSatisfy({ $0.record.workKey == first.workKey }) else {
            return nil
        }
        return first
    }

    /// Returns the words in alphabetical order: the order of the lines differs between photos.
    private static func text(_ lines: [String]) -> String {
        lines.flatMap(TextNormalisation.words).sorted().joined(separator: " ")
    }
}

extension JudgedSpine {
    /// Makes a record the spine's book; one that is named already stays as sure as it is.
    fileprivate mutating func name(_ record: BookRecord, confidence: Double) {
        if self.record?.workKey == record.workKey, self.confidence >= confidence { return }
        let match = BookMatch(record, confidence: confidence)
        matches = [match] + matches.filter { ($0.title, $0.author) != (match.title, match.author) }
        (title, author, isbn) = (match.title, match.author, match.isbn)
        (self.confidence, checked, named) = (confidence, true, record)
    }
}
