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
        let found = try await store.findSpines(text).spines
        #expect(found.map(\.title) == ["Dune"])
        let spine = try #require(found.first)
        #expect(spine.text == "FRANK HERBERT Gallimard")
        #expect(spine.shelf?.path == "Home / Hall")
        #expect(spine.left == "Emma" && spine.right == "Babel")
        #expect(spine.place.place == 2 && spine.place.places == 3)
    }

    @Test("Other words find nothing", arguments: ["galaxy", "gallimard tolkien", "ga", "“”", "NEAR(a b)"])
    func others(text: String) async throws {
        let found = try await store.findSpines(text)
        #expect(found.spines.isEmpty && found.lines.isEmpty)
    }

    @Test("A copy on two photos is found once, on the later one, and not any more when it is not a book")
    func changes() async throws {
        var book = Scan.book("Dune", place: 0)
        book.text = [ReadText(text: "GALLIMARD", score: 0.9)]
        _ = try await store.importScan(Scan.of([book], job: "b", photo: "b", shelf: hall))
        let found = try await store.findSpines("gallimard").spines
        #expect(found.map(\.text) == ["GALLIMARD"])
        let copy = try #require(found.first?.entryId.flatMap { RowID<LibraryEntry>($0) })
        let token = UndoToken()
        _ = try await store.actions(as: token).reject(copy)
        #expect(try await store.findSpines("gallimard").spines.isEmpty)
        _ = try await store.undo(token)
        #expect(try await store.findSpines("gallimard").spines.count == 1)
        #expect(try await store.problems() == [])
    }

    @Test("A line that belongs to no spine is found with its outline, and not any more when its photo is gone")
    func looseLines() async throws {
        var scan = Scan.of([Scan.book("Ulysses", place: 0)], job: "c", photo: "c", shelf: hall)
        let box = UnitRect(x: 0.2, y: 0.9, width: 0.3, height: 0.02)
        scan.looseLines = [TextInPhoto(text: "Éditions GALLIMARD", outline: SpineOutline(box))]
        let token = UndoToken()
        _ = try await store.actions(as: token).importScan(scan)
        let found = try await store.findSpines("gallimrad")
        #expect(found.spines.map(\.title) == ["Dune"])
        let line = try #require(found.lines.first)
        #expect(line.text == "Éditions GALLIMARD" && found.lines.count == 1)
        #expect(line.quad == UnitQuad(box).inFourDigits && line.shelf?.path == "Home / Hall")
        scan.looseLines = []
        _ = try await store.importScan(scan)
        #expect(try await store.findSpines("gallimard").lines.isEmpty)
        scan.looseLines = [TextInPhoto(text: "GALLIMARD", outline: SpineOutline(box))]
        _ = try await store.importScan(scan)
        _ = try await store.undo(token)
        #expect(try await store.findSpines("gallimard").lines.isEmpty)
        #expect(try await store.problems() == [])
    }

    @Test("A rare word beside common ones is found, and a spine with all words comes first")
    func order() async throws {
        let books = (0..<40).map { place in
            var book = Scan.book("Title \(place)", by: "Author \(place)", place: place % 8)
            book.text = [ReadText(text: place == 17 ? "PENGUIN CLASSICS" : "PENGUIN", score: 0.9)]
            return book
        }
        for (number, photo) in stride(from: 0, to: 40, by: 8).map({ books[$0..<$0 + 8] }).enumerated() {
            _ = try await store.importScan(Scan.of(Array(photo), job: "p\(number)", photo: "p\(number)", shelf: hall))
        }
        #expect(try await store.findSpines("penguin clasics").spines.map(\.title) == ["Title 17"])
        let found = try await store.findSpines("penguin", limit: 5).spines
        #expect(found.map(\.title) == ["Title 39", "Title 38", "Title 37", "Title 36", "Title 35"])
    }

    @Test("All texts can be listed page by page, latest first")
    func listed() async throws {
        var scan = Scan.of([], job: "c", photo: "c", shelf: hall)
        scan.looseLines = [
            TextInPhoto(text: "820 ENGLISH", outline: SpineOutline(UnitRect(x: 0, y: 0, width: 0.1, height: 0.1)))
        ]
        _ = try await store.importScan(scan)
        let all = try await store.spineWords(limit: 10)
        #expect(all.total == 4 && all.words.map(\.text).last == "820 english")
        #expect(all.words.filter { $0.entryId != nil }.count == 3)
        #expect(all.words.allSatisfy { $0.shelfId == "\(hall)" })
        let pages = try await [0, 3].asyncMap { try await store.spineWords(limit: 3, offset: $0).words }
        #expect(Array(pages.joined()) == all.words)
    }
}
