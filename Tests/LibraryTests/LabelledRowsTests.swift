import Imaging
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

    // MARK: Questions

    @Test("Where the label and the chosen shelf disagree, the photo asks once, and the answer can be undone")
    func disagreement() async throws {
        let attic = try await store.addShelf(at: PlacePath("Attic")).id
        let scan = try scan([(Self.codes[1], 0.97)], shelf: attic)
        _ = try await store.importScan(scan)
        let question = try #require(try await store.labelQuestions(ofScan: "a").first)
        #expect(question.kind == .otherShelf && question.text == Self.codes[1] && question.books == 2)
        #expect(question.shelf?.path == "Home / Case / Lower" && question.chosen?.path == "Attic")
        let id = try #require(RowID<LabelQuestion>(question.id))
        let token = UndoToken()
        let answering = store.actions(as: token)
        #expect(try await answering.answer(id, with: LabelAnswer(accept: true)) == 2)
        #expect(try await store.entries().entries.map { $0.shelf?.name } == ["Attic", "Attic", "Lower", "Lower"])
        #expect(try await store.labelQuestions().isEmpty)
        await #expect(throws: LibraryError.self) { try await store.answer(id, with: LabelAnswer(accept: true)) }
        _ = try await store.undo(token)
        #expect(try await store.entries().entries.allSatisfy { $0.shelf?.name == "Attic" })
        #expect(try await store.answer(id, with: LabelAnswer(accept: false)) == 0)
        var again = scan
        again.job = "b"
        _ = try await store.importScan(again)
        #expect(try await store.labelQuestions().isEmpty)
        #expect(try await store.problems() == [])
    }

    @Test("The label of a bookcase does not contradict one of its boards")
    func bookcase() async throws {
        let code = try await store.shelf(named: "Case").code
        _ = try await store.importScan(try scan([(code, 0.97)], shelf: boards[0]))
        #expect(try await store.labelQuestions().isEmpty)
    }

    @Test("A code that no shelf has becomes a shelf, in all photos that show it")
    func newCode() async throws {
        let code = PlaceCode(number: 4_711).description
        for photo in ["a", "b"] {
            var scan = try scan([(code, 0.97)])
            (scan.job, scan.stored) = (
                "job/\(photo)", StoredPhoto(file: "\(photo).jpg", sha256: String(repeating: photo, count: 64))
            )
            _ = try await store.importScan(scan)
        }
        let question = try #require(try await store.labelQuestions(ofScan: "job").first)
        #expect(question.kind == .newCode && question.shelf == nil && question.books == 4)
        let id = try #require(RowID<LabelQuestion>(question.id))
        await #expect(throws: LibraryError.self) { try await store.answer(id, with: LabelAnswer(accept: true)) }
        let token = UndoToken()
        _ = try await store.actions(as: token).answer(
            id, with: LabelAnswer(accept: true, name: "Home / Case / Third"))
        let place = try #require(PlaceCode(code))
        let third = try #require(try await store.shelf(with: place))
        #expect(third.path == "Home / Case / Third" && third.entries > 0)
        #expect(try await store.labelQuestions().isEmpty)
        _ = try await store.undo(token)
        #expect(try await store.existingShelf(named: "Third") == nil)
        #expect(try await store.labelQuestions(ofScan: "job").map(\.id) == [question.id])
        #expect(try await store.problems() == [])
    }

    @Test("A sign is offered once as the name of the shelf, unless a shelf was chosen")
    func sign() async throws {
        var scan = try scan([])
        let box = UnitRect(x: 0.2, y: 0.96, width: 0.2, height: 0.02)
        scan.signs = [TextInPhoto(text: "796 SPORT", outline: SpineOutline(box))]
        _ = try await store.importScan(scan)
        let question = try #require(try await store.labelQuestions().first)
        #expect(question.kind == .sign && question.text == "796 SPORT" && question.books == 2)
        let id = try #require(RowID<LabelQuestion>(question.id))
        #expect(try await store.answer(id, with: LabelAnswer(accept: true)) == 2)
        #expect(try await store.entries().entries.map { $0.shelf?.name } == [nil, nil, "796 SPORT", "796 SPORT"])
        let other = try TestLibrary()
        scan.shelf = try await other.store.addShelf(at: PlacePath("Hall")).id
        _ = try await other.store.importScan(scan)
        #expect(try await other.store.labelQuestions().isEmpty)
    }

    @Test(
        "A photo that is stored rotated is filed as the upright one",
        arguments: [QuarterTurn.quarter, .half, .threeQuarters])
    func turned(turn: QuarterTurn) async throws {
        var scan = try scan([(Self.codes[0], 0.48), (Self.codes[1], 0.97)])
        scan.turn = turn
        /// Returns where the stored photo shows what the upright one shows at a box.
        func stored(_ box: UnitRect) -> UnitRect {
            let unit = PixelSize(width: 1, height: 1)
            let corners = [(box.x, box.y), (box.x + box.width, box.y + box.height)].map {
                turn.inverse.apply(to: PixelPoint(x: $0.0, y: $0.1), in: unit)
            }
            let (x, y) = (min(corners[0].x, corners[1].x), min(corners[0].y, corners[1].y))
            return UnitRect(
                x: x, y: y, width: abs(corners[0].x - corners[1].x), height: abs(corners[0].y - corners[1].y))
        }
        for index in scan.books.indices { scan.books[index].move(to: stored(scan.books[index].boundingBox)) }
        for index in scan.labels.indices {
            scan.labels[index].outline = SpineOutline(stored(scan.labels[index].outline.boundingBox))
        }
        #expect(try await shelves(scan) == ["Upper", "Upper", "Lower", "Lower"])
    }
}
