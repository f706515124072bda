import Foundation
import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite struct StocktakeTests {
    let library: TestLibrary
    let clock: ManualClock
    let hall: RowID<Shelf>
    let attic: RowID<Shelf>
    private var store: LibraryStore { library.store }

    init() async throws {
        let time = ManualClock()
        clock = time
        library = try TestLibrary(clock: { time.now })
        hall = try await library.store.addShelf(at: PlacePath("Home / Hall")).id
        attic = try await library.store.addShelf(at: PlacePath("Attic")).id
    }

    /// Adds books by hand, so that no photo shows them.
    private func add(_ titles: String..., to shelf: RowID<Shelf>? = nil) async throws -> [RowID<LibraryEntry>] {
        var copies: [RowID<LibraryEntry>] = []
        for title in titles {
            let book = BookDetails(title, by: "Author \(title)")
            copies.append(try await store.add(book, entry: EntryDetails(shelf: shelf ?? hall)).id)
        }
        return copies
    }

    private func scan(_ titles: String..., job: String, shelf: RowID<Shelf>? = nil, with library: LibraryStore? = nil)
        async throws
    {
        clock.advance(by: 60)
        let books = titles.enumerated().map { Scan.book($1, by: "Author \($1)", place: $0) }
        let scan = Scan.of(books, job: job, photo: job, shelf: shelf ?? hall)
        _ = try await (library ?? store).importScan(scan, duplicates: .existing)
    }

    private func start(_ shelves: [RowID<Shelf>]? = nil) async throws -> RowID<Stocktake> {
        clock.advance(by: 60)
        let scope: StocktakeScope = .some(shelves: shelves ?? [hall], tags: [], copies: [])
        let started = try await store.startStocktake(named: nil, of: scope, by: "Ann")
        return try #require(RowID(started.id))
    }

    private func states(_ id: RowID<Stocktake>) async throws -> [String] {
        try await store.copies(of: id).map { "\($0.title) \($0.state?.rawValue ?? "")" }
    }

    @Test("Photos since the start make copies seen, those before do not")
    func photos() async throws {
        _ = try await add("Babel", "Dune", "Emma")
        try await scan("Babel", job: "before")
        let id = try await start()
        #expect(try await states(id) == ["Babel unseen", "Dune unseen", "Emma unseen"])
        try await scan("Dune", "Emma", job: "a")
        #expect(try await states(id) == ["Babel unseen", "Dune seen", "Emma seen"])
        let copy = try #require(try await store.copies(of: id).first { $0.title == "Dune" })
        #expect(copy.seenBy == .photo && copy.seenOn?.id == "\(hall)" && copy.lastPhotoAt == copy.seenAt)
        // The picture from before the start is scanned again.
        clock.advance(by: 60)
        let again = Scan.of(
            [Scan.book("Babel", by: "Author Babel", place: 0)], job: "again", photo: "before", shelf: hall)
        _ = try await store.importScan(again)
        #expect(try await store.stocktake(id).counts.unseen == 0)
    }

    @Test("A scope is shelves with those inside, tags or copies, without wishes; one without copies is refused")
    func scope() async throws {
        let copies = try await add("Babel", "Dune") + add("Emma", to: attic)
        _ = try await store.add(BookDetails(title: "Wish"), entry: EntryDetails(ownership: .wishlist, shelf: hall))
        _ = try await store.update(copies[2]) { $0.tags = ["school"] }
        let home = try await store.shelf(named: "Home").id
        func titles(_ scope: StocktakeScope) async throws -> [String] {
            let id: RowID<Stocktake>? = RowID(try await store.startStocktake(named: "a", of: scope, by: nil).id)
            return try await store.copies(of: try #require(id)).map(\.title)
        }
        #expect(try await titles(.some(shelves: [home], tags: [], copies: [])) == ["Babel", "Dune"])
        #expect(try await titles(.some(shelves: [], tags: ["school"], copies: [copies[0]])) == ["Emma", "Babel"])
        #expect(try await titles(.everything).count == 3)
        await #expect(throws: LibraryError.self) { try await titles(.some(shelves: [], tags: ["none"], copies: [])) }
        await #expect(throws: LibraryError.notFound("shelf 99")) {
            try await titles(.some(shelves: [RowID(99)], tags: [], copies: []))
        }
        #expect(try await store.stocktakes(limit: 10, offset: 0).total == 3)
    }

    @Test("Two phones at once count no copy twice, and undoing one photo leaves the copy seen on the other")
    func twoPhones() async throws {
        _ = try await add("Babel", "Dune", "Emma")
        let id = try await start()
        let token = UndoToken()
        async let first: Void = scan("Babel", "Dune", job: "a", with: store.actions(as: token))
        async let second: Void = scan("Dune", "Emma", job: "b")
        _ = try await (first, second)
        let counts = try await store.stocktake(id).counts
        #expect(counts.expected == 3 && counts.seen == 3 && counts.unseen == 0)
        _ = try await store.undo(token)
        #expect(try await states(id) == ["Babel unseen", "Dune seen", "Emma seen"])
    }

    @Test("A stocktake goes on a week later in another process, and deleting its photos does not unsee")
    func weekLater() async throws {
        _ = try await add("Babel", "Dune")
        let id = try await start()
        try await scan("Babel", job: "a")
        clock.advance(by: 7 * 24 * 3600)
        let later = try LibraryStore(folder: library.folder, clock: { [clock] in clock.now })
        try LibraryHistory.force("DELETE FROM detection; DELETE FROM photo", in: library.folder)
        #expect(try await later.copies(of: id).map(\.state) == [.seen, .unseen])
        try await scan("Dune", job: "b", with: later)
        #expect(try await later.stocktake(id).counts.seen == 2)
        #expect(try await later.problems() == [])
    }

    @Test("Lent copies are set apart, and one that comes back is seen")
    func loans() async throws {
        let copies = try await add("Babel", "Dune")
        _ = try await store.update(copies[0]) { ($0.ownership, $0.lentTo) = (.lent, "Bea") }
        let id = try await start()
        #expect(try await states(id) == ["Babel lent", "Dune unseen"])
        _ = try await store.update(copies[0]) { $0.comesBack() }
        #expect(try await states(id) == ["Babel seen", "Dune unseen"])
        #expect(try await store.copies(of: id).first?.seenBy == .returned)
    }

    @Test("A copy seen on another shelf is misplaced until it is recorded there, and a bookcase is not another shelf")
    func misplaced() async throws {
        let copies = try await add("Babel", "Dune")
        let id = try await start()
        try await scan("Babel", job: "a", shelf: attic)
        try await scan("Dune", job: "b", shelf: try await store.shelf(named: "Home").id)
        #expect(try await states(id) == ["Babel misplaced", "Dune seen"])
        #expect(try await store.copies(of: id).first?.seenOn?.name == "Attic")
        try await store.move([copies[0]], to: attic)
        #expect(try await states(id).sorted() == ["Babel seen", "Dune seen"])
    }

    @Test("The progress names the shelves that no photo shows, and a photo of a bookcase shows its boards")
    func places() async throws {
        _ = try await add("Babel") + add("Dune", to: attic)
        let id = try await start([hall, attic])
        func places() async throws -> [String: Bool] {
            let all = try await store.stocktake(id).places ?? []
            return Dictionary(uniqueKeysWithValues: all.map { ($0.shelf?.name ?? "", $0.photographed) })
        }
        #expect(try await places() == ["Attic": false, "Hall": false])
        try await scan("Walden", job: "a", shelf: try await store.shelf(named: "Home").id)
        #expect(try await places() == ["Attic": false, "Hall": true])
    }

    @Test("Hands and barcodes make copies seen and unseen, each as one action, but only copies of the stocktake")
    func hands() async throws {
        let copies = try await add("Babel", "Dune") + add("Emma", to: attic)
        let id = try await start()
        let token = UndoToken()
        let copy = try await store.copy(withBarcode: " \(copies[0]) ")
        let seen = try await store.actions(as: token).see([copy], in: id, by: .barcode)
        #expect(seen.changed == 1 && seen.copies.map(\.seenBy) == [.barcode])
        #expect(try await store.see([copy], in: id).changed == 0)
        #expect(try await store.unsee([copy], in: id).changed == 1)
        #expect(try await states(id) == ["Babel unseen", "Dune unseen"])
        _ = try await store.see([copies[1]], in: id, on: attic)
        #expect(try await states(id) == ["Babel unseen", "Dune misplaced"])
        await #expect(throws: LibraryError.self) { try await store.see([copies[2]], in: id) }
        await #expect(throws: LibraryError.self) { try await store.copy(withBarcode: "99") }
        await #expect(throws: LibraryError.notFound("stocktake 9")) { try await store.see([copy], in: RowID(9)) }
    }

    @Test("Closing makes unseen copies missing, as one action, and the report stays as it was")
    func closing() async throws {
        let copies = try await add("Babel", "Dune", "Emma")
        _ = try await store.update(copies[2]) { ($0.ownership, $0.lentTo) = (.lent, "Bea") }
        let id = try await start()
        try await scan("Babel", job: "a")
        let token = UndoToken()
        #expect(try await store.actions(as: token).closeStocktake(id) == 1)
        var missing = EntryQuery()
        missing.isMissing = true
        #expect(try await store.entries(missing).entries.map(\.title) == ["Dune"])
        #expect(try await store.stats().byStatus.first { $0.key == "missing" }?.count == 1)
        await #expect(throws: LibraryError.self) { try await store.closeStocktake(id) }
        await #expect(throws: LibraryError.self) { try await store.see([copies[1]], in: id) }
        _ = try await store.undo(token)
        #expect(try await store.entries(missing).total == 0)
        #expect(try await store.stocktake(id).closedAt == nil)

        #expect(try await store.closeStocktake(id) == 1)
        try await store.remove(copies[1])
        #expect(try await states(id) == ["Babel seen", "Dune unseen", "Emma lent"])
        #expect(StocktakeList.rows(try await store.copies(of: id)).contains("Home / Hall,,\(copies[1]),,Dune"))
    }

    @Test("A missing copy comes back when a photo, a person or a later stocktake finds it")
    func comesBack() async throws {
        let copies = try await add("Babel", "Dune", "Emma")
        let id = try await start()
        _ = try await store.closeStocktake(id)
        func missing() async throws -> [String] {
            var query = EntryQuery()
            query.isMissing = true
            return try await store.entries(query).entries.map(\.title)
        }
        try await scan("Babel", job: "a")
        #expect(try await missing() == ["Dune", "Emma"])
        _ = try await store.markFound([copies[1]], on: hall)
        #expect(try await missing() == ["Emma"])
        let next = try await start()
        #expect(try await states(next) == ["Babel unseen", "Dune unseen", "Emma missing"])
        #expect(try store.expectedWorks(on: hall).count == 2)
        _ = try await store.see([copies[2]], in: next)
        #expect(try await missing() == [])
    }

    @Test("A copy is missing by hand from the time of the change")
    func byHand() async throws {
        let copy = try await add("Babel")[0]
        _ = try await store.update(copy) { $0.setMissing(true) }
        #expect(try await store.entry(copy).entry.details.missingSince == clock.now)
        _ = try await store.update(copy) { $0.setMissing(false) }
        #expect(try await store.entry(copy).entry.details.missingSince == nil)
    }

    @Test("An unsure spine lists the unseen copies that it may be, and one tap makes it the copy")
    func spines() async throws {
        let copies = try await add("Babel", "Persuasion")
        let id = try await start()
        clock.advance(by: 60)
        let book = Scan.book("Persuaslen", by: "J Austn", 0.3, checked: false, place: 0)
        _ = try await store.importScan(Scan.of([book], job: "a", photo: "a", shelf: hall))
        let spines = try await store.unsureSpines(of: id, on: hall, limit: 10, offset: 0)
        let spine = try #require(spines.spines.first)
        #expect(spines.total == 1 && spine.candidates.map(\.title) == ["Persuasion", "Babel"])
        #expect(try await store.unsureSpines(of: id, on: attic, limit: 10, offset: 0).total == 0)
        let token = UndoToken()
        let detection: RowID<Detection>? = RowID(spine.detectionId)
        _ = try await store.actions(as: token).see([copies[1]], in: id, spine: detection)
        #expect(try await states(id) == ["Babel unseen", "Persuasion seen"])
        #expect(try await store.copies(of: id).last?.seenBy == .photo)
        #expect(try await store.titles() == ["Babel", "Persuasion"])
        _ = try await store.undo(token)
        #expect(try await states(id) == ["Babel unseen", "Persuasion unseen"])
        #expect(try await store.titles().count == 3)
        #expect(try await store.problems() == [])
    }

    @Test("Starting and removing a stocktake are undone")
    func undoing() async throws {
        _ = try await add("Babel")
        let token = UndoToken()
        _ = try await store.actions(as: token).startStocktake(named: "Spring", of: .everything, by: "Ann")
        _ = try await store.undo(token)
        #expect(try await store.stocktakes(limit: 10, offset: 0).total == 0)
        let id = try await start()
        try await scan("Babel", job: "a")
        let removal = UndoToken()
        try await store.actions(as: removal).removeStocktake(id)
        await #expect(throws: LibraryError.notFound("stocktake \(id)")) { try await store.stocktake(id) }
        _ = try await store.undo(removal)
        #expect(try await states(id) == ["Babel seen"])
        #expect(try await store.problems() == [])
    }

    @Test("A thousand copies and forty photos by two phones are each counted once")
    func large() async throws {
        let syllables = ["ka", "mo", "ti", "ru", "be", "lo", "sa", "ne", "du", "fi"]
        let books = (0..<1000).map { (n: Int) -> String in
            let digits: [Int] = [n / 100, n / 10 % 10, n % 10]
            let word = digits.map { syllables[$0] }.joined()
            return "\(word)x \(syllables[n % 7])"
        }
        let list = "title,author\n" + books.map { "\($0),Author \($0)\n" }.joined()
        let hall = hall
        _ = try await store.importBooks(Array(list.utf8), name: "list.csv", duplicates: .different, shelf: hall)
        let id = try await start()
        func photos(_ phone: Int) async throws {
            for photo in stride(from: phone, to: 40, by: 2) {
                // Each photo overlaps with the one before by five books.
                let shown = books[max(0, photo * 25 - 5)..<photo * 25 + 25]
                let spines = shown.enumerated().map { Scan.book($1, by: "Author \($1)", place: $0) }
                let scan = Scan.of(spines, job: "p\(photo)", photo: "p\(photo)", shelf: hall)
                _ = try await store.importScan(scan, duplicates: .existing)
            }
        }
        async let even: Void = photos(0)
        async let odd: Void = photos(1)
        _ = try await (even, odd)
        let counts = try await store.stocktake(id).counts
        #expect(counts.expected == 1000 && counts.seen == 1000 && counts.misplaced == 0)
    }
}

extension LibraryStore {
    /// Returns all copies of a stocktake, page by page.
    func copies(of stocktake: RowID<Stocktake>, _ filter: StocktakeFilter = StocktakeFilter()) async throws
        -> [StocktakeCopy]
    {
        var (all, cursor): ([StocktakeCopy], StocktakeCursor?) = ([], nil)
        repeat {
            let page = try await copies(of: stocktake, filter, from: cursor, limit: 2)
            all += page.copies
            cursor = page.next
        } while cursor != nil
        return all
    }
}
