import Foundation
import Library
import Server
import ShelflistAPI
import ShelflistClient
import Terminal

extension LocalLibrary {
    func add(_ book: NewBook) async throws -> LibraryBook {
        let added = try await store.add(try book.book(), entry: try book.copy())
        return try await self.book(added.id)
    }

    func edit(_ id: RowID<LibraryEntry>, _ fields: EntryFields) async throws -> LibraryBook {
        let entry = try await store.entry(id).entry
        let details = try await fields.apply(to: entry.details, in: store)
        _ = try await store.update(id, to: details, ifRevision: entry.revision)
        return try await book(id)
    }

    func remove(_ id: RowID<LibraryEntry>) async throws { try await store.remove(id) }
}

extension ServerLibrary {
    func add(_ book: NewBook) async throws -> LibraryBook {
        switch try await client.library.add(book) {
        case .added(let added): return try await self.book(try Self.id(added))
        case .exists(let same):
            throw CommandError(
                "The server did not add the book, because the library has it: \(same.existing.first?.title ?? "?"). "
                    + "Update the server.")
        }
    }

    private static func id(_ book: LibraryBook) throws -> RowID<LibraryEntry> {
        guard let id = RowID<LibraryEntry>(book.id) else { throw LibraryError.notFound("book \(book.id)") }
        return id
    }

    func edit(_ id: RowID<LibraryEntry>, _ fields: EntryFields) async throws -> LibraryBook {
        // Before anything is sent.
        var change = try fields.change()
        var book = try await book(id)
        if let shelf = fields.shelf {
            change.shelf = shelf.isEmpty ? .clear : .set(try await client.shelves.named(shelf).id)
        }
        if change != BookChange() { book = try await client.library.change(book, change) }
        if let name = fields.lentTo, !name.isEmpty || book.ownership == Ownership.lent.rawValue {
            book = try await client.library.lend(
                "\(id)", to: name.isEmpty ? nil : name, due: try fields.dueDate()?.rawValue)
        }
        book.undoToken = nil
        return book
    }

    func remove(_ id: RowID<LibraryEntry>) async throws { _ = try await client.library.remove("\(id)") }
}

extension EntryFields {
    /// Returns the change without the shelf, whose identifier the library knows, and without the loan.
    ///
    /// - Throws: `LibraryError` for a date that is not one.
    func change() throws -> BookChange {
        func patch(_ text: String?) -> FieldPatch<String> { text.map { $0.isEmpty ? .clear : .set($0) } ?? .keep }
        var change = BookChange()
        change.ownership = ownership?.rawValue
        change.readingStatus = reading.map { .set($0.apiName) } ?? .keep
        change.rating = rating.map { .set($0) } ?? .keep
        change.notes = patch(notes)
        change.tags = tags.isEmpty ? nil : tags
        change.startedOn = patch(try startDate()?.rawValue ?? started)
        change.finishedOn = patch(try endDate()?.rawValue ?? finished)
        return change
    }
}

extension BookFields {
    /// - Throws: `LibraryError` for an ISBN that is not valid.
    func correction() throws -> BookCorrection {
        var correction = BookCorrection(title: title, authors: authors.isEmpty ? nil : authors)
        // An empty text removes the ISBN.
        correction.isbn = try isbn.map { $0.isEmpty ? .clear : .set(try Self.number($0).isbn13) } ?? .keep
        correction.subtitle = subtitle.map { .set($0) } ?? .keep
        correction.publisher = publisher.map { .set($0) } ?? .keep
        correction.year = year.map { .set($0) } ?? .keep
        correction.pages = pages.map { .set($0) } ?? .keep
        correction.series = series.map { .set($0) } ?? .keep
        correction.language = language.map { .set($0) } ?? .keep
        return correction
    }
}
