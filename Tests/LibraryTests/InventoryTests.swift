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
