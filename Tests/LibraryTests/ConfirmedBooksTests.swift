import Bibliography
import Foundation
import Library
import ShelflistAPI
import Synchronization
import Testing

/// Which books of the library are records for reading spines, and which copies a photo is expected to show.
@Suite struct ConfirmedBooksTests {
    /// A library whose clock moves on with each transaction.
    private static func library() throws -> TestLibrary {
        final class Ticks: Sendable {
            let count = Mutex(0)
        }
        let ticks = Ticks()
        return try TestLibrary {
            Date(
                timeIntervalSince1970: 1_800_000_000
                    + Double(
                        ticks.count.withLock {
                            $0 += 1; return $0
                        }))
        }
    }

    private static func titles(_ store: LibraryStore) throws -> [String] { try store.confirmedBooks().map(\.title) }

    @Test("Books that only a photo added do not count, however sure they are")
    func photo() async throws {
        let library = try Self.library()
        try await library.store.scan(
            Scan.book("Dune", by: "Frank Herbert", 0.99, place: 0), Scan.book("Emma", 0.4, place: 1), job: "1")
        #expect(try Self.titles(library.store) == [])
    }

    @Test("Books of a list count with their authors and ISBNs")
    func list() async throws {
        let library = try Self.library()
        let list = """
            title,author,isbn
            Emma,Jane Austen,9780141439587
            Good Omens,"Neil Gaiman, Terry Pratchett",
            """
        _ = try await library.store.importBooks(Array(list.utf8), name: "list.csv")
        let books = try library.store.confirmedBooks()
        #expect(books.map(\.title) == ["Emma", "Good Omens"])
        #expect(books.map(\.authors) == [["Jane Austen"], ["Neil Gaiman", "Terry Pratchett"]])
        #expect(books[0].isbns.map(\.isbn13) == ["9780141439587"])
    }

    @Test("A book that a person added counts, also when a photo shows it later")
    func byHand() async throws {
        let library = try Self.library()
        _ = try await library.store.add(BookDetails(title: "Emma"))
        #expect(try Self.titles(library.store) == ["Emma"])
        try await library.store.scan(Scan.book("Emma", place: 0), job: "1", duplicates: .existing)
        #expect(try Self.titles(library.store) == ["Emma"])
    }

    @Test("A book of a photo counts from a person's confirmation or correction until that is undone")
    func decided() async throws {
        let library = try Self.library()
        let store = library.store
        let report = try await store.scan(Scan.book("Dune", 0.4, place: 0), Scan.book("Ema", 0.4, place: 1), job: "1")
        let (dune, emma) = (try #require(report.books[0].entry), try #require(report.books[1].entry))
        let token = UndoToken()
        _ = try await store.actions(as: token).verify(dune)
        #expect(try Self.titles(store) == ["Dune"])
        _ = try await store.undo(token)
        #expect(try Self.titles(store) == [])
        try await store.correct(emma) { $0.title = "Emma" }
        #expect(try Self.titles(store) == ["Emma"])
        #expect(try store.confirmedBooks().map(\.spines) == [[["EMA"]]], "what was read is kept with the book")
    }

    @Test("A photo of a shelf is expected to show the copies that belong there, and those that it showed last")
    func expected() async throws {
        let library = try Self.library()
        let store = library.store
        let (hall, attic) = (try await store.shelf(named: "Hall").id, try await store.shelf(named: "Attic").id)
        func add(_ title: String, _ entry: EntryDetails) async throws {
            _ = try await store.add(BookDetails(title: title), entry: entry)
        }
        try await add("Dune", EntryDetails(shelf: hall))
        try await add("Emma", EntryDetails(shelf: attic))
        try await add("Faust", EntryDetails(ownership: .lent, lentTo: "Bea", shelf: hall))
        try await add("Kim", EntryDetails(ownership: .wishlist, shelf: hall))
        func titles(_ shelf: RowID<Shelf>) async throws -> [String] {
            try await store.expectedWorks(on: shelf).asyncMap { try await store.work($0).title }
        }
        #expect(try await titles(hall) == ["Dune"])
        try await store.scan(Scan.book("Emma", place: 0), job: "1", photo: "a", shelf: hall, duplicates: .existing)
        #expect(try await titles(hall) == ["Dune", "Emma"])
        #expect(try await titles(attic) == ["Emma"])
        try await store.scan(Scan.book("Emma", place: 0), job: "2", photo: "b", shelf: attic, duplicates: .existing)
        #expect(try await titles(hall) == ["Dune"])
        #expect(try store.expectedWorks(on: RowID(999)).isEmpty)
    }

    @Test("A spine with a record of the library is that record's copy, whatever its authors' names look like")
    func exactWork() async throws {
        let library = try Self.library()
        let store = library.store
        let hall = try await store.shelf(named: "Hall").id
        let names = [AuthorCredit(name: "Barnard and Noll"), AuthorCredit(name: "Harbour Board, Region North")]
        let added = try await store.add(
            BookDetails(title: "Tide Tables", authors: names), entry: EntryDetails(shelf: hall))
        let author = "Barnard and Noll, Harbour Board, Region North"
        let record = BookMatch(
            title: "Tide Tables", author: author, confidence: 0.9, source: BookRecord.librarySource)
        let report = try await store.scan(
            Scan.book("Tide Tables", by: author, place: 0, matches: [record]), job: "1", shelf: hall)
        #expect(report.books.map(\.entry) == [added.id])
        #expect(try await store.titles() == ["Tide Tables"])
    }

    @Test("On a shelf with recorded books, the others of its first photo are new")
    func firstScan() async throws {
        let library = try Self.library()
        let store = library.store
        let hall = try await store.shelf(named: "Hall").id
        _ = try await store.add(BookDetails(title: "Dune"), entry: EntryDetails(shelf: hall))
        try await store.scan(
            Scan.book("Dune", place: 0), Scan.book("Emma", place: 1), job: "1", photo: "a", shelf: hall)
        let found = try await store.compareShelf(hall, with: ["1"])
        #expect(!found.isFirst)
        #expect(found.present.map(\.title) == ["Dune"] && found.new.map(\.title) == ["Emma"])
    }
}
