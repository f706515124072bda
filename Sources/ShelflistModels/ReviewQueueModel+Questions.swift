public import ShelflistClient

extension ReviewQueueModel {
    /// Answers a question about duplicates.
    ///
    /// ```swift
    /// await model.decide(item, .addCopy)
    /// ```
    public func decide(_ item: ReviewQueueItem, _ decision: DuplicateDecision) async {
        guard !item.duplicates.isEmpty else { return }
        await decide([item]) { items throws(ShelflistError) in
            try await self.client.review.decide(duplicates: items[0].duplicates.map(\.id), decision)
        }
    }

    /// Records that a copy is on its shelf, although the latest photos do not show it.
    ///
    /// ```swift
    /// await model.markFound(item)
    /// ```
    public func markFound(_ item: ReviewQueueItem) async {
        guard let (entry, shelf) = item.gap else { return }
        await decide([item]) { _ throws(ShelflistError) in
            try await self.client.shelves.markFound([entry], on: shelf)
        }
    }

    /// Records that a copy is gone; it stays in the library as missing.
    ///
    /// ```swift
    /// await model.markMissing(item)
    /// ```
    public func markMissing(_ item: ReviewQueueItem) async {
        guard let (entry, _) = item.gap else { return }
        await decide([item]) { _ throws(ShelflistError) in
            var change = BookChange()
            change.missing = true
            let book = try await self.client.library.book(entry)
            let changed = try await self.client.library.change(book, change)
            return ActionOutcome(changed: 1, undoToken: changed.undoToken)
        }
    }

    /// Removes a row of a list that did not become a book.
    ///
    /// ```swift
    /// await model.dismiss(item)
    /// ```
    public func dismiss(_ item: ReviewQueueItem) async {
        guard item.kind == .failedRow else { return }
        await decide([item]) { items throws(ShelflistError) in
            try await self.client.review.dismiss([items[0].id])
        }
    }
}

extension ReviewQueueItem {
    /// The copy and the shelf of a question about a copy that photos do not show.
    fileprivate var gap: (entry: String, shelf: String)? {
        guard kind == .missing, let entryId, let shelf else { return nil }
        return (entryId, shelf.id)
    }
}
