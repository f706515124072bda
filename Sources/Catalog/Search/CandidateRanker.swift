/// Ranks works by how well they explain a query: by the weight of the matched words, which counts more in the title and
/// if few words of the title are missing.
///
/// Processes folded UTF-8 without allocations, because hundreds of works are ranked for each spine.
package struct CandidateRanker {
    private let terms: [CandidateQuery.Term]
    private let words: [[UInt8]]
    /// The hash of each term's word.
    private let hashes: [UInt64]
    /// The weight and the slot of each term.
    private let weights: [(weight: Double, slot: Int)]
    /// A hash table with open addressing: the index of the first term with the word, plus one; 0 for an empty slot.
    private var table: [Int32]
    /// The index of the next term with the same word, plus one.
    private var nextTerm: [Int32]
    /// The indices of terms that match every word with their prefix.
    private let prefixes: [Int]
    /// Whether any word, and whether any prefix, starts with this byte.
    private var isStart = [Bool](repeating: false, count: 256)
    private var isPrefixStart = [Bool](repeating: false, count: 256)
    private var slotBest: [Double]
    private let maximalWeight: Double

    package init(_ query: CandidateQuery) {
        terms = query.terms
        words = query.terms.map { Array($0.word.utf8) }
        weights = query.terms.map { ($0.weight, $0.slot) }
        hashes = words.map { $0.withUnsafeBufferPointer(Self.hash) }
        var size = 16
        while size < 2 * words.count { size *= 2 }
        table = [Int32](repeating: 0, count: size)
        nextTerm = [Int32](repeating: 0, count: words.count)
        slotBest = [Double](repeating: 0, count: query.slotCount)
        maximalWeight = query.inverseFrequency(1)
        prefixes = query.terms.indices.filter { query.terms[$0].form != .whole }
        for word in words where !word.isEmpty { isStart[Int(word[0])] = true }
        for index in prefixes { isPrefixStart[Int(words[index][0])] = true }
        for index in words.indices where query.terms[index].form == .whole {
            let place = words[index].withUnsafeBufferPointer { find($0, hash: hashes[index]) }
            nextTerm[index] = table[place]
            table[place] = Int32(index + 1)
        }
    }

    /// Returns the score of a work.
    ///
    /// - Parameters:
    ///   - title: the folded title proper.
    ///   - rest: folded subtitle, authors and series.
    /// - Returns: 0 if no word matches.
    package mutating func score(title: UnsafeBufferPointer<UInt8>, rest: UnsafeBufferPointer<UInt8>) -> Double {
        for slot in slotBest.indices { slotBest[slot] = 0 }
        var mass = 0.0
        var found = 0.0
        var place = 0
        forEachWord(in: title) { ranker, word in
            // Only the first words of a long title count fully, because spines often omit the rest.
            let share = place < 6 ? 1.0 : 0.25
            place += 1
            let weight = ranker.recognise(word, inTitle: true)
            // Estimates the weight of a missing word by its length, because a lookup costs more than all the rest.
            let expected = weight > 0 ? weight : min(0.8 * Double(word.count), 0.75 * ranker.maximalWeight)
            mass += expected * share
            found += weight * share
        }
        forEachWord(in: rest) { ranker, word in _ = ranker.recognise(word, inTitle: false) }
        let explained = slotBest.reduce(0, +)
        return explained * (0.6 + 0.4 * (mass > 0 ? found / mass : 0))
    }

    /// Records a word of the work for the slots that it matches, and returns its greatest weight.
    private mutating func recognise(_ word: UnsafeBufferPointer<UInt8>, inTitle: Bool) -> Double {
        guard isStart[Int(word[0])] else { return 0 }
        var weight = 0.0
        var term = table[find(word, hash: Self.hash(word))]
        while term > 0 {
            let index = Int(term - 1)
            weight = max(weight, note(index))
            term = nextTerm[index]
        }
        guard isPrefixStart[Int(word[0])] else { return weight }
        for index in prefixes where word.starts(with: words[index]) {
            if inTitle, terms[index].form == .beginningOfName { continue }
            weight = max(weight, note(index))
        }
        return weight
    }

    /// Records a term for its slot, and returns its weight.
    private mutating func note(_ term: Int) -> Double {
        let (weight, slot) = weights[term]
        if weight > slotBest[slot] { slotBest[slot] = weight }
        return weight
    }

    /// FNV-1a of 64 bits.
    private static func hash(_ word: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// Returns the index in the table at which the word is or would be.
    private func find(_ word: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
        var place = Int(hash >> 32) & (table.count - 1)
        while table[place] > 0 {
            let term = Int(table[place] - 1)
            if hashes[term] == hash, words[term].elementsEqual(word) { break }
            place = (place + 1) & (table.count - 1)
        }
        return place
    }

    private mutating func forEachWord(
        in text: UnsafeBufferPointer<UInt8>, _ body: (inout CandidateRanker, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var start = 0
        for index in 0...text.count where index == text.count || text[index] == 0x20 {
            if index > start { body(&self, UnsafeBufferPointer(rebasing: text[start..<index])) }
            start = index + 1
        }
    }
}
