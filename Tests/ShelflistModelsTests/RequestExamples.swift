import Foundation
import ShelflistClient

// The examples in the doc comments of ShelflistClient, as those in Examples.swift.

extension Examples {
    static func requests(file: URL) async throws {
        show(try await client.library.books().page().total, try await client.review.counts().total)
        for try await shelf in client.shelves.all { show(shelf.path) }
        for try await scan in client.scans.all(active: true) { show(scan.message) }
        for try await stocktake in client.stocktakes.all { show(stocktake.name) }
        try await client.lists.export(.csv).write(to: file)
    }

    static func searching(_ book: LibraryBook) async throws {
        let found = try await client.search("emma austen", in: .all, limit: 20)
        show(found.items.map(\.record.title), found.sources.map(\.state))
        let removed = try await client.library.remove(book.id)
        if let token = removed.undoToken { try await client.undo(token) }
        if let cover = book.coverUrl { show(try await client.picture(cover)) }
    }

    static func options(pem: Data, device: String) {
        var options = ClientOptions(trustRoots: pem, patience: .seconds(60))
        options.deviceID = device
        let client = ShelflistClient(address: address, token: token, options: options)
        show(client)
    }

    static func serverProbe() async {
        switch await client.probe() {
        case .ready(let server, let member): show(server.version, member?.name)
        case .signInNeeded(let server), .setupNeeded(let server): show(server.version)
        case .tooOld(let version), .tooNew(let version): show(version)
        case .wrongCertificate(let error), .notAServer(let error), .unreachable(let error): show(error.message)
        }
    }

    static func described(_ error: ShelflistError) {
        show(error.errorDescription, error.isRetryable, error.retryAfter)
        show(error.description, error.problem?.code, error.cause)
        switch error.category {
        case .unreachable, .timedOut, .busy, .server: show("Try again", error.retryAfter)
        case .signInNeeded: showSignIn()
        case .certificate, .notAServer, .version: show("Check the address")
        case .conflict, .notFound: show("Load it again")
        case .notAllowed, .invalid, .tooLarge, .scanFailed, .file: show(error.message, error.recovery)
        case .cancelled: break
        }
    }

    // MARK: Scans

    static func photos(jpeg: Data) {
        let session = client.scan([.file(photo), .data(jpeg, name: "Hall, left")])
        show(session)
    }

    static func scanOptions(shelf: LibraryShelf, key: String) {
        let added = ScanOptions(threshold: 0.7, addsToLibrary: true, shelf: shelf.id, idempotencyKey: key)
        var checked = ScanOptions(preprocessing: .off)
        checked.purpose = .check
        let sessions = [added, checked].map { client.scan([.file(photo)], options: $0) }
        show(sessions)
    }

    static func scanSession() async throws {
        let session = client.scan([.file(photo)])
        for try await case .job(let event) in session.events { show(session.jobID, event.content) }
        show(try await session.results.books.count)
        await session.cancel()
    }

    static func follow(jobID: String) async throws {
        let session = client.follow(jobID)
        show(try await session.results.books.count)
    }

    static func scanEvents(_ session: ScanSession) async throws {
        for try await event in session.events {
            switch event {
            case .uploading(let progress): show(progress.fraction)
            case .photoRefused(let number, let error): show(number, error.message)
            case .connection(let connection): show(connection)
            case .job(let event): show(event.content)
            }
        }
    }

    static func progress(_ progress: UploadProgress, _ connection: ScanConnection) {
        show("Photo \(progress.photo) of \(progress.photos)", progress.fraction)
        show("\(progress.sent) of \(progress.total) bytes")
        switch connection {
        case .webSocket, .eventStream, .polling: show("Connected")
        case .waiting(let time, let error): show(time, error.message)
        }
    }

    static func scans(_ book: ScanResultBook, of jobID: String) async throws {
        let scan = try await client.scans.status(jobID)
        show(scan.status, scan.progress, scan.books)
        for book in try await client.scans.results(jobID).books { show(book.title, book.library.state) }
        let added = try await client.scans.add(ScanImportRequest(minConfidence: 0.8), from: jobID)
        show(added.imported.count, added.undoToken)
        let changed = try await client.scans.change(book.id, of: jobID, ScanBookChange(title: "Emma"))
        show(changed.undoToken)
        try await client.scans.retry(photo: 2, of: jobID)
    }

    static func queued(_ queue: ScanQueue, _ scan: QueuedScan) async throws {
        for scan in queue.scans { show(scan.id, scan.addedAt, scan.state) }
        switch scan.state {
        case .waiting: show("Waiting")
        case .sending(let progress): show(progress.fraction)
        case .refused(let reason): show(reason)
        }
        try await queue.send { scan, job in show(scan.id, job.id) }
        for scan in queue.scans { try queue.remove(scan.id) }
        if case .refused = scan.state { try queue.retry(scan.id) }
    }

    // MARK: The library

    static func pageByPage() async throws {
        let page = try await client.library.books().page(limit: 20)
        show(page.total, page.items.map(\.title), page.nextCursor)
        var books = client.library.books().makeAsyncIterator()
        if let first = try await books.next() { show(first.title) }
    }

    static func library(_ loaded: LibraryBook, shown: String) async throws {
        let book = try await client.library.book(loaded.id)
        show(book.notes, book.tags, book.loan?.due)
        let answer = try await client.library.own(title: "Emma", author: "Jane Austen")
        show(answer.verdict, answer.copies.map { $0.shelf?.path })
        show(try await client.library.own(isbn: "978-0-14-143958-7").verdict)
        switch try await client.library.add(NewBook(title: "Emma", authors: ["Jane Austen"])) {
        case .added(let book): show(book.undoToken)
        case .exists(let books): show(books.existing.map(\.title))
        }
        var change = BookChange()
        change.rating = .set(4.5)
        let changed = try await client.library.change(book, change)
        show(changed.undoToken)
        let removed = try await client.library.remove(book.id)
        show(removed.undoToken)
        try await client.library.lend(book.id, to: "Ben", due: "2026-12-24")
        try await client.library.lend(book.id, to: nil)
        if try await client.library.version() != shown { show("The library has changed.") }
    }

    static func series(_ id: String) async throws {
        for try await series in client.library.series(withGaps: true) { show(series.name, series.missing) }
        let series = try await client.library.series(id)
        show(series.books?.map(\.title))
        var change = SeriesChange()
        change.complete = true
        let changed = try await client.library.change(series: id, change)
        show(changed.undoToken)
        try await client.library.wish(forVolumes: series.missing, ofSeries: series.id)
    }

    static func library() async throws {
        for try await book in client.library.books() { show(book.title, book.shelf?.path) }
    }

    static func scans() async throws {
        for try await scan in client.scans.all(active: true) { show(scan.message, scan.progress) }
    }

    static func lists(csv: Data, file: URL) async throws {
        let list = try await client.lists.upload(csv, name: "books.csv")
        try await client.lists.start(list.id)
        show(try await client.lists.state(list.id).status)
        try await client.lists.export(.bibtex).write(to: file)
    }
}
