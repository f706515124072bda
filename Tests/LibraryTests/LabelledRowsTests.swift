import Library
import ShelflistAPI
import Testing

@Suite struct LabelledRowsTests {
    let library: TestLibrary
    let boards: [RowID<Shelf>]
    private var store: LibraryStore { library.store }
    private static let codes = ["SL-9C4JV", "SL-CDXX3"]

    init() async throws {
        let library = try TestLibrary()
        self.library = library
        boards = try await ["Home / Case / Upper", "Home / Case / Lower"].enumerated().asyncMap {
            try await library.store.addShelf(at: PlacePath($0.element), code: Self.codes[$0.offset]).id
        }
    }

    /// A photo of two rows, each with two books, and labels at heights of the photo.
    private func scan(_ labels: [(code: String, height: Double)], shelf: RowID<Shelf>? = nil) throws -> ScanImport {
        let books = ["Babel", "Dune", "Emma", "Faust"].enumerated().map { place, title in
            var book = Scan.book(title, by: "Author \(title)", place: place)
            let box = UnitRect(x: 0.3 * Double(place % 2), y: place < 2 ? 0.05 : 0.55, width: 0.05, height: 0.4)
            book.move(to: box)
            return book
        }
        var scan = Scan.of(books, job: "a", photo: "a", shelf: shelf)
        scan.labels = try labels.map { label in
            let box = UnitRect(x: 0.2, y: label.height - 0.01, width: 0.05, height: 0.02)
            return ShelfLabel(code: try #require(PlaceCode(label.code)), outline: SpineOutline(box))
        }
        return scan
    }

    /// Imports a photo, and returns the shelf of each book, by title.
    private func shelves(_ scan: ScanImport) async throws -> [String?] {
        _ = try await store.importScan(scan)
        return try await store.entries().entries.map { $0.shelf?.name }
    }

    @Test("Each row goes to the shelf whose label is below it, and the photo to the shelf around them")
    func rows() async throws {
        let scan = try scan([(Self.codes[0], 0.48), (Self.codes[1], 0.97)])
        #expect(try await shelves(scan) == ["Upper", "Upper", "Lower", "Lower"])
        let bookcase = try await store.shelf(named: "Case").id
        #expect(try await store.latestScan(of: bookcase) == "a")
        #expect(try await store.audit(bookcase).counts == ["present": 4])
    }

    @Test("A row without a label, or with two, is on the chosen shelf, and the photo is not on the other row's shelf")
    func unlabelled() async throws {
        let scan = try scan([(Self.codes[0], 0.48)])
        #expect(try await shelves(scan) == ["Upper", "Upper", nil, nil])
        #expect(try await store.latestScan(of: boards[0]) == nil)
        #expect(try await store.latestScan(of: store.shelf(named: "Case").id) == "a")
        let two = try self.scan([(Self.codes[0], 0.48), (Self.codes[1], 0.48)])
        let other = try TestLibrary()
        for (path, code) in zip(["Upper", "Lower"], Self.codes) {
            _ = try await other.store.addShelf(at: PlacePath(path), code: code)
        }
        _ = try await other.store.importScan(two)
        #expect(try await other.store.entries().entries.allSatisfy { $0.shelf == nil })
    }

    @Test("A label outside of the chosen shelf does not count, and neither does an unknown code")
    func chosen() async throws {
        let attic = try await store.addShelf(at: PlacePath("Attic")).id
        let scan = try scan([(Self.codes[0], 0.48), ("SL-AAAAA", 0.97)], shelf: attic)
        #expect(try await shelves(scan) == ["Attic", "Attic", "Attic", "Attic"])
        let home = try await store.shelf(named: "Home").id
        let other = try await store.shelf(attic)
        #expect(other.entries == 4 && home != attic)
    }

    @Test("Labels inside of the chosen shelf file its rows, and all of it is undone as one")
    func inside() async throws {
        let home = try await store.shelf(named: "Home").id
        let scan = try scan([(Self.codes[1], 0.97)], shelf: home)
        let token = UndoToken()
        _ = try await store.actions(as: token).importScan(scan)
        #expect(try await store.entries().entries.map { $0.shelf?.name } == ["Home", "Home", "Lower", "Lower"])
        #expect(try await store.latestScan(of: home) == "a")
        _ = try await store.undo(token)
        #expect(try await store.entries().total == 0)
        #expect(try await store.problems() == [])
    }
}
