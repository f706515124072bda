package import Library
package import ShelflistAPI

/// Asks all sources for the books of the library without a record or cover, one run at a time.
///
/// A run is kept in memory: after a restart of the server it can be started again. What it found stays.
package actor IncompleteSearch {
    private let lookup: BookLookup
    private let online: OnlineServices
    private let library: LibraryStore
    private var task: Task<Void, Never>?
    private var run = IncompleteSearchState(status: .idle, sourcesOn: false)
    private var undoToken: UndoToken?

    package init(lookup: BookLookup, online: OnlineServices, library: LibraryStore) {
        (self.lookup, self.online, self.library) = (lookup, online, library)
    }

    /// Whether no source is on.
    package nonisolated var isOff: Bool { lookup.sources.isEmpty }

    /// Returns the state of the latest run.
    ///
    /// - Throws: `LibraryError`.
    package func state() async throws -> IncompleteSearchState {
        var state = run
        state.sourcesOn = !isOff
        if let undoToken { state.undoToken = try await library.shown(undoToken) }
        return state
    }

    /// Starts a run, unless one is running.
    ///
    /// - Throws: `LibraryError`.
    package func start() async throws {
        guard task == nil else { return }
        let books = try await library.booksWithoutRecordOrCover()
        // Another request may have started a run while the books were read.
        guard task == nil else { return }
        let token = UndoToken()
        run = IncompleteSearchState(status: .running, sourcesOn: true, total: books.count)
        undoToken = token
        task = Task { await complete(books, library.actions(as: token)) }
    }

    /// Stops the run; what it found stays.
    package func stop() async {
        task?.cancel()
        await task?.value
    }

    private func complete(_ books: [EntryBook], _ store: LibraryStore) async {
        let covers = CoverQueue(online: online, library: store) { [weak self] reason in
            Task { await self?.note(reason) }
        }
        // The state says that the run ended when all its counts are known.
        var end = IncompleteSearchState.Status.completed
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
            run.completed = books.count { !left.contains($0.entry) }
        } catch {
            note("\(error)")
            end = .failed
        }
        if end == .completed { run.done = run.total }
        run.status = end
        task = nil
    }

    private func note(done: Int) { run.done = max(run.done, done) }

    private func note(_ failure: String) {
        if run.failures.count < 10, !run.failures.contains(failure) { run.failures.append(failure) }
    }
}
