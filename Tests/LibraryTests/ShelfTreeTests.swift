import Foundation
import GRDB
import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite struct ShelfTreeTests {
    let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    @discardableResult
    private func add(_ path: String) async throws -> RowID<Shelf> {
        try await store.addShelf(at: PlacePath(path)).id
    }

    private func paths() async throws -> [String] { try await store.shelves().map(\.path) }

    private func move(_ shelf: String, into parent: String?) async throws {
        let around = if let parent { try await store.shelf(named: parent).id } else { nil as RowID<Shelf>? }
        _ = try await store.change(try await store.shelf(named: shelf).id) { $0.parent = around }
    }

    @Test("A path creates the shelves that are missing, once, and numbers are sorted as numbers")
    func order() async throws {
        for path in ["Home / Study / Board 10", "Home / Study / Board 2", "home / STUDY / board 2", "Attic"] {
            try await add(path)
        }
        #expect(
            try await paths() == [
                "Attic", "Home", "Home / Study", "Home / Study / Board 2", "Home / Study / Board 10",
            ])
        #expect(Set(try await store.shelves().compactMap { PlaceCode($0.code) }).count == 5)
    }

    @Test("A shelf is found by its code, its path, and a name that it alone has")
    func names() async throws {
        let board = try await store.addShelf(at: PlacePath("Home / Study / Board 2"))
        #expect(try await store.shelf(named: board.code.lowercased()).id == board.id)
        #expect(try await store.shelf(named: "Home / study / board 2").id == board.id)
        #expect(try await store.shelf(named: "Board 2").id == board.id)
        try await add("Home / Hall / Board 2")
        #expect(try await store.shelf(named: "Board 2").path == "Board 2", "two have the name")
        #expect(try await store.shelf(with: try #require(PlaceCode(board.code)))?.id == board.id)
    }

    @Test("Shelves have at most eight levels")
    func levels() async throws {
        let eight = (1...8).map { "Level \($0)" }
        try await add(eight.joined(separator: " / "))
        await #expect(throws: LibraryError.self) { try await add((eight + ["Level 9"]).joined(separator: " / ")) }
        try await add("Box / Case")
        await #expect(throws: LibraryError.self) { try await move("Box", into: "Level 7") }
        try await move("Box", into: "Level 6")
        #expect(try await paths().contains((eight.prefix(6) + ["Box", "Case"]).joined(separator: " / ")))
        #expect(try await store.problems() == [])
    }

    @Test("A shelf is not moved into itself, and names are unique in their place")
    func invalid() async throws {
        try await add("Home / Study / Board 1")
        try await add("Attic / Board 1")
        for (shelf, parent) in [("Home", "Home / Study / Board 1"), ("Home", "Home")] {
            await #expect(throws: LibraryError.self) { try await move(shelf, into: parent) }
        }
        await #expect(throws: LibraryError.self) { try await move("Attic / Board 1", into: "Home / Study") }
        for name in ["", " / ", "Home / ", "Home /  / Study"] {
            await #expect(throws: LibraryError.self) { try await add(name) }
        }
        let attic = try await store.shelf(named: "Attic")
        await #expect(throws: LibraryError.self) { try await store.change(attic.id) { $0.name = "A / B" } }
        let home = try await store.shelf(named: "Home")
        await #expect(throws: LibraryError.self) { try await store.change(attic.id) { $0.code = home.code } }
        await #expect(throws: LibraryError.self) { try await store.change(attic.id) { $0.code = "SL-AAAAC" } }
        await #expect(throws: LibraryError.self) { try await store.remove(home.id) }
        #expect(try await paths().count == 5)
    }

    @Test("A filter on a shelf includes what is inside it")
    func filters() async throws {
        let board = try await add("Home / Study / Board 1"), attic = try await add("Attic")
        _ = try await store.add(BookDetails(title: "Dune"), entry: EntryDetails(shelf: board))
        _ = try await store.add(BookDetails(title: "Emma"), entry: EntryDetails(shelf: attic))
        var query = EntryQuery()
        query.shelf = try await store.shelf(named: "Home").id
        let found = try await store.entries(query).entries
        #expect(found.map(\.title) == ["Dune"])
        #expect(found.first?.shelf?.path == "Home / Study / Board 1")
        let home = try #require(try await store.shelves().first { $0.name == "Home" })
        #expect((home.entries, home.entriesInside) == (0, 1))
        #expect(try await store.entries(EntryQuery(sort: .shelf)).entries.map(\.title) == ["Emma", "Dune"])
        #expect(try await store.stats().byShelf.map(\.key) == ["Attic", "Home / Study / Board 1"])
        _ = try await store.scan(Scan.book("Babel", 0.3, place: 0), job: "a", photo: "a", shelf: board)
        #expect(try await store.inbox(InboxFilter(shelf: home.id)).items.map(\.title) == ["Babel"])
    }

    @Test("A photo of a bookcase shows books of its boards, and does not move them")
    func bookcase() async throws {
        let bookcase = try await add("Bookcase"), board = try await add("Bookcase / Board 1")
        let first = try await store.scan(
            Scan.book("Dune", place: 0), Scan.book("Emma", place: 1), Scan.book("Babel", place: 2), job: "a",
            photo: "a", shelf: bookcase)
        let dune = try #require(first.books.first?.entry)
        try await store.move([dune], to: board)
        let second = try await store.scan(
            Scan.book("Dune", place: 0), Scan.book("Babel", place: 2), job: "b", photo: "b", shelf: bookcase)
        #expect(second.books.first?.entry == dune)
        let view = try await store.shelfView(bookcase)
        #expect(
            view.boards.joined().map { "\($0.entry.title) \($0.state?.rawValue ?? "")" } == [
                "Dune present", "Emma missing", "Babel present",
            ])
        let compared = try await store.compareShelf(bookcase, with: ["b"])
        #expect(compared.moved == [] && compared.present.count == 2 && compared.missing.map(\.title) == ["Emma"])
        _ = try await store.scan(
            Scan.book("Emma", place: 1), Scan.book("Babel", place: 2), job: "c", photo: "c", shelf: bookcase)
        #expect(try await store.compareShelf(bookcase, with: ["c"]).missing == [], "another photo may show the board")
        _ = try await store.markFound([dune], on: bookcase)
        #expect(try await store.entry(dune).shelf?.path == "Bookcase / Board 1")
    }

    @Test("Lists keep the paths of shelves")
    func lists() async throws {
        let board = try await add("Home / Study / Board 1")
        _ = try await store.add(BookDetails(title: "Dune"), entry: EntryDetails(shelf: board))
        var export = try await store.export(.csv)
        var text = ""
        while let piece = try await export.next() { text += piece }
        let other = try TestLibrary()
        _ = try await other.store.importBooks(Array(text.utf8), name: "list.csv")
        #expect(try await other.store.entries().entries.map(\.shelf?.path) == ["Home / Study / Board 1"])
    }

    @Test("A list of shelves adds and changes them as one action, or nothing")
    func importing() async throws {
        try await add("Home")
        let code = PlaceCode(number: 5)
        let list = "path;code;note\nHome / Study;\(code);by the window\nHome;;entrance\n"
        let token = UndoToken()
        let imported = try await store.actions(as: token).importShelves(Array(list.utf8))
        #expect((imported.added, imported.changed) == (1, 1))
        let study = try #require(try await store.shelf(with: code))
        #expect(study.path == "Home / Study" && study.note == "by the window")
        #expect(try await store.importShelves(Array(list.utf8)) == ImportedShelves(added: 0, changed: 0))
        _ = try await store.undo(token)
        #expect(try await store.shelves().map(\.note) == [nil])
        let wrong = "path,code\nCellar,\nAttic,SL-AAAAC\n"
        let error = await #expect(throws: LibraryError.self) { try await store.importShelves(Array(wrong.utf8)) }
        #expect(error?.field == "line 3, code")
        await #expect(throws: LibraryError.self) { try await store.importShelves(Array("title\nDune\n".utf8)) }
        #expect(try await paths() == ["Home"])
    }

    @Test("Undoing the creation of a shelf keeps it while books are on it")
    func undoingUse() async throws {
        let token = UndoToken()
        let board = try await store.actions(as: token).addShelf(at: PlacePath("Home / Board 1")).id
        let dune = try await store.add(BookDetails(title: "Dune"), entry: EntryDetails(shelf: board)).id
        _ = try await store.undo(token)
        #expect(try await store.entry(dune).shelf?.path == "Home / Board 1")
    }

    @Test("An undo that would put a shelf inside itself is refused")
    func undoingMoves() async throws {
        try await add("Outer / Inner")
        let token = UndoToken()
        let inner = try await store.shelf(named: "Inner").id, outer = try await store.shelf(named: "Outer").id
        _ = try await store.actions(as: token).change(inner) { $0.parent = nil }
        _ = try await store.change(outer) { $0.parent = inner }
        await #expect(throws: LibraryError.self) { try await store.undo(token) }
        #expect(try await paths() == ["Inner", "Inner / Outer"])
        #expect(try await store.problems() == [])
    }

    @Test("Another client's change of the shelf is not overwritten")
    func changedMeanwhile() async throws {
        let shelf = try await store.shelf(named: "Hall")
        _ = try await store.change(shelf.id, ifUnchanged: shelf) { $0.note = "cold" }
        await #expect(throws: LibraryError.changedMeanwhile("the shelf", current: nil)) {
            try await store.change(shelf.id, ifUnchanged: shelf) { $0.name = "Study" }
        }
    }
}
