public import Observation
public import ShelflistClient

/// The books of the library: search, filters, order and pages.
///
/// ```swift
/// let model = LibraryModel(client: client)
/// model.query.text = "emma"
/// await model.load()
/// show(model.total, model.books.map(\.title), model.error?.message)
/// ```
@MainActor @Observable
public final class LibraryModel: ActingModel {
    /// Which books to list; a change of it loads them, while typing after a short pause.
    public var query: LibraryQuery {
        didSet {
            guard query != oldValue else { return }
            var typed = oldValue
            typed.text = query.text
            let pause = typed == query ? typingPause : .zero
            loading.start(after: pause, on: clock) { [weak self] in await self?.load() }
        }
    }
    /// The books that are loaded, in order.
    public private(set) var books: [LibraryBook] = []
    /// The number of books that the query selects; nil until the first ones are loaded.
    public private(set) var total: Int?
    /// What is wrong with the last request.
    public internal(set) var error: ShelflistError?

    private var cursor: String?
    @ObservationIgnored private let client: ShelflistClient
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private let pageSize: Int
    @ObservationIgnored private let loading = LatestTask()

    /// Creates a model, which is empty until `load` or `watch`.
    ///
    /// - Parameter pageSize: the number of books that are loaded at once, 1...500.
    public init(
        client: ShelflistClient, query: LibraryQuery = LibraryQuery(), pageSize: Int = 100,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.client, self.query, self.pageSize, self.clock) = (client, query, pageSize, clock)
    }

    /// Loads the first books, as many as were loaded.
    public func load() async {
        let wanted = query
        do {
            let page = try await client.library.books(wanted).page(
                limit: min(max(pageSize, books.count), RequestBounds.pageSize))
            guard wanted == query else { return }
            (books, cursor, total, error) = (page.items, page.nextCursor, page.total, nil)
        } catch {
            guard wanted == query else { return }
            show(error)
        }
    }

    /// Loads the next books if there are any; call it where the end of the list appears.
    ///
    /// ```swift
    /// if book == model.books.last { await model.loadMore() }
    /// ```
    public func loadMore() async {
        guard let cursor else { return }
        let wanted = query
        do {
            let page = try await client.library.books(wanted).page(cursor, limit: pageSize)
            // Another page or list was loaded first.
            guard wanted == query, cursor == self.cursor else { return }
            let known = Set(books.map(\.id))
            books += page.items.filter { !known.contains($0.id) }
            (self.cursor, total) = (page.nextCursor, page.total)
        } catch {
            show(error)
        }
    }

    /// Loads the books, and again whenever the library changes, until the task is cancelled.
    ///
    /// ```swift
    /// await model.watch(every: .seconds(10))
    /// ```
    public func watch(every interval: Duration = .seconds(5)) async {
        await watchLibrary(client, every: interval, on: clock, report: { self.error = $0 }, changed: load)
    }

    /// Changes a copy; shows it when the server has saved it.
    ///
    /// ```swift
    /// var change = BookChange()
    /// change.readingStatus = .set(.read)
    /// await model.change(book, change)
    /// ```
    public func change(_ book: LibraryBook, _ change: BookChange) async {
        do {
            let changed = try await client.library.change(book, change)
            if let index = books.firstIndex(where: { $0.id == changed.id }) { books[index] = changed }
            error = nil
        } catch {
            if error.isEditConflict { await load() }
            show(error)
        }
    }
}
