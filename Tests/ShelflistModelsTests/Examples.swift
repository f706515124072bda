// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import ShelflistClient
import ShelflistClientTesting
import ShelflistModels

// The examples of the documents and doc comments, here and in the other files of examples, so that they are compiled:
// Scripts/check_examples.py looks for each of them. They are not run.

enum Examples {
    static let address = URL(filePath: "/")
    static let token: String? = nil
    static let client = ShelflistClient(address: address)
    static let photo = URL(filePath: "/")
    static func show(_ things: Any?...) {}
    static func connect(to server: AboutServer) {}
    static func askForToken() {}
    static func showSignIn() {}
    static func showUpdateHint() {}
    static func showHint() {}

    // MARK: ShelflistClient

    static func main() async throws {
        let client = ShelflistClient(address: URL(string: "https://books.example.org")!, token: token)
        let session = client.scan([.file(photo)])
        for try await case .job(let event) in session.events {
            if case .result(let book) = event.content { print(book.title ?? "?") }
        }
    }

    static func overview() async throws {
        let client = ShelflistClient(address: address, token: token)
        let results = try await client.scan([.file(photo)]).results
        for book in results.books { print(book.title ?? "?", book.library.state) }
    }

    static func probe() async {
        switch await client.probe() {
        case .ready(let server, _): connect(to: server)
        case .signInNeeded: askForToken()
        case .wrongCertificate(let error), .notAServer(let error), .unreachable(let error): show(error)
        default: showUpdateHint()
        }
    }

    static func connecting() async {
        switch await client.probe() {
        case .ready: break
        case .signInNeeded: askForToken()
        case .wrongCertificate(let error), .notAServer(let error), .unreachable(let error): show(error)
        case .setupNeeded, .tooOld, .tooNew: showHint()
        }
    }

    static func errors(item: ReviewQueueItem) async {
        do {
            try await client.review.verify(item.id)
        } catch  where error.category == .signInNeeded {
            showSignIn()
        } catch {
            show(error.message, error.recovery)
        }
    }

    static func pages() async throws {
        for try await book in client.library.books(LibraryQuery(text: "Austen")) { print(book.title) }
    }

    static func shelf(_ shelf: LibraryShelf, left: URL, right: URL) async throws {
        let session = client.scan([.file(left), .file(right)], options: ScanOptions(shelf: shelf.id))
        let results = try await session.results
        show(results)
    }

    static func queue(folder: URL, jpeg: Data) async throws {
        var badge = 0
        let queue = try ScanQueue(folder: folder, client: client)
        try queue.add([.data(jpeg)], options: ScanOptions(addsToLibrary: true))
        Task { await queue.run() }
        for await scans in queue.updates { badge = scans.count }
        show(badge)
    }

    static func events(add: (ScanBook) -> Void, countDown: (Duration, String) -> Void) async throws {
        let client = ShelflistClient(address: URL(string: "https://books.example.org")!, token: token)

        let session = client.scan([.file(photo)])
        for try await event in session.events {
            switch event {
            case .uploading(let progress): show(progress.fraction)
            case .photoRefused(let number, let error): show(number, error.message)
            case .connection(.waiting(let time, let error)): countDown(time, error.message)
            case .connection: break
            case .job(let event):
                switch event.content {
                case .progress(let progress): show(progress.progress, progress.message)
                case .result(let book): add(book)
                default: break
                }
            }
        }
        let results = try await session.results
        show(results)
    }

    static func books(book: LibraryBook, shelf: LibraryShelf, selection: [String]) async throws {
        for found in try await client.library.find("hobit").books {
            show(found.book.title, found.book.shelf?.path, found.place?.row, found.place?.place)
        }
        for try await event in client.library.history(ofWork: book.workId) { show(event.time, event.action) }
        let moved = try await client.library.move(selection, toShelf: shelf.id)
        show(moved.changed, moved.undoToken)
        for try await tag in client.library.tags { show(tag.key, tag.count) }
        let changed = try await client.library.setCover(.file(photo), of: book.id)
        show(changed.coverUrl, changed.undoToken)
        let photo = try await client.shelves.photos(of: shelf.id).page(limit: 1).items.first
        show(photo?.detections.map(\.outline))
    }

    static func quality(item: ReviewQueueItem, rows: [ReviewQueueItem], change: AutomaticEdit) async throws {
        for try await question in client.review.duplicates { show(question.title, question.existing.title) }
        for try await change in client.review.automaticChanges { show(change.before, change.after) }
        try await client.review.undo(automatic: change.id)
        let dismissed = try await client.review.dismiss(rows.map(\.id))
        show(dismissed.undoToken)
        let stats = try await client.review.stats()
        show("\(stats.correct) of \(stats.reviewed)")
        var report = SpineReport(correct: false, problem: .wrongTitle)
        report.detectionId = item.id
        try await client.review.report(report)
    }

    static func settings() async throws {
        let settings = try await client.settings()
        show(settings.threshold)
    }

    static func threshold() async throws {
        let settings = try await client.change(LibrarySettingsChange(threshold: 0.7))
        show(settings.threshold)
    }

    static func viewfinder(frame: Data, password: String) async throws {
        let preview = try await client.preview(.data(frame))
        show(preview.spines.count)
        let token = try await client.signIn("ann", password: password, device: "Ann's iPhone")
        show(ShelflistClient(address: address, token: token))
    }

    // MARK: ShelflistModels

    @MainActor static func firstScan(_ scan: ScanModel, jpeg: Data) {
        switch scan.phase {
        case .primer, .capture, .results:
            scan.begin()
            scan.add { .data(jpeg) }
            scan.start()
        case .preprocessing, .uploading, .analysing: show(scan.progress?.message ?? "", scan.books.count)
        case .failed: scan.retry()
        }
        for book in scan.results?.books ?? [] { show(book.title ?? "?", book.confidence, book.library.state) }
    }

    @MainActor static func questions(_ model: ReviewQueueModel, item: ReviewQueueItem) async {
        await model.decide(item, .addCopy)
        await model.markFound(item)
        await model.markMissing(item)
        await model.dismiss(item)
    }

    @MainActor static func shelf(_ model: ShelfModel) async {
        await model.loadPhoto()
        if let photo = model.photo { show(photo.detections.map(\.outline), model.picture) }
    }

    // MARK: ShelflistClientTesting

    @MainActor static func script() throws {
        let server = ScriptedServer()
        let emma = LibraryBook(id: "1", workId: "1", title: "Emma", authors: ["Jane Austen"], addedAt: .now)
        try server.answer("GET /api/v1/library", with: Page(items: [emma], nextCursor: nil, total: 1))
        let model = LibraryModel(client: server.client())
        show(model)
    }

    @MainActor static func scriptedScan(
        _ server: ScriptedServer, _ emma: ScanBook, _ summary: ScanSummary, _ results: ScanResults,
        _ clock: any Clock<Duration>
    ) throws {
        try server.scan(
            [.photo(JobPhoto(index: 1, status: .reading)), .result(emma), .completed(summary)], results: results,
            pace: .milliseconds(300), clock: clock)
        let model = ScanModel(client: server.client())
        model.begin()
        model.add { .file(photo) }
        model.start()
    }
}

/// What the view of the tutorial does, without SwiftUI.
@MainActor private final class TutorialState {
    let client: ShelflistClient
    let photo: URL
    var progress = 0.0
    var titles: [String] = []
    var error: ShelflistError?

    init(client: ShelflistClient, photo: URL) { (self.client, self.photo) = (client, photo) }

    private func scan() async {
        let session = client.scan([.file(photo)])
        do {
            for try await case .job(let event) in session.events {
                switch event.content {
                case .progress(let news): progress = news.progress
                case .result(let book): titles.append(book.title ?? "?")
                default: break
                }
            }
        } catch {
            self.error = error
        }
    }
}
