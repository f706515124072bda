import Bibliography
import Foundation
import Library
import Lookup
import Server
import ShelflistAPI
import ShelflistClient

/// The library that a command works with: of a data directory of this machine, or of a server.
///
/// Both return the messages of the API, so that each command formats its output once.
protocol LibraryAccess: Sendable {
    /// - Parameter limit: nil for all books.
    func books(_ query: LibraryQuery, limit: Int?) async throws -> BookList
    /// Returns the books that match the text, exactly or approximately, with their places.
    func find(_ text: String) async throws -> [LocatedBook]
    /// Returns the stored photo of a book; nil if none is stored.
    func photo(of book: LocatedBook) async throws -> [UInt8]?
    /// - Parameter write: receives the document in pieces.
    func export(_ format: ExportFormat, to write: (String) throws -> Void) async throws

    /// Changes the details of a copy, and returns it.
    func edit(_ id: RowID<LibraryEntry>, _ fields: EntryFields) async throws -> LibraryBook
    func remove(_ id: RowID<LibraryEntry>) async throws

    func shelves() async throws -> [LibraryShelf]
    func rename(_ shelf: LibraryShelf, to name: String) async throws
    func remove(_ shelf: LibraryShelf) async throws

    /// Returns the first items of these kinds, and the counts of the whole queue.
    ///
    /// - Parameter kind: nil for the books that need review.
    func reviewQueue(_ kind: InboxKind?, tier: ConfidenceTier?, limit: Int) async throws -> ReviewList
    /// - Returns: the number of books that were verified.
    func verify(_ ids: [RowID<LibraryEntry>]) async throws -> Int
    /// - Parameter tier: nil for all.
    func verifyAll(tier: ConfidenceTier?) async throws -> Int
    func reject(_ ids: [RowID<LibraryEntry>]) async throws -> Int
    /// Corrects a book, which confirms it, and returns it.
    func correct(_ id: RowID<LibraryEntry>, _ fields: BookFields) async throws -> LibraryBook

    /// Searches the catalog and the providers for records of a book.
    ///
    /// - Parameters:
    ///   - text: nil for the book's title.
    ///   - offline: whether to ask no provider.
    func records(
        for id: RowID<LibraryEntry>, _ text: String?, in scope: SearchScope, offline: Bool
    ) async throws -> MatchResults
    func prepareMatch(of id: RowID<LibraryEntry>, with offer: MatchOffer) async throws -> PreparedMatch
}

/// What matching a book with a record changes.
struct PreparedMatch {
    var changes: [MatchChanges.Field]
    /// What the user's data has that stays.
    var stays: [String]
    var cover: URL?
    /// Matches the book, unless it was changed since, and returns it.
    var apply: () async throws -> LibraryBook
}

/// The books of a list.
struct BookList: Encodable {
    var items: [LibraryBook]
    /// How many books there are without a limit.
    var total: Int
}

/// A part of the review queue.
struct ReviewList: Encodable {
    var counts: ReviewQueueCounts
    var items: [ReviewQueueItem]
}

extension LibraryAccess {
    func exported(_ format: ExportFormat) async throws -> String {
        var text = ""
        try await export(format) { text += $0 }
        return text
    }

    /// Returns the shelf with this name.
    ///
    /// - Throws: `CommandError` with the names of the existing shelves.
    func existingShelf(named name: String) async throws -> LibraryShelf {
        let shelves = try await shelves()
        if let shelf = shelves.first(where: { $0.name.compare(name, options: .caseInsensitive) == .orderedSame }) {
            return shelf
        }
        let names = shelves.map(\.name).joined(separator: ", ")
        throw CommandError(
            "There is no shelf “\(name)”. " + (names.isEmpty ? "There are none yet." : "There are: \(names)."))
    }
}

extension InboxKind {
    /// The books that need review.
    fileprivate static let books: [InboxKind] = [.detection, .failedEnrichment]
}

/// The library of a data directory.
struct LocalLibrary: LibraryAccess {
    let store: LibraryStore

    func books(_ query: LibraryQuery, limit: Int?) async throws -> BookList {
        var wanted = EntryQuery(text: query.text, limit: limit)
        wanted.sort = EntryQuery.Sort(rawValue: query.sort.rawValue) ?? .title
        wanted.shelf = query.shelf.flatMap { RowID($0) }
        wanted.tag = query.tag
        wanted.ownership = query.ownership.flatMap(Ownership.init)
        wanted.reading = query.readingStatus.flatMap(ReadingStatus.init(apiName:))
        wanted.descending = query.descending
        let page = try await store.entries(wanted)
        return BookList(items: page.entries.map { LibraryBook($0) }, total: page.total)
    }

    func find(_ text: String) async throws -> [LocatedBook] { try await store.find(text).map(LocatedBook.init) }

    func photo(of book: LocatedBook) async throws -> [UInt8]? {
        guard let id = book.book.position.flatMap({ RowID<Photo>($0.photoId) }),
            let file = try await store.photo(id).shownFile
        else { return nil }
        return [UInt8](try Data(contentsOf: store.folder.photo(file)))
    }

    func export(_ format: ExportFormat, to write: (String) throws -> Void) async throws {
        try await store.export(format, to: write)
    }

    func shelves() async throws -> [LibraryShelf] { try await store.shelves().map(LibraryShelf.init) }

    func rename(_ shelf: LibraryShelf, to name: String) async throws {
        if let id = RowID<Shelf>(shelf.id) { _ = try await store.rename(id, to: name) }
    }

    func remove(_ shelf: LibraryShelf) async throws {
        if let id = RowID<Shelf>(shelf.id) { try await store.remove(id) }
    }

    func reviewQueue(_ kind: InboxKind?, tier: ConfidenceTier?, limit: Int) async throws -> ReviewList {
        let filter = InboxFilter(kinds: kind.map { [$0] } ?? InboxKind.books, tier: tier)
        let counts = try await store.reviewCounts()
        let items = try await store.inbox(filter, limit: limit).items
        try await store.record(.reviewQueueViewed(queueCount: counts.books))
        return ReviewList(counts: ReviewQueueCounts(counts), items: items.map { ReviewQueueItem($0) })
    }

    func verify(_ ids: [RowID<LibraryEntry>]) async throws -> Int { try await store.approveAll(ids) }

    func verifyAll(tier: ConfidenceTier?) async throws -> Int { try await store.approveAll(tier: tier) }

    func reject(_ ids: [RowID<LibraryEntry>]) async throws -> Int { try await store.rejectAll(ids) }
}

/// The library of a server.
struct ServerLibrary: LibraryAccess {
    let client: ShelflistClient

    func books(_ query: LibraryQuery, limit: Int?) async throws -> BookList {
        let pages = client.library.books(query)
        var page = try await pages.page(limit: min(limit ?? .max, 500))
        var items = page.items
        while let cursor = page.nextCursor, items.count < limit ?? .max {
            page = try await pages.page(cursor, limit: 500)
            items += page.items
        }
        return BookList(items: Array(items.prefix(limit ?? .max)), total: page.total)
    }

    func find(_ text: String) async throws -> [LocatedBook] { try await client.library.find(text).books }

    func photo(of book: LocatedBook) async throws -> [UInt8]? {
        guard let path = book.book.position?.photoUrl else { return nil }
        return [UInt8](try await client.picture(path))
    }

    func export(_ format: ExportFormat, to write: (String) throws -> Void) async throws {
        let document = try await client.lists.export(ListFormat(rawValue: format.rawValue) ?? .csv)
        try write(String(decoding: document, as: UTF8.self))
    }

    func shelves() async throws -> [LibraryShelf] {
        var shelves: [LibraryShelf] = []
        for try await shelf in client.shelves.all { shelves.append(shelf) }
        return shelves
    }

    func rename(_ shelf: LibraryShelf, to name: String) async throws {
        _ = try await client.shelves.rename(shelf, to: name)
    }

    func remove(_ shelf: LibraryShelf) async throws { _ = try await client.shelves.remove(shelf.id) }

    func reviewQueue(_ kind: InboxKind?, tier: ConfidenceTier?, limit: Int) async throws -> ReviewList {
        var items: [ReviewQueueItem] = []
        for kind in kind.map({ [$0] }) ?? InboxKind.books where items.count < limit {
            for try await item in client.review.items(tier: tier, kind: kind.rawValue) {
                items.append(item)
                if items.count == limit { break }
            }
        }
        return ReviewList(counts: try await client.review.counts(), items: items)
    }

    func verify(_ ids: [RowID<LibraryEntry>]) async throws -> Int {
        try await client.review.verify(all: ids.map(Self.item)).changed
    }

    func verifyAll(tier: ConfidenceTier?) async throws -> Int { try await client.review.verifyAll(tier: tier).changed }

    func reject(_ ids: [RowID<LibraryEntry>]) async throws -> Int {
        try await client.review.reject(all: ids.map(Self.item)).changed
    }

    /// The identifier by which the API takes a book instead of its spine.
    static func item(_ id: RowID<LibraryEntry>) -> String { "e\(id)" }
}
