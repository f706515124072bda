package import Library
import ShelflistAPI

/// Looks up, in the background, books that were added to the library after the rest of their scan was looked up.
///
/// Failures do not affect the book; unavailable sources are reported to `onFailure`, and a later `LibraryEnrichment`
/// of the whole library asks them again.
package actor EnrichmentQueue {
    private let enrichment: LibraryEnrichment
    private let onFailure: @Sendable (String) -> Void
    private var waiting: [EntryBook] = []
    private var isRunning = false

    package init(_ enrichment: LibraryEnrichment, onFailure: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.enrichment, self.onFailure) = (enrichment, onFailure)
    }

    /// Enqueues books and returns immediately.
    package func add(_ books: [EntryBook]) {
        waiting += books
        guard !isRunning, !waiting.isEmpty else { return }
        isRunning = true
        Task { await run() }
    }

    private func run() async {
        while !waiting.isEmpty {
            let books = waiting
            waiting = []
            do {
                for failure in try await enrichment(books).failures { onFailure(failure.message) }
            } catch {
                onFailure("\(error)")
            }
        }
        isRunning = false
    }
}
