package import Library
import ShelflistAPI

/// Asks all sources for the books of the library without a record or cover, one run at a time.
///
/// A run is kept in memory: after a restart of the server it can be started again. What it found stays.
package actor IncompleteSearch {
    /// The state of the latest run.
    package struct State: Hashable, Sendable {
        package var status = Status.idle
        package var total = 0
        package var done = 0
        /// Books that have a record and a cover now.
        package var completed = 0
        /// The messages of sources that could not be asked.
        package var failures: [String] = []
        /// Undoes what the run changed so far.
        package var undoToken: UndoToken?

        package enum Status: String, Sendable { case idle, running, completed, stopped, failed }
    }

    private let lookup: BookLookup
    private let online: OnlineServices
    private let library: LibraryStore
    private var task: Task<Void, Never>?
    package private(set) var state = State()

    package init(lookup: BookLookup, online: OnlineServices, library: LibraryStore) {
        (self.lookup, self.online, self.library) = (lookup, online, library)
    }

    /// Whether no source is on.
    package nonisolated var isOff: Bool { lookup.sources.isEmpty }

    /// Starts a run, unless one is running, and returns its state.
    ///
    /// - Throws: `LibraryError`.
    package func start() async throws -> State {
        guard task == nil else { return state }
        let books = try await library.booksWithoutRecordOrCover()
        // Another request may have started a run while the books were read.
        guard task == nil else { return state }
        state = State(status: .running, total: books.count, undoToken: UndoToken())
        task = Task { await run(books) }
        return state
    }

    /// Stops the run; what it found stays.
    package func stop() async {
        task?.cancel()
        await task?.value
    }

    private func run(_ books: [EntryBook]) async {
        let store = state.undoToken.map(library.actions) ?? library
        let covers = CoverQueue(online: online, library: store) { [weak self] reason in
            Task { await self?.note(reason) }
        }
        // The state says that the run ended when all its counts are known.
        var end = State.Status.completed
        do {
            let report = try await LibraryEnrichment(lookup: lookup, library: store, covers: covers).complete(books) {
                done, _ in
                Task { await self.note(done: done) }
            }
            for failure in report.failures { note(failure.message) }
        } catch is CancellationError {
            end = .stopped
        } catch {
            note("\(error)")
            end = .failed
        }
        await covers.finish()
        do {
            // A canceled task cannot read the library.
            let left = Set(try await Task { try await library.booksWithoutRecordOrCover() }.value.map(\.entry))
            state.completed = books.count { !left.contains($0.entry) }
        } catch {
            note("\(error)")
            end = .failed
        }
        if end == .completed { state.done = state.total }
        state.status = end
        task = nil
    }

    private func note(done: Int) { state.done = max(state.done, done) }

    private func note(_ failure: String) {
        if state.failures.count < 10, !state.failures.contains(failure) { state.failures.append(failure) }
    }
}
