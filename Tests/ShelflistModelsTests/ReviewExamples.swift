import Foundation
import ShelflistClient

// The examples in the doc comments of the requests about review, shelves and stocktakes, as those in Examples.swift.

extension Examples {
    static func review() async throws {
        for try await item in client.review.items(tier: .verify) { try await client.review.verify(item.id) }
        let counts = try await client.review.counts()
        show(counts.total, counts[.needsReview], counts.duplicateQuestions)
    }

    static func decisions(_ id: String, selection: [String], box: UnitRect) async throws {
        let item = try await client.review.item(id)
        show(item.title, item.author, item.confidence)
        try await client.review.verify(item.id, ifMatch: item.etag)
        try await client.review.verify(all: selection)
        let verified = try await client.review.verifyAll(tier: .ready)
        show(verified.changed, verified.undoToken)
        let kept = try await client.review.keep(title: "Emma", author: nil, for: item)
        show(kept.resolvedTitle)
        try await client.review.correct(item, BookCorrection(title: "Emma", authors: ["Jane Austen"]))
        let moved = try await client.review.move(item, to: UnitQuad(box))
        show(moved.title, moved.cropUrl)
        try await client.review.reject(item.id, ifMatch: item.etag)
        try await client.review.reject(all: selection)
        try await client.review.decide(duplicates: item.duplicates.map(\.id), .addCopy)
    }

    static func match(_ item: ReviewQueueItem, with record: SearchRecord) async throws {
        let preview = try await client.review.previewMatch(item.id, with: record)
        for change in preview.changes { show(change.field, change.from, change.to) }
        let matched = try await client.review.match(item.id, with: record, ifMatch: preview.etag)
        show(matched.undoToken)
    }

    static func shelves() async throws {
        let hall = try await client.shelves.named("Hall")
        show(try await client.shelves.view(hall.id).boards.count)
    }

    static func shelves(_ shelf: LibraryShelf, code: String, jobID: String) async throws {
        for try await shelf in client.shelves.all { show(shelf.path, shelf.entriesInside) }
        if let shelf = try await client.shelves.labelled(code) { show(shelf.path) }
        let renamed = try await client.shelves.change(shelf, ShelfChange(name: "Hall"))
        show(renamed.undoToken)
        try await client.shelves.remove(shelf.id)
        let audit = try await client.shelves.audit(shelf.id)
        let missing = audit.copies.filter { $0.state == .missing }
        let decisions = missing.map { ($0.entry.id, AuditAction.gone) }
        try await client.shelves.decide(Dictionary(uniqueKeysWithValues: decisions), on: shelf.id)
        let inventory = try await client.shelves.inventory(shelf.id, scan: jobID)
        show(inventory.missing.map(\.title), inventory.new.count)
        try await client.shelves.markFound(inventory.missing.map(\.id), on: shelf.id)
        for try await question in client.shelves.questions { show(question.text, question.shelf?.path) }
    }

    static func label(_ question: LabelQuestion) async throws {
        try await client.shelves.answer(question.id, with: LabelAnswer(accept: true))
    }

    static func stocktakes(shelf: LibraryShelf) async throws {
        let spring = try await client.stocktakes.start(NewStocktake(name: "Spring", shelves: [shelf.id]))
        _ = try await client.stocktakes.see(SeenCopies(barcode: "4711"), in: spring.id)
    }

    static func stocktakes(_ id: String, file: URL) async throws {
        for try await stocktake in client.stocktakes.all { show(stocktake.name, stocktake.closedAt) }
        let stocktake = try await client.stocktakes.stocktake(id)
        show("\(stocktake.counts.seen) of \(stocktake.counts.expected)")
        for try await copy in client.stocktakes.copies(of: id, state: .unseen) { show(copy.title) }
        let closed = try await client.stocktakes.close(id)
        show(closed.undoToken)
        try await client.stocktakes.report(id).write(to: file)
    }
}
