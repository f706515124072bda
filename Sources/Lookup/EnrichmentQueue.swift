package import Library
import ShelflistAPI

/// Looks books up in the background that came into the library after the rest of their scan was looked up.
///
/// A book of which nothing is found is none the worse for it: who could not be asked is told to `onFailure`, and a later
/// `LibraryEnrichment` of the whole library asks again.
package actor EnrichmentQueue {
    private let enrichment: LibraryEnrichment
    private let onFailure: @Sendable (String) -> Void
    private var waiting: [KnownBook] = []
    private var isRunning = false

    package init(_ enrichment: LibraryEnrichment, onFailure: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.enrichment, self.onFailure) = (enrichment, onFailure)
    }

    /// Returns at once.
    package func add(_ books: [KnownBook]) {
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
