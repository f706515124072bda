import Bibliography
import SpineReading

/// How the words of one line meet the words of one record; computed once per pair.
struct LineMatch: Sendable {
    /// For each word of the record, the best similarity of a word of the line.
    let record: [Double]
    /// For each word of the line, the best similarity of a word of the record.
    let line: [Double]

    init(_ line: LineWords, _ record: RecordWords) {
        var onRecord = [Double](repeating: 0, count: record.words.count)
        var onLine = [Double](repeating: 0, count: line.words.count)
        for (i, word) in line.words.enumerated() {
            for (j, other) in record.words.enumerated() {
                let similarity = WordSimilarity.similarity(word.bytes, other.bytes)
                guard similarity > 0 else { continue }
                onLine[i] = max(onLine[i], similarity)
                onRecord[j] = max(onRecord[j], similarity)
            }
        }
        for (i, word) in line.words.enumerated() where onLine[i] < 0.9 && word.bytes.count >= 7 {
            Self.unglue(word.bytes, record, covered: &onRecord, share: &onLine[i])
        }
        for i in line.words.indices.dropLast() where onLine[i] < 0.7 && onLine[i + 1] < 0.7 {
            // A word that was split in two: MAGI CIANS.
            let joined = line.words[i].bytes + line.words[i + 1].bytes
            for (j, other) in record.words.enumerated() where other.bytes.count >= 5 {
                let similarity = WordSimilarity.similarity(joined, other.bytes)
                guard similarity > onRecord[j], similarity >= 0.8 else { continue }
                onRecord[j] = similarity
                onLine[i] = max(onLine[i], similarity)
                onLine[i + 1] = max(onLine[i + 1], similarity)
            }
        }
        self.record = onRecord
        self.line = onLine
    }

    /// Words that were read as one ("PrisonersofGeography"): walks through the letters and takes at each place
    /// the longest word of the record that starts there.
    private static func unglue(
        _ glued: [UInt8], _ record: RecordWords, covered: inout [Double], share: inout Double
    ) {
        var used: [Int] = []
        var letters = 0
        var start = 0
        while start < glued.count {
            let rest = glued[start...]
            let fitting = record.words.indices.filter { index in
                let word = record.words[index].bytes
                return word.count >= 2 && rest.starts(with: word) && !used.contains(index)
            }
            if let longest = fitting.max(by: { record.words[$0].bytes.count < record.words[$1].bytes.count }) {
                used.append(longest)
                letters += record.words[longest].bytes.count
                start += record.words[longest].bytes.count
            } else {
                start += 1
            }
        }
        let explained = Double(letters) / Double(glued.count)
        guard explained >= 0.7, explained > share, used.contains(where: { record.words[$0].bytes.count >= 3 }) else {
            return
        }
        share = explained
        for index in used { covered[index] = max(covered[index], explained) }
    }
}

/// The words of a line with what each would weigh if no record explained it.
struct LineWords: Sendable {
    struct Word: Sendable {
        let bytes: [UInt8]
        let weight: Double
    }

    let words: [Word]

    init(_ line: ShelfLine, weights: WordWeights) throws {
        let isPublisher = Publishers.isPublisher(line.words)
        words = try line.words.map { word in
            var weight = min(7, try weights.weight(of: word))
            // A word that no record knows is likely misread, or belongs to a book that is in no catalog.
            if weight >= 7 { weight = 5 }
            if word.allSatisfy(\.isNumber) || word.utf8.count <= 2 { weight = min(weight, 1) }
            if isPublisher { weight *= 0.15 } else if Publishers.isPublisherWord(word) { weight *= 0.5 }
            return Word(bytes: Array(word.utf8), weight: weight * line.line.score * line.line.score)
        }
    }
}
