import Foundation
import ReadingFixtures
import ServerFixtures
import ShelflistClientTesting
import ShelflistModels
import TestSupport
import Testing

@MainActor @Suite(.endsHangs)
struct ScanModelTests {
    /// A scan of one photo with two books, the second of which needs review, step by step.
    private static func scripted(_ server: ScriptedServer, on clock: HeldClock) throws {
        let found = [FoundBook.emma, .persuasion].enumerated().map { $1.detected(place: $0, of: 2) }
        let books = found.map { ScanBook(book: $0, photo: 1, positions: [.init(photo: 1, book: $0)]) }
        let summary = ScanSummary(
            photos: 1, photosFailed: 0, books: found, duplicatesFolded: 0, seconds: 0, suggestions: [])
        let urls = JobURLs("1")
        let results = zip(books, [ScanBookOutcome.State.added, .review]).map {
            ScanResultBook(book: $0, cropUrl: urls.crop(of: $0.id), library: ScanBookOutcome($1))
        }
        try server.scan(
            [
                .photo(JobPhoto(index: 1, status: .reading)),
                .segmented(.init(photo: 1, spines: found.map { SpineOutline($0.boundingBox) })),
                .result(books[0]), .result(books[1]), .photo(JobPhoto(index: 1, status: .done, books: 2)),
                .completed(summary),
            ],
            results: ScanResults(jobId: "1", status: .completed, books: results, summary: summary, undoToken: nil),
            pace: .seconds(1), clock: clock)
    }

    /// Starts a scan of one photo.
    private func scan(
        _ client: ShelflistClient, options: ScanOptions = ScanOptions(),
        clock: any Clock<Duration> = HeldClock(), _ photo: @escaping @Sendable () async throws -> PhotoSource
    ) -> ScanModel {
        let model = ScanModel(client: client, options: options, clock: clock)
        model.begin()
        model.add(photo)
        model.start()
        return model
    }

    @Test("A scan goes through all phases to its books")
    func phases() async throws {
        let (serverClock, clientClock, gate) = (HeldClock(), HeldClock(), Gate())
        let server = ScriptedServer()
        try Self.scripted(server, on: serverClock)
        let model = ScanModel(client: server.client(clock: clientClock), clock: HeldClock())
        #expect(model.phase == .primer)
        model.start()
        #expect(model.phase == .primer)
        model.begin()
        #expect(model.phase == .capture)
        model.add {
            await gate.pass()
            return .data(Data([1]))
        }
        model.start()
        #expect(model.phase == .preprocessing)
        await until { if case .preprocessing = model.photos[0].state { true } else { false } }
        // The upload waits, so that its phase can be seen.
        server.fail(.rateLimited(.seconds(2)), "PUT *")
        await gate.open()
        await until { model.countdown != nil }
        #expect(model.phase == .uploading)
        await clientClock.untilSleeping(for: .seconds(2))
        clientClock.advance(by: .seconds(2))
        await until { model.phase == .analysing }
        #expect(model.countdown == nil && model.error == nil)
        // Begin, outlines, two books, the end of the photo, the end of the job.
        for step in 1...6 {
            await serverClock.untilSleeping(for: .seconds(1))
            if step == 3 { await until { model.photos[0].spines.count == 2 } }
            if step == 4 { await until { model.books.map(\.title) == ["Emma"] } }
            serverClock.advance(by: .seconds(1))
        }
        await until { model.phase == .results }
        #expect(model.results?.books.map(\.library.state) == [.added, .review])
        #expect(model.books.count == 2)
        guard case .done(2) = model.photos[0].state else { return #expect(Bool(false), "\(model.photos[0].state)") }
    }

    @Test("A photo says why it waits while the server's disk fails to read it")
    func delayed() async throws {
        let (clock, server) = (HeldClock(), ScriptedServer())
        let summary = ScanSummary(
            photos: 1, photosFailed: 0, books: [], duplicatesFolded: 0, seconds: 0, suggestions: [])
        let problem = JobProblem(code: "disk_failed", message: "The disk failed. Wait.", retryable: true, photo: 1)
        try server.scan(
            [
                .photo(JobPhoto(index: 1, status: .queued, problem: Problem(problem))),
                .photo(JobPhoto(index: 1, status: .done, books: 0)), .completed(summary),
            ], results: ScanResults(jobId: "1", status: .completed, books: [], summary: summary, undoToken: nil),
            pace: .seconds(1), clock: clock)
        let model = scan(server.client()) { .data(Data([1])) }
        for step in 1...3 {
            await clock.untilSleeping(for: .seconds(1))
            if step == 2 {
                await until { model.photos[0].delay != nil }
                let state = model.photos[0].state
                guard case .sent = state else { return #expect(Bool(false), "\(state)") }
            }
            clock.advance(by: .seconds(1))
        }
        await until { model.phase == .results }
        #expect(model.photos[0].delay == nil)
    }

    @Test("A batch has five photos, of which one can be refused and one unreadable")
    func batch() async throws {
        try await withModels { fixture in
            let model = ScanModel(client: fixture.client)
            model.begin()
            let first = model.add { .data(.init(), name: "empty.jpg") }
            for title in ["Emma", "Dune", "Faust", "Walden"] { model.add { try .books(title) } }
            #expect(first != nil && model.add { try .books("Ulysses") } == nil)
            model.remove(model.photos[4].id)
            #expect(model.add { try .unreadable } != nil)
            #expect(model.photos.count == ScanModel.photoLimit)
            model.start()
            await until { model.phase == .results }
            let states = model.photos.map { photo in
                switch photo.state {
                case .done(let books): "\(books)"
                case .failed(let error): error.category.rawValue
                default: "other"
                }
            }
            #expect(states == ["invalid", "1", "1", "1", "invalid"])
            #expect(model.results?.summary.photosFailed == 1)
        }
    }

    @Test("A rate limit is counted down by the second")
    func countdown() async throws {
        try await withModels { fixture in
            let (clientClock, clock) = (HeldClock(), HeldClock())
            fixture.script.fail(.rateLimited(.seconds(3)), "POST /api/v1/scans")
            let model = scan(fixture.script.client(clock: clientClock), clock: clock) { try .books("Emma") }
            for left in [3, 2, 1] {
                await until { model.countdown == .seconds(left) }
                #expect(model.error?.category == .busy && model.error?.isRetryable == true)
                clock.advance(by: .seconds(1))
            }
            await until { model.countdown == .zero }
            await clientClock.untilSleeping(for: .seconds(3))
            clientClock.advance(by: .seconds(3))
            await until { model.phase == .results }
            #expect(model.countdown == nil && model.error == nil)
        }
    }

    @Test("Leaving cancels the scan here and on the server")
    func leaving() async throws {
        try await withModels { fixture in
            let model = scan(fixture.client) { try .script("wait:Emma") }
            await until { model.phase == .analysing && model.jobID != nil }
            let active = fixture.client.scans.all(active: true)
            let before = try await active.page()
            #expect(before.total == 1)
            await model.leave()
            #expect(model.phase == .capture && model.photos.isEmpty && model.jobID == nil && model.error == nil)
            let after = try await active.page()
            #expect(after.total == 0)
        }
    }

    @Test("A reopened app follows its scan by the job's identifier")
    func following() async throws {
        try await withModels { fixture in
            let model = scan(fixture.client) { try .script("wait:Emma") }
            await until { model.phase == .analysing && model.jobID != nil }
            let job = try #require(model.jobID)
            let reopened = ScanModel(client: fixture.client)
            reopened.follow(job)
            #expect(reopened.phase == .analysing)
            fixture.server.reader.release()
            await until { reopened.phase == .results }
            #expect(reopened.results?.books.count == 1)
            guard case .done(1) = reopened.photos.first?.state else { return #expect(Bool(false)) }
            let unknown = ScanModel(client: fixture.client)
            unknown.follow("gone")
            await until { unknown.phase == .failed }
            #expect(unknown.error?.category == .notFound)
        }
    }

    @Test("A photo that cannot be prepared does not stop the others, and a retry sends those again with the same key")
    func retryingSamePhotos() async throws {
        try await withModels { fixture in
            struct Broken: Error {}
            let attempts = Attempts()
            fixture.script.fail(.problem(.refusal), "PUT *")
            let model = ScanModel(client: fixture.client)
            model.begin()
            model.add {
                if await attempts.next() == 1 { throw Broken() }
                return try .books("Dune")
            }
            model.add { try .books("Emma") }
            model.start()
            await until { model.phase == .failed }
            #expect(model.error?.category == .notAllowed)
            model.retry()
            await until { model.phase == .results }
            let scans = try await fixture.scans()
            #expect(scans == 1 && model.error == nil)
            #expect(model.books.map(\.title) == ["Emma"])
            // The second photo is the first one of the scan on the server.
            guard case .failed(let error) = model.photos[0].state, case .done(1) = model.photos[1].state else {
                return #expect(Bool(false), "\(model.photos)")
            }
            #expect(error.category == .file)
        }
    }

    @Test("A retry after a scan that failed is another scan")
    func retryingUnread() async throws {
        try await withModels { fixture in
            let attempts = Attempts()
            let model = scan(fixture.client) { try await attempts.next() == 1 ? .unreadable : .books("Emma") }
            await until { model.phase == .failed }
            #expect(model.error?.category == .scanFailed && model.error?.recovery.isEmpty == false)
            model.retry()
            await until { model.phase == .results }
            let scans = try await fixture.scans()
            #expect(scans == 2)
            #expect(model.books.map(\.title) == ["Emma"] && model.error == nil)
        }
    }

    @Test("Results can be added, changed and undone")
    func results() async throws {
        try await withModels { fixture in
            let client = fixture.client
            let model = scan(client, options: ScanOptions(addsToLibrary: false)) { try .books("Emma", "Persuasion") }
            await until { model.phase == .results }
            #expect(model.results?.books.map(\.library.state) == [.open, .open])
            await model.addToLibrary()
            #expect(model.results?.books.map(\.library.state) == [.added, .review])
            let book = try #require(model.results?.books.last)
            await model.change(book.id, ScanBookChange(title: "Sanditon"))
            #expect(model.results?.books.last?.library.title == "Sanditon")
            await model.change(book.id, .notABook)
            #expect(model.results?.books.last?.library.state == .rejected)
            #expect(try await client.library.books().page().items.map(\.title) == ["Emma"])
        }
    }

    @Test("A scan that was added is undone")
    func undo() async throws {
        try await withModels { fixture in
            let model = scan(fixture.client) { try .books("Emma") }
            await until { model.phase == .results }
            let books = try await fixture.books()
            #expect(books == 1)
            await model.undo()
            let left = try await fixture.books()
            #expect(left == 0)
            #expect(model.results?.undoToken == nil && model.error == nil)
        }
    }
}
