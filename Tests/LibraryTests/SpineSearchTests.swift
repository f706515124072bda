import Library
import ShelflistAPI
import Testing

@Suite struct SpineSearchTests {
    let library: TestLibrary
    let hall: RowID<Shelf>
    private var store: LibraryStore { library.store }

    init() async throws {
        library = try TestLibrary()
        hall = try await library.store.addShelf(at: PlacePath("Home / Hall")).id
        var books = ["Emma", "Dune", "Babel"].enumerated().map { Scan.book($1, place: $0) }
        books[1].text = [ReadText(text: "FRANK HERBERT", score: 0.9), ReadText(text: "Gallimard", score: 0.8)]
        _ = try await store.importScan(Scan.of(books, job: "a", photo: "a", shelf: hall))
    }

    @Test(
        "A spine is found by words that are printed on it, also incomplete or misread",
        arguments: ["gallimard", "GALLIMARD", "gallimrad", "gallim", "herbert gallimard", "Frànk of gallimard"])
    func words(text: String) async throws {
        let found = try await store.findSpines(text)
        #expect(found.map(\.title) == ["Dune"])
        let spine = try #require(found.first)
        #expect(spine.text == "FRANK HERBERT Gallimard")
        #expect(spine.shelf?.path == "Home / Hall")
        #expect(spine.left == "Emma" && spine.right == "Babel")
        #expect(spine.place.place == 2 && spine.place.places == 3)
    }

    @Test("Other words find nothing", arguments: ["galaxy", "gallimard tolkien", "ga", "“”", "NEAR(a b)"])
    func others(text: String) async throws {
        #expect(try await store.findSpines(text).isEmpty)
    }

    @Test("A copy on two photos is found once, on the later one, and not any more when it is not a book")
    func changes() async throws {
        var book = Scan.book("Dune", place: 0)
        book.text = [ReadText(text: "GALLIMARD", score: 0.9)]
        _ = try await store.importScan(Scan.of([book], job: "b", photo: "b", shelf: hall))
        let found = try await store.findSpines("gallimard")
        #expect(found.map(\.text) == ["GALLIMARD"])
        let copy = try #require(found.first?.entryId.flatMap { RowID<LibraryEntry>($0) })
        let token = UndoToken()
        _ = try await store.actions(as: token).reject(copy)
        #expect(try await store.findSpines("gallimard").isEmpty)
        _ = try await store.undo(token)
        #expect(try await store.findSpines("gallimard").count == 1)
        #expect(try await store.problems() == [])
    }
}
