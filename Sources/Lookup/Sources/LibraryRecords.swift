package import Bibliography
import Catalog
package import Library
import ShelflistAPI
import Synchronization

/// The confirmed books of the library as records that spines can be matched with, indexed in memory.
///
/// The index is built again when these books change, about 0.1 ms a book; other changes of the library cost one query.
package final class LibraryRecords: Sendable {
    private struct Indexed {
        var revision: Int
        var books: [ConfirmedBook]
        /// Counts the indexes of this value.
        var generation: Int
        /// Nil without books.
        var catalog: Catalog?
        /// The record of each work, as the index returns it.
        var records: [RowID<Work>: BookRecord]
    }

    private let library: LibraryStore
    private let indexed = Mutex<Indexed?>(nil)

    package init(_ library: LibraryStore) { self.library = library }

    /// Returns the records; nil if no book is confirmed.
    ///
    /// - Throws: `LibraryError`, `StorageError`, `DatabaseError`.
    package func snapshot() throws -> CatalogSnapshot? {
        let current = try current()
        guard var snapshot = try current.catalog?.snapshot() else { return nil }
        snapshot.version = "\(BookRecord.librarySource) \(current.generation)"
        snapshot.knownSpines = current.books.flatMap { book in
            book.spines.compactMap { lines in
                current.records[book.work].map { KnownSpine(lines: lines, record: $0) }
            }
        }
        return snapshot
    }

    /// Returns the records of the copies that a photo of a shelf is expected to show, one for each copy.
    ///
    /// - Parameter shelf: the ID of the shelf; an unknown one has no copies.
    /// - Throws: `LibraryError`, `StorageError`, `DatabaseError`.
    package func expected(onShelf shelf: String) throws -> [BookRecord] {
        guard let shelf = RowID<Shelf>(shelf) else { return [] }
        let records = try current().records
        return try library.expectedWorks(on: shelf).compactMap { records[$0] }
    }

    private func current() throws -> Indexed {
        // One caller builds the index, and others wait for it.
        try indexed.withLock { indexed in
            // Read before the books: a change in between is noticed by the next photo.
            let revision = try library.currentRevision()
            if let indexed, indexed.revision == revision { return indexed }
            let books = try library.confirmedBooks()
            if indexed?.books == books {
                indexed?.revision = revision
            } else {
                indexed = try Self.index(
                    books, revision: revision, generation: (indexed?.generation ?? 0) + 1)
            }
            return indexed ?? Indexed(revision: revision, books: [], generation: 0, records: [:])
        }
    }

    private static func index(_ books: [ConfirmedBook], revision: Int, generation: Int) throws -> Indexed {
        var records: [RowID<Work>: BookRecord] = [:]
        for book in books { records[book.work] = BookRecord(book) }
        let catalog =
            try books.isEmpty
            ? nil
            : Catalog(
                books.map { (BookRecord($0), $0.isbns) }, source: BookRecord.librarySource, name: "the library's index")
        return Indexed(
            revision: revision, books: books, generation: generation, catalog: catalog, records: records)
    }
}

extension BookRecord {
    /// Creates the record of a book as the library describes it, so that a match names the library's book exactly.
    fileprivate init(_ book: ConfirmedBook) {
        self.init(
            id: "\(book.work)", title: book.title, subtitle: book.subtitle, authors: book.authors,
            series: book.series, isbn: book.isbns.first?.isbn13, source: Self.librarySource)
        work = Catalog.workName(of: self)
    }
}
