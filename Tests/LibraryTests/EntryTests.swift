import Bibliography
import Imaging
import Library
import ShelflistAPI
import Testing

@Suite("Copies") struct EntryTests {
    struct Refusal: Error {}

    let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    private func add(_ titles: String...) async throws -> [RowID<LibraryEntry>] {
        try await titles.asyncMap { try await store.add(BookDetails(title: $0)).id }
    }

    @Test("Several copies are changed together or not at all")
    func changesTogether() async throws {
        let books = try await add("Dune", "Emma", "Babel")
        _ = try await store.updateAll([books[2]]) { $0.tags = ["last"] }
        let version = try await store.version()
        await #expect(throws: Refusal.self) {
            try await store.updateAll(books) { details in
                if details.tags == ["last"] { throw Refusal() }
                details.tags = ["changed"]
            }
        }
        #expect(try await store.version() == version)
        #expect(try await store.updateAll(books) { $0.tags.append("changed") } == 3)
        #expect(try await store.entry(books[0]).entry.details.tags == ["changed"])
        #expect(try await store.entry(books[2]).entry.details.tags == ["last", "changed"])
    }

    @Test("Deleted copies are skipped, and an error says when none is left")
    func deletedMeanwhile() async throws {
        let books = try await add("Dune", "Emma", "Babel")
        try await store.remove(books[1])
        #expect(try await store.updateAll(books) { $0.rating = 4 } == 2)
        #expect(try await store.removeAll(books) == 2)
        #expect(try await store.entries().total == 0)
        await #expect(throws: LibraryError.self) { try await store.removeAll(books) }
        await #expect(throws: LibraryError.self) { try await store.updateAll(books) { $0.rating = 4 } }
    }

    @Test("Copies without a cover and tags are read page by page, with their total numbers")
    func pages() async throws {
        let books = try await add("Dune", "Emma", "Babel", "Ulysses")
        let cover = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 40, height: 60)), quality: 90)
        try await store.setCover(books[0], to: cover)
        var query = EntryQuery(limit: 2)
        query.isMissingCover = true
        query.offset = 2
        let page = try await store.entries(query)
        #expect(page.entries.map(\.title) == ["Ulysses"])
        #expect(page.total == 3)
        _ = try await store.updateAll(books) { $0.tags = ["a", "b"] }
        _ = try await store.update(books[0]) { $0.tags = ["c"] }
        let (tags, total) = try await store.tags(limit: 1, offset: 1)
        #expect(tags.map { "\($0.key) \($0.count)" } == ["b 3"])
        #expect(total == 3)
    }

    @Test("A change sees the current data, and one that fails changes nothing")
    func changesCurrent() async throws {
        let book = try await add("Dune")[0]
        let first = try await store.update(book) { $0.notes = "from Ann" }
        let second = try await store.update(book, ifRevision: first.revision) { $0.rating = 4 }
        #expect(second.details.notes == "from Ann")
        await #expect(throws: LibraryError.self) { try await store.update(book, ifRevision: first.revision) { _ in } }
        await #expect(throws: Refusal.self) {
            try await store.correct(book) { details in
                details.title = "Dune Messiah"
                throw Refusal()
            }
        }
        #expect(try await store.titles() == ["Dune"])
        #expect(try await store.entry(book).entry.revision == second.revision)
    }

    @Test("A book is added only once unless it was only wished for")
    func addsUnlessOwned() async throws {
        let dune = BookDetails(title: "Dune", authors: [AuthorCredit(name: "Frank Herbert")])
        let wish = try #require(
            try await store.addUnlessOwned(dune, entry: EntryDetails(ownership: .wishlist)).added)
        let again = try await store.addUnlessOwned(dune, entry: EntryDetails(ownership: .wishlist))
        #expect(again.added == nil)
        #expect(again.owned.map(\.entry) == [wish.id])
        let come = try await store.addUnlessOwned(dune)
        #expect(come.added?.id == wish.id)
        #expect(come.added?.details.ownership == .owned)
        #expect(try await store.addUnlessOwned(dune).owned.map(\.entry) == [wish.id])
        #expect(try await store.entries().total == 1)
    }
}
