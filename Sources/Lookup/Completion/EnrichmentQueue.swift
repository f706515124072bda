import Concurrency
package import Library
import ShelflistAPI
import Synchronization

/// Looks up, in the background, books that were added to the library after the rest of their scan was looked up.
///
/// Failures do not affect the book; unavailable sources are reported to `onFailure`, and a later `LibraryEnrichment`
/// of the whole library asks them again.
package struct EnrichmentQueue: Sendable {
    private final class Waiting: Sendable {
        private let books = Mutex<[EntryBook]>([])

        func add(_ more: [EntryBook]) { books.withLock { $0 += more } }

        func takeAll() -> [EntryBook] {
            books.withLock { books in
                defer { books = [] }
                return books
            }
        }
    }

    private let waiting: Waiting
    /// Each element stands for books that were added to `waiting`.
    private let queue: BackgroundQueue<Void>

    /// - Parameter onProgress: receives the number of books done and the total.
    package init(
        _ enrichment: LibraryEnrichment, onFailure: @escaping @Sendable (String) -> Void = { _ in },
        onProgress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) {
        let waiting = Waiting()
        self.waiting = waiting
        queue = BackgroundQueue(maxConcurrent: 1) {
            // All at once, so that an outage is reported once and progress counts all of them.
            let books = waiting.takeAll()
            guard !books.isEmpty else { return }
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
        guard !books.isEmpty else { return }
        waiting.add(books)
        await queue.add(())
    }

    /// Waits until the queue is empty.
    package func finish() async { await queue.finish() }
}
