import Concurrency
package import Library
import ShelflistAPI

/// Looks up, in the background, books that were added to the library after the rest of their scan was looked up.
///
/// Failures do not affect the book; unavailable sources are reported to `onFailure`, and a later `LibraryEnrichment`
/// of the whole library asks them again.
package struct EnrichmentQueue: Sendable {
    private let queue: BackgroundQueue<[EntryBook]>

    /// - Parameter onProgress: receives the number of books done and the total.
    package init(
        _ enrichment: LibraryEnrichment, onFailure: @escaping @Sendable (String) -> Void = { _ in },
        onProgress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) {
        queue = BackgroundQueue(maxConcurrent: 1) { books in
            do {
                let report = try await enrichment.complete(books, progress: onProgress)
                for failure in report.failures { onFailure(failure.message) }
            } catch {
                onFailure("\(error)")
            }
        }
    }

    /// Enqueues books and returns immediately.
    package func add(_ books: [EntryBook]) async {
        if !books.isEmpty { await queue.add(books) }
    }

    /// Waits until the queue is empty.
    package func finish() async { await queue.finish() }
}
