import Bibliography

/// A folded word as the bytes of its letters, with the set of its letters; words whose letters differ too much need no edit distance.
package struct FoldedWord: Hashable, Sendable {
    package let bytes: [UInt8]
    let letters: UInt64
    /// Of bytes; kept, because most words differ in it.
    let count: Int

    package init(_ word: some StringProtocol) {
        bytes = word.comparedLetters
        count = bytes.count
        letters = bytes.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }

    init(joining a: FoldedWord, _ b: FoldedWord) {
        bytes = a.bytes + b.bytes
        count = bytes.count
        letters = a.letters | b.letters
    }

    /// Similarity as in `WordSimilarity`, 0...1.
    func similarity(to other: FoldedWord) -> Double {
        guard other.mayResemble(self) else { return 0 }
        return WordSimilarity.similarity(bytes, other.bytes)
    }

    /// Whether the similarity to a word may be more than 0.
    func mayResemble(_ other: FoldedWord) -> Bool { mayResemble(other.letters, count: other.count) }

    /// The same for a word with these letters.
    func mayResemble(_ others: UInt64, count otherCount: Int) -> Bool {
        // Each edit changes at most one letter on either side.
        let edits = min(count, otherCount) > 3 ? 3 * max(count, otherCount) / 10 : 0
        return abs(count - otherCount) <= edits && (letters ^ others).nonzeroBitCount <= 2 * edits
    }

    /// Whether all letters of this word are among those of another.
    func isWithin(_ other: FoldedWord) -> Bool { letters & ~other.letters == 0 }
}

/// Matches the words read on a spine, or on one of its lines, to the words of a record.
///
/// Handles words that were misread, joined, split in two, or cut off at one end. O(words read × words of the record).
package struct WordAlignment: Sendable {
    /// For each word of the record, the best similarity of a word read, 0...1.
    package private(set) var record: [Double]
    /// For each word read, the best similarity of a word of the record, 0...1.
    package private(set) var spine: [Double]
    /// For each word of the record, the index of the best matching word read; −1 for none.
    package private(set) var place: [Int]

    package init(_ spine: [FoldedWord], _ record: [FoldedWord]) {
        self.record = [Double](repeating: 0, count: record.count)
        self.spine = [Double](repeating: 0, count: spine.count)
        place = [Int](repeating: -1, count: record.count)
        for i in spine.indices {
            for j in record.indices where spine[i].isWithin(record[j]) || record[j].mayResemble(spine[i]) {
                let similarity = max(spine[i].similarity(to: record[j]), Self.cutOff(spine[i], record[j]))
                if similarity > 0 { note(similarity, spine: i, record: j) }
            }
        }
        for (i, word) in spine.enumerated() where self.spine[i] < 0.9 && word.count >= 7 {
            unglue(i, word, record)
        }
        for i in spine.indices.dropLast() where self.spine[i] < 0.7 && self.spine[i + 1] < 0.7 {
            // A word that was split in two: MAGI CIANS.
            let (letters, count) = (spine[i].letters | spine[i + 1].letters, spine[i].count + spine[i + 1].count)
            for (j, other) in record.enumerated() where other.count >= 5 && other.mayResemble(letters, count: count) {
                let joined = FoldedWord(joining: spine[i], spine[i + 1])
                let similarity = joined.similarity(to: other)
                guard similarity > self.record[j], similarity >= 0.8 else { continue }
                note(similarity, spine: i, record: j)
                note(similarity, spine: i + 1, record: j)
            }
        }
    }

    /// The least share of a word's letters that the words of a record explain which were read as one.
    private static let leastUnglued = 0.7

    private mutating func note(_ similarity: Double, spine i: Int, record j: Int) {
        spine[i] = max(spine[i], similarity)
        if similarity > record[j] {
            record[j] = similarity
            place[j] = i
        }
    }

    /// A word of which only the beginning or the end was read: at least four letters and half of it.
    private static func cutOff(_ read: FoldedWord, _ whole: FoldedWord) -> Double {
        guard read.count >= 4, read.count < whole.count, 2 * read.count >= whole.count, read.isWithin(whole) else {
            return 0
        }
        guard whole.bytes.starts(with: read.bytes) || whole.bytes.suffix(read.count).elementsEqual(read.bytes) else {
            return 0
        }
        return 0.5 + 0.4 * Double(read.count) / Double(whole.count)
    }

    /// Splits words that were read as one ("PrisonersofGeography"): repeatedly matches the longest word of the record
    /// that starts at the current position.
    private mutating func unglue(_ i: Int, _ word: FoldedWord, _ words: [FoldedWord]) {
        let glued = word.bytes
        // Most records have too few words of the same letters.
        func isPossible(_ index: Int) -> Bool { words[index].count >= 2 && words[index].isWithin(word) }
        let most = words.indices.reduce(0) { $0 + (isPossible($1) ? words[$1].count : 0) }
        guard Double(most) / Double(glued.count) >= Self.leastUnglued else { return }
        let possible = words.indices.filter(isPossible)
        var used: [Int] = []
        var letters = 0
        var start = 0
        while start < glued.count {
            var longest: Int?
            for index in possible
            where words[index].count > (longest.map { words[$0].count } ?? 0)
                && glued[start...].starts(with: words[index].bytes) && !used.contains(index)
            {
                longest = index
            }
            if let longest {
                used.append(longest)
                letters += words[longest].count
                start += words[longest].count
            } else {
                start += 1
            }
        }
        let explained = Double(letters) / Double(glued.count)
        guard explained >= Self.leastUnglued, explained > spine[i], used.contains(where: { words[$0].count >= 3 })
        else { return }
        for index in used { note(explained, spine: i, record: index) }
    }
}
