import Foundation
import ShelflistClient
import ShelflistModels

// The examples at the types of the modules for apps, so that they are compiled, as those in Examples.swift.

private enum TypeExamples {
    static let client = ShelflistClient(address: URL(filePath: "/"))
    static func show(_ things: Any?...) {}

    @MainActor static func library(_ model: LibraryModel) async {
        model.query.text = "emma"
        await model.load()
        show(model.total, model.books.map(\.title))
    }

    @MainActor static func match(_ model: ManualMatchModel, record: SearchRecord) async {
        await model.choose(record)
        show(model.changes)
        await model.confirm()
    }

    @MainActor static func correction(_ model: CorrectionModel) async {
        model.title = "Emma"
        await model.save()
        show(model.outcome, model.error?.message)
    }

    @MainActor static func shelf(_ model: ShelfModel) async {
        await model.load()
        for board in model.view?.boards ?? [] { show(board.map(\.entry.title)) }
    }

    static func library() async throws {
        for try await book in client.library.books() { show(book.title, book.shelf?.path) }
    }

    static func review() async throws {
        for try await item in client.review.items(tier: .verify) { try await client.review.verify(item.id) }
    }

    static func scans() async throws {
        for try await scan in client.scans.all(active: true) { show(scan.message, scan.progress) }
    }

    static func shelves() async throws {
        let hall = try await client.shelves.named("Hall")
        show(try await client.shelves.view(hall.id).boards.count)
    }

    static func lists(csv: Data) async throws {
        let list = try await client.lists.upload(csv, name: "books.csv")
        try await client.lists.start(list.id)
        show(try await client.lists.state(list.id).status)
    }

    static func stocktakes(shelf: LibraryShelf) async throws {
        let spring = try await client.stocktakes.start(NewStocktake(name: "Spring", shelves: [shelf.id]))
        _ = try await client.stocktakes.see(SeenCopies(barcode: "4711"), in: spring.id)
    }

    static func options(photo: URL, shelf: LibraryShelf) async {
        let session = client.scan([.file(photo)], options: ScanOptions(threshold: 0.7, shelf: shelf.id))
        show(session)
    }

    static func trust(address: URL, token: String, pem: Data) {
        let client = ShelflistClient(address: address, token: token, options: ClientOptions(trustRoots: pem))
        show(client)
    }
}
