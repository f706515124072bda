import Bibliography
import Catalog
import Foundation
import ServerFixtures
import ShelflistAPI
import ShelflistClientTesting
import ShelflistModels
import TestSupport
import Testing

@MainActor @Suite(.endsHangs)
struct ManualMatchModelTests {
    private static let catalog = """
        title,author,isbn
        Emma,Jane Austen,9780141439587
        Jane Eyre,Charlotte Brontë,
        """
    let clock = HeldClock()

    private func match(_ fixture: ModelFixture) async throws -> ManualMatchModel {
        let list = fixture.server.folder.appending(path: "list.csv")
        try Data(Self.catalog.utf8).write(to: list)
        let catalog = try Catalog(path: fixture.server.folder.appending(path: "catalog.sqlite").path)
        _ = try catalog.importFiles([list.path])
        try await fixture.add(.persuasion)
        let item = try #require(try await fixture.client.review.items().page().items.first)
        return ManualMatchModel(client: fixture.client, item: item, clock: clock)
    }

    private func searches(_ fixture: ModelFixture) -> [String] {
        fixture.script.requests.filter { $0.contains("/search") }
    }

    @Test("Typing searches once, after a pause")
    func debounce() async throws {
        try await withModels { fixture in
            let model = try await match(fixture)
            #expect(model.text == "Persuasion")
            for text in ["E", "Em", "Emm", "Emma"] {
                model.text = text
                await clock.untilSleeping(for: .milliseconds(300))
                clock.advance(by: .milliseconds(100))
            }
            #expect(searches(fixture).isEmpty)
            clock.advance(by: .milliseconds(200))
            await until { model.results != nil }
            #expect(searches(fixture).count == 1 && searches(fixture)[0].contains("q=Emma"))
            #expect(model.results?.items.map(\.record.title) == ["Emma"])
            #expect(model.results?.sources.filter { $0.state != "off" }.map(\.state) == ["ok"])
        }
    }

    @Test("Scope and sources search at once")
    func scopes() async throws {
        try await withModels { fixture in
            let model = try await match(fixture)
            model.text = "jane"
            model.searchNow()
            await until { model.results?.items.count == 2 }
            model.scope = .title
            await until { model.results?.items.map(\.record.title) == ["Jane Eyre"] }
            model.sources = .providers
            await until { model.results?.items.isEmpty == true }
            #expect(model.results?.sources.allSatisfy { $0.state == "off" } == true && !model.isSearching)
            fixture.script.fail(.problem(.refusal), "*/search")
            model.searchNow()
            await until { model.error != nil }
            #expect(!model.isSearching)
        }
    }

    @Test("A choice shows what would change, and is confirmed and undone")
    func confirm() async throws {
        try await withModels { fixture in
            let model = try await match(fixture)
            model.text = "Emma"
            model.searchNow()
            await until { model.results != nil }
            let record = try #require(model.results?.items.first)
            await model.choose(record)
            #expect(model.changes?.changes.map(\.field).contains("title") == true && !model.isApplied)
            await model.confirm()
            #expect(model.isApplied && model.error == nil)
            let book = try #require(try await fixture.client.library.books().page().items.first)
            #expect(book.title == "Emma" && book.isbn == "9780141439587" && book.reviewStatus == .userEdited)
            await model.undo()
            #expect(!model.isApplied && model.changes != nil)
            #expect(try await fixture.client.review.counts().total == 1)
        }
    }

    @Test("A book that changed since the preview is not matched before it is shown again")
    func conflict() async throws {
        try await withModels { fixture in
            let model = try await match(fixture)
            await model.choose(SearchRecord(BookRecord(id: "1", title: "Emma", authors: ["Jane Austen"])))
            let item = try #require(try await fixture.client.review.items().page().items.first)
            let before = model.changes?.etag
            _ = try await fixture.client.review.keep(title: "Sanditon", author: nil, for: item)
            await model.confirm()
            #expect(!model.isApplied && model.error?.category == .conflict)
            #expect(model.changes?.etag != before)
            await model.confirm()
            #expect(model.isApplied && model.error == nil)
        }
    }
}

@MainActor @Suite(.endsHangs)
struct LibraryModelTests {
    let clock = HeldClock()

    @Test("Pages, filters and searches follow the query")
    func query() async throws {
        try await withModels { fixture in
            try await fixture.add((10...34).map { FoundBook(title: "Book \($0)", author: "Author \($0)") })
            try await fixture.add(.persuasion)
            let model = LibraryModel(client: fixture.client, pageSize: 20, clock: clock)
            await model.load()
            #expect(model.books.count == 20 && model.total == 26)
            await model.loadMore()
            await model.loadMore()
            #expect(model.books.count == 26 && Set(model.books.map(\.id)).count == 26)
            model.query.needsReview = true
            await until { model.total == 1 }
            #expect(model.books.map(\.title) == ["Persuasion"])
            model.query = LibraryQuery()
            await until { model.total == 26 }
            model.query.text = "book 1"
            await clock.untilSleeping(for: .milliseconds(300))
            model.query.text = "book 12"
            await clock.untilSleeping(for: .milliseconds(300))
            clock.advance(by: .milliseconds(300))
            await until { model.total == 1 }
            #expect(model.books.map(\.title) == ["Book 12"])
            #expect(!fixture.script.requests.contains { $0.hasSuffix("q=book 1") || $0.contains("q=book 1&") })
        }
    }

    @Test("A change shows once it is saved; a conflict loads the book again")
    func change() async throws {
        try await withModels { fixture in
            try await fixture.add(.emma)
            let model = LibraryModel(client: fixture.client)
            await model.load()
            let old = model.books[0]
            var change = BookChange()
            change.rating = .set(4)
            await model.change(old, change)
            #expect(model.books[0].rating == 4 && model.error == nil)
            change.rating = .set(1)
            await model.change(old, change)
            #expect(model.books[0].rating == 4 && model.error?.category == .conflict)
        }
    }
}

@MainActor @Suite(.endsHangs)
struct ShelfModelTests {
    @Test("A shelf shows its spines, and a new name is taken back if the server refuses it")
    func shelf() async throws {
        try await withModels { fixture in
            let client = fixture.client
            let shelf = try await client.shelves.named("Study")
            let session = client.scan([try .books("Emma", "Dune")], options: ScanOptions(shelf: shelf.id))
            _ = try await session.results
            let model = ShelfModel(client: client, shelf: shelf)
            await model.load()
            #expect(model.view?.boards.map { $0.map(\.entry.title) } == [["Emma", "Dune"]])
            fixture.script.fail(.problem(.refusal), "PATCH *")
            await model.rename(to: "Attic")
            #expect(model.shelf.name == "Study" && model.error != nil)
            await model.rename(to: "Attic")
            #expect(model.shelf.name == "Attic" && model.error == nil && model.canUndo)
            await model.undo()
            #expect(model.shelf.name == "Study" && !model.canUndo && model.error == nil)
        }
    }

    @Test("A book that the scan does not show is marked as found, and missing again after an undo")
    func inventory() async throws {
        try await withModels { fixture in
            let client = fixture.client
            let shelf = try await client.shelves.named("Study")
            let options = { ScanOptions(shelf: shelf.id) }
            _ = try await client.scan([try .books("Emma", "Dune", "Ulysses")], options: options()).results
            fixture.server.clock.advance(by: .seconds(60))
            let second = try await client.scan([try .books("Emma", "Momo", "Ulysses")], options: options()).results
            let model = ShelfModel(client: client, shelf: shelf)
            await model.compare(scan: second.jobId)
            #expect(model.inventory?.new.map(\.title) == ["Momo"] && model.inventory?.missing.map(\.title) == ["Dune"])
            let missing = try #require(model.inventory?.missing)
            fixture.script.fail(.problem(.refusal), "*/found")
            await model.markFound(missing)
            #expect(model.inventory?.missing == missing && model.error != nil)
            await model.markFound(missing)
            #expect(model.inventory?.missing.isEmpty == true && model.error == nil)
            await model.undo()
            #expect(model.inventory?.missing.map(\.title) == ["Dune"])
            await model.compare(scan: "gone")
            #expect(model.error?.category == .invalid)
        }
    }
}
