package import Bibliography
import ShelflistAPI

/// Recognises volumes that hold several works, of which the best record names only one.
///
/// Such a record agrees with most of the spine, and still does not name the book.
package enum CollectedWorks {
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
        let lines = text.map { TextNormalisation.words($0.text) }
        let known = [record.title, record.subtitle, record.series].flatMap { TextNormalisation.words($0 ?? "") }
        return lines.contains { announcesOthers($0, beyond: Set(known)) }
            || candidates.dropFirst().contains { other in
                isAnotherWork(other, of: record, beyond: known)
                    && !isNumbered(TextNormalisation.words(other.record.title), in: lines)
            }
    }

    /// Whether the title joins two works, of which all of one and nothing of the other was read: `The Lady in the Van` of
    /// `The Clothes They Stood Up In and The Lady in the Van`.
    ///
    /// - Parameter lines: the folded words of each line.
    package static func isOneNamed(by lines: [[String]], of record: BookRecord) -> Bool {
        let title = TextNormalisation.words(RecordWords.split(record.title).main)
        let read = lines.flatMap(\.self)
        let text = read.joined()
        func isRead(_ word: String) -> Bool {
            word.count >= 4 && text.contains(word)
                || read.contains {
                    $0.count >= 3 && word.hasPrefix($0) || Spelling.similarity($0, word, minimum: 0.7) >= 0.7
                }
        }
        return title.indices.contains { place in
            // After a conjunction that was read, the other work was cut off.
            guard conjunctions.contains(title[place]), !read.contains(title[place]) else { return false }
            let works = [title[..<place], title[(place + 1)...]].map { side in
                side.filter { $0.count > 1 && !CommonWords.contains($0) }
            }
            return [(works[0], works[1]), (works[1], works[0])].contains { shown, missing in
                !shown.isEmpty && missing.count >= leastWords && shown.allSatisfy(isRead)
                    && !missing.contains(where: isRead)
            }
        }
    }

    /// Fewer words after `and` continue a title.
    private static let leastWords = 2

    private static func announcesOthers(_ words: [String], beyond known: Set<String>) -> Bool {
        zip(words, words.dropFirst()).contains { first, second in
            conjunctions.contains(first) && others.contains(second) && !known.contains(second)
        }
    }

    /// Whether the whole title of another work by the author was read, in words that the record does not have.
    private static func isAnotherWork(
        _ other: SpineMatcher.Candidate, of record: BookRecord, beyond known: [String]
    ) -> Bool {
        guard let author = record.authors.first, other.record.authors.first == author,
            other.features[.titleCoverage] >= 0.9
        else { return false }
        let title = Set(TextNormalisation.words(other.record.title).filter { !CommonWords.contains($0) })
        // `MeatEater` has both words of `Meat Eater`.
        let text = known.joined()
        return !title.isEmpty && title.isDisjoint(with: known) && !title.allSatisfy(text.contains)
            && title.isDisjoint(with: TextNormalisation.words(author))
    }

    /// Whether a number follows a title: it names the series of which the book is a volume.
    private static func isNumbered(_ title: [String], in lines: [[String]]) -> Bool {
        lines.contains { line in
            line.indices.contains { start in
                let next = start + title.count
                return next < line.count && line[start..<next].elementsEqual(title)
                    && Figures.value(line[next]) != nil
            }
        }
    }
}
