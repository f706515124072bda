package import Bibliography
import Concurrency
import Foundation

/// How much evidence a word carries.
package struct WordWeight: Sendable {
    /// Inverse document frequency in the catalog, in nats, clamped to 0.3...9.
    package var evidence: Double
    /// The same relative to the weight of a word that occurs in a single work, 0.02...1; comparable between catalogs
    /// of any size.
    package var rarity: Double
    /// Whether the catalog contains the word; other words were probably misread.
    package var isKnown: Bool
}

/// The weights of a catalog's words, cached so that each is queried once.
package final class WordWeights: Sendable {
    private let catalog: any RecordSearch
    /// 100,000 words take about 10 MB.
    private let known = BoundedCache<String, WordWeight>(limit: 100_000)
    private let works: Double
    /// The weight, in nats, of a word that occurs in a single work; `rarity` is relative to it.
    package let information: Double
    /// Smaller catalogs do not show how rare words are.
    private static let smallestSize = 5000.0

    package init(catalog: any RecordSearch) {
        self.catalog = catalog
        works = Double(max(1, catalog.workCount))
        information = log(max(works, Self.smallestSize) + 1)
    }

    /// Queries all words that are not cached in one request.
    package func prepare(_ words: some Sequence<String>) throws {
        let words = Set(words).sorted()
        let new = zip(words, known[words]).filter { $1 == nil }.map(\.0)
        guard !new.isEmpty else { return }
        known.keep(zip(new, try catalog.documentFrequencies(of: new)).map { ($0, weight(of: $0, frequency: $1)) })
    }

    package func weight(of word: String) throws -> WordWeight {
        try known.value(of: word) { weight(of: word, frequency: try catalog.documentFrequency(of: word)) }
    }

    /// Small catalogs do not show how common words are, so the weight of the commonest words is capped.
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
        if word.comparedCount <= 2 {
            weight.evidence = min(weight.evidence, 1.5)
            weight.rarity = min(weight.rarity, 0.2)
        }
        return weight
    }
}
