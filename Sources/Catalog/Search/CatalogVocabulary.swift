import Bibliography
import GRDB

/// The words of a catalog as seen by one connection, with a cache of previous lookups.
final class CatalogVocabulary: Vocabulary {
    private let db: Database
    let workCount: Int
    private let frequency: RawStatement
    private lazy var prefixFrequency = Result {
        try RawStatement(
            db, "SELECT sum(works) FROM (SELECT works FROM vocabulary WHERE word >= ? AND word < ? LIMIT ?)")
    }
    private lazy var trigramLength = Result { try RawStatement(db, "SELECT length(words) FROM trigram WHERE key = ?") }
    private lazy var trigramWords = Result { try RawStatement(db, "SELECT words FROM trigram WHERE key = ?") }
    private lazy var wordOfID = Result { try RawStatement(db, "SELECT word, works FROM vocabulary WHERE id = ?") }
    private var frequencies: [String: Int] = [:]
    private var prefixFrequencies: [String: Int] = [:]
    private var similar: [String: [SimilarWord]] = [:]
    private var parts: [String: [(word: String, frequency: Int)]] = [:]
    private var wordsOfIDs: [UInt32: (word: String, frequency: Int)] = [:]
    private lazy var largestID = Result {
        Int(try Int64.fetchOne(db, sql: "SELECT max(id) FROM vocabulary") ?? 0)
    }

    /// The number of words compared with one that may be misread, which takes about a millisecond.
    private static let trigramBudget = 300_000
    /// The maximum number of words counted for a prefix; more common prefixes do not help a search.
    private static let prefixWordLimit = 2000

    init(_ db: Database) throws {
        self.db = db
        workCount = try CatalogSchema.integer(db, "works")
        frequency = try RawStatement(db, "SELECT works FROM vocabulary WHERE word = ?")
    }

    /// The number of words in the larger caches, about 5 MB.
    private static let mostWords = 50_000

    /// Empties the caches that are large; each word takes about 100 bytes.
    func evictIfNeeded() {
        // Splitting a word looks hundreds of parts up.
        if frequencies.count > Self.mostWords { frequencies = [:] }
        if prefixFrequencies.count > 20_000 { prefixFrequencies = [:] }
        if similar.count > 2_000 { similar = [:] }
        if parts.count > 2_000 { parts = [:] }
    }

    func documentFrequency(of word: String) throws -> Int {
        if let known = frequencies[word] { return known }
        var word = word
        let found = try word.withUTF8 { utf8 in
            frequency.bind(1, utf8)
            defer { frequency.reset() }
            return try frequency.step() ? Int(frequency.integer(0)) : 0
        }
        frequencies[word] = found
        return found
    }

    func documentFrequency(ofPrefix prefix: String) throws -> Int {
        if let known = prefixFrequencies[prefix] { return known }
        let found = try frequency(ofPrefix: prefix)
        prefixFrequencies[prefix] = found
        return found
    }

    private func frequency(ofPrefix prefix: String) throws -> Int {
        let statement = try prefixFrequency.get()
        let bytes = Array(prefix.utf8)
        return try bytes.withUnsafeBufferPointer { start in
            statement.bind(1, start)
            // The next greater text of the same length is the upper bound of the prefix's range.
            var end = Array(start)
            end.append(0xFF)
            return try end.withUnsafeBufferPointer { end in
                statement.bind(2, end)
                statement.bind(3, Int64(Self.prefixWordLimit))
                defer { statement.reset() }
                return try statement.step() ? Int(statement.integer(0)) : 0
            }
        }
    }

    func words(similarTo word: String) throws -> [SimilarWord] {
        if let known = similar[word] { return known }
        let found = try foundWords(similarTo: word)
        similar[word] = found
        return found
    }

    func parts(of word: String) throws -> [(word: String, frequency: Int)] {
        if let known = parts[word] { return known }
        let found = try foundParts(of: word)
        parts[word] = found
        return found
    }

    func words(resembling word: String, limit: Int) throws -> [(word: String, frequency: Int)] {
        let trigrams = Spelling.trigrams(of: word)
        guard !trigrams.isEmpty else { return [] }
        var shared = [UInt8](repeating: 0, count: try largestID.get() + 1)
        var touched: [UInt32] = []
        let list = try trigramWords.get()
        let selective = try selectiveTrigrams(trigrams)
        let minimum = min(selective.count, max(2, trigrams.count / 4))
        for trigram in selective {
            list.bind(1, trigram)
            if try list.step() {
                let blob = list.blob(0)
                for offset in stride(from: 0, to: blob.count - 3, by: 4) {
                    let id = UInt32(littleEndian: blob.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                    guard id < shared.count else { continue }
                    shared[Int(id)] += 1
                    if shared[Int(id)] == minimum { touched.append(id) }
                }
                list.reset()
            }
        }
        let nearest = touched.sorted { (shared[Int($0)], $1) > (shared[Int($1)], $0) }.prefix(4 * limit)
        var found: [(word: String, frequency: Int, overlap: Double)] = []
        for id in nearest {
            guard let (text, frequency) = try self.word(id) else { continue }
            let overlap = Double(shared[Int(id)]) / Double(max(trigrams.count, text.utf8.count))
            found.append((text, frequency, overlap))
        }
        return found.sorted { ($0.overlap, $0.frequency, $0.word) > ($1.overlap, $1.frequency, $1.word) }
            .prefix(limit).map { ($0.word, $0.frequency) }
    }

    private func word(_ id: UInt32) throws -> (word: String, frequency: Int)? {
        if let known = wordsOfIDs[id] { return known }
        let row = try wordOfID.get()
        row.bind(1, Int64(id))
        defer { row.reset() }
        guard try row.step() else { return nil }
        let found = (word: String(decoding: row.text(0), as: UTF8.self), frequency: Int(row.integer(1)))
        if wordsOfIDs.count >= Self.mostWords { wordsOfIDs = [:] }
        wordsOfIDs[id] = found
        return found
    }

    /// Returns the trigrams with the shortest lists that fit the budget, because some trigrams of large catalogs occur
    /// in hundreds of thousands of words.
    private func selectiveTrigrams(_ trigrams: [UInt32]) throws -> [Int64] {
        let length = try trigramLength.get()
        var lists: [(key: Int64, count: Int)] = []
        for trigram in trigrams {
            length.bind(1, Int64(trigram))
            if try length.step() {
                lists.append((Int64(trigram), Int(length.integer(0)) / 4))
                length.reset()
            }
        }
        lists.sort { ($0.count, $0.key) < ($1.count, $1.key) }
        var left = Self.trigramBudget
        return lists.prefix { list in
            defer { left -= list.count }
            return left > 0
        }.map(\.key)
    }
}
