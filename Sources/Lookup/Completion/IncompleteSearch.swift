package import Library
package import ShelflistAPI

/// Asks all sources for the books of the library without a record or cover, or for chosen ones, one run at a time.
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
    /// - Parameter chosen: the copies that are looked up, without those that lack nothing; nil for all without a record or
    ///   cover.
    /// - Returns: false if a run is running, which continues.
    /// - Throws: `LibraryError`.
    @discardableResult
    package func start(_ chosen: [RowID<LibraryEntry>]? = nil) async throws -> Bool {
        guard task == nil else { return false }
        let books: [EntryBook]
        let gaps: [RowID<LibraryEntry>: Int]?
        if let chosen {
            books = try await library.incompleteBooks(among: chosen)
            gaps = try await library.gaps(of: books.map(\.entry))
        } else {
            (books, gaps) = (try await library.booksWithoutRecordOrCover(), nil)
        }
        // Another request may have started a run while the books were read.
        guard task == nil else { return false }
        let token = UndoToken()
        run = IncompleteSearchState(status: .running, sourcesOn: true, total: books.count)
        run.chosen = chosen != nil
        undoToken = token
        task = Task { await complete(books, gaps: gaps, library.actions(as: token)) }
        return true
    }

    /// Stops the run; what it found stays.
    package func stop() async {
        task?.cancel()
        await task?.value
    }

    /// - Parameter gaps: what chosen books lack; nil for a run that is not for chosen ones.
    private func complete(_ books: [EntryBook], gaps: [RowID<LibraryEntry>: Int]?, _ store: LibraryStore) async {
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
            run.completed = try await Task { try await completed(books, gaps: gaps) }.value
        } catch {
            note("\(error)")
            end = .failed
        }
        if end == .completed { run.done = run.total }
        run.status = end
        task = nil
    }

    /// Returns how many of the books a run has completed, or of how many chosen ones it has found something.
    private func completed(_ books: [EntryBook], gaps: [RowID<LibraryEntry>: Int]?) async throws -> Int {
        guard let gaps else {
            let left = Set(try await library.booksWithoutRecordOrCover().map(\.entry))
            return books.count { !left.contains($0.entry) }
        }
        let left = try await library.gaps(of: books.map(\.entry))
        return left.count { entry, count in count < gaps[entry] ?? 0 }
    }

    private func note(done: Int) { run.done = max(run.done, done) }

    private func note(_ failure: String) {
        if run.failures.count < 10, !run.failures.contains(failure) { run.failures.append(failure) }
    }
}
