package import Bibliography
import Foundation
import Synchronization

/// How much a word says.
package struct WordWeight: Sendable {
    /// Inverse document frequency in the catalog, in natural units within 0.3...9.
    package var evidence: Double
    /// The same as a share of what a word of one single work would weigh, 0.02...1: comparable between catalogs of
    /// any size.
    package var rarity: Double
    /// Whether the catalog has the word at all; what it has not was likely misread.
    package var isKnown: Bool
}

/// What the words of a catalog say, remembered so that the catalog is asked once for each.
package final class WordWeights: Sendable {
    private let catalog: any RecordSearch
    private let known = Mutex<[String: WordWeight]>([:])
    private let works: Double
    /// What a word of one single work says, in natural units: `rarity` is a share of it.
    package let information: Double
    /// A smaller list says nothing of how rare words are.
    private static let smallestSize = 5000.0
    /// Beyond this many words all are forgotten: 100,000 take about 10 MB.
    private static let memory = 100_000

    package init(catalog: any RecordSearch) {
        self.catalog = catalog
        works = Double(max(1, catalog.workCount))
        information = log(max(works, Self.smallestSize) + 1)
    }

    /// Asks the catalog for all of these words at once, as far as they are not known yet.
    package func prepare(_ words: some Sequence<String>) throws {
        let new = known.withLock { known in Set(words).filter { known[$0] == nil } }.sorted()
        guard !new.isEmpty else { return }
        let weights = zip(new, try catalog.documentFrequencies(of: new)).map { ($0, weight(of: $0, frequency: $1)) }
        known.withLock { known in
            if known.count + weights.count > Self.memory { known = [:] }
            known.merge(weights) { $1 }
        }
    }

    package func weight(of word: String) throws -> WordWeight {
        if let weight = known.withLock({ $0[word] }) { return weight }
        let weight = weight(of: word, frequency: try catalog.documentFrequency(of: word))
        known.withLock { known in
            if known.count >= Self.memory { known = [:] }
            known[word] = weight
        }
        return weight
    }

    /// A short list knows little of how common words are, so the commonest words of the languages are capped.
    private func weight(of word: String, frequency: Int) -> WordWeight {
        let frequency = Double(frequency)
        let size = max(works, Self.smallestSize)
        let scaled = works < size ? frequency * (size / works).squareRoot() : frequency
        let says = log((size + 1) / (scaled + 0.5))
        var weight = WordWeight(
            evidence: min(9, max(0.3, says)), rarity: min(1, max(0.02, says / information)),
            isKnown: frequency > 0)
        if CommonWords.contains(word) {
            weight.evidence = min(weight.evidence, 0.8)
            weight.rarity = min(weight.rarity, 0.1)
        }
        if word.utf8.count <= 2 {
            weight.evidence = min(weight.evidence, 1.5)
            weight.rarity = min(weight.rarity, 0.2)
        }
        return weight
    }
}
