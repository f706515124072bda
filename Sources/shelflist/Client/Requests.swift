import Bibliography
import Foundation
import Library
import ShelflistClient
import Terminal

extension Pages {
    /// Returns the first items, and how many there are on all pages.
    ///
    /// - Parameter limit: nil for all items.
    func first(_ limit: Int? = nil) async throws(ShelflistError) -> (items: [Item], total: Int) {
        let (items, last) = try await firstItems(limit ?? .max) { cursor, limit throws(ShelflistError) in
            try await page(cursor, limit: limit)
        }
        return (items, last.total)
    }
}

extension ReviewRequests {
    /// Returns the first items of the queue with the counts of the whole queue.
    func first(
        _ limit: Int, tier: ConfidenceTier? = nil, kind: InboxKind
    ) async throws(ShelflistError) -> (items: [ReviewQueueItem], counts: ReviewQueueCounts) {
        let (items, last) = try await firstItems(limit) { cursor, limit throws(ShelflistError) in
            try await page(cursor, tier: tier, kind: kind, limit: limit)
        }
        return (items, last.counts)
    }
}

private protocol ItemPage {
    associatedtype Item
    var items: [Item] { get }
    var nextCursor: String? { get }
}

extension Page: ItemPage {}
extension ReviewQueuePage: ItemPage {}

/// Requests pages until there are `limit` items or no more pages.
///
/// - Returns: the items, and the last page.
private func firstItems<P: ItemPage>(
    _ limit: Int, _ page: (_ cursor: String?, _ limit: Int) async throws(ShelflistError) -> P
) async throws(ShelflistError) -> (items: [P.Item], last: P) {
    var last = try await page(nil, min(limit, RequestBounds.pageSize))
    var items = last.items
    while let cursor = last.nextCursor, items.count < limit {
        last = try await page(cursor, min(limit - items.count, RequestBounds.pageSize))
        items += last.items
    }
    return (items, last)
}

extension ShelfRequests {
    /// Returns the shelf with this name.
    ///
    /// - Throws: `CommandError` with the names of the existing shelves.
    func existing(named name: String) async throws -> LibraryShelf {
        let shelves = try await all.first().items
        guard let place = shelves.map(\.name).place(named: name) else {
            throw CommandError.noShelf(named: name, among: shelves.map(\.name))
        }
        return shelves[place]
    }
}

extension RowID where Owner == LibraryEntry {
    /// The identifier by which the API takes a book instead of its spine.
    var item: String { "e\(self)" }
}

extension SearchResults {
    /// The sources that did not answer.
    var unavailable: [UnavailableSource] {
        sources.filter { $0.state == "degraded" }.map {
            UnavailableSource(
                source: $0.source, message: $0.message ?? "\($0.source) did not answer.",
                retryAfterMs: $0.retryAfterMs)
        }
    }

    /// Whether there was a catalog or a provider to search.
    var hasSources: Bool { sources.contains { $0.state != "off" } }
}

extension ShelflistClient {
    /// Searches for records of a book.
    ///
    /// - Throws: `CommandError` if there is neither a catalog nor a provider.
    func records(
        for text: String, in scope: SearchScope = .all, sources: SearchSources = .all
    ) async throws -> SearchResults {
        let results = try await search(text, in: scope, sources: sources)
        guard results.hasSources else {
            throw CommandError(
                "There is nothing to search. On the library's machine, make a catalog: shelflist catalog import FILE... "
                    + "Or turn a provider on: shelflist providers on openlibrary")
        }
        return results
    }
}
