package import Bibliography
import GRDB

extension Catalog: RecordSearch {
    package var workCount: Int {
        // Other searches of an unreadable catalog throw the error.
        (try? readAnyway { $0.vocabulary.workCount }) ?? 0
    }

    package func documentFrequencies(of words: [String]) throws -> [Int] {
        try readAnyway { reader in try words.map { try reader.vocabulary.documentFrequency(of: $0) } }
    }

    /// Returns, for each of several spines with these folded words, the records that may match it, best first.
    ///
    /// Returns at most `limit` records for a spine, one for each work. Words may be misread, joined, split or in any
    /// order. All spines are searched in one access, so that shared words are looked up once.
    /// - Throws: `CatalogError.notIndexed`, `DatabaseError`, `CancellationError`.
    package func candidates(forEach queries: [[String]], limit: Int) throws -> [[BookRecord]] {
        guard limit > 0 else { return queries.map { _ in [] } }
        return try read { reader in
            try queries.map { words in
                try reader.candidates(words, limit: limit) {
                    try Task.checkCancellation()
                    let query = try CandidateQuery(words: words, in: reader.vocabulary)
                    return try CandidateSearch(reader: reader, query: query).best(limit).map(\.record)
                }
            }
        }
    }

    /// Returns the editions of a work, those with an ISBN first.
    package func editions(of record: BookRecord, limit: Int) throws -> [BookRecord] {
        guard record.source == source, let work = record.work.flatMap(Identity.work(named:)) else { return [] }
        return try read { try $0.editions(ofWork: work, limit: limit) }
    }

    /// Starts reading the file into the operating system's cache if the machine has enough memory.
    package func prepareForQuestions() { ReadAhead.begin(path) }

    /// Checks that the catalog can be searched.
    ///
    /// - Throws: `CatalogError.notIndexed`, `DatabaseError`.
    package func checkReady() throws { try read { _ in } }

    /// Runs `body` with a connection's reader; the catalog must have a word index.
    ///
    /// - Throws: `CatalogError.notIndexed`, `DatabaseError`, and the errors of `body`.
    func read<Result>(_ body: (CatalogReader) throws -> Result) throws -> Result {
        try readAnyway { reader in
            guard reader.isReady else { throw CatalogError.notIndexed(path: path) }
            return try body(reader)
        }
    }

    /// Runs `body` with a connection's reader, without checking the word index.
    private func readAnyway<Result>(_ body: (CatalogReader) throws -> Result) throws -> Result {
        try database.read { db in
            let reader = try readers.reader(for: db)
            defer { reader.evictIfNeeded() }
            return try body(reader)
        }
    }
}

extension Catalog {
    /// Searches for text that a user typed, and returns one record for each work, best first.
    ///
    /// Words may be misspelt. Exact matches of a title or author come first.
    /// - Parameter limit: 1...1000.
    /// - Throws: `CatalogError.notIndexed`, `DatabaseError`.
    package func search(_ text: String, scope: SearchScope = .all, limit: Int = 20) throws -> [BookRecord] {
        let limit = min(max(1, limit), 1000)
        if scope == .isbn || scope == .all, let isbn = ISBN(text) {
            return try readAnyway { try $0.editions(isbn: isbn, limit: limit) }
        }
        guard scope != .isbn else { return [] }
        return try read { reader in
            let words = TextNormalisation.words(text)
            let query = try CandidateQuery(words: words, in: reader.vocabulary)
            var search = CandidateSearch(reader: reader, query: query)
            switch scope {
            case .title: search.column = "title : "
            case .author: search.column = "author : "
            case .all, .isbn: break
            }
            let found = try search.best(max(200, limit))
            let scores = found.map { $0.score * (1 + Self.exactness(of: words, in: $0.text, scope)) }
            return found.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }.prefix(limit).map { found[$0].record }
        }
    }

    /// Returns 0...1: how exactly the words match the whole title (or author) or its beginning.
    private static func exactness(of words: [String], in text: WorkText, _ scope: SearchScope) -> Double {
        let bare = TextNormalisation.withoutLeadingArticles(words)
        var best = 0.0
        if scope != .author {
            let title = TextNormalisation.withoutLeadingArticles(text.title)
            if title == bare {
                best = 1
            } else if title.starts(with: bare) {
                best = 0.4
            }
        }
        if scope != .title, !text.authors.isEmpty, Set(text.authors) == Set(words) { best = max(best, 0.8) }
        return best
    }
}
