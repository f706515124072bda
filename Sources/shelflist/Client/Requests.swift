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
    /// Returns the shelf with this code, path, or name that no other shelf has.
    ///
    /// - Throws: `CommandError` with the paths of the existing shelves.
    func existing(named name: String) async throws -> LibraryShelf {
        let shelves = try await all.first().items
        let found = Self.shelves(named: name, in: shelves)
        if found.count == 1 { return found[0] }
        guard !found.isEmpty else { throw CommandError.noShelf(named: name, among: shelves.map(\.path)) }
        let paths = found.map(\.path).joined(separator: ", ")
        throw CommandError("\(found.count) shelves are called “\(name)”. Name one by its path: \(paths).")
    }

    /// Returns the shelf with this code, path, or name that no other shelf has; it is created if there is none.
    func place(named name: String) async throws -> LibraryShelf {
        let found = Self.shelves(named: name, in: try await all.first().items)
        return found.count == 1 ? found[0] : try await named(name)
    }

    private static func shelves(named name: String, in shelves: [LibraryShelf]) -> [LibraryShelf] {
        func isSame(_ a: String, _ b: String) -> Bool { a.compare(b, options: .caseInsensitive) == .orderedSame }
        let (code, path) = (PlaceCode(name)?.description, PlacePath(name).description)
        let exact = shelves.filter { $0.code == code || isSame($0.path, path) }
        return exact.isEmpty ? shelves.filter { isSame($0.name, name) } : exact
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
