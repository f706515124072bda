import Bibliography
import Bounds
import Foundation

/// The statistics of a catalog's words that a query needs.
package protocol Vocabulary {
    var workCount: Int { get }
    /// Returns the number of works that contain the folded word; 0 for an unknown word.
    func documentFrequency(of word: String) throws -> Int
    /// Returns at most `limit` words that share the most trigrams with this one, with their frequencies.
    func words(resembling word: String, limit: Int) throws -> [(word: String, frequency: Int)]
    /// Returns the sum of the frequencies of all words with this prefix, an upper bound of the number of works.
    func documentFrequency(ofPrefix prefix: String) throws -> Int
    /// Returns `foundWords(similarTo:)`, from a cache if there is one.
    func words(similarTo word: String) throws -> [SimilarWord]
    /// Returns `foundParts(of:)`, from a cache if there is one.
    func parts(of word: String) throws -> [(word: String, frequency: Int)]
}

/// A word of a catalog that another may be a misreading of.
package typealias SimilarWord = (word: String, frequency: Int, similarity: Double)

extension Vocabulary {
    package func words(similarTo word: String) throws -> [SimilarWord] { try foundWords(similarTo: word) }
    package func parts(of word: String) throws -> [(word: String, frequency: Int)] { try foundParts(of: word) }

    /// Returns the words that a word may be a misreading of, the most similar first.
    func foundWords(similarTo word: String) throws -> [SimilarWord] {
        let minimum = word.utf8.count <= 5 ? 0.7 : 0.6
        return try words(resembling: word, limit: 40)
            .filter { $0.word != word }
            .map { ($0.word, $0.frequency, Spelling.similarity($0.word, word, minimum: minimum)) }
            .filter { $0.similarity >= minimum }
            .sorted { ($0.similarity, $0.frequency, $0.word) > ($1.similarity, $1.frequency, $1.word) }
    }

    /// Splits a word into at least two words of the catalog that cover at least four fifths of it; empty if that is not
    /// possible.
    func foundParts(of word: String) throws -> [(word: String, frequency: Int)] {
        let bytes = Array(word.utf8)
        guard (6...60).contains(bytes.count) else { return [] }
        // best[i]: the cheapest way to explain the first i bytes. Each part has a small cost, so that a few long parts
        // are preferred to many short ones; a byte outside of any part costs more.
        var best: [(cost: Double, start: Int, frequency: Int)] = [(0, 0, 0)]
        for end in Range(from: 1, upTo: bytes.count + 1) {
            best.append((best[end - 1].cost + 1.2, end - 1, 0))
            for start in Range(from: max(0, end - 18), upTo: end)
            where end - start >= 2 && best[start].cost + 0.3 < best[end].cost {
                guard let part = String(validating: bytes[start..<end], as: UTF8.self) else { continue }
                let frequency = try documentFrequency(of: part)
                // Short parts must be common words; otherwise any text could be split.
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
        guard parts.count >= 2, unexplained * 5 <= bytes.count else { return [] }
        return parts.reversed()
    }
}

/// The words read on a spine, each with the catalog words that it may represent.
///
/// A known word represents itself. An unknown word may be misread (similar words are tried), several words without
/// spaces (it is split), half of a word (it is joined with its neighbour), or the start of a word: cut off at the edge
/// of the picture, or the first three letters of the author's name on a library label. Weights are inverse document
/// frequencies: `ln(1 + N / n)` for a word in n of N works.
package struct CandidateQuery {
    /// The words of a record that a term matches.
    package enum Form: Sendable {
        /// The word itself.
        case whole
        /// Any word that starts with the term.
        case beginning
        /// Any word outside of the title proper that starts with the term, such as an author's name.
        case beginningOfName
    }

    /// A catalog word that a word on the spine may represent.
    package struct Term {
        package var word: String
        package var form = Form.whole
        package var frequency: Int
        /// The probability, 0...1, that this word is on the spine; 1 for a word that was read exactly.
        package var certainty: Double
        /// The inverse document frequency, reduced for low certainty.
        package var weight: Double
        /// The word on the spine; of several terms for the same word, only the best one counts.
        package var slot: Int
    }

    package private(set) var terms: [Term] = []
    package private(set) var slotCount = 0
    private let workCount: Int

    /// The maximum number of words, which exceeds the text of real spines; further words are ignored to bound the cost.
    package static let wordLimit = 64
    /// The number of adjacent pairs for which words similar to the joined pair are searched.
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
                // Spurious single letters and digits are common, as are those of call numbers.
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

    /// Returns the weight of a word that occurs in `frequency` works.
    package func inverseFrequency(_ frequency: Int) -> Double {
        log(1 + Double(workCount) / Double(max(1, frequency)))
    }

    private mutating func add(_ word: String, _ frequency: Int, certainty: Double, slot: Int, form: Form = .whole) {
        terms.append(
            Term(
                word: word, form: form, frequency: frequency, certainty: certainty,
                weight: inverseFrequency(frequency) * certainty, slot: slot))
    }

    /// Returns whether a word is rare enough to be a misreading that happens to occur in some record.
    private func isDoubtful(_ word: String, frequency: Int) -> Bool {
        word.utf8.count >= 4 && frequency <= max(2, workCount / 20_000)
    }

    private mutating func addResembling(_ word: String, known: Bool, slot: Int, _ vocabulary: some Vocabulary) throws {
        for candidate in try vocabulary.words(similarTo: word).prefix(known ? 4 : 8) {
            let certainty = candidate.similarity * candidate.similarity * (known ? 0.7 : 1)
            add(candidate.word, candidate.frequency, certainty: certainty, slot: slot)
        }
    }

    /// Adds a term for the words that start with this one.
    ///
    /// Library labels contain the first three letters of the author's name, which may also be a word. Longer words are
    /// treated as prefixes only if they are unknown.
    private mutating func addPrefix(_ word: String, known: Bool, slot: Int, _ vocabulary: some Vocabulary) throws {
        let length = word.utf8.count
        guard length == 3 || length > 3 && length <= 12 && !known, !word.utf8.allSatisfy({ $0 < 0x40 }) else { return }
        let frequency = try vocabulary.documentFrequency(ofPrefix: word)
        guard frequency > 0 else { return }
        let form: Form = known ? .beginningOfName : .beginning
        add(word, frequency, certainty: known ? 0.6 : 0.7, slot: slot, form: form)
    }

    /// Adds the words of the catalog that an unknown word consists of, read without spaces.
    private mutating func addParts(of word: String, _ vocabulary: some Vocabulary) throws {
        for part in try vocabulary.parts(of: word) {
            add(part.word, part.frequency, certainty: 0.9, slot: slotCount)
            slotCount += 1
        }
    }
}
