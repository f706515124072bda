public import Bibliography

/// Where a search looks.
public enum MatchScope: String, Codable, CaseIterable, Sendable {
    case all, title, author, isbn
}

/// Anything that can be searched for records by hand: the local catalog, an online provider.
public protocol MatchSource: Sendable {
    /// Labels its results: `local`, `openlibrary`.
    var name: String { get }
    func records(for text: String, in scope: MatchScope, limit: Int) async throws -> [Record]
}

/// A record to choose, with every source that knows it.
public struct MatchOffer: Hashable, Codable, Sendable {
    /// Of the first source; gaps are filled from the others.
    public var record: Record
    /// In the order in which the sources were given.
    public var sources: [String]
}

/// What a search found, and which sources failed.
public struct MatchResults: Hashable, Codable, Sendable {
    public var offers: [MatchOffer]
    /// By source: why it gave nothing.
    public var failures: [String: String]
}

/// Searches several sources together.
public struct MatchSearch: Sendable {
    private let sources: [any MatchSource]

    public init(_ sources: [any MatchSource]) { self.sources = sources }

    /// Records of all sources, the same book once; a source that fails is named and spoils nothing.
    ///
    /// - Parameter limit: records a source.
    public func results(for text: String, in scope: MatchScope = .all, limit: Int = 20) async -> MatchResults {
        let text = String(text.prefix(500))
        let answers = await withTaskGroup(of: Answer.self) { group in
            for (index, source) in sources.enumerated() {
                group.addTask { await Answer(of: source, index, text, scope, limit) }
            }
            var answers: [Answer] = []
            for await answer in group { answers.append(answer) }
            return answers.sorted { $0.index < $1.index }
        }
        let failures = answers.compactMap { answer in answer.failure.map { (answer.source, $0) } }
        let lists = answers.map { ($0.source, $0.records) }
        return MatchResults(
            offers: Self.merged(lists), failures: Dictionary(failures, uniquingKeysWith: { first, _ in first }))
    }

    /// The best of each source in turns, so that none hides the others; records of the same edition become one.
    static func merged(_ lists: [(source: String, records: [Record])]) -> [MatchOffer] {
        var offers: [MatchOffer] = []
        var places: [String: Int] = [:]
        let longest = lists.map(\.records.count).max() ?? 0
        for rank in 0..<longest {
            for (source, records) in lists where rank < records.count {
                let record = records[rank]
                let key = identity(of: record)
                if let place = places[key] {
                    offers[place].record.fillGaps(from: record)
                    if !offers[place].sources.contains(source) { offers[place].sources.append(source) }
                } else {
                    places[key] = offers.count
                    offers.append(MatchOffer(record: record, sources: [source]))
                }
            }
        }
        return offers
    }

    /// Editions by ISBN; without one, by title, author and year.
    private static func identity(of record: Record) -> String {
        if let isbn = record.isbn.flatMap({ ISBN($0) }) { return isbn.isbn13 }
        let key = BookKey(title: record.title, subtitle: record.subtitle, authors: record.authors)
        return key.text + "|" + key.subtitle + "|" + (record.year.map(String.init) ?? "")
    }
}

/// What one source said.
private struct Answer: Sendable {
    var index: Int
    var source: String
    var records: [Record] = []
    var failure: String?

    init(of source: any MatchSource, _ index: Int, _ text: String, _ scope: MatchScope, _ limit: Int) async {
        self.index = index
        self.source = source.name
        do {
            records = try await source.records(for: text, in: scope, limit: limit)
        } catch {
            failure = String(describing: error)
        }
    }
}

extension Record {
    fileprivate mutating func fillGaps(from other: Record) {
        subtitle = subtitle ?? other.subtitle
        if authors.isEmpty { authors = other.authors }
        series = series ?? other.series
        publisher = publisher ?? other.publisher
        year = year ?? other.year
        pages = pages ?? other.pages
        language = language ?? other.language
        if cover == nil, other.source == source { cover = other.cover }
    }
}
