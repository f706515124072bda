import Foundation
import GRDB
import Library
import ShelflistAPI
import TestSupport
import Testing

/// What a stocktake costs does not grow with the library, and what it records can be undone.
@Suite struct StocktakeLoadTests {
    let library: TestLibrary
    let clock: ManualClock
    private var store: LibraryStore { library.store }

    init() throws {
        let time = ManualClock()
        clock = time
        library = try TestLibrary(clock: { time.now })
    }

    private func fill(_ copies: Int, on shelves: Int) async throws {
        let rows = (0..<copies).map { "Title\($0) Word\($0),Writer \($0),Room \($0 % shelves),b\($0)\n" }
        _ = try await store.importBooks(
            Array("title,author,shelf,barcode\n\(rows.joined())".utf8), name: "list.csv", duplicates: .different)
    }

    private func start(_ store: LibraryStore? = nil) async throws -> RowID<Stocktake> {
        clock.advance(by: 60)
        let started = try await (store ?? self.store).startStocktake(named: nil, of: .everything, by: nil)
        return try #require(RowID(started.id))
    }

    private func see(_ barcode: String, in id: RowID<Stocktake>) async throws {
        let copy = try await store.copy(withBarcode: barcode)
        #expect(try await store.see([copy], in: id, by: .barcode).changed == 1)
    }

    // MARK: Work

    /// The tables that grow with the library, and their names in statements.
    private static let large: Set = [
        "entry", "e", "work", "shelf", "s", "stocktakeItem", "i", "stocktakeSeen", "seen", "detection", "d", "spine",
        "photo",
        "shown", "undoChange", "stocktakeResult", "r",
    ]

    /// Returns the large tables that statements read from one end to the other.
    private func scans(_ statements: [String]) async throws -> [String] {
        let changes = ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"]
        let own = statements.filter { statement in changes.contains { statement.hasPrefix($0) } }
        return try await store.read { db in
            try own.flatMap { statement in
                let query = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(statement)")
                query.setUncheckedArguments(StatementArguments())
                return try Row.fetchAll(query).map { $0["detail"] as String }.filter { detail in
                    let words = detail.split(separator: " ")
                    return words.first == "SCAN" && Self.large.contains(String(words[1])) && !detail.contains("VIRTUAL")
                }
            }
        }
    }

    private func statements(_ body: () async throws -> Void) async throws -> [String] {
        var reads: [String] = []
        let writes = try await QueryPlans.ofWrites(in: store) {
            reads = try await QueryPlans.ofReads(in: store) { try await body() }
        }
        return reads + writes
    }

    @Test("A scanned barcode looks at its copy only")
    func barcode() async throws {
        try await fill(3, on: 1)
        let small = try await start()
        let few = try await statements { try await see("b1", in: small) }
        try await store.removeStocktake(small)
        _ = try await store.importBooks(
            Array("title,shelf\n\((0..<60).map { "Other \($0),Board \($0)\n" }.joined())".utf8), name: "more.csv",
            duplicates: .different)
        let large = try await start()
        let many = try await statements { try await see("b1", in: large) }
        #expect(many.count == few.count)
        #expect(try await scans(many) == [])
    }

    @Test("The list of stocktakes reads the counts of closed ones from their rows, and counts open ones by index")
    func list() async throws {
        try await fill(20, on: 4)
        for _ in 0..<3 { _ = try await store.closeStocktake(try await start()) }
        let closed = try await statements {
            let list = try await store.stocktakes(limit: 50, offset: 0)
            #expect(list.stocktakes.map(\.counts.missing) == [20, 20, 0] && list.stocktakes[2].counts.unseen == 20)
        }
        #expect(closed.count { $0.contains("stocktakeResult") || $0.contains("stocktakeItem") } == 0)
        let id = try await start()
        try await see("b3", in: id)
        let open = try await statements {
            let list = try await store.stocktakes(limit: 50, offset: 0)
            #expect(list.stocktakes.map(\.counts.values)[0] == [20, 1, 0, 0, 0, 19])
        }
        #expect(open.count == closed.count + 1)
        #expect(try await scans(open) == [])
    }

    @Test("A page of copies reads the shelves of the page by index")
    func pages() async throws {
        try await fill(20, on: 4)
        let id = try await start()
        let read = try await statements { _ = try await store.copies(of: id, limit: 5) }
        #expect(read.count { $0.hasPrefix("SELECT e.id FROM entry e") } == 2)
        // The order of all shelves is one pass over them.
        #expect(try await scans(read) == ["SCAN shelf"])
    }

    // MARK: Pages

    @Test("Pages of open and closed stocktakes are parts of the whole list, also of states and shelves")
    func parts() async throws {
        try await fill(23, on: 5)
        _ = try await store.add(BookDetails(title: "On no shelf"))
        let id = try await start()
        for number in [1, 7, 8] { try await see("b\(number)", in: id) }
        let room = try await store.shelf(named: "Room 2").id
        func check() async throws -> [StocktakeCopy] {
            let whole = try await store.copies(of: id, limit: 500)
            #expect(whole.copies.count == 24 && whole.next == nil)
            #expect(try await store.copies(of: id) == whole.copies)
            for states in [[StocktakeCopy.State.seen], [.unseen, .missing]] {
                let first = try await store.stocktake(id, states: states, limit: 4)
                let page = try await store.copies(of: id, StocktakeFilter(states: states), limit: 4)
                #expect(first.page.copies == page.copies && first.page.next == page.next)
                #expect(first.page.total == page.total)
                #expect(try await store.stocktake(id) == first.stocktake)
                for filter in [StocktakeFilter(states: states), StocktakeFilter(states: states, shelf: room)] {
                    let some = try await store.copies(of: id, filter)
                    #expect(
                        some
                            == whole.copies.filter { copy in
                                copy.state.map(states.contains) == true
                                    && (filter.shelf == nil || copy.shelf?.id == "\(room)")
                            })
                    #expect(try await store.copies(of: id, filter, limit: 1).total == some.count)
                }
            }
            #expect(whole.total == 24)
            var (export, text) = (try await StocktakeExport(of: id, StocktakeFilter(), in: store), "")
            while let piece = try await export.piece() { text += piece }
            #expect(text == StocktakeList.header + StocktakeList.rows(whole.copies))
            return whole.copies
        }
        let open = try await check()
        #expect(open.last?.title == "On no shelf" && Set(open.prefix(5).map(\.shelf?.name)) == ["Room 0"])
        let cursor = try await store.copies(of: id, limit: 4).next
        _ = try await store.closeStocktake(id)
        #expect(try await check() == open)
        await #expect(throws: LibraryError.self) { try await store.copies(of: id, from: cursor, limit: 4) }
    }

    @Test(
        "Cursors are those that pages give",
        arguments: ["", "s", "s1", "s1-", "s-1-2", "r", "r-1", "r1-2", "x1", "s01-1"])
    func cursors(text: String) {
        #expect(StocktakeCursor(text) == nil)
        #expect(StocktakeCursor("s12-3") == .shelf(RowID(12), 3) && StocktakeCursor("s0-3") == .shelf(nil, 3))
        #expect(StocktakeCursor("r12") == .result(12))
    }

    // MARK: Spines

    @Test("Among many copies, a misread spine is found by the words that begin as its own")
    func spines() async throws {
        try await fill(320, on: 1)
        _ = try await store.add(BookDetails("Northanger Abbey", by: "Jane Austen"))
        let id = try await start()
        clock.advance(by: 60)
        let spines = (0..<6).map {
            Scan.book(
                "Northamger Aby\(["a", "b", "c", "d", "e", "f"][$0])", by: "Austn", 0.3, checked: false, place: $0)
        }
        _ = try await store.importScan(Scan.of(spines, job: "a", photo: "a"), duplicates: .different)
        let read = try await statements {
            let found = try await store.unsureSpines(of: id, on: nil, limit: 10, offset: 0)
            #expect(found.total == 6 && found.spines.allSatisfy { $0.candidates.first?.title == "Northanger Abbey" })
            let page = try await store.unsureSpines(of: id, on: nil, limit: 2, offset: 5)
            #expect(page.spines.map(\.detectionId) == found.spines.suffix(1).map(\.detectionId) && page.total == 6)
        }
        // Each beginning of a word is searched for once for a page, and titles of candidates are read once.
        #expect(read.count { $0.contains("workWords MATCH") } == 2 * 2)
        #expect(read.count { $0.hasPrefix("SELECT e.id, title, authorNames") } == 2)
    }

    @Test("Words that many works have find a copy together")
    func commonWords() async throws {
        let rows = (0..<1100).map { "Garden winter number\($0)\n" } + ["Silent garden of the winter river\n"]
        _ = try await store.importBooks(
            Array("title\n\(rows.joined())\((0..<1100).map { "River silent volume\($0)\n" }.joined())".utf8),
            name: "list.csv",
            duplicates: .different)
        let id = try await start()
        clock.advance(by: 60)
        let spine = Scan.book("Silert gardem wintor rivar", 0.3, checked: false, place: 0)
        _ = try await store.importScan(Scan.of([spine], job: "a", photo: "a"))
        let found = try await store.unsureSpines(of: id, on: nil, limit: 10, offset: 0)
        #expect(found.spines.map { $0.candidates.first?.title } == ["Silent garden of the winter river"])
    }
}
