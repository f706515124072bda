package import Bibliography
import Bounds
package import Concurrency
import Foundation
import Library
package import ShelflistAPI

/// Searches several sources concurrently.
package struct CombinedSearch: Sendable {
    private let sources: [any RecordSource]
    private let clock: any WallClock

    /// The seconds that the sources may take.
    private static let patience: TimeInterval = 6

    package init(_ sources: [any RecordSource], clock: any WallClock = SystemClock()) {
        (self.sources, self.clock) = (sources, clock)
    }

    /// Searches all sources and merges duplicate results.
    ///
    /// A source that fails does not affect the others.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of records per source.
    ///   - isWanted: whether a merged record is a result.
    package func results(
        for text: String, in scope: SearchScope = .all, limit: Int = 20,
        where isWanted: (BookRecord) -> Bool = { _ in true }
    ) async -> SearchResults {
        let text = BoundedText(text, limit: 500).text
        let answers = await sources.answers(within: Self.patience, clock: clock) { source in
            try await source.search(text, scope: scope, limit: limit)
        }
        var lists: [(source: String, records: [BookRecord])] = []
        var failures: [String: UnavailableSource] = [:]
        for (source, answer) in zip(sources, answers) {
            switch answer {
            case .success(let records): lists.append((source.name, records))
            case .failure(let failure): failures[source.name] = failure
            case nil:
                failures[source.name] = UnavailableSource(
                    source: source.name,
                    message: "\(source.title) did not answer within \(Int(saturating: Self.patience)) s. Search again.",
                    retryAfterMs: 0)
            }
        }
        let items = Self.merged(lists).filter { isWanted($0.record) }
        return SearchResults(
            items: items,
            sources: sources.map { source in
                let failure = failures[source.name]
                return .init(
                    source: source.name, state: failure == nil ? "ok" : "degraded", message: failure?.message,
                    retryAfterMs: failure?.retryAfterMs, count: items.count { $0.sources.contains(source.name) })
            })
    }

    /// Interleaves the sources' records by rank; records of the same edition become one.
    private static func merged(_ lists: [(source: String, records: [BookRecord])]) -> [SearchRecord] {
        var found: [SearchRecord] = []
        var places: [String: Int] = [:]
        for rank in Range(from: 0, upTo: lists.map(\.records.count).max() ?? 0) {
            for (source, records) in lists where rank < records.count {
                let record = records[rank]
                let key = identity(of: record)
                if let place = places[key] {
                    found[place].record = found[place].record.filled(from: record, sameEdition: true)
                    if !found[place].sources.contains(source) { found[place].sources.append(source) }
                } else {
                    places[key] = found.count
                    found.append(SearchRecord(record, sources: [source]))
                }
            }
        }
        return found
    }

    /// Returns a key that is equal for the same edition: its ISBN, or title, author and year without one.
    private static func identity(of record: BookRecord) -> String {
        if let isbn = record.isbn.flatMap({ ISBN($0) }) { return isbn.isbn13 }
        let key = BookKey(title: record.title, subtitle: record.subtitle, authors: record.authors)
        return key.text + "|" + key.subtitle + "|" + (record.year.map(String.init) ?? "")
    }
}
