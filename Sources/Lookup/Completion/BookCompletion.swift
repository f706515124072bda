import Concurrency
import Library
import ShelflistAPI
import Synchronization

extension BookLookup {
    /// Looks up books, a few at a time, and hands over each answer as it arrives.
    ///
    /// - Parameters:
    ///   - limit: the number of books that are looked up at once.
    ///   - details: what is known of a book; nil for one of which nothing is known, which is not found.
    ///   - progress: receives the number of books done.
    ///   - unavailable: receives each source that could not be asked, once.
    ///   - use: stores or reports an answer.
    /// - Returns: the answers in the order of the books.
    /// - Throws: the first error of `use`; `CancellationError` between books.
    func complete<Book: Sendable>(
        _ books: [Book], maxConcurrent limit: Int, details: @escaping @Sendable (Book) -> BookDetails?,
        progress: (Int) -> Void = { _ in },
        unavailable: @escaping @Sendable (UnavailableSource) async -> Void = { _ in },
        _ use: @escaping @Sendable (Book, LookupAnswer) async throws -> Void
    ) async throws -> [LookupAnswer] {
        let reported = Mutex<Set<String>>([])
        return try await books.map(maxConcurrent: limit, onProgress: progress) { book in
            let answer = if let known = details(book) { await find(known) } else { LookupAnswer() }
            for failure in answer.failures where reported.withLock({ $0.insert(failure.source).inserted }) {
                await unavailable(failure)
            }
            try await use(book, answer)
            return answer
        }
    }
}

extension LookupAnswer {
    /// "Not found" needs an answer from every source.
    var state: EnrichmentState { found != nil ? .enriched : failures.isEmpty ? .notFound : .failed }
}
