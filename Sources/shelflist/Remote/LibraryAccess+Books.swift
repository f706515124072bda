import Foundation
import Library
import Server
import ShelflistAPI
import ShelflistClient

extension LocalLibrary {
    func books(_ query: LibraryQuery, limit: Int?) async throws -> BookList {
        var wanted = EntryQuery(text: query.text, limit: limit)
        wanted.sort = query.sort
        wanted.shelf = query.shelf.flatMap { RowID($0) }
        wanted.tag = query.tag
        wanted.ownership = query.ownership.flatMap(Ownership.init)
        wanted.reading = query.readingStatus.flatMap(ReadingStatus.init(apiName:))
        wanted.isOverdue = query.overdue
        wanted.descending = query.descending
        let page = try await store.entries(wanted)
        return BookList(items: page.entries.map { LibraryBook($0) }, total: page.total)
    }

    func book(_ id: RowID<LibraryEntry>) async throws -> LibraryBook { LibraryBook(try await store.entry(id)) }

    func record(_ id: RowID<LibraryEntry>) async throws -> BookRecord {
        let detail = try await store.entry(id)
        return BookRecord(
            book: LibraryBook(detail),
            work: LibraryWork(detail.work, copies: try await store.copies(of: detail.work.id)),
            item: try await item(id),
            history: try await store.reviewHistory(of: detail.work.id, limit: .max).map { WorkEvent($0) })
    }

    func find(_ text: String) async throws -> [LocatedBook] { try await store.find(text).map(LocatedBook.init) }

    func photo(of book: LocatedBook) async throws -> [UInt8]? {
        guard let id = book.book.position.flatMap({ RowID<Photo>($0.photoId) }),
            let file = try await store.photo(id).shownFile
        else { return nil }
        return [UInt8](try Data(contentsOf: store.folder.photo(file)))
    }

    func export(_ format: ListFormat, to write: (String) throws -> Void) async throws {
        try await store.export(format, to: write)
    }
}

extension ServerLibrary {
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

    func book(_ id: RowID<LibraryEntry>) async throws -> LibraryBook { try await client.library.book("\(id)") }

    func record(_ id: RowID<LibraryEntry>) async throws -> BookRecord {
        let book = try await book(id)
        var history: [WorkEvent] = []
        for try await event in client.library.history(ofWork: book.workId) { history.append(event) }
        return BookRecord(
            book: book, work: try await client.library.work(book.workId),
            item: try await client.review.item(Self.item(id)), history: history)
    }

    func find(_ text: String) async throws -> [LocatedBook] { try await client.library.find(text).books }

    func photo(of book: LocatedBook) async throws -> [UInt8]? {
        guard let path = book.book.position?.photoUrl else { return nil }
        return [UInt8](try await client.picture(path))
    }

    func export(_ format: ListFormat, to write: (String) throws -> Void) async throws {
        let document = try await client.lists.export(format)
        try write(String(decoding: document, as: UTF8.self))
    }
}
