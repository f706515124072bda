/// What identification asks of a catalog.
public protocol RecordSearch: Sendable {
    /// Records that may be the book whose spine carries these folded words, best first; `limit` works at most.
    func candidates(forWords words: [String], limit: Int) throws -> [Record]
    /// In how many of the catalog's works the word appears, and how many works there are: for IDF weights.
    func documentFrequency(of word: String) throws -> Int
    var workCount: Int { get }
}
