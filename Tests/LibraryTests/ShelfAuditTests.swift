import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite struct ShelfAuditTests {
    let library: TestLibrary
    let hall: RowID<Shelf>
    private var store: LibraryStore { library.store }

    init() async throws {
        library = try TestLibrary()
        hall = try await library.store.addShelf(at: PlacePath("Home / Hall")).id
    }

    private func sort(by rule: ShelfSort, _ shelf: String = "Hall") async throws {
        _ = try await store.change(try await store.shelf(named: shelf).id) { $0.sortRule = rule }
    }

    /// Adds a photo of the shelf with these books, from left to right.
    private func scan(_ titles: [String], job: String) async throws {
        let books = titles.enumerated().map { Scan.book($1, by: "Author \($1)", place: $0) }
        _ = try await store.importScan(Scan.of(books, job: job, photo: job, shelf: hall))
    }

    /// Returns the copies with a state, and after which one each belongs.
    private func states(_ state: ShelfAudit.State) async throws -> [String] {
        let audit = try await store.audit(hall)
        let titles = Dictionary(
            audit.copies.map { ($0.entry.id, $0.entry.title) }, uniquingKeysWith: { first, _ in first })
        return audit.copies.filter { $0.state == state }.map { copy in
            copy.outOfOrder.map { "\(copy.entry.title) after \($0.belongsAfter.flatMap { titles[$0] } ?? "none")" }
                ?? copy.entry.title
        }
    }

    private func decide(_ title: String, _ action: AuditAction, _ store: LibraryStore? = nil) async throws {
        let copy = try #require(try await self.store.entries(EntryQuery(text: title)).entries.first)
        _ = try await (store ?? self.store).decide([(copy.entry, action)], on: hall)
    }

    @Test("Two neighbours that were exchanged make one copy out of order, and a shelf without a rule none")
    func exchanged() async throws {
        try await scan(["Babel", "Emma", "Dune", "Ulysses"], job: "a")
        #expect(try await states(.outOfOrder) == [])
        try await sort(by: .title)
        #expect(try await states(.outOfOrder) == ["Emma after Dune"])
        #expect(try await store.audit(hall).counts == ["present": 3, "outOfOrder": 1])
        let emma = try #require(try await store.audit(hall).copies.first { $0.outOfOrder != nil })
        #expect(emma.board == 1 && emma.rank == 2 && emma.left != nil && emma.right != nil)
        #expect(emma.entry.position?.boundingBox != nil)
    }

    @Test("Call numbers sort copies, and those without one do not count")
    func callNumbers() async throws {
        try await scan(["Babel", "Dune", "Emma", "Ulysses"], job: "a")
        for (title, number) in [("Babel", "796.12"), ("Emma", "796.2"), ("Ulysses", "796")] {
            let copy = try #require(try await store.entries(EntryQuery(text: title)).entries.first)
            _ = try await store.update(copy.entry) { $0.callNumber = " \(number) " }
        }
        try await sort(by: .callNumber)
        #expect(try await states(.outOfOrder) == ["Ulysses after none"])
        let babel = try #require(try await store.entries(EntryQuery(text: "Babel")).entries.first).entry
        #expect(try await store.entry(babel).entry.details.callNumber == "796.12")
    }

    @Test("A copy that the latest scan added is new, but no copy of the first scan is")
    func new() async throws {
        try await scan(["Babel", "Dune"], job: "a/1")
        #expect(try await states(.new) == [])
        try await scan(["Babel", "Emma", "Dune"], job: "b/1")
        #expect(try await states(.new) == ["Emma"])
        try await scan(["Emma", "Dune", "Ulysses"], job: "b/2")
        #expect(try await states(.new) == ["Emma", "Ulysses"])
        try await scan(["Babel", "Emma", "Dune", "Ulysses"], job: "c/1")
        #expect(try await states(.new) == [])
    }

    @Test("On a shelf with a recorded copy, the others of its first scan are new")
    func newBesideRecorded() async throws {
        let copy = try await store.add(BookDetails(title: "Zorba"), entry: EntryDetails(shelf: hall))
        try await scan(["Babel", "Dune"], job: "a")
        #expect(try await states(.new) == ["Babel", "Dune"])
        #expect(try await states(.unseen) == ["Zorba"])
        #expect(try await store.entry(copy.id).entry.details.shelf == hall)
    }

    @Test("A rule counts for the shelves inside, unless they have one of their own")
    func inherited() async throws {
        try await scan(["Emma", "Dune"], job: "a")
        try await sort(by: .title, "Home")
        #expect(try await store.audit(hall).sort == .title)
        #expect(try await states(.outOfOrder).count == 1)
        try await sort(by: .series)
        #expect(try await states(.outOfOrder) == [], "the books are in no series")
    }

    @Test("A copy that was put in order counts again after the next scan, an ignored one does not")
    func decisions() async throws {
        try await sort(by: .title)
        try await scan(["Babel", "Emma", "Dune", "Ulysses"], job: "a")
        let token = UndoToken()
        try await decide("Emma", .putInOrder, store.actions(as: token))
        #expect(try await states(.outOfOrder) == [])
        _ = try await store.undo(token)
        #expect(try await states(.outOfOrder).count == 1)
        try await decide("Emma", .ignoreOrder)
        try await scan(["Babel", "Emma", "Dune", "Ulysses"], job: "b")
        #expect(try await states(.outOfOrder) == [])
    }

    @Test("Missing, misplaced and lent copies are decided on, and each decision is undone")
    func places() async throws {
        let attic = try await store.addShelf(at: PlacePath("Attic")).id
        try await scan(["Babel", "Dune", "Emma", "Ulysses"], job: "a")
        try await scan(["Babel", "Emma", "Ulysses"], job: "b")
        let emma = try #require(try await store.entries(EntryQuery(text: "Emma")).entries.first).entry
        let ulysses = try #require(try await store.entries(EntryQuery(text: "Ulysses")).entries.first).entry
        try await store.move([emma], to: attic)
        _ = try await store.update(ulysses) { ($0.ownership, $0.lentTo) = (.lent, "Bea") }
        #expect(try await store.audit(hall).counts == ["present": 1, "missing": 1, "misplaced": 1, "lentHere": 1])
        let cases: [(String, AuditAction, ShelfAudit.State)] = [
            ("Dune", .found, .missing), ("Dune", .gone, .missing), ("Emma", .belongsHere, .misplaced),
            ("Emma", .putBack, .misplaced), ("Ulysses", .cameBack, .lentHere),
        ]
        for (title, action, state) in cases {
            #expect(try await states(state) == [title])
            let token = UndoToken()
            try await decide(title, action, store.actions(as: token))
            #expect(try await states(state) == [], "\(action)")
            _ = try await store.undo(token)
            #expect(try await states(state) == [title], "\(action)")
        }
        #expect(try await store.problems() == [])
    }

    @Test("Copies are listed by board and from left to right, each once where photos overlap")
    func order() async throws {
        try await scan(["Zorba", "Emma", "Babel"], job: "a")
        try await scan(["Emma", "Babel", "Dune"], job: "b")
        let titles = try await store.entries(EntryQuery(sort: .shelf)).entries.map(\.title)
        #expect(titles == ["Zorba", "Emma", "Babel", "Dune"])
    }

    @Test("Photos of half a shelf make nothing of the other half missing, and boards stay apart")
    func halves() async throws {
        try await scan(["Babel", "Dune", "Emma"], job: "a")
        try await scan(["Persuasion", "Ulysses", "Walden"], job: "b")
        #expect(try await states(.missing) == [])
        #expect(Set(try await store.audit(hall).copies.map(\.board)) == [1, 2])
    }
}
