import ShelflistModels

// The examples in the doc comments of the models of review, as those in Examples.swift.

extension Examples {
    @MainActor static func queue(_ item: ReviewQueueItem) async {
        let model = ReviewQueueModel(client: client)
        await model.load()
        if model.hasMore { await model.loadMore() }
        show(model.counts.total, model.error?.message)
        for section in model.sections { show(section.id, section.count, section.items.map(\.title)) }
        await model.watch(every: .seconds(10))
        await model.edit(item, title: "Emma", author: "Jane Austen")
        await model.verify(item)
        await model.verifyAll(in: .ready)
        await model.reject(item)
        if model.canUndo { await model.undo() }
    }

    @MainActor static func correction(_ item: ReviewQueueItem, box: UnitRect) async {
        let model = CorrectionModel(client: client, item: item)
        await model.load()
        show(model.item.confidence, model.crop, model.author, model.isbn)
        model.title = "Emma"
        if model.isEdited { await model.save() }
        show(model.outcome, model.error?.message)
        switch model.outcome {
        case .corrected, .verified: show("Saved")
        case .notABook: show("Removed")
        case nil: show(model.isBusy)
        }
        await model.verify()
        await model.reject()
        await model.report(.cutOff)
        show(model.isReported)
        model.outline = UnitQuad(box)
        await model.moveOutline()
        if let theirs = model.conflict, theirs.title == model.title { model.useTheirs() }
        await model.undo()
    }

    @MainActor static func match(_ item: ReviewQueueItem, _ record: SearchRecord) async {
        let model = ManualMatchModel(client: client, item: item)
        (model.text, model.scope, model.sources) = ("emma", .title, .all)
        show(model.isSearching, model.results?.items.map(\.record.title), model.error?.message)
        model.searchNow()
        await model.choose(record)
        show(model.choice?.record.title, model.changes?.changes.map(\.field))
        await model.confirm()
        show(model.isApplied)
        await model.undo()
    }
}
