import Foundation
import ServerFixtures
import ShelflistClientTesting
import ShelflistModels
import TestSupport
import Testing

/// The models of lists of scans, questions, settings and books.
@MainActor @Suite(.endsHangs)
struct AppScreenTests {
    private static func done(_ model: ScanListModel) -> [Int] {
        model.scans.compactMap { if case .done(let summary) = $0.state { summary.books } else { nil } }.sorted()
    }

    @Test("Several scans wait on the device, and are then sent and read, each with its own state")
    func scans() async throws {
        try await withModels { fixture in
            let folder = fixture.server.folder.appending(path: "waiting")
            let model = ScanListModel(
                client: fixture.client, queue: try ScanQueue(folder: folder, client: fixture.client))
            await model.add([try .books("Emma")])
            await model.add([try .books("Dune", "Ulysses")])
            #expect(model.scans.count == 2 && model.unfinished == 2 && model.error == nil)
            #expect(model.scans.allSatisfy { $0.jobID == nil })
            let run = Task { await model.run() }
            await until { Self.done(model).count == 2 }
            run.cancel()
            await run.value
            #expect(Self.done(model) == [1, 2] && model.unfinished == 0)
            #expect(try await fixture.books() == 3)
            model.remove(model.scans[0].id)
            #expect(model.scans.count == 1)
        }
    }

    @Test("Scans that an earlier run of the app has sent are followed")
    func resumes() async throws {
        try await withModels { fixture in
            let folder = fixture.server.folder.appending(path: "waiting")
            let model = ScanListModel(
                client: fixture.client, queue: try ScanQueue(folder: folder, client: fixture.client))
            let now = Date()
            let job = ScanStatus(
                id: "j1", status: .running, photosExpected: 1, options: JobOptions(), createdAt: now)
            try fixture.script.answer("GET /api/v1/scans", with: Page(items: [job], nextCursor: nil, total: 1))
            let run = Task { await model.run() }
            await until { model.scans.map(\.jobID) == ["j1"] }
            run.cancel()
            await run.value
        }
    }

    private func review(_ item: ReviewQueueItem, _ server: ScriptedServer) async throws -> ReviewQueueModel {
        var counts = ReviewQueueCounts()
        counts.total = 1
        try server.answer("GET /api/v1/review", with: Page(items: [item], nextCursor: nil, total: 1))
        try server.answer("GET /api/v1/review/counts", with: counts)
        let model = ReviewQueueModel(client: server.client(clock: HeldClock()))
        await model.load()
        #expect(model.sections.map(\.id) == [nil] && model.counts.total == 1)
        return model
    }

    @Test("A question about duplicates is answered, and its answer can be undone")
    func duplicates() async throws {
        let server = ScriptedServer()
        let existing = PossibleDuplicate.Existing(workId: "w1", title: "Emma", authors: [], entryIds: ["e1"])
        let question = PossibleDuplicate(
            id: "q1", kind: .similar, title: "Emma", authors: [], existing: existing)
        let item = ReviewQueueItem(id: "d1", kind: .duplicateQuestion, duplicates: [question])
        let model = try await review(item, server)
        try server.answer("POST /api/v1/duplicates/decide", with: ActionOutcome(changed: 1, undoToken: "u1"))
        await model.decide(item, .addCopy)
        #expect(model.sections.isEmpty && model.counts.total == 0 && model.canUndo && model.error == nil)
    }

    @Test("A copy that photos do not show is found or missing")
    func gaps() async throws {
        let server = ScriptedServer()
        var item = ReviewQueueItem(id: "d1", kind: .missing)
        (item.entryId, item.shelf) = ("e1", ShelfReference(id: "s1", name: "Hall"))
        let found = try await review(item, server)
        try server.answer("POST /api/v1/shelves/s1/found", with: ActionOutcome(changed: 1, undoToken: "u1"))
        await found.markFound(item)
        #expect(found.sections.isEmpty && found.error == nil)
        let missing = try await review(item, server)
        var book = LibraryBook(id: "e1", workId: "w1", title: "Emma", addedAt: Date())
        try server.answer("GET /api/v1/library/e1", with: book)
        book.undoToken = "u2"
        try server.answer("PATCH /api/v1/library/e1", with: book)
        await missing.markMissing(item)
        #expect(missing.sections.isEmpty && missing.canUndo)
        #expect(server.requests.contains("PATCH /api/v1/library/e1"))
    }

    @Test("A failed row is dismissed, and comes back if the server refuses")
    func failedRows() async throws {
        let server = ScriptedServer()
        let item = ReviewQueueItem(id: "r1", kind: .failedRow)
        let model = try await review(item, server)
        server.fail(.problem(.refusal), "POST /api/v1/review/dismiss")
        await model.dismiss(item)
        #expect(model.sections.count == 1 && model.error != nil)
        try server.answer("POST /api/v1/review/dismiss", with: ActionOutcome(changed: 1, undoToken: nil))
        await model.dismiss(item)
        #expect(model.sections.isEmpty && !model.canUndo)
    }

    @Test("The threshold is kept within its limits, and taken back if the server refuses it")
    func settings() async throws {
        try await withModels { fixture in
            let model = SettingsModel(client: fixture.client)
            await model.load()
            let before = try #require(model.settings).threshold
            #expect(model.stats?.reviewed == 0 && model.error == nil)
            await model.setThreshold(2)
            #expect(model.settings?.threshold == 0.9)
            #expect(try await fixture.client.settings().threshold == 0.9 && before != 0.9)
            fixture.script.fail(.problem(.refusal), "PATCH *")
            await model.setThreshold(0.5)
            #expect(model.settings?.threshold == 0.9 && model.error?.category == .notAllowed)
            await model.setKeepsPhotos(true)
            #expect(model.settings?.keepShelfPhotos == true && model.error == nil)
        }
    }

    @Test("A book is moved and tagged, its place is in the photo, and the last change is undone")
    func book() async throws {
        try await withModels { fixture in
            _ = try await fixture.client.scan([try .books("Emma")]).results
            let shelf = try await fixture.client.shelves.named("Hall")
            let listed = try #require(try await fixture.client.library.books().page().items.first)
            let model = BookModel(client: fixture.client, book: listed)
            await model.load()
            #expect(model.error == nil && model.outline != nil && !model.canUndo)
            await model.move(to: shelf)
            #expect(model.book.shelf?.name == "Hall" && model.canUndo)
            await model.setTags(["novel"])
            #expect(model.book.tags == ["novel"])
            await model.undo()
            #expect(model.book.tags?.isEmpty ?? true)
            #expect(model.book.shelf?.name == "Hall" && model.error == nil)
        }
    }
}
