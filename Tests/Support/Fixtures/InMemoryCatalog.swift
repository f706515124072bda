package import Bibliography
import Catalog

/// A catalog of records in memory, for tests and for fitting.
///
/// Record ids are kept.
///
/// An inverted index over the folded words of titles, subtitles, authors and series. Immutable, so any number of
/// threads may search it at once. Memory: about 1 kB a record.
package final class InMemoryCatalog: RecordSearch {
    package let records: [BookRecord]
    private let works: [[Int]]  // indices of each work's records
    private let workOfKey: [String: Int]
    private let titles: [[UInt8]]  // folded
    private let rests: [[UInt8]]  // folded subtitles, authors, series
    private let postings: [String: [Int32]]
    private let vocabulary: [String]
    private let wordsWithTrigram: [UInt32: [Int32]]

    /// Records with the same `work`, or where none is given with the same title and first author, are editions of one
    /// work; the first of them stands for it.
    package init(records: [BookRecord]) {
        self.records = records
        var workOfKey: [String: Int] = [:]
        var works: [[Int]] = []
        for (index, record) in records.enumerated() {
            let key = record.workKey
            if let work = workOfKey[key] {
                works[work].append(index)
            } else {
                workOfKey[key] = works.count
                works.append([index])
            }
        }
        var titles: [[UInt8]] = []
        var rests: [[UInt8]] = []
        var postings: [String: [Int32]] = [:]
        for (work, editions) in works.enumerated() {
            let text = WorkText(records[editions[0]])
            titles.append(Array(text.title.joined(separator: " ").utf8))
            rests.append(Array((text.subtitle + text.authors + text.series).joined(separator: " ").utf8))
            var words: Set<String> = []
            for text in editions.map({ WorkText(records[$0]) }) {
                words.formUnion(text.title + text.subtitle + text.authors + text.series)
            }
            for word in words { postings[word, default: []].append(Int32(work)) }
        }
        let vocabulary = postings.keys.sorted()
        var wordsWithTrigram: [UInt32: [Int32]] = [:]
        for (index, word) in vocabulary.enumerated() {
            for trigram in Spelling.trigrams(of: word) { wordsWithTrigram[trigram, default: []].append(Int32(index)) }
        }
        self.works = works
        self.workOfKey = workOfKey
        self.titles = titles
        self.rests = rests
        self.postings = postings
        self.vocabulary = vocabulary
        self.wordsWithTrigram = wordsWithTrigram
    }

    package var workCount: Int { works.count }

    package func editions(of record: BookRecord, limit: Int) -> [BookRecord] {
        guard let work = workOfKey[record.workKey] else { return [] }
        return works[work].prefix(max(0, limit)).map { records[$0] }
    }

    package func documentFrequency(of word: String) -> Int { postings[word]?.count ?? 0 }

    package func documentFrequencies(of words: [String]) -> [Int] { words.map { documentFrequency(of: $0) } }

    package func candidates(forEach queries: [[String]], limit: Int) throws -> [[BookRecord]] {
        try queries.map { words in
            try Task.checkCancellation()
            return try candidates(forWords: words, limit: limit)
        }
    }

    package func candidates(forWords words: [String], limit: Int) throws -> [BookRecord] {
        guard limit > 0 else { return [] }
        let query = try CandidateQuery(words: words, in: self)
        var ranker = CandidateRanker(query)
        let ranked = bestWorks(for: query, count: max(4 * limit, 200))
            .map { work in
                let score = titles[work].withUnsafeBufferPointer { title in
                    rests[work].withUnsafeBufferPointer { ranker.score(title: title, rest: $0) }
                }
                return (work: work, score: score)
            }
            .sorted { ($0.score, $1.work) > ($1.score, $0.work) }
        return ranked.prefix(limit).map { records[works[$0.work][0]] }
    }

    /// Works by the weight of the query's terms that they contain, each slot counted once.
    private func bestWorks(for query: CandidateQuery, count: Int) -> [Int] {
        var scores = [Float](repeating: 0, count: works.count)
        var slotOfWork = [Int32](repeating: -1, count: works.count)
        var touched: [Int] = []
        // Terms come slot by slot; within a slot the heaviest first, and only the first that hits a work counts.
        let terms = query.terms.sorted { ($0.slot, $1.weight) < ($1.slot, $0.weight) }
        for term in terms {
            let words = term.form == .whole ? [term.word] : vocabulary[range(ofPrefix: term.word)]
            for word in words {
                for posting in postings[word] ?? [] where slotOfWork[Int(posting)] != Int32(term.slot) {
                    let work = Int(posting)
                    if slotOfWork[work] < 0 { touched.append(work) }
                    slotOfWork[work] = Int32(term.slot)
                    scores[work] += Float(term.weight)
                }
            }
        }
        guard touched.count > count else { return touched }
        return Array(touched.sorted { (scores[$0], $1) > (scores[$1], $0) }.prefix(count))
    }
}

extension InMemoryCatalog: Vocabulary {
    package func documentFrequency(ofPrefix prefix: String) -> Int {
        vocabulary[range(ofPrefix: prefix)].reduce(0) { $0 + documentFrequency(of: $1) }
    }

    /// The places in the sorted vocabulary of the words that begin with `prefix`.
    private func range(ofPrefix prefix: String) -> Range<Int> {
        func firstIndex(where isPast: (String) -> Bool) -> Int {
            var (low, high) = (0, vocabulary.count)
            while low < high {
                let middle = (low + high) / 2
                if isPast(vocabulary[middle]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
        let start = firstIndex { $0 >= prefix }
        return start..<max(start, firstIndex { $0 >= prefix && !$0.hasPrefix(prefix) })
    }

    package func words(resembling word: String, limit: Int) -> [(word: String, frequency: Int)] {
        var shared: [Int32: Int] = [:]
        let trigrams = Spelling.trigrams(of: word)
        for trigram in trigrams {
            for index in wordsWithTrigram[trigram] ?? [] { shared[index, default: 0] += 1 }
        }
        let minimum = max(1, trigrams.count / 4)
        return shared.filter { $0.value >= minimum }
            .map {
                (
                    index: $0.key,
                    overlap: Double($0.value) / Double(max(trigrams.count, vocabulary[Int($0.key)].utf8.count))
                )
            }
            .sorted { ($0.overlap, $1.index) > ($1.overlap, $0.index) }
            .prefix(limit)
            .map { (vocabulary[Int($0.index)], documentFrequency(of: vocabulary[Int($0.index)])) }
    }
}
