import Foundation
import Library
import Server
import ShelflistAPI
import ShelflistClient

extension LocalLibrary {
    func edit(_ id: RowID<LibraryEntry>, _ fields: EntryFields) async throws -> LibraryBook {
        let entry = try await store.entry(id).entry
        let details = try await fields.apply(to: entry.details, in: store)
        _ = try await store.update(id, to: details, ifRevision: entry.revision)
        return LibraryBook(try await store.entry(id))
    }

    func remove(_ id: RowID<LibraryEntry>) async throws { try await store.remove(id) }
}

extension ServerLibrary {
    func edit(_ id: RowID<LibraryEntry>, _ fields: EntryFields) async throws -> LibraryBook {
        // Before anything is sent.
        var change = try BookChange(fields)
        var book = try await client.library.book("\(id)")
        if let shelf = fields.shelf {
            change.shelf = shelf.isEmpty ? .clear : .set(try await client.shelves.named(shelf).id)
        }
        if change != BookChange() { book = try await client.library.change(book, change) }
        if let name = fields.lentTo, !name.isEmpty || book.ownership == Ownership.lent.rawValue {
            book = try await client.library.lend("\(id)", to: name.isEmpty ? nil : name)
        }
        book.undoToken = nil
        return book
    }

    func remove(_ id: RowID<LibraryEntry>) async throws { _ = try await client.library.remove("\(id)") }
}

extension BookChange {
    /// Without the shelf and the loan, which have requests of their own.
    ///
    /// - Throws: `LibraryError` for a date that is not one.
    fileprivate init(_ fields: EntryFields) throws {
        func patch(_ text: String?) -> FieldPatch<String> { text.map { $0.isEmpty ? .clear : .set($0) } ?? .keep }
        self.init()
        ownership = fields.ownership?.rawValue
        readingStatus = fields.reading.map { .set($0.apiName) } ?? .keep
        rating = fields.rating.map { .set($0) } ?? .keep
        notes = patch(fields.notes)
        tags = fields.tags.isEmpty ? nil : fields.tags
        startedOn = patch(try fields.startDate()?.rawValue ?? fields.started)
        finishedOn = patch(try fields.endDate()?.rawValue ?? fields.finished)
    }
}
