import Bibliography
import Foundation
import GRDB

/// Fills `vocabulary` and `trigram` from the word index.
struct VocabularyBuilder {
    let db: Database
    let shouldStop: @Sendable () -> Bool

    /// The maximum length of a word in the vocabulary; longer strings are not words.
    private static let lengthLimit = 64

    /// Rebuilds the vocabulary from the whole index.
    ///
    /// - Throws: `CancellationError`.
    func rebuild() throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE IF NOT EXISTS temp.term USING fts5vocab('main', 'words', 'row')")
        try db.inTransaction {
            let terms = try RawStatement(db, "SELECT term, doc FROM temp.term")
            let insert = try RawStatement(db, "INSERT INTO vocabulary VALUES (?, ?, ?)")
            var postings = TrigramPostings(db: db)
            var id: Int64 = 0
            while try terms.step() {
                let term = terms.text(0)
                guard term.count <= Self.lengthLimit else { continue }
                id += 1
                insert.bind(1, id)
                insert.bind(2, term)
                insert.bind(3, terms.integer(1))
                try insert.run()
                try postings.add(String(decoding: term, as: UTF8.self), id: UInt32(clamping: id))
                if id % 4096 == 0, shouldStop() { throw CancellationError() }
            }
            try postings.flush()
            return .commit
        }
        try db.execute(sql: "DROP TABLE temp.term")
    }

    /// Counts, for each word, the documents of a batch that contain it.
    func count(_ batch: DocumentBatch, in words: inout [String: Int]) {
        for document in batch.documents {
            let ranges = [document.title, document.author]
            let own = Set(
                ranges.flatMap { batch.text[Int($0.start)..<Int($0.start + $0.count)].split(separator: 0x20) })
            for word in own where word.count <= Self.lengthLimit {
                words[String(decoding: word, as: UTF8.self), default: 0] += 1
            }
        }
    }

    /// Adds words with the number of new documents that contain each.
    func add(_ words: [String: Int]) throws {
        let update = try db.makeStatement(sql: "UPDATE vocabulary SET works = works + ? WHERE word = ?")
        let insert = try db.makeStatement(sql: "INSERT INTO vocabulary VALUES (?, ?, ?)")
        var id = try Int64.fetchOne(db, sql: "SELECT max(id) FROM vocabulary") ?? 0
        var postings = TrigramPostings(db: db)
        for (word, count) in words.sorted(by: { $0.key < $1.key }) {
            try update.execute(arguments: [count, word])
            guard db.changesCount == 0 else { continue }
            id += 1
            try insert.execute(arguments: [id, word, count])
            try postings.add(word, id: UInt32(clamping: id))
        }
        try postings.flush()
    }
}

/// Collects the words of each trigram and appends them to the table periodically, in bounded memory.
///
/// A row's blob contains the words' numbers in ascending order, 32 bits each, little-endian.
private struct TrigramPostings {
    let db: Database
    var pairs: [UInt64] = []

    /// 64 MB of pairs.
    private static let limit = 8 << 20

    mutating func add(_ word: String, id: UInt32) throws {
        for key in Spelling.trigrams(of: word) { pairs.append(UInt64(key) << 32 | UInt64(id)) }
        if pairs.count > Self.limit { try flush() }
    }

    mutating func flush() throws {
        pairs.sort()
        let append = try db.makeStatement(
            sql: """
                INSERT INTO trigram VALUES (?, ?)
                ON CONFLICT (key) DO UPDATE SET words = CAST(words || excluded.words AS BLOB)
                """)
        var start = 0
        while start < pairs.count {
            let key = pairs[start] >> 32
            var ids: [UInt8] = []
            while start < pairs.count, pairs[start] >> 32 == key {
                withUnsafeBytes(of: UInt32(truncatingIfNeeded: pairs[start]).littleEndian) { ids += $0 }
                start += 1
            }
            try append.execute(arguments: [Int64(key), Data(ids)])
        }
        pairs.removeAll(keepingCapacity: true)
    }
}
