import Bibliography
import ShelflistAPI

/// Recognises volumes that hold several works, of which the best record names only one.
///
/// Such a record agrees with most of the spine, and still does not name the book.
enum CollectedWorks {
    private static let conjunctions: Set<String> = ["and", "e", "en", "et", "i", "och", "og", "und", "y"]
    /// "Other" in the plural, which follows the title in *Heart of Darkness and Other Tales*.
    private static let others: Set<String> = [
        "altre", "altri", "andere", "andra", "andre", "autres", "inne", "other", "otras", "otros", "outras", "outros",
    ]

    /// Whether the spine names more works than the first of its candidates.
    ///
    /// - Parameter candidates: best first.
    static func areNamed(by text: [ReadText], besides candidates: [SpineMatcher.Candidate]) -> Bool {
        guard let best = candidates.first else { return false }
        let record = best.record
        let known = Set([record.title, record.subtitle, record.series].flatMap { TextNormalisation.words($0 ?? "") })
        return text.contains { announcesOthers(TextNormalisation.words($0.text), beyond: known) }
            || candidates.dropFirst().contains { isAnotherWork($0, of: record, beyond: known) }
    }

    private static func announcesOthers(_ words: [String], beyond known: Set<String>) -> Bool {
        zip(words, words.dropFirst()).contains { first, second in
            conjunctions.contains(first) && others.contains(second) && !known.contains(second)
        }
    }

    /// Whether the whole title of another work by the author was read, in words that the record does not have.
    private static func isAnotherWork(
        _ other: SpineMatcher.Candidate, of record: BookRecord, beyond known: Set<String>
    ) -> Bool {
        guard let author = record.authors.first, other.record.authors.first == author,
            other.features[.titleCoverage] >= 0.9
        else { return false }
        let title = Set(TextNormalisation.words(other.record.title).filter { !CommonWords.contains($0) })
        return !title.isEmpty && title.isDisjoint(with: known)
            && title.isDisjoint(with: TextNormalisation.words(author))
    }
}
