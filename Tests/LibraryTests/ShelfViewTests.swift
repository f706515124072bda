import Bibliography
import Foundation
import Library
import ShelflistAPI
import Synchronization
import Testing

/// A shelf whose scans are a second apart.
final class GivenShelf: Sendable {
    let library: TestLibrary
    let id: RowID<Shelf>
    private let clock: Clock

    init() async throws {
        let clock = Clock(Date(timeIntervalSince1970: 1_800_000_000))
        self.clock = clock
        library = try TestLibrary { clock.now.withLock { $0 } }
        id = try await library.store.shelf(named: "Hall").id
    }

    private final class Clock: Sendable {
        let now: Mutex<Date>

        init(_ start: Date) { now = Mutex(start) }
    }

    var store: LibraryStore { library.store }
    /// The time of the latest scan.
    var now: Date { clock.now.withLock { $0 } }

    /// Imports a photo of rows of titles; a full stop leaves a place of the row empty.
    ///
    /// - Parameters:
    ///   - places: the number of places of a row that the photo is wide.
    ///   - repeated: the books of the photo `j/1` at places of the first row.
    func scan(
        _ rows: [String], job: String, photo: String, places: Int = 10, repeated: [Int: String] = [:],
        shelf: RowID<Shelf>? = nil
    ) async throws {
        clock.now.withLock { $0 += 1 }
        var books: [DetectedBook] = []
        for (row, titles) in rows.enumerated() {
            for (place, title) in titles.split(separator: " ").enumerated() where title != "." {
                var book = Scan.book(String(title), by: "Writer", place: place, of: places)
                book.id = "b\(row)-\(place)"
                let height = 0.9 / Double(rows.count)
                book.move(
                    to: UnitRect(
                        x: Double(place) / Double(places), y: Double(row) / Double(rows.count),
                        width: 0.9 / Double(places), height: height))
                books.append(book)
            }
        }
        var scan = Scan.of(books, job: job, photo: photo, shelf: shelf ?? id)
        scan.repeated = repeated.sorted { $0.key < $1.key }.map { place, book in
            let shown = Scan.book("", 0.9, place: place, of: places)
            return RepeatedSpine(job: "j/1", book: book, boundingBox: shown.boundingBox, quad: shown.quad)
        }
        _ = try await store.importScan(scan, duplicates: .existing)
    }

    func entry(_ title: String) async throws -> RowID<LibraryEntry> {
        try #require(try await store.entries(EntryQuery(text: title)).entries.first?.entry)
    }

    /// Returns the titles of each board; other states than `present` follow the title.
    func boards() async throws -> [String] {
        try await store.shelfView(id).boards.map { board in
            board.map { $0.entry.title + ($0.state == .present ? "" : ":\($0.state?.rawValue ?? "")") }.joined(
                separator: " ")
        }
    }
}

@Suite struct ShelfViews {
    @Test("Boards are shown from top to bottom, and spines from left to right")
    func order() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma", "Ulysses Babel Moss"], job: "1", photo: "a")
        #expect(try await shelf.boards() == ["Dune Emma", "Ulysses Babel Moss"])
        let view = try await shelf.store.shelfView(shelf.id)
        let first = try #require(view.boards.first?.first)
        // The photo has 4000 x 3000 pixels.
        #expect((first.width, first.height) == (360, 1350))
        #expect(view.scannedAt != nil && view.unseen.isEmpty)
    }

    @Test("A shelf without photos has no boards")
    func withoutPhotos() async throws {
        let shelf = try await GivenShelf()
        _ = try await shelf.store.add(BookDetails(title: "Emma"), entry: EntryDetails(shelf: shelf.id))
        let view = try await shelf.store.shelfView(shelf.id)
        #expect(view.boards.isEmpty && view.scannedAt == nil)
        #expect(view.unseen.map(\.title) == ["Emma"])
    }

    @Test("Overlapping photos of one scan become one row with each book once")
    func overlapping() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma Moss Babel"], job: "j/1", photo: "a", places: 4)
        try await shelf.scan(["Moss Babel Ulysses Hamlet"], job: "j/2", photo: "b", places: 4)
        #expect(try await shelf.boards() == ["Dune Emma Moss Babel Ulysses Hamlet"])
    }

    @Test("Photos of one scan are joined by the spines that both show, though each book is imported once")
    func repeatedSpines() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma Moss Babel"], job: "j/1", photo: "a", places: 4)
        try await shelf.scan(
            [". . Ulysses Hamlet"], job: "j/2", photo: "b", places: 4, repeated: [0: "b0-2", 1: "b0-3", 3: "unknown"])
        #expect(try await shelf.boards() == ["Dune Emma Moss Babel Ulysses Hamlet"])
        #expect(try await shelf.store.entries(EntryQuery()).total == 6)
    }

    @Test("A photo to the left of the first one is joined on its left")
    func leftward() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Moss Babel Ulysses Hamlet"], job: "j/1", photo: "a", places: 4)
        try await shelf.scan(["Dune Emma Moss Babel"], job: "j/2", photo: "b", places: 4)
        #expect(try await shelf.boards() == ["Dune Emma Moss Babel Ulysses Hamlet"])
    }

    @Test("A book that only one of two overlapping photos shows is in its place and not a gap")
    func oneOfTwo() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma . Babel"], job: "j/1", photo: "a", places: 4)
        try await shelf.scan(["Emma Moss Babel Ulysses"], job: "j/2", photo: "b", places: 4)
        #expect(try await shelf.boards() == ["Dune Emma Moss Babel Ulysses"])
    }

    @Test("Photos of one scan that share one book at their ends are joined; others are not")
    func oneShared() async throws {
        let joined = try await GivenShelf()
        try await joined.scan(["Dune Emma Moss"], job: "j/1", photo: "a", places: 3)
        try await joined.scan(["Moss Babel Ulysses"], job: "j/2", photo: "b", places: 3)
        #expect(try await joined.boards() == ["Dune Emma Moss Babel Ulysses"])
        let apart = try await GivenShelf()
        try await apart.scan(["Dune Emma Moss"], job: "j/1", photo: "a", places: 3)
        try await apart.scan(["Babel Emma Ulysses"], job: "j/2", photo: "b", places: 3)
        #expect(try await apart.boards() == ["Dune Emma Moss", "Babel Ulysses"])
    }

    @Test(
        "A book that the next scan does not show is a gap",
        arguments: [
            ("Dune . Moss", "Dune Emma:missing Moss"), (". Emma Moss", "Dune:missing Emma Moss"),
            ("Dune Emma .", "Dune Emma Moss:missing"),
        ])
    func gaps(later: String, expected: String) async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma Moss"], job: "1", photo: "a", places: 4)
        try await shelf.scan([later], job: "2", photo: "b", places: 4)
        #expect(try await shelf.boards() == [expected])
    }

    @Test("Books beyond the frame of the next scan are not gaps")
    func beyond() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma Moss Babel"], job: "1", photo: "a", places: 4)
        try await shelf.scan(["Emma Moss"], job: "2", photo: "b", places: 2)
        #expect(try await shelf.boards() == ["Dune Emma Moss Babel"])
    }

    @Test("Two scans of different parts of a shelf are two boards without gaps")
    func parts() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma"], job: "1", photo: "a")
        try await shelf.scan(["Moss Babel"], job: "2", photo: "b")
        #expect(try await shelf.boards() == ["Moss Babel", "Dune Emma"])
    }

    @Test(
        "Boards of two scans are joined only where most spines agree",
        arguments: [
            // One and four titles stand on both boards.
            (
                "Dune Emma Moss Babel Ulysses", "Ilium Babel Hamlet Circe Kim",
                ["Ilium Babel Hamlet Circe Kim", "Dune Emma Moss Ulysses"]
            ),
            (
                "A1 B1 C1 D1 X E1 Y F1 Z G1 W H1", "A2 X B2 Y C2 Z D2 W E2 F2 G2 H2",
                ["A2 X B2 Y C2 Z D2 W E2 F2 G2 H2", "A1 B1 C1 D1 E1 F1 G1 H1"]
            ),
            // The later scan shows the same board, or its right end and more.
            ("Dune Emma Moss Babel", "Dune Emma Moss Babel", ["Dune Emma Moss Babel"]),
            ("Dune Emma Moss Babel", "Moss Babel Kim Circe", ["Dune Emma Moss Babel Kim Circe"]),
        ])
    func joinedScans(first: String, second: String, boards: [String]) async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan([first], job: "1", photo: "a", places: 12)
        try await shelf.scan([second], job: "2", photo: "b", places: 12)
        #expect(try await shelf.boards() == boards)
    }

    @Test("A gap is found, lent, moved or removed")
    func actions() async throws {
        let shelf = try await GivenShelf()
        let store = shelf.store
        try await shelf.scan(["Dune Emma Moss Babel Ulysses Hamlet"], job: "1", photo: "a")
        try await shelf.scan(["Dune . . . . Hamlet"], job: "2", photo: "b")
        #expect(
            try await shelf.boards() == ["Dune Emma:missing Moss:missing Babel:missing Ulysses:missing Hamlet"])
        let emma = try await shelf.entry("Emma")
        #expect(try await store.markFound([emma], on: shelf.id) == 1)
        _ = try await store.update(
            try await shelf.entry("Moss"), to: EntryDetails(ownership: .lent, lentTo: "Bea", shelf: shelf.id))
        try await store.move([try await shelf.entry("Babel")], to: try await store.shelf(named: "Attic").id)
        try await store.remove(try await shelf.entry("Ulysses"))
        #expect(try await shelf.boards() == ["Dune Emma:found Moss:lent Hamlet"])
        // What was found is asked about again after the next scan.
        try await shelf.scan(["Dune . . . . Hamlet"], job: "3", photo: "c")
        #expect(try await shelf.boards() == ["Dune Emma:missing Moss:lent Hamlet"])
        // A lent book that is found is lent no more.
        _ = try await store.markFound([try await shelf.entry("Moss")], on: shelf.id)
        #expect(try await shelf.boards() == ["Dune Emma:missing Moss:found Hamlet"])
        let moss = try await store.entry(try await shelf.entry("Moss")).entry.details
        #expect(moss.ownership == .owned && moss.lentTo == nil)
    }

    @Test("A book of another shelf that the scan shows is marked until it is moved")
    func elsewhere() async throws {
        let shelf = try await GivenShelf()
        let attic = try await shelf.store.shelf(named: "Attic").id
        try await shelf.scan(["Emma"], job: "1", photo: "a", shelf: attic)
        try await shelf.scan(["Dune Emma"], job: "2", photo: "b")
        #expect(try await shelf.boards() == ["Dune Emma:elsewhere"])
        try await shelf.store.move([try await shelf.entry("Emma")], to: shelf.id)
        #expect(try await shelf.boards() == ["Dune Emma"])
    }

    @Test("The photos beyond the latest 40 are not shown")
    func limit() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["First"], job: "0", photo: "first")
        let syllables = ["ba", "dex", "fi", "gol", "lu", "mav", "nek"]
        let titles = syllables.flatMap { first in syllables.map { first.capitalized + $0 + first } }
        for title in titles.prefix(LibraryShelfView.photoLimit) {
            try await shelf.scan([title], job: title, photo: title)
        }
        let view = try await shelf.store.shelfView(shelf.id)
        #expect(view.boards.count == LibraryShelfView.photoLimit)
        #expect(view.unseen.map(\.title) == ["First"])
    }

    @Test("An unknown shelf is an error")
    func unknown() async throws {
        let library = try TestLibrary()
        await #expect(throws: LibraryError.self) { try await library.store.shelfView(RowID(9)) }
        await #expect(throws: LibraryError.self) { try await library.store.markFound([], on: RowID(9)) }
    }
}

@Suite struct UnaddedScans {
    private func compare(
        _ shelf: GivenShelf, _ titles: [String], confidence: Double = 0.95
    ) async throws -> ShelfInventory {
        let books = titles.enumerated().map { Scan.book($1, by: "Writer", confidence, place: $0) }
        return try await shelf.store.compareShelf(
            shelf.id, withUnadded: [Scan.of(books, job: "new/1", photo: "new")], at: shelf.now)
    }

    @Test("A scan is compared without being added, and nothing changes")
    func notAdded() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma Moss"], job: "1", photo: "a")
        let revision = try await shelf.store.revision()
        let found = try await compare(shelf, ["Dune", "Moss", "Babel"])
        #expect(found.present.map(\.title) == ["Dune", "Moss"])
        #expect(found.missing.map(\.title) == ["Emma"])
        #expect(found.notAdded.map(\.title) == ["Babel"])
        #expect(found.notAdded.map(\.bookId) == ["b2"])
        #expect(found.new.isEmpty && found.moved.isEmpty && found.questions.isEmpty && !found.isFirst)
        #expect(try await shelf.store.revision() == revision)
        #expect(try await shelf.store.titles() == ["Dune", "Emma", "Moss"])
        #expect(try await shelf.store.photos().count == 1)
        #expect(try await shelf.store.problems() == [])
    }

    @Test("A book that is misread otherwise is neither missing nor new")
    func misread() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Middlemarch Dune"], job: "1", photo: "a")
        let found = try await compare(shelf, ["Midlemarch", "Dune"], confidence: 0.4)
        #expect(found.missing.isEmpty)
        #expect(found.notAdded.isEmpty)
        #expect(Set(found.present.map(\.title)) == ["Middlemarch", "Dune"])
    }

    @Test("A book of another shelf is moved")
    func moved() async throws {
        let shelf = try await GivenShelf()
        let attic = try await shelf.store.shelf(named: "Attic").id
        try await shelf.scan(["Emma"], job: "1", photo: "a", shelf: attic)
        let found = try await compare(shelf, ["Emma", "Dune"])
        #expect(found.moved.map(\.title) == ["Emma"])
        #expect(found.notAdded.map(\.title) == ["Dune"])
    }

    @Test("The books of a first scan are not new")
    func first() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma"], job: "1", photo: "a")
        let found = try await shelf.store.compareShelf(shelf.id, with: ["1"])
        #expect(found.isFirst && found.new.isEmpty)
        #expect(found.present.map(\.title) == ["Dune", "Emma"])
        try await shelf.scan(["Dune Emma Moss"], job: "2", photo: "b")
        let second = try await shelf.store.compareShelf(shelf.id, with: ["2"])
        #expect(!second.isFirst)
        #expect(second.new.map(\.title) == ["Moss"])
    }
}
