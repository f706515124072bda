import Bibliography
import Library
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
}
