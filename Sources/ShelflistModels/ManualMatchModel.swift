public import Bibliography
public import Observation
public import ShelflistClient

/// The search for the record of a book that was not recognised.
///
/// Typing searches after a short pause. Choosing a record shows what it would change; `confirm` changes it.
///
/// ```swift
/// let model = ManualMatchModel(client: client, item: item)
/// (model.text, model.scope, model.sources) = ("emma", .title, .all)
/// show(model.isSearching, model.results?.items.map(\.record.title), model.error?.message)
/// ```
@MainActor @Observable
public final class ManualMatchModel: ActingModel {
    /// What to search for; at first the title as read.
    public var text: String { didSet { if text != oldValue { searchSoon() } } }
    /// Which fields to search.
    public var scope = SearchScope.all { didSet { if scope != oldValue { searchNow() } } }
    /// Where to search.
    public var sources = SearchSources.all { didSet { if sources != oldValue { searchNow() } } }
    /// The records that were found, best first, and the status of each source; nil before the first search.
    public private(set) var results: SearchResults?
    /// Whether a search is running.
    public private(set) var isSearching = false
    /// The chosen record.
    public private(set) var choice: SearchRecord?
    /// What the chosen record would change, and once it is confirmed what it has changed.
    public private(set) var changes: MatchChanges?
    /// What is wrong with the last action.
    public internal(set) var error: ShelflistError?

    @ObservationIgnored private let client: ShelflistClient
    @ObservationIgnored private let item: ReviewQueueItem.ID
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private let search = LatestTask()
    @ObservationIgnored private let preview = LatestTask()

    /// Creates a model of an item of the queue; nothing is searched yet.
    public init(client: ShelflistClient, item: ReviewQueueItem, clock: any Clock<Duration> = ContinuousClock()) {
        (self.client, self.item, self.clock) = (client, item.id, clock)
        text = item.title ?? ""
    }

    /// Whether the match is made.
    public var isApplied: Bool { changes?.applied ?? false }

    // MARK: Search

    /// Searches at once, for example with the return key.
    ///
    /// ```swift
    /// model.searchNow()
    /// ```
    public func searchNow() { search.start { [weak self] in await self?.find() } }

    private func searchSoon() { search.start(after: typingPause, on: clock) { [weak self] in await self?.find() } }

    private func find() async {
        let wanted = text.trimmed
        guard !wanted.isEmpty else {
            (results, isSearching) = (nil, false)
            return
        }
        isSearching = true
        do {
            let found = try await client.search(wanted, in: scope, sources: sources)
            guard !Task.isCancelled else { return }
            results = found
            error = nil
        } catch {
            // A later search has begun.
            guard !Task.isCancelled else { return }
            self.error = error
        }
        isSearching = false
    }

    // MARK: The match

    /// Chooses a record and loads what it would change; nil goes back to the list.
    ///
    /// ```swift
    /// await model.choose(record)
    /// show(model.choice?.record.title, model.changes?.changes.map(\.field))
    /// ```
    public func choose(_ record: SearchRecord?) async {
        guard !isApplied else { return }
        (choice, changes) = (record, nil)
        guard let record else { return }
        do {
            let changes = try await client.review.previewMatch(item, with: record)
            guard choice == record else { return }
            self.changes = changes
            error = nil
        } catch {
            guard choice == record else { return }
            show(error)
        }
    }

    /// Matches the book with the chosen record.
    ///
    /// If the book was changed since the preview, nothing is done and `changes` is a new preview to confirm.
    ///
    /// ```swift
    /// await model.confirm()
    /// show(model.isApplied)
    /// ```
    public func confirm() async {
        guard let record = choice, let preview = changes, !preview.applied else { return }
        do {
            changes = try await client.review.match(item, with: record, ifMatch: preview.etag)
            error = nil
        } catch {
            if error.isEditConflict { await choose(record) }
            show(error)
        }
    }

    /// Undoes the match.
    ///
    /// ```swift
    /// await model.undo()
    /// ```
    public func undo() async {
        guard let token = changes?.undoToken else { return }
        do {
            try await client.undo(token)
            changes = nil
            await choose(choice)
        } catch {
            show(error)
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}
