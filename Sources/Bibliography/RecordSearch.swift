/// What identification asks of a catalog.
public protocol RecordSearch: Sendable {
    /// Records that may be the book whose spine carries these folded words, best first; `limit` works at most.
    func candidates(forWords words: [String], limit: Int) throws -> [Record]
    /// The same for each of several spines of one photo, whose words and books have much in common.
    func candidates(forEach queries: [[String]], limit: Int) throws -> [[Record]]
    /// In how many of the catalog's works the word appears, and how many works there are: for IDF weights.
    func documentFrequency(of word: String) throws -> Int
    /// The same for each of several words.
    func documentFrequencies(of words: [String]) throws -> [Int]
    var workCount: Int { get }
    /// Records of the work that a record describes, in all editions that are known; `limit` at most.
    func editions(of record: Record, limit: Int) throws -> [Record]
    /// Many questions will come soon: what makes them faster may begin. Returns at once.
    func prepareForQuestions()
}

/// A catalog as it is at one time.
public struct CatalogSnapshot: Sendable {
    public var search: any RecordSearch
    /// Differs for different contents.
    public var version: String

    public init(search: any RecordSearch, version: String) {
        self.search = search
        self.version = version
    }
}

extension RecordSearch {
    /// The catalog as one that never changes.
    public var snapshot: CatalogSnapshot { CatalogSnapshot(search: self, version: "") }

    public func prepareForQuestions() {}

    public func editions(of record: Record, limit: Int) throws -> [Record] { [] }

    public func candidates(forEach queries: [[String]], limit: Int) throws -> [[Record]] {
        try queries.map { words in
            try Task.checkCancellation()
            return try candidates(forWords: words, limit: limit)
        }
    }

    public func documentFrequencies(of words: [String]) throws -> [Int] {
        try words.map { try documentFrequency(of: $0) }
    }
}
