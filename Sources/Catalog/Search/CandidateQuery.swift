import Bibliography
import Foundation

/// The words of a catalog, as far as a query needs to know them.
package protocol Vocabulary {
    /// How many works the catalog has.
    var workCount: Int { get }
    /// In how many works the folded word appears; 0 for an unknown word.
    func documentFrequency(of word: String) throws -> Int
    /// Words of the catalog that share the most trigrams with this one, at most `limit`, with their frequencies.
    func words(resembling word: String, limit: Int) throws -> [(word: String, frequency: Int)]
    /// In how many works a word begins with this one, at most: the frequencies of all such words together.
    func documentFrequency(ofPrefix prefix: String) throws -> Int
}

/// The words read on a spine, each with the catalog's words that it may stand for.
///
/// A word that the catalog knows stands for itself. Another may be misread (similar words are tried), glued together
/// out of several (it is split), be one half of a word torn apart (it is joined to its neighbour), or the beginning of
/// one: cut off at the picture's edge, or the three letters of the author's name on a library's label. Weights are inverse
/// document frequencies: `ln(1 + N / n)` for a word in n of N works.
package struct CandidateQuery {
    /// What of a record's text a term stands for.
    package enum Form: Sendable {
        /// The word itself.
        case whole
        /// Any word that begins with it.
        case beginning
        /// Any word outside of the title proper that begins with it: an author's name.
        case beginningOfName
    }

    /// One word of the catalog that something on the spine may stand for.
    package struct Term {
        package var word: String
        package var form = Form.whole
        package var frequency: Int
        /// 0...1: whether this word was meant; 1 for a word that was read as it is.
        package var certainty: Double
        /// The inverse document frequency, lowered by the doubt whether this word was meant.
        package var weight: Double
        /// Terms of the same slot are readings of the same word on the spine: only the best of them counts.
        package var slot: Int
    }

    package private(set) var terms: [Term] = []
    package private(set) var slotCount = 0
    private let workCount: Int

    /// Words beyond this many are ignored: no spine carries more, and cost grows with each.
    package static let wordLimit = 64
    /// For so many pairs of neighbours, words that resemble the two together are looked for.
    private static let joinedGuessLimit = 6

    package init(words: [String], in vocabulary: some Vocabulary) throws {
        workCount = vocabulary.workCount
        let words = words.prefix(Self.wordLimit).filter { !$0.isEmpty && $0.utf8.count <= 128 }
        var seen: Set<String> = []
        var guessesLeft = Self.joinedGuessLimit
        let frequencies = try words.map { try vocabulary.documentFrequency(of: $0) }
        for (index, word) in words.enumerated() where seen.insert(word).inserted {
            let slot = slotCount
            slotCount += 1
            if frequencies[index] > 0 {
                // Readers see single letters and digits where there are none, and call numbers are full of them.
                let certainty = word.utf8.count == 1 ? 0.3 : word.utf8.count == 2 ? 0.7 : 1
                add(word, frequencies[index], certainty: certainty, slot: slot)
            }
            if index + 1 < words.count, frequencies[index] == 0 || frequencies[index + 1] == 0 {
                let joined = word + words[index + 1]
                let frequency = try vocabulary.documentFrequency(of: joined)
                if frequency > 0 {
                    add(joined, frequency, certainty: 0.9, slot: slot)
                } else if guessesLeft > 0, joined.utf8.count >= 5,
                    frequencies[index] == 0 || word.utf8.count < 3,
                    frequencies[index + 1] == 0 || words[index + 1].utf8.count < 3
                {
                    guessesLeft -= 1
                    try addResembling(joined, known: false, slot: slot, vocabulary)
                }
            }
            try addPrefix(word, known: frequencies[index] > 0, slot: slot, vocabulary)
            if isDoubtful(word, frequency: frequencies[index]) {
                try addResembling(word, known: frequencies[index] > 0, slot: slot, vocabulary)
            }
            if frequencies[index] == 0 { try addParts(of: word, vocabulary) }
        }
    }

    /// The weight of a word that is in `frequency` works.
    package func inverseFrequency(_ frequency: Int) -> Double {
        log(1 + Double(workCount) / Double(max(1, frequency)))
    }

    private mutating func add(_ word: String, _ frequency: Int, certainty: Double, slot: Int) {
        terms.append(
            Term(
                word: word, frequency: frequency, certainty: certainty, weight: inverseFrequency(frequency) * certainty,
                slot: slot))
    }

    /// Rare words may be misread ones that some record happens to contain.
    private func isDoubtful(_ word: String, frequency: Int) -> Bool {
        word.utf8.count >= 4 && frequency <= max(2, workCount / 20_000)
    }

    private mutating func addResembling(
        _ word: String, known: Bool, slot: Int, _ vocabulary: some Vocabulary
    ) throws {
        let minimum = word.utf8.count <= 5 ? 0.7 : 0.6
        let similar = try vocabulary.words(resembling: word, limit: 40)
            .filter { $0.word != word }
            .map {
                (
                    word: $0.word, frequency: $0.frequency,
                    similarity: Spelling.similarity($0.word, word, minimum: minimum)
                )
            }
            .filter { $0.similarity >= minimum }
            .sorted { ($0.similarity, $0.frequency, $0.word) > ($1.similarity, $1.frequency, $1.word) }
        for candidate in similar.prefix(known ? 4 : 8) {
            let certainty = candidate.similarity * candidate.similarity * (known ? 0.7 : 1)
            add(candidate.word, candidate.frequency, certainty: certainty, slot: slot)
        }
    }

    /// Library labels carry the first three letters of the author's name, which may be a word as well; a longer word that
    /// is known is no beginning of another.
    private mutating func addPrefix(
        _ word: String, known: Bool, slot: Int, _ vocabulary: some Vocabulary
    ) throws {
        let length = word.utf8.count
        guard length == 3 || length > 3 && length <= 12 && !known, !word.utf8.allSatisfy({ $0 < 0x40 }) else { return }
        let frequency = try vocabulary.documentFrequency(ofPrefix: word)
        guard frequency > 0 else { return }
        let certainty = known ? 0.6 : 0.7
        terms.append(
            Term(
                word: word, form: known ? .beginningOfName : .beginning, frequency: frequency, certainty: certainty,
                weight: inverseFrequency(frequency) * certainty, slot: slot))
    }

    // MARK: - Words glued together

    /// Splits an unknown word into words of the catalog, at least two and together at least four fifths of it.
    private mutating func addParts(of word: String, _ vocabulary: some Vocabulary) throws {
        let bytes = Array(word.utf8)
        guard (6...60).contains(bytes.count) else { return }
        // best[i]: the cheapest way to explain the first i bytes. A part costs a little, so that few long parts win
        // over many short ones; a byte outside of any part costs more.
        var best: [(cost: Double, start: Int, frequency: Int)] = [(0, 0, 0)]
        for end in 1...bytes.count {
            best.append((best[end - 1].cost + 1.2, end - 1, 0))
            for start in max(0, end - 18)..<end where end - start >= 2 && best[start].cost + 0.3 < best[end].cost {
                guard let part = String(validating: bytes[start..<end], as: UTF8.self) else { continue }
                let frequency = try vocabulary.documentFrequency(of: part)
                // Short parts have to be common words, or anything could be cut to pieces.
                guard frequency > 0, end - start >= 4 || frequency > workCount / 400 else { continue }
                let cost = best[start].cost + (end - start >= 4 ? 0.8 : 1.1)
                if cost < best[end].cost { best[end] = (cost, start, frequency) }
            }
        }
        var parts: [(word: String, frequency: Int)] = []
        var unexplained = 0
        var end = bytes.count
        while end > 0 {
            let step = best[end]
            if step.frequency > 0 {
                parts.append((String(decoding: bytes[step.start..<end], as: UTF8.self), step.frequency))
            } else {
                unexplained += 1
            }
            end = step.start
        }
        guard parts.count >= 2, unexplained * 5 <= bytes.count else { return }
        for part in parts.reversed() {
            add(part.word, part.frequency, certainty: 0.9, slot: slotCount)
            slotCount += 1
        }
    }
}
