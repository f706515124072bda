public import Bibliography
public import Observation
public import ShelflistClient

/// The books that wait for a person, by tier.
///
/// Decisions show at once and are taken back if the server refuses them.
///
/// ```swift
/// List { ForEach(model.sections) { section in … } }
///     .task { await model.watch() }
/// ```
///
/// Items of the section without a tier are questions of other kinds: `decide`, `markFound`, `markMissing` and `dismiss`
/// answer them.
///
/// ```swift
/// let model = ReviewQueueModel(client: client)
/// await model.load()
/// if model.hasMore { await model.loadMore() }
/// show(model.counts.total, model.error?.message)
/// ```
@MainActor @Observable
public final class ReviewQueueModel: ActingModel {
    /// What is wrong with the last action or the connection.
    public internal(set) var error: ShelflistError?
    /// Whether the server has more items than are loaded.
    public var hasMore: Bool { cursor != nil }
    /// Whether a decision can be undone.
    public var canUndo: Bool { !undoTokens.isEmpty }

    private var loaded: [ReviewQueueItem] = []
    private var serverCounts = ReviewQueueCounts()
    private var cursor: String?
    /// The items whose decision the server has not answered yet.
    private var pending: Set<ReviewQueueItem.ID> = []
    /// Title and author of edits that the server has not answered yet.
    private var edits: [ReviewQueueItem.ID: (title: String, author: String)] = [:]
    private var undoTokens: [String] = []
    @ObservationIgnored let client: ShelflistClient
    @ObservationIgnored private let clock: any Clock<Duration>

    /// Creates a model, which is empty until `load` or `watch`.
    public init(client: ShelflistClient, clock: any Clock<Duration> = ContinuousClock()) {
        (self.client, self.clock) = (client, clock)
    }

    // MARK: The queue

    /// The tiers with items: needs review, verify, ready to add, not checked, and other items.
    public var sections: [Section] {
        let counts = counts
        let tiers: [ConfidenceTier?] = [.needsReview, .verify, .ready, .notChecked, nil]
        return tiers.compactMap { tier in
            let items = items.filter { $0.queueTier == tier }
            let count = tier.map { counts[$0] } ?? counts.total - ConfidenceTier.allCases.reduce(0) { $0 + counts[$1] }
            return items.isEmpty ? nil : Section(id: tier, items: items, count: max(count, items.count))
        }
    }

    /// The number of items by tier and kind; `total` is the number of a badge.
    public var counts: ReviewQueueCounts {
        loaded.filter { pending.contains($0.id) }.reduce(into: serverCounts) { $0.remove($1) }
    }

    private var items: [ReviewQueueItem] {
        loaded.filter { !pending.contains($0.id) }.map { item in
            guard let edit = edits[item.id] else { return item }
            var edited = item
            (edited.title, edited.author) = (edit.title, edit.author)
            return edited
        }
    }

    /// Loads the queue and the counts.
    public func load() async {
        do {
            let page = try await pages.page(limit: max(100, min(loaded.count, RequestBounds.pageSize)))
            serverCounts = try await client.review.counts()
            (loaded, cursor) = (page.items, page.nextCursor)
            error = nil
        } catch {
            show(error)
        }
    }

    /// Loads the next page; call it where the end of the list appears.
    public func loadMore() async {
        guard let cursor else { return }
        do {
            let page = try await pages.page(cursor)
            guard self.cursor == cursor else { return }
            let known = Set(loaded.map(\.id))
            loaded += page.items.filter { !known.contains($0.id) }
            self.cursor = page.nextCursor
        } catch {
            show(error)
        }
    }

    /// Loads the queue, and again whenever the library changes, until the task is cancelled.
    ///
    /// ```swift
    /// await model.watch(every: .seconds(10))
    /// ```
    public func watch(every interval: Duration = .seconds(5)) async {
        await watchLibrary(client, every: interval, on: clock, report: { self.error = $0 }, changed: load)
    }

    private var pages: Pages<ReviewQueueItem> { client.review.items() }

    // MARK: Decisions

    /// Keeps an edit of title and author in the queue; `verify` applies it.
    ///
    /// ```swift
    /// await model.edit(item, title: "Emma", author: "Jane Austen")
    /// await model.verify(item)
    /// ```
    public func edit(_ item: ReviewQueueItem, title: String, author: String) async {
        guard let current = current(item) else { return }
        edits[item.id] = (title, author)
        do {
            let kept = try await client.review.keep(title: title, author: author, for: current)
            edits[item.id] = nil
            replace(kept)
            remember(kept.undoToken)
        } catch {
            edits[item.id] = nil
            await failed(error, on: item)
        }
    }

    /// Confirms a book as it is shown, with its edit if it has one.
    public func verify(_ item: ReviewQueueItem) async {
        await decide([item]) { items throws(ShelflistError) in
            try await self.client.review.verify(items[0].id, ifMatch: items[0].etag)
        }
    }

    /// Confirms the books of a tier, or of all tiers, that are loaded.
    ///
    /// Books that were not shown yet stay in the queue.
    ///
    /// ```swift
    /// await model.verifyAll(in: .ready)
    /// ```
    public func verifyAll(in tier: ConfidenceTier? = nil) async {
        let shown = items.filter { item in
            guard let itemTier = item.queueTier else { return false }
            return tier == nil || itemTier == tier
        }
        await decide(shown) { items throws(ShelflistError) in
            try await self.client.review.verify(all: items.map(\.id))
        }
    }

    /// Removes an item that is not a book.
    ///
    /// ```swift
    /// await model.reject(item)
    /// if model.canUndo { await model.undo() }
    /// ```
    public func reject(_ item: ReviewQueueItem) async {
        await decide([item]) { items throws(ShelflistError) in
            try await self.client.review.reject(items[0].id, ifMatch: items[0].etag)
        }
    }

    /// Undoes the last decision that was not undone.
    public func undo() async {
        guard let token = undoTokens.popLast() else { return }
        do {
            try await client.undo(token)
            await load()
        } catch {
            if error.isRetryable { undoTokens.append(token) }
            show(error)
        }
    }

    func decide(
        _ items: [ReviewQueueItem],
        _ request: ([ReviewQueueItem]) async throws(ShelflistError) -> ActionOutcome
    ) async {
        let items = items.compactMap(current).filter { !pending.contains($0.id) }
        guard !items.isEmpty else { return }
        let ids = Set(items.map(\.id))
        pending.formUnion(ids)
        do {
            let outcome = try await request(items)
            for item in loaded where ids.contains(item.id) { serverCounts.remove(item) }
            loaded.removeAll { ids.contains($0.id) }
            pending.subtract(ids)
            remember(outcome.undoToken)
            error = nil
        } catch {
            pending.subtract(ids)
            await failed(error, on: items[0])
        }
    }

    /// The item with the version that the server sent last.
    private func current(_ item: ReviewQueueItem) -> ReviewQueueItem? { loaded.first { $0.id == item.id } }

    private func replace(_ item: ReviewQueueItem) {
        guard let index = loaded.firstIndex(where: { $0.id == item.id }) else { return }
        loaded[index] = item
    }

    private func remember(_ token: String?) {
        if let token { undoTokens.append(token) }
    }

    private func failed(_ error: ShelflistError, on item: ReviewQueueItem) async {
        // What is shown is out of date.
        if error.category == .conflict || error.category == .notFound { await load() }
        show(error)
    }
}
