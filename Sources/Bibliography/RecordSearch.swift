/// The catalog searches that identification needs.
public protocol RecordSearch: Sendable {
    /// Returns, for each of several spines with these folded words, the records that may match it.
    ///
    /// Best first, of at most `limit` works. The spines of one photo often share words and books.
    func candidates(forEach queries: [[String]], limit: Int) throws -> [[BookRecord]]
    /// Returns the number of works that contain each word, for IDF weights.
    func documentFrequencies(of words: [String]) throws -> [Int]
    var workCount: Int { get }
    /// Returns at most `limit` records of known editions of the work that a record describes.
    func editions(of record: BookRecord, limit: Int) throws -> [BookRecord]
    /// Starts preparing for many searches, for example by reading ahead; returns immediately.
    func prepareForQuestions()
}

/// A catalog as it is at one time.
public struct CatalogSnapshot: Sendable {
    public var search: any RecordSearch
    /// Differs for different contents.
    public var version: String
    /// Whether a spine without a record in this search is thereby checked.
    ///
    /// `false` for the starter list alone, which lacks most books: there, only a spine with a record is checked.
    public var checks: Bool
    /// The spines on whose books a person decided.
    package var knownSpines: [KnownSpine] = []

    public init(search: any RecordSearch, version: String, checks: Bool = true) {
        (self.search, self.version, self.checks) = (search, version, checks)
    }
}

/// A spine on whose book a person decided.
package struct KnownSpine: Hashable, Sendable {
    /// The lines as they were read.
    package var lines: [String]
    package var record: BookRecord

    package init(lines: [String], record: BookRecord) { (self.lines, self.record) = (lines, record) }
}

extension RecordSearch {
    /// The catalog as one that never changes.
    public var snapshot: CatalogSnapshot { CatalogSnapshot(search: self, version: "") }

    public func prepareForQuestions() {}

    public func candidates(forWords words: [String], limit: Int) throws -> [BookRecord] {
        try candidates(forEach: [words], limit: limit)[0]
    }

    public func documentFrequency(of word: String) throws -> Int { try documentFrequencies(of: [word])[0] }
}
