import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

/// The comparison of a shelf with scans of it.
@Suite struct InventoryTests {
    @Test("A book that was found is not missing until the next scan")
    func found() async throws {
        let shelf = try await GivenShelf()
        let store = shelf.store
        try await shelf.scan(["Dune Emma"], job: "1", photo: "a")
        try await shelf.scan(["Dune"], job: "2", photo: "b")
        #expect(try await store.compareShelf(shelf.id, with: ["2"]).missing.map(\.title) == ["Emma"])
        let emma = try await shelf.entry("Emma")
        let token = UndoToken()
        _ = try await store.actions(as: token).markFound([emma], on: shelf.id)
        let found = try await store.compareShelf(shelf.id, with: ["2"])
        #expect(found.missing.isEmpty && Set(found.present.map(\.title)) == ["Dune", "Emma"])
        // A book that was lent since is not on the shelf.
        _ = try await store.update(emma, to: EntryDetails(ownership: .lent, lentTo: "Bea", shelf: shelf.id))
        let lent = try await store.compareShelf(shelf.id, with: ["2"])
        #expect(lent.lent.map(\.title) == ["Emma"] && lent.present.map(\.title) == ["Dune"])
        _ = try await store.update(emma, to: EntryDetails(shelf: shelf.id))
        try await shelf.scan(["Dune"], job: "3", photo: "c")
        #expect(try await store.compareShelf(shelf.id, with: ["3"]).missing.map(\.title) == ["Emma"])
    }

    @Test("The boards of a bookcase count together, and of a board that was photographed again the later photo")
    func boards() async throws {
        let shelf = try await GivenShelf()
        let store = shelf.store
        try await shelf.scan(["Dune Emma Ulysses"], job: "1", photo: "a")
        try await shelf.scan(["Faust Walden Persuasion"], job: "2", photo: "b")
        func missing() async throws -> [String] {
            let views = ShelfPhotoView.latest(of: try await store.views(of: shelf.id, since: .distantPast))
            let first = try #require(views.map(\.at).min())
            return try await store.compareShelf(shelf.id, withUnadded: [], and: views.map(\.scan), at: first)
                .missing.map(\.title)
        }
        #expect(try await missing().isEmpty, "the other board is not missing")
        try await shelf.scan(["Dune Ulysses"], job: "3", photo: "c")
        #expect(try await missing() == ["Emma"])
        #expect(try await store.views(of: shelf.id, since: .distantFuture).isEmpty)
    }

    @Test("A photo is replaced by a later one that shows most of its books, and not by one that overlaps with it")
    func views() {
        func view(_ scan: String, _ at: Double, _ titles: String) -> ShelfPhotoView {
            ShelfPhotoView(
                scan: scan, at: Date(timeIntervalSince1970: at), titles: titles.split(separator: " ").map(String.init))
        }
        func latest(_ views: ShelfPhotoView...) -> [String] { ShelfPhotoView.latest(of: views).map(\.scan) }
        let whole = view("whole", 1, "a b c d e f g h")
        #expect(latest(whole, view("again", 2, "A b c d e f g")) == ["again"])
        #expect(latest(whole, view("end", 2, "f g h i j k")) == ["end", "whole"])
        #expect(latest(whole, view("left", 2, "a b c d"), view("right", 3, "d e f g h")) == ["right", "left"])
        #expect(latest(view("dark", 1, ""), whole) == ["whole"])
        #expect(latest(view("dark", 1, "")) == ["dark"] && latest() == [])
    }

    @Test("Two boards with the same titles do not replace each other, in one scan or with other copies")
    func sameTitles() {
        func view(_ scan: String, _ at: Double, _ titles: String, copies: Int? = nil) -> ShelfPhotoView {
            let spines = titles.split(separator: " ").enumerated().map { place, title in
                (title: String(title) as String?, copy: copies.map { RowID<LibraryEntry>(Int64($0 + place)) })
            }
            return ShelfPhotoView(scan: scan, at: Date(timeIntervalSince1970: at), spines: spines)
        }
        func latest(_ views: ShelfPhotoView...) -> [String] { ShelfPhotoView.latest(of: views).map(\.scan) }
        #expect(latest(view("j/1", 1, "a b c"), view("j/2", 1, "a b c")) == ["j/2", "j/1"])
        #expect(latest(view("1", 1, "a b c", copies: 10), view("2", 2, "a b c", copies: 20)) == ["2", "1"])
        #expect(latest(view("1", 1, "a b c", copies: 10), view("2", 2, "c b a", copies: 10)) == ["2"])
        #expect(latest(view("1", 1, "a b c", copies: 10), view("2", 2, "a b c")) == ["2"])
        #expect(latest(view("1", 1, "a a a"), view("2", 2, "a a a")) == ["2", "1"], "nothing distinguishes them")
    }

    @Test("A photo of a part of a shelf makes nothing of the rest missing", arguments: [false, true])
    func part(isAdded: Bool) async throws {
        let shelf = try await GivenShelf()
        let store = shelf.store
        try await shelf.scan(
            ["Dune Emma Moss Faust Walden Ulysses", "Babel Persuasion"], job: "1", photo: "a")
        _ = try await store.add(BookDetails(title: "Orlando"), entry: EntryDetails(shelf: shelf.id))
        let found: ShelfInventory
        if isAdded {
            // Three places wide: the one after Moss is beyond the frame.
            try await shelf.scan(["Dune . Moss"], job: "2", photo: "b", places: 3)
            found = try await store.compareShelf(shelf.id, with: ["2"], isWhole: false)
            let whole = try await store.compareShelf(shelf.id, with: ["2"])
            #expect(whole.notShown.isEmpty && whole.missing.count == 7)
        } else {
            let books = [
                Scan.book("Dune", by: "Writer", place: 0, of: 3), Scan.book("Moss", by: "Writer", place: 2, of: 3),
            ]
            found = try await store.compareShelf(
                shelf.id, withUnadded: [Scan.of(books, job: "2/1", photo: "b")], at: shelf.now)
        }
        #expect(found.present.map(\.title) == ["Dune", "Moss"])
        #expect(Set(found.missing.map(\.title)) == ["Emma", "Orlando"], "no photo shows Orlando")
        #expect(Set(found.notShown.map(\.title)) == ["Faust", "Walden", "Ulysses", "Babel", "Persuasion"])
    }

    @Test("A book of a part that the photo does not show, and that it shows elsewhere misread, is present")
    func misreadElsewhere() async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune Emma", "Middlemarch Faust"], job: "1", photo: "a")
        let books = [
            Scan.book("Dune", by: "Writer", place: 0), Scan.book("Emma", by: "Writer", place: 1),
            Scan.book("Midlemarch", by: "Writer", 0.4, place: 2),
        ]
        let found = try await shelf.store.compareShelf(
            shelf.id, withUnadded: [Scan.of(books, job: "2/1", photo: "b")], at: shelf.now)
        #expect(Set(found.present.map(\.title)) == ["Dune", "Emma", "Middlemarch"])
        #expect(found.notShown.map(\.title) == ["Faust"] && found.missing.isEmpty && found.notAdded.isEmpty)
    }

    @Test("Equal books in two photos of one scan are as many copies as there are")
    func equalBooks() async throws {
        let shelf = try await GivenShelf()
        let store = shelf.store
        let book = { Scan.book("Dune", by: "Writer", place: $0) }
        try await store.scan(book(0), book(1), book(2), book(3), job: "0", photo: "z", shelf: shelf.id)
        #expect(try await store.decide(try await store.duplicateQuestions().map(\.id), .addCopy) == 3)
        #expect(try await store.entries().total == 4)
        try await shelf.scan(["Dune Dune"], job: "j/1", photo: "a")
        try await shelf.scan(["Dune Dune"], job: "j/2", photo: "b")
        let found = try await store.compareShelf(shelf.id, with: ["j"])
        #expect(found.present.count == 4 && found.missing.isEmpty)
        #expect(try await store.entries().total == 4)
    }

    @Test("Undoing that a book was found makes it missing again")
    func undone() async throws {
        let shelf = try await GivenShelf()
        let store = shelf.store
        try await shelf.scan(["Dune Emma"], job: "1", photo: "a")
        try await shelf.scan(["Dune"], job: "2", photo: "b")
        let token = UndoToken()
        _ = try await store.actions(as: token).markFound([try await shelf.entry("Emma")], on: shelf.id)
        _ = try await store.undo(token)
        #expect(try await store.compareShelf(shelf.id, with: ["2"]).missing.map(\.title) == ["Emma"])
    }

    @Test("A book that was found on another shelf is not on this one")
    func elsewhere() async throws {
        let shelf = try await GivenShelf()
        let store = shelf.store
        try await shelf.scan(["Dune Emma"], job: "1", photo: "a")
        try await shelf.scan(["Dune"], job: "2", photo: "b")
        let emma = try await shelf.entry("Emma")
        let attic = try await store.shelf(named: "Attic").id
        _ = try await store.markFound([emma], on: attic)
        let found = try await store.compareShelf(shelf.id, with: ["2"])
        #expect(found.missing.isEmpty && found.present.map(\.title) == ["Dune"])
    }

    @Test("A book found after a scan that was not added is not missing in it")
    func unadded() async throws {
        let shelf = try await GivenShelf()
        let store = shelf.store
        try await shelf.scan(["Dune Emma"], job: "1", photo: "a")
        let scan = Scan.of([Scan.book("Dune", by: "Writer", 0.95, place: 0)], job: "new/1", photo: "new")
        func missing(at time: Date) async throws -> [String] {
            try await store.compareShelf(shelf.id, withUnadded: [scan], at: time).missing.map(\.title)
        }
        #expect(try await missing(at: shelf.now) == ["Emma"])
        _ = try await store.markFound([try await shelf.entry("Emma")], on: shelf.id)
        #expect(try await missing(at: shelf.now) == [])
        #expect(try await missing(at: shelf.now + 1) == ["Emma"], "the scan came after it was found")
    }

    @Test("The latest scan has all photos of a server's job")
    func severalPhotos() async throws {
        let shelf = try await GivenShelf()
        let store = shelf.store
        try await shelf.scan(["Dune"], job: "job/1", photo: "a")
        try await shelf.scan(["Emma"], job: "job/2", photo: "b")
        let latest = try #require(try await store.latestScan(of: shelf.id))
        #expect(latest == "job")
        let found = try await store.compareShelf(shelf.id, with: [latest])
        #expect(Set(found.present.map(\.title)) == ["Dune", "Emma"] && found.missing.isEmpty)
        #expect(try await store.compareShelf(shelf.id, with: ["job/2"]).missing.map(\.title) == ["Dune"])
    }

    @Test("A scan that is not in the library is an error", arguments: ["none", "jo", "job/", "job/3", "%", ""])
    func unknown(scan: String) async throws {
        let shelf = try await GivenShelf()
        try await shelf.scan(["Dune"], job: "job/1", photo: "a")
        await #expect(throws: LibraryError.notFound("scan '\(scan)' in the library")) {
            try await shelf.store.compareShelf(shelf.id, with: ["job", scan])
        }
    }
}
