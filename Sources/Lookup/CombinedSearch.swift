package import Bibliography
package import Concurrency
package import Foundation
import Library
package import ShelflistAPI

/// A search result, with every source that has it.
package struct MatchOffer: Hashable, Codable, Sendable {
    /// The first source's record, its gaps filled from the others.
    package var record: Record
    /// The names of the sources, in the order in which they were given.
    package var sources: [String]

    package init(record: Record, sources: [String]) { (self.record, self.sources) = (record, sources) }
}

/// The results of a search, and the sources that were unavailable.
package struct MatchResults: Hashable, Codable, Sendable {
    package var offers: [MatchOffer]
    /// The unavailable sources, in the order in which they were given.
    package var failures: [UnavailableSource]

    package init(offers: [MatchOffer], failures: [UnavailableSource]) {
        (self.offers, self.failures) = (offers, failures)
    }
}

/// Searches several sources concurrently.
package struct CombinedSearch: Sendable {
    private let sources: [any RecordSource]
    private let patience: TimeInterval
    private let clock: any WallClock

    /// - Parameter patience: seconds that the sources may take.
    package init(_ sources: [any RecordSource], patience: TimeInterval = 6, clock: any WallClock = SystemClock()) {
        self.sources = sources
        self.patience = patience
        self.clock = clock
    }

    /// Searches all sources and merges duplicate results.
    ///
    /// A source that fails does not affect the others.
    ///
    /// - Parameter limit: the maximum number of records per source.
    package func results(for text: String, in scope: SearchScope = .all, limit: Int = 20) async -> MatchResults {
        let text = String(text.prefix(500))
        let answers = await sources.answers(within: patience, clock: clock) { source in
            try await source.search(text, scope: scope, limit: limit)
        }
        var lists: [(source: String, records: [Record])] = []
        var failures: [UnavailableSource] = []
        for (source, answer) in zip(sources, answers) {
            switch answer {
            case .success(let records): lists.append((source.name, records))
            case .failure(let failure): failures.append(failure)
            case nil:
                failures.append(
                    UnavailableSource(
                        source: source.name,
                        message: "\(source.title) did not answer within \(Int(patience)) s. Search again.",
                        retryAfterMs: 0))
            }
        }
        return MatchResults(offers: Self.merged(lists), failures: failures)
    }

    /// Interleaves the sources' records by rank; records of the same edition become one offer.
    private static func merged(_ lists: [(source: String, records: [Record])]) -> [MatchOffer] {
        var offers: [MatchOffer] = []
        var places: [String: Int] = [:]
        for rank in 0..<(lists.map(\.records.count).max() ?? 0) {
            for (source, records) in lists where rank < records.count {
                let record = records[rank]
                let key = identity(of: record)
                if let place = places[key] {
                    offers[place].record = offers[place].record.filled(from: record, sameEdition: true)
                    if !offers[place].sources.contains(source) { offers[place].sources.append(source) }
                } else {
                    places[key] = offers.count
                    offers.append(MatchOffer(record: record, sources: [source]))
                }
            }
        }
        return offers
    }

    /// Returns a key that is equal for the same edition: its ISBN, or title, author and year without one.
    private static func identity(of record: Record) -> String {
        if let isbn = record.isbn.flatMap({ ISBN($0) }) { return isbn.isbn13 }
        let key = BookKey(title: record.title, subtitle: record.subtitle, authors: record.authors)
        return key.text + "|" + key.subtitle + "|" + (record.year.map(String.init) ?? "")
    }
}
