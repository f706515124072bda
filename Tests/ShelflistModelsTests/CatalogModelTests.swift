import ShelflistClientTesting
import ShelflistModels
import TestSupport
import Testing

@MainActor @Suite(.endsHangs)
struct ManualMatchModelTests {
    let server = InMemoryServer(records: [
        SearchRecord(id: "1", source: "local", title: "Emma", authors: ["Jane Austen"], isbn: "9780141439587"),
        SearchRecord(id: "2", source: "local", title: "Jane Eyre", authors: ["Charlotte Brontë"]),
    ])
    let clock = ManualClock()

    private func match() async throws -> ManualMatchModel {
        server.add(.persuasion)
        let item = try #require(try await server.heldClient.review.items().page().items.first)
        return ManualMatchModel(client: server.heldClient, item: item, clock: clock)
    }

    private var searches: [String] { server.requests.filter { $0.contains("/search") } }

    @Test("Typing searches once, after a pause")
    func debounce() async throws {
        let model = try await match()
        #expect(model.text == "Persuasion")
        for text in ["E", "Em", "Emm", "Emma"] {
            model.text = text
            await clock.untilSleeping(for: .milliseconds(300))
            clock.advance(by: .milliseconds(100))
        }
        #expect(searches.isEmpty)
        clock.advance(by: .milliseconds(200))
        await until { model.results != nil }
        #expect(searches.count == 1 && searches[0].contains("q=Emma"))
        #expect(model.results?.items.map(\.title) == ["Emma"])
        #expect(model.results?.sources.map(\.state) == ["ok"])
    }

    @Test("Scope and sources search at once")
    func scopes() async throws {
        let model = try await match()
        model.text = "jane"
        model.searchNow()
        await until { model.results?.items.count == 2 }
        model.scope = .title
        await until { model.results?.items.map(\.title) == ["Jane Eyre"] }
        model.sources = .providers
        await until { model.results?.items.isEmpty == true }
        #expect(model.results?.sources.isEmpty == true && !model.isSearching)
        server.fail(.problem(.refusal), "/search")
        model.searchNow()
        await until { model.error != nil }
        #expect(!model.isSearching)
    }

    @Test("A choice shows what would change, and is confirmed and undone")
    func confirm() async throws {
        let model = try await match()
        model.text = "Emma"
        model.searchNow()
        await until { model.results != nil }
        let record = try #require(model.results?.items.first)
        await model.choose(record)
        #expect(model.changes?.changes.map(\.field).contains("title") == true && !model.isApplied)
        await model.confirm()
        #expect(model.isApplied && model.error == nil)
        let book = try #require(try await server.heldClient.library.books().page().items.first)
        #expect(book.title == "Emma" && book.isbn == "9780141439587" && book.reviewStatus == .userEdited)
        await model.undo()
        #expect(!model.isApplied && model.changes != nil)
        #expect(try await server.heldClient.review.counts().total == 1)
    }

    @Test("A book that changed since the preview is not matched before it is shown again")
    func conflict() async throws {
        let model = try await match()
        await model.choose(SearchRecord(id: "1", source: "local", title: "Emma", authors: ["Jane Austen"]))
        let item = try #require(try await server.heldClient.review.items().page().items.first)
        let before = model.changes?.etag
        _ = try await server.heldClient.review.keep(title: "Sanditon", author: nil, for: item)
        await model.confirm()
        #expect(!model.isApplied && model.error?.category == .conflict)
        #expect(model.changes?.etag != before)
        await model.confirm()
        #expect(model.isApplied && model.error == nil)
    }
}

@MainActor @Suite(.endsHangs)
struct LibraryModelTests {
    let server = InMemoryServer()
    let clock = ManualClock()

    @Test("Pages, filters and searches follow the query")
    func query() async throws {
        for number in 10...34 { server.add(.init("Book \(number)", by: "Writer")) }
        server.add(.persuasion)
        let model = LibraryModel(client: server.heldClient, pageSize: 20, clock: clock)
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
        #expect(!server.requests.contains { $0.hasSuffix("q=book 1") || $0.contains("q=book 1&") })
    }

    @Test("A change shows once it is saved; a conflict loads the book again")
    func change() async throws {
        server.add(.emma)
        let model = LibraryModel(client: server.heldClient)
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

@MainActor @Suite(.endsHangs)
struct ShelfModelTests {
    @Test("A shelf shows its spines, and a new name is taken back if the server refuses it")
    func shelf() async throws {
        let server = InMemoryServer()
        let client = server.heldClient
        let shelf = try await client.shelves.named("Study")
        let session = client.scan([InMemoryServer.photo(of: [.emma, .dune])], options: ScanOptions(shelf: shelf.id))
        _ = try await session.results
        let model = ShelfModel(client: client, shelf: shelf)
        await model.load()
        #expect(model.view?.boards.map { $0.map(\.entry.title) } == [["Emma", "Dune"]])
        server.fail(.problem(.refusal), "PATCH ")
        await model.rename(to: "Attic")
        #expect(model.shelf.name == "Study" && model.error != nil)
        await model.rename(to: "Attic")
        #expect(model.shelf.name == "Attic" && model.error == nil && model.canUndo)
        await model.undo()
        #expect(model.shelf.name == "Study" && !model.canUndo && model.error == nil)
    }

    @Test("A book that the scan does not show is marked as found, and missing again after an undo")
    func inventory() async throws {
        let server = InMemoryServer()
        let client = server.heldClient
        let shelf = try await client.shelves.named("Study")
        let options = { ScanOptions(shelf: shelf.id) }
        _ = try await client.scan([InMemoryServer.photo(of: [.dune])], options: options()).results
        let second = try await client.scan([InMemoryServer.photo(of: [.emma])], options: options()).results
        let model = ShelfModel(client: client, shelf: shelf)
        await model.compare(scan: second.jobId)
        #expect(model.inventory?.new.map(\.title) == ["Emma"] && model.inventory?.missing.map(\.title) == ["Dune"])
        let missing = try #require(model.inventory?.missing)
        server.fail(.problem(.refusal), "/found")
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
