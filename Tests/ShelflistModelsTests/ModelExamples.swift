import Foundation
import ShelflistClientTesting
import ShelflistModels

// The examples in the doc comments of ShelflistModels and ShelflistClientTesting, as those in Examples.swift.

extension Examples {
    // MARK: Connection and settings

    @MainActor static func signIn(password: String) async {
        let model = SignInModel(device: "Ann's iPhone")
        model.address = "books.example.org"
        await model.connect()
        (model.name, model.password) = ("ann", password)
        await model.signIn()
        if let account = model.account { show(account.client()) }
    }

    @MainActor static func signIn(_ model: SignInModel, token: String) async {
        switch model.step {
        case .address: show("Server", model.address)
        case .member: show("Name and password, or a token", model.isBusy)
        case .code: show("Code of your second factor", model.error?.message)
        case .done: show(model.account?.address)
        }
        if model.step == .code { model.code = "123456" } else { model.token = token }
        await model.signIn()
        model.reset()
    }

    static func account(_ address: URL, _ token: String) {
        let account = SignInModel.Account(address: address, token: token)
        let client = account.client()
        show(client)
    }

    @MainActor static func settingsModel() async {
        let model = SettingsModel(client: client)
        await model.load()
        show(model.settings?.threshold, model.stats?.correct, model.error?.message)
        if SettingsModel.thresholds.contains(0.7) { await model.setThreshold(0.7) }
        await model.setKeepsPhotos(false)
    }

    // MARK: Scans

    @MainActor static func scanList(_ queue: ScanQueue, jpeg: Data) async {
        let model = ScanListModel(client: client, queue: queue)
        Task { await model.run() }
        await model.add([.data(jpeg)])
        show(model.unfinished, model.scans.count, model.error?.message)
        for scan in model.scans { show(scan.id, scan.jobID, scan.addedAt, scan.state) }
    }

    @MainActor static func scanList(_ model: ScanListModel, _ scan: ScanListModel.Scan) {
        switch scan.state {
        case .waiting: show("Waiting")
        case .sending(let progress): show(progress.fraction)
        case .refused(let reason): show(reason)
        case .reading(let progress): show(progress?.message)
        case .done(let summary): show(summary.books)
        case .failed(let error): show(error.message)
        }
        model.remove(scan.id)
        if case .refused = scan.state { model.retry(scan.id) }
    }

    @MainActor static func scanning(
        picture: Data, retake: Bool, shrink: @escaping @Sendable (Data) async throws -> Data
    ) {
        let model = ScanModel(client: client)
        model.begin()
        let photo = model.add { .data(try await shrink(picture)) }
        if let photo, retake { model.remove(photo) }
        model.start()
    }

    @MainActor static func scanner(_ model: ScanModel) async {
        switch model.phase {
        case .primer: model.begin()
        case .capture: show("\(model.photos.count) of \(ScanModel.photoLimit) photos")
        case .preprocessing, .uploading, .analysing: show(model.progress?.message, model.books.count, model.countdown)
        case .results: show(model.results?.books.count)
        case .failed:
            show(model.error?.message)
            model.retry()
        }
        await model.addToLibrary(ScanImportRequest(minConfidence: 0.8))
    }

    @MainActor static func scanner(_ model: ScanModel, stored: String?) async {
        if let job = stored ?? model.jobID { model.follow(job) }
        await model.leave()
    }

    @MainActor static func results(_ model: ScanModel, _ book: ScanResultBook) async {
        await model.change(book.id, ScanBookChange(title: "Emma", authors: ["Jane Austen"]))
        await model.undo()
    }

    @MainActor static func photos(_ model: ScanModel) {
        for photo in model.photos {
            show(photo.id, photo.state, photo.spines.map(\.quad), photo.reading?.total, photo.delay?.message)
        }
    }

    static func state(of photo: ScanPhotoState) {
        switch photo.state {
        case .captured, .preprocessing, .waiting: show("Waiting")
        case .uploading, .sent: show("Sent")
        case .reading: show(photo.reading?.current)
        case .done(let books): show(books)
        case .failed(let error): show(error.message)
        }
    }

    // MARK: Library and shelves

    @MainActor static func library(_ book: LibraryBook) async {
        let model = LibraryModel(client: client)
        model.query.text = "emma"
        await model.load()
        show(model.total, model.books.map(\.title), model.error?.message)
        if book == model.books.last { await model.loadMore() }
        await model.watch(every: .seconds(10))
        var change = BookChange()
        change.readingStatus = .set(.read)
        await model.change(book, change)
    }

    @MainActor static func book(_ book: LibraryBook, shelf: LibraryShelf, jpeg: Data) async {
        let model = BookModel(client: client, book: book)
        await model.load()
        show(model.book.shelf?.path, model.photo, model.outline, model.history, model.tags)
        await model.move(to: shelf)
        show(model.error?.message)
        var change = BookChange()
        change.notes = .set("Signed by the author")
        await model.change(change)
        await model.setTags(["novel", "signed"])
        await model.setCover(.data(jpeg))
        if model.canUndo { await model.undo() }
    }

    @MainActor static func shelf(_ shelf: LibraryShelf, jobID: String) async {
        let model = ShelfModel(client: client, shelf: shelf)
        await model.load()
        for board in model.view?.boards ?? [] { show(board.map(\.entry.title)) }
        show(model.shelf.name, model.error?.message)
        await model.watch(every: .seconds(10))
        await model.compare(scan: jobID)
        show(model.inventory?.new.count, model.inventory?.missing.map(\.title))
        if let inventory = model.inventory { await model.markFound(inventory.missing) }
        await model.rename(to: "Hall, left")
        if model.canUndo { await model.undo() }
    }

    // MARK: ShelflistClientTesting

    static func faults(_ server: ScriptedServer, _ problem: Problem) {
        server.fail(.offline)
        server.fail(.rateLimited(.seconds(5)), "POST /api/v1/scans")
        server.fail(.problem(problem), "GET /api/v1/library/*", times: nil)
        show(server.requests.contains("GET /api/v1/library"))
    }

    static func scripted(
        _ server: ScriptedServer, _ emma: ScanBook, _ summary: ScanSummary, _ results: ScanResults
    ) throws {
        try server.scan([.result(emma), .completed(summary)], results: results)
    }
}
