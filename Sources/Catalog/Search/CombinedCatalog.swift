package import Bibliography
import Synchronization

/// Several catalogs searched as one: the user's, records that providers returned before, and the starter list.
package struct CombinedCatalog: RecordSearch {
    private let catalogs: [any RecordSearch]
    private let keys: BookKeys

    /// - Parameters:
    ///   - catalogs: in the order of their precedence, for books that several of them have.
    ///   - keys: shared by combinations that replace each other.
    package init(_ catalogs: [any RecordSearch], keys: BookKeys = BookKeys()) {
        (self.catalogs, self.keys) = (catalogs, keys)
    }

    package var workCount: Int { catalogs.reduce(0) { $0 + $1.workCount } }

    package func documentFrequencies(of words: [String]) throws -> [Int] {
        try catalogs.reduce(into: [Int](repeating: 0, count: words.count)) { sums, catalog in
            for (index, frequency) in try catalog.documentFrequencies(of: words).enumerated() {
                sums[index] += frequency
            }
        }
    }

    package func candidates(forEach queries: [[String]], limit: Int) throws -> [[BookRecord]] {
        let found = try catalogs.map { try $0.candidates(forEach: queries, limit: limit) }
        return keys.known.withLock { keys in
            if keys.count > BookKeys.limit { keys = [:] }
            return queries.indices.map { query in Self.merged(found.map { $0[query] }, limit: limit, &keys) }
        }
    }

    package func editions(of record: BookRecord, limit: Int) throws -> [BookRecord] {
        for catalog in catalogs {
            let found = try catalog.editions(of: record, limit: limit)
            if !found.isEmpty { return found }
        }
        return []
    }

    package func prepareForQuestions() {
        for catalog in catalogs { catalog.prepareForQuestions() }
    }

    /// Interleaves the lists by rank.
    ///
    /// A book that several lists have keeps its best rank, and the record of the first catalog: two records of one book
    /// would otherwise look like two books between which the spine does not decide.
    /// - Parameter keys: by record.
    private static func merged(_ lists: [[BookRecord]], limit: Int, _ keys: inout [String: String]) -> [BookRecord] {
        let filled = lists.filter { !$0.isEmpty }
        guard filled.count > 1 else { return Array((filled.first ?? []).prefix(limit)) }
        var books: [(rank: Int, list: Int, record: BookRecord)] = []
        var places: [String: Int] = [:]
        for (list, records) in lists.enumerated() {
            for (rank, record) in records.enumerated() {
                let name = record.source + "\u{1}" + record.id
                let key = keys[name] ?? record.bookKey
                keys[name] = key
                // Within one list, works with the same name are the catalog's own business.
                if let place = places[key], books[place].list != list {
                    books[place].rank = min(books[place].rank, rank)
                } else {
                    places[key] = books.count
                    books.append((rank, list, record))
                }
            }
        }
        let order = books.indices.sorted { (books[$0].rank, $0) < (books[$1].rank, $1) }
        return order.prefix(limit).map { books[$0].record }
    }
}

/// Keeps what the records of different catalogs are compared by, because computing it takes longer than most searches.
package final class BookKeys: Sendable {
    /// All are dropped beyond this number; 20,000 take about 4 MB.
    fileprivate static let limit = 20_000
    fileprivate let known = Mutex<[String: String]>([:])

    package init() {}
}

extension BookRecord {
    /// Equal for records of the same book in different catalogs: the folded main title and the first author's surname.
    fileprivate var bookKey: String {
        let surname = authors.first.flatMap { PersonName.list($0).first?.familyWords } ?? []
        return TextNormalisation.fold(Title(title).main) + "\u{1}" + surname.joined(separator: " ")
    }
}
