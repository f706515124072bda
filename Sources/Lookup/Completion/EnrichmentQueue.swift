package import Library
import ShelflistAPI

/// Looks up, in the background, books that were added to the library after the rest of their scan was looked up.
///
/// Failures do not affect the book; unavailable sources are reported to `onFailure`, and a later `LibraryEnrichment`
/// of the whole library asks them again.
package actor EnrichmentQueue {
    private let enrichment: LibraryEnrichment
    private let onFailure: @Sendable (String) -> Void
    private let onProgress: @Sendable (Int, Int) -> Void
    private var waiting: [EntryBook] = []
    private var running: Task<Void, Never>?

    /// - Parameter onProgress: receives the number of books done and the total.
    package init(
        _ enrichment: LibraryEnrichment, onFailure: @escaping @Sendable (String) -> Void = { _ in },
        onProgress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) {
        (self.enrichment, self.onFailure, self.onProgress) = (enrichment, onFailure, onProgress)
    }

    /// Enqueues books and returns immediately.
    package func add(_ books: [EntryBook]) {
        waiting += books
        guard running == nil, !waiting.isEmpty else { return }
        running = Task { await run() }
    }

    /// Waits until the queue is empty.
    package func finish() async { await running?.value }

    private func run() async {
        while !waiting.isEmpty {
            let books = waiting
            waiting = []
            do {
                for failure in try await enrichment(books, progress: onProgress).failures { onFailure(failure.message) }
            } catch {
                onFailure("\(error)")
            }
        }
        running = nil
    }
}
