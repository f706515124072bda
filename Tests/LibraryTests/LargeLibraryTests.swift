import Bibliography
import Foundation
import GRDB
import Library
import ShelflistAPI
import TestSupport
import Testing

/// What is read costs what is shown, however many copies and shelves there are.
@Suite struct LargeLibraryTests {
    let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    /// Adds copies in turn to the boards of two bookcases, and three without a shelf.
    private func fill() async throws {
        var shelves: [RowID<Shelf>] = []
        for path in ["B 2 / Board 10", "B 2 / Board 9", "B 10", "A"] {
            shelves.append(try await store.addShelf(at: PlacePath(path)).id)
        }
        for number in 0..<30 {
            let shelf = number < 27 ? shelves[number % shelves.count] : nil
            _ = try await store.add(
                BookDetails("Title \(number % 7)", by: "Author"), entry: EntryDetails(shelf: shelf))
        }
        _ = try await store.scan(
            Scan.book("Emma", place: 1), Scan.book("Dune", place: 0), job: "a", photo: "a", shelf: shelves[0])
    }

    @Test("Pages by shelf are the parts of the whole list, in either direction", arguments: [false, true])
    func pagesByShelf(descending: Bool) async throws {
        try await fill()
        var query = EntryQuery(sort: .shelf)
        query.descending = descending
        let whole = try await store.entries(query).entries
        var places: [String] = []
        for book in whole where places.last != book.shelf?.path ?? "none" { places.append(book.shelf?.path ?? "none") }
        let shelves = ["A", "B 2 / Board 9", "B 2 / Board 10", "B 10"]
        #expect(places == (descending ? shelves.reversed() : shelves) + ["none"])
        #expect(whole.filter { $0.shelf?.path == "B 2 / Board 10" }.prefix(2).map(\.title) == ["Dune", "Emma"])
        query.limit = 4
        var paged: [LibraryBook] = []
        for offset in stride(from: 0, through: whole.count, by: 4) {
            query.offset = offset
            let (entries, total) = try await store.entries(query)
            #expect(total == whole.count)
            paged += entries
        }
        #expect(paged == whole)
        query.offset = 1000
        #expect(try await store.entries(query) == ([], whole.count))
    }

    @Test(
        "Each order and each filter lists the same copies in pages as in whole", arguments: LibraryQuery.Sort.allCases)
    func pages(sort: LibraryQuery.Sort) async throws {
        try await fill()
        var queries = [EntryQuery(sort: sort), EntryQuery(text: "title", sort: sort)]
        queries[1].descending = true
        queries.append(EntryQuery(sort: sort))
        queries[2].shelf = try await store.shelf(named: "B 2").id
        queries.append(EntryQuery(sort: sort))
        queries[3].reviewStatus = .verified
        for query in queries {
            let whole = try await store.entries(query)
            #expect(whole.total == whole.entries.count && whole.total > 5)
            var page = query
            (page.limit, page.offset) = (3, whole.total - 3)
            let last = try await store.entries(page)
            #expect(last.entries == whole.entries.suffix(3) && last.total == whole.total)
        }
    }

    @Test("A page of shelves has the paths and counts of each")
    func shelves() async throws {
        try await fill()
        let (page, total) = try await store.shelves(limit: 3, offset: 1)
        #expect(total == 5 && page.map(\.path) == ["B 2", "B 2 / Board 9", "B 2 / Board 10"])
        for shelf in try await store.shelves() { #expect(try await store.shelf(shelf.id) == shelf) }
        #expect(try await store.shelves(limit: 3, offset: 9).shelves == [])
    }

    @Test("No page compares copies with all shelves or other copies")
    func plans() async throws {
        try await fill()
        var first = EntryQuery(sort: .shelf, limit: 5)
        first.shelf = try await store.shelf(named: "B 2").id
        var label = EntryQuery(sort: .shelf)
        label.ids = [RowID(17)]
        let queries =
            [EntryQuery(sort: .shelf, limit: 5), first, label]
            + LibraryQuery.Sort.allCases.map {
                EntryQuery(sort: $0, limit: 5)
            }
        let statements = try await QueryPlans.ofReads(in: store) {
            for query in queries { _ = try await store.entries(query) }
            _ = try await store.shelves(limit: 5, offset: 0)
            _ = try await store.callNumbers(of: [RowID(17)])
        }
        #expect(statements.count > 3 * queries.count)
        for statement in Set(statements) {
            let scans = try await QueryPlans.scans(of: statement, in: store)
                // The shelves inside one: of the children, found by an index.
                .filter { !$0.contains("shelfByParent") }
            #expect(scans == [], "\(statement)")
        }
    }

    @Test("The label of a copy reads that copy only")
    func label() async throws {
        try await fill()
        var query = EntryQuery(sort: .shelf)
        query.ids = [RowID(17), RowID(29)]
        let (entries, total) = try await store.entries(query)
        #expect(entries.map(\.id) == ["17", "29"] && total == 2)
    }

    @Test("A list of shelves takes the same statements for each of them")
    func importedShelves() async throws {
        func statements(_ count: Int, _ name: String) async throws -> [String] {
            let list =
                "path,note\n" + (0..<count).map { "\(name) / \(name) \($0),\($0 % 2 == 0 ? "" : "dark")\n" }.joined()
            return try await QueryPlans.ofWrites(in: store) {
                let added = try await store.importShelves(Array(list.utf8)).added
                #expect(added == count + 1)
            }
        }
        let few = try await statements(10, "A"), more = try await statements(20, "B"),
            many = try await statements(40, "C")
        // A code that is taken takes one more.
        #expect(abs((many.count - more.count) - 2 * (more.count - few.count)) <= 5)
        #expect(!many.contains { $0.contains("count(*) FROM entry") }, "no shelf is read back with its counts")
    }

    @Test("A library has a limited number of shelves, which the error names")
    func limit() async throws {
        try await store.writeUnseen { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
                    INSERT INTO shelf (name, nameKey, code) SELECT 'S ' || n, 's ' || n, printf('%08d', n) FROM n
                    """, arguments: [ShelfRoom.limit - 2])
        }
        _ = try await store.addShelf(at: PlacePath("Home"))
        let full = LibraryError.notPossible(
            "A library has at most 20000 shelves. Remove shelves that you do not need.")
        await #expect(throws: full) { try await store.importShelves(Array("path\nHome\nAttic\nCellar\n".utf8)) }
        #expect(try await store.shelves(limit: 1, offset: 0).total == ShelfRoom.limit - 1)
        _ = try await store.importShelves(Array("path,note\nHome,warm\nAttic,\n".utf8))
        await #expect(throws: full) { try await store.addShelf(at: PlacePath("Cellar")) }
        await #expect(throws: full) { try await store.shelf(named: "Cellar") }
        await #expect(throws: full) {
            try await store.importBooks(Array("title,shelf\nDune,Cellar\n".utf8), name: "list.csv")
        }
        let long = "path\n" + String(repeating: "Home\n", count: ShelfRoom.limit + 1)
        let error = await #expect(throws: LibraryError.self) { try await store.importShelves(Array(long.utf8)) }
        #expect(error?.description.contains("20000") == true)
        #expect(try await store.titles() == [])
    }
}
