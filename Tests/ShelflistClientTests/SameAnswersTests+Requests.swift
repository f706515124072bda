import ReadingFixtures
import Server
import ServerFixtures
import ShelflistClient
import ShelflistClientTesting
import TestSupport
import Testing

extension SameAnswersTests {
    @Test("A probe finds a server without members alike", arguments: Backend.allCases)
    func probe(_ backend: Backend) async throws {
        try await with(backend) { client in
            guard case .ready(let about, nil) = await client.probe() else { throw Unexpected() }
            #expect(about.limits.photosPerJob == 5)
        }
    }

    @Test("Books of a scan are edited, refused and added alike", arguments: Backend.allCases)
    func editedResults(_ backend: Backend) async throws {
        try await with(backend) { client in
            let options = ScanOptions(addsToLibrary: false)
            let results = try await client.scan([try Self.photo("Alpha|Beta|Gamma", backend)], options: options)
                .results
            let (job, ids) = (results.jobId, results.books.map(\.id))
            let edited = try await client.scans.change(
                ids[0], of: job, ScanBookChange(title: "Emma", authors: ["Jane Austen"]))
            #expect(edited.book.library.title == "Emma" && edited.book.library.author == "Jane Austen")
            #expect(edited.book.library.state == .open && edited.undoToken == nil)
            let refused = try await client.scans.change(ids[1], of: job, .notABook)
            #expect(refused.book.library.state == .rejected)
            let added = try await client.scans.add(from: job)
            #expect(Set(added.imported.map(\.bookId)) == [ids[0], ids[2]])
            let books = try await client.library.books().page().items
            #expect(books.map(\.title) == ["Emma", "Gamma"] && books[0].reviewStatus == .userEdited)
            let again = try await client.scans.change(ids[0], of: job, ScanBookChange(title: "Sanditon"))
            #expect(again.book.library.title == "Sanditon" && again.undoToken != nil)
            try await client.undo(try #require(again.undoToken))
            #expect(try await client.library.books().page().items.map(\.title) == ["Emma", "Gamma"])
        }
    }

    @Test("An outline is moved and shown alike", arguments: Backend.allCases)
    func outline(_ backend: Backend) async throws {
        try await with(backend) { client in
            _ = try await client.scan([try Self.photo("Alpha|Beta", backend)]).results
            let item = try #require(try await client.review.items().page().items.first)
            let quad = UnitQuad(UnitRect(x: 0.1, y: 0.1, width: 0.3, height: 0.5))
            let moved = try await client.review.move(item, to: quad)
            #expect(moved.quad == quad && moved.etag != item.etag && moved.undoToken != nil)
            #expect(try await client.picture(try #require(moved.cropUrl)).isEmpty == false)
            #expect(await Self.category { _ = try await client.review.move(item, to: quad) } == .conflict)
            try await client.undo(try #require(moved.undoToken))
            #expect(try await client.review.item(item.id).quad == item.quad)
        }
    }

    @Test("Several books are verified, refused and counted alike", arguments: Backend.allCases)
    func several(_ backend: Backend) async throws {
        try await with(backend) { client in
            _ = try await client.scan([try Self.photo("Alpha|Beta|Gamma|Delta|Eta?", backend)]).results
            let items = try await client.review.items(tier: .needsReview).page().items
            #expect(items.map(\.title) == ["Beta", "Gamma", "Delta"])
            let refused = try await client.review.reject(all: [items[0].id])
            #expect(refused.changed == 1 && refused.remaining == 3 && refused.undoToken != nil)
            let verified = try await client.review.verify(all: [items[1].id])
            #expect(verified.changed == 1 && verified.remaining == 2)
            let tier = try await client.review.verifyAll(tier: .notChecked)
            #expect(tier.changed == 1 && tier.remaining == 1)
            let counts = try await client.review.counts()
            #expect(counts.needsReview == 1 && counts.notChecked == 0 && counts.total == 1)
            try await client.undo(try #require(refused.undoToken))
            #expect(try await client.review.counts().total == 2)
        }
    }

    @Test("Books are added, lent and found alike", arguments: Backend.allCases)
    func added(_ backend: Backend) async throws {
        try await with(backend) { client in
            guard case .added(let book) = try await client.library.add(NewBook(title: "Emma", authors: ["Jane Austen"]))
            else { throw Unexpected() }
            #expect(book.author == "Jane Austen" && book.reviewStatus == .verified && book.undoToken != nil)
            #expect(book.cropUrl == nil && book.confidence == nil && book.tags == [])
            guard
                case .exists(let same) = try await client.library.add(NewBook(title: "Emma", authors: ["Jane Austen"]))
            else { throw Unexpected() }
            #expect(same.existing.map(\.id) == [book.id])
            #expect(await Self.category { _ = try await client.library.add(NewBook(title: "")) } == .invalid)
            var complete = NewBook(title: "Walden", authors: ["Thoreau"])
            complete.correction = BookCorrection(authors: ["Henry David Thoreau"])
            complete.correction?.isbn = .set("9780141439587")
            complete.details = BookChange()
            complete.details?.rating = .set(4)
            complete.details?.startedOn = .set("2026-11")
            complete.loan = Loan(to: "Ann")
            guard case .added(let walden) = try await client.library.add(complete) else { throw Unexpected() }
            #expect(walden.author == "Henry David Thoreau" && walden.isbn == "9780141439587")
            #expect(walden.rating == 4 && walden.startedOn == "2026-11" && walden.loan?.to == "Ann")
            #expect(walden.ownership == "lent" && walden.reviewStatus == .verified)
            let lent = try await client.library.lend(book.id, to: "Bob")
            #expect(lent.loan?.to == "Bob" && lent.ownership == "lent" && lent.undoToken != nil)
            let back = try await client.library.lend(book.id, to: nil)
            #expect(back.loan == nil && back.ownership == "owned")
            try await client.undo(try #require(back.undoToken))
            #expect(try await client.library.book(book.id).loan?.to == "Bob")
        }
    }

    @Test("Books that a photo does not show are missing and found alike", arguments: Backend.allCases)
    func inventory(_ backend: Backend) async throws {
        let clock = HeldClock()
        try await with(backend, clock: clock) { client in
            let shelf = try await client.shelves.named("Study")
            _ = try await client.scan([try Self.photo("Alpha", backend)], options: ScanOptions(shelf: shelf.id)).results
            clock.advance(by: .seconds(60))
            let second = try await client.scan(
                [try Self.photo("Beta", backend)], options: ScanOptions(shelf: shelf.id)
            ).results
            let inventory = try await client.shelves.inventory(shelf.id, scan: second.jobId)
            #expect(inventory.new.map(\.title) == ["Beta"] && inventory.missing.map(\.title) == ["Alpha"])
            #expect(!inventory.isFirst)
            let found = try await client.shelves.markFound(inventory.missing.map(\.id), on: shelf.id)
            #expect(found.changed == 1)
            let again = try await client.shelves.inventory(shelf.id, scan: second.jobId)
            #expect(again.missing.isEmpty && again.present.map(\.title) == ["Alpha"])
            try await client.undo(try #require(found.undoToken))
            #expect(try await client.shelves.inventory(shelf.id, scan: second.jobId).missing.map(\.title) == ["Alpha"])
            _ = try await client.shelves.markFound(inventory.missing.map(\.id), on: shelf.id)
            // What was found is asked about again after the next scan, and once it is lent, it is not present.
            clock.advance(by: .seconds(60))
            let third = try await client.scan(
                [try Self.photo("Gamma", backend)], options: ScanOptions(shelf: shelf.id)
            ).results
            let next = try await client.shelves.inventory(shelf.id, scan: third.jobId)
            #expect(Set(next.missing.map(\.title)) == ["Alpha", "Beta"] && next.present.isEmpty)
            let alpha = try #require(next.missing.first { $0.title == "Alpha" })
            _ = try await client.library.lend(alpha.id, to: "Bob")
            #expect(try await client.shelves.inventory(shelf.id, scan: third.jobId).lent.map(\.title) == ["Alpha"])
            _ = try await client.shelves.markFound([alpha.id], on: shelf.id)
            #expect(try await client.library.book(alpha.id).loan == nil)
            #expect(
                try await client.shelves.inventory(shelf.id, scan: third.jobId).present.map(\.title) == ["Alpha"])
            #expect(try await client.shelves.all.page().items.map(\.entries) == [3])
            let removed = try await client.shelves.remove(shelf.id)
            #expect(try await client.shelves.all.page().total == 0)
            #expect(try await client.library.books().page().items.allSatisfy { $0.shelf == nil })
            #expect(removed.changed == 3)
        }
    }

    @Test("A scan is cancelled and forgotten alike", arguments: Backend.allCases)
    func cancelled(_ backend: Backend) async throws {
        @Sendable func cancel(_ client: ShelflistClient, _ photo: PhotoSource) async throws {
            let session = client.scan([photo])
            for try await case .job(let event) in session.events {
                if case .photo(let photo) = event.content, photo.status == .queued { break }
            }
            #expect(try await client.scans.all(active: true).page().total == 1)
            await session.cancel()
            #expect(await Self.category { _ = try await session.results } == .cancelled)
            #expect(try await client.scans.all(active: true).page().total == 0)
            #expect(try await client.library.books().page().total == 0)
        }
        switch backend {
        case .real:
            try await withServer { server in
                try await cancel(ClientFixture.client(port: server.port), .script("wait:Alpha"))
                server.reader.release()
            }
        case .memory:
            let server = InMemoryServer(pace: .seconds(1), clock: ManualClock())
            let client = server.client(clock: InstantClock(limits: ClientLimits()))
            try await cancel(client, InMemoryServer.photo(of: [.init("Alpha", by: "Writer")]))
        }
    }

    @Test("A server that asks to wait says so alike", arguments: Backend.allCases)
    func rateLimit(_ backend: Backend) async throws {
        let clock = InstantClock(limits: backend == .real ? .held : ClientLimits())
        @Sendable func error(_ client: ShelflistClient, _ photo: PhotoSource) async -> ShelflistError? {
            for _ in 0..<10 {
                do { _ = try await client.scan([photo]).results } catch { return error }
            }
            return nil
        }
        let found: ShelflistError?
        switch backend {
        case .real:
            found = try await withServer(configure: { settings, _ in settings.requestsPerMinute = 1 }) {
                await error(ClientFixture.client(port: $0.port, clock: clock), .script("books:Alpha"))
            }
        case .memory:
            let server = InMemoryServer()
            server.fail(.rateLimited(.seconds(20)), "POST /api/v1/scans", times: nil)
            found = await error(server.client(clock: clock), InMemoryServer.photo(of: [.init("Alpha", by: "Writer")]))
        }
        #expect(found?.category == .busy && found?.isRetryable == true && found?.problem?.code == "rate_limited")
        #expect(found?.problem?.status == 429 && found?.retryAfter ?? .zero > .zero)
        #expect(clock.sleeps.count == 2 && clock.sleeps.allSatisfy { $0 > .zero })
    }
}
