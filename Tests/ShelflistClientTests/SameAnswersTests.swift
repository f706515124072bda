import Foundation
import ReadingFixtures
import ServerFixtures
import ShelflistClient
import ShelflistClientTesting
import TestSupport
import Testing

/// Runs each test against a real server over a socket and against the server in memory, so that a difference fails.
@Suite(.endsHangs)
struct SameAnswersTests {
    enum Backend: String, CaseIterable, Sendable { case real, memory }

    /// Runs `body` with a client of a server.
    ///
    /// - Parameter clock: the real server's, on which no time passes between two actions.
    func with(
        _ backend: Backend, clock: HeldClock = HeldClock(),
        _ body: @Sendable @escaping (ShelflistClient) async throws -> Void
    ) async throws {
        switch backend {
        case .real: try await withServer(clock: clock) { try await body(ClientFixture.client(port: $0.port)) }
        case .memory: try await body(InMemoryServer().client(clock: InstantClock(limits: ClientLimits())))
        }
    }

    /// A photo of books by "Writer": the first is sure, the others need review, those with a question mark are not
    /// checked.
    static func photo(_ titles: String, _ backend: Backend) throws -> PhotoSource {
        switch backend {
        case .real: .data(try ScriptedPicture.data("books:\(titles)"), name: "shelf.jpg")
        case .memory:
            InMemoryServer.photo(
                of: titles.split(separator: "|").enumerated().map { index, title in
                    .init(
                        String(title), by: "Writer", confidence: index == 0 ? 0.9 : 0.4,
                        isChecked: !title.hasSuffix("?"))
                })
        }
    }

    static func unreadable(_ backend: Backend) -> PhotoSource {
        backend == .real ? .script("fail") : InMemoryServer.unreadablePhoto
    }

    static func category(_ request: () async throws -> Void) async -> ShelflistError.Category? {
        do {
            try await request()
            return nil
        } catch {
            return (error as? ShelflistError)?.category
        }
    }

    @Test("A scan has the same events, results and undo", arguments: Backend.allCases)
    func scan(_ backend: Backend) async throws {
        try await with(backend) { client in
            let session = client.scan([try Self.photo("Alpha|Beta|Gamma?", backend)])
            var types: [String] = []
            var found: [String?] = []
            for try await case .job(let event) in session.events {
                if case .result(let book) = event.content { found.append(book.title) }
                // How often progress is reported depends on the speed of the reader.
                if event.type != "progress" { types.append(event.type) }
            }
            #expect(found == ["Alpha", "Beta", "Gamma?"])
            let reading = ["photo", "photo", "segmented"]
            let books = [
                ["book_progress", "result"], ["book_progress", "result"], ["book_progress", "result"],
            ]
            #expect(types == reading + books.joined() + ["photo", "imported", "completed"])
            let results = try await session.results
            #expect(results.books.map(\.library.state) == [.added, .review, .review])
            #expect(results.summary.books == 3 && results.summary.notChecked == 1)
            let token = try #require(results.undoToken)
            #expect(try await client.library.books().page().total == 3)
            try await client.undo(token)
            #expect(try await client.library.books().page().total == 0)
            #expect(await Self.category { try await client.undo(token) } == .conflict)
        }
    }

    @Test("Photos are refused and fail alike", arguments: Backend.allCases)
    func refusals(_ backend: Backend) async throws {
        try await with(backend) { client in
            let session = client.scan([
                .data(Data("text".utf8), name: "a.txt"), try Self.photo("Alpha", backend),
                Self.unreadable(backend),
            ])
            var refused: [Int] = []
            for try await event in session.events {
                if case .photoRefused(let number, let error) = event {
                    refused.append(number)
                    #expect(error.category == .invalid && error.problem?.status == 415)
                }
            }
            #expect(refused == [1])
            let results = try await session.results
            #expect(results.books.count == 1 && results.summary.photosFailed == 1)
            let failing = client.scan([Self.unreadable(backend)])
            #expect(await Self.category { _ = try await failing.results } == .scanFailed)
        }
    }

    @Test("Jobs are repeated by key and missing alike", arguments: Backend.allCases)
    func jobs(_ backend: Backend) async throws {
        try await with(backend) { client in
            let options = ScanOptions(addsToLibrary: false)
            let first = try await client.scan([try Self.photo("Alpha", backend)], options: options)
                .results
            let second = try await client.scan([try Self.photo("Alpha", backend)], options: options)
                .results
            #expect(first.jobId == second.jobId && first.books.map(\.library.state) == [.open])
            let added = try await client.scans.add(from: first.jobId)
            #expect(added.imported.count == 1 && added.undoToken != nil)
            #expect(try await client.scans.status(first.jobId).status == .completed)
            #expect(await Self.category { _ = try await client.scans.status("no-such-job") } == .notFound)
            let gone = client.follow("no-such-job")
            #expect(await Self.category { _ = try await gone.results } == .notFound)
        }
    }

    @Test("The review queue has the same order, decisions and conflicts", arguments: Backend.allCases)
    func review(_ backend: Backend) async throws {
        try await with(backend) { client in
            _ = try await client.scan([try Self.photo("Alpha|Beta|Gamma?|Delta", backend)]).results
            let items = try await client.review.items().page().items
            #expect(items.map(\.title) == ["Beta", "Delta", "Gamma?"])
            #expect(items.map(\.tier) == ["needsReview", "needsReview", "notChecked"])
            #expect(try await client.review.counts().total == 3)
            let (beta, delta, gamma) = (items[0], items[1], items[2])

            let kept = try await client.review.keep(title: "Better", author: nil, for: beta)
            #expect(kept.title == "Better" && kept.etag != beta.etag && kept.undoToken != nil)
            #expect(
                await Self.category { try await client.review.verify(beta.id, ifMatch: beta.etag) }
                    == .conflict)
            let verified = try await client.review.verify(beta.id, ifMatch: kept.etag)
            #expect(verified.changed == 1 && verified.remaining == 2)
            let book = try await client.library.book(try #require(beta.entryId))
            #expect(book.title == "Better" && book.reviewStatus == .userEdited)

            #expect(
                await Self.category {
                    var stale = delta
                    stale.etag = "r999"
                    try await client.review.correct(stale, BookCorrection(title: "Doubt"))
                } == .conflict)
            let corrected = try await client.review.correct(delta, BookCorrection(title: "Doubt"))
            #expect(try await client.review.counts().total == 1)
            try await client.undo(try #require(corrected.undoToken))
            #expect(try await client.review.counts().total == 2)
            #expect(try await client.review.item(delta.id).title == "Delta")

            let rejected = try await client.review.reject(gamma.id)
            #expect(try await client.library.books().page().total == 3)
            try await client.undo(try #require(rejected.undoToken))
            let all = try await client.review.verifyAll()
            #expect(all.changed == 2 && all.remaining == 0)
            #expect(await Self.category { _ = try await client.review.item("999999") } == .notFound)
        }
    }

    @Test("A match is previewed, applied and refused alike", arguments: Backend.allCases)
    func match(_ backend: Backend) async throws {
        try await with(backend) { client in
            _ = try await client.scan([try Self.photo("Alpha|Beta", backend)]).results
            let item = try #require(try await client.review.items().page().items.first)
            let record = SearchRecord(
                id: "x", source: "local", title: "Emma", authors: ["Jane Austen"], isbn: "9780141439587")
            let preview = try await client.review.previewMatch(item.id, with: record)
            #expect(!preview.applied && preview.undoToken == nil && preview.etag == item.etag)
            #expect(Set(preview.changes.map(\.field)).isSuperset(of: ["title", "isbn"]))
            #expect(
                await Self.category {
                    try await client.review.match(item.id, with: record, ifMatch: "r999")
                } == .conflict)
            let done = try await client.review.match(item.id, with: record, ifMatch: preview.etag)
            #expect(done.applied && done.undoToken != nil && done.etag != preview.etag)
            let book = try await client.library.book(try #require(item.entryId))
            #expect(
                book.title == "Emma" && book.isbn == "9780141439587" && book.reviewStatus == .userEdited)
            #expect(await Self.category { _ = try await client.search("  ") } == .invalid)
            let results = try await client.search("Emma", sources: .local)
            #expect(results.items.isEmpty)
        }
    }

    @Test("The library has the same pages, changes and versions", arguments: Backend.allCases)
    func library(_ backend: Backend) async throws {
        try await with(backend) { client in
            let before = try await client.library.version()
            _ = try await client.scan([try Self.photo("Alpha|Beta|Gamma", backend)]).results
            #expect(try await client.library.version() != before)
            let first = try await client.library.books().page(limit: 2)
            #expect(first.items.map(\.title) == ["Alpha", "Beta"] && first.total == 3)
            let rest = try await client.library.books().page(first.nextCursor, limit: 2)
            #expect(rest.items.map(\.title) == ["Gamma"] && rest.nextCursor == nil)
            #expect(try await client.library.books(LibraryQuery(text: "bet")).page().total == 1)
            #expect(try await client.library.books(LibraryQuery(needsReview: true)).page().total == 2)

            var change = BookChange()
            change.rating = .set(4.5)
            let changed = try await client.library.change(first.items[0], change)
            #expect(changed.rating == 4.5 && changed.undoToken != nil)
            #expect(
                await Self.category { _ = try await client.library.change(first.items[0], change) }
                    == .conflict)
            try await client.undo(try #require(changed.undoToken))
            #expect(try await client.library.book(changed.id).rating == nil)
            let removed = try await client.library.remove(changed.id)
            #expect(await Self.category { _ = try await client.library.book(changed.id) } == .notFound)
            try await client.undo(try #require(removed.undoToken))
            #expect(try await client.library.book(changed.id).title == "Alpha")
        }
    }

    @Test("Shelves have the same names, spines and inventory", arguments: Backend.allCases)
    func shelves(_ backend: Backend) async throws {
        try await with(backend) { client in
            let shelf = try await client.shelves.named("Study")
            #expect(try await client.shelves.named("Study").id == shelf.id)
            let scan = try await client.scan(
                [try Self.photo("Alpha|Beta", backend)], options: ScanOptions(shelf: shelf.id)
            ).results
            let view = try await client.shelves.view(shelf.id)
            #expect(view.boards.map { $0.map(\.entry.title) } == [["Alpha", "Beta"]])
            let inventory = try await client.shelves.inventory(shelf.id, scan: scan.jobId)
            #expect(inventory.isFirst && inventory.missing.isEmpty)
            let renamed = try await client.shelves.rename(shelf, to: "Attic")
            #expect(renamed.name == "Attic" && renamed.undoToken != nil)
            #expect(
                await Self.category { _ = try await client.shelves.rename(shelf, to: "Cellar") }
                    == .conflict)
            try await client.undo(try #require(renamed.undoToken))
            #expect(try await client.shelves.named("Study").id == shelf.id)
            #expect(await Self.category { _ = try await client.shelves.view("99999") } == .notFound)
            #expect(
                await Self.category { _ = try await client.shelves.inventory(shelf.id, scan: "gone") }
                    == .invalid)
        }
    }
}
