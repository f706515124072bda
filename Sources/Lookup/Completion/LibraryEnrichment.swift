package import Library
package import ShelflistAPI

/// Looks up books that are in the library already, and fills what is not known of them.
package struct LibraryEnrichment: Sendable {
    package struct Report: Hashable, Codable, Sendable {
        package var found = 0
        /// Books that no source knows.
        package var unknown = 0
        /// Books that no available source knows; worth another attempt, because a source was unavailable.
        package var notAsked = 0
        /// Each source that could not be asked, once.
        package var failures: [UnavailableSource] = []
    }

    private static let maxConcurrent = 4

    private let lookup: BookLookup
    private let library: LibraryStore
    private let covers: CoverQueue

    package init(lookup: BookLookup, library: LibraryStore, covers: CoverQueue) {
        (self.lookup, self.library, self.covers) = (lookup, library, covers)
    }

    /// What a person edited stays, and so does what is there.
    ///
    /// - Parameter progress: receives the number of books done and the total.
    /// - Throws: `LibraryError`, `CancellationError` between books; what was filled until then stays.
    package func complete(
        _ books: [EntryBook], progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> Report {
        let answers = try await lookup.complete(
            books, maxConcurrent: Self.maxConcurrent, details: \.book, progress: { progress($0, books.count) }
        ) { book, answer in
            guard let found = answer.found else { return }
            do {
                if let cover = try await library.enrich(book.entry, with: found) {
                    await covers.fetch(cover, for: book.entry)
                }
            } catch LibraryError.notFound {
                // The book was removed from the library during the lookup.
            }
        }
        await covers.finish()
        return Report(answers)
    }
}

extension LibraryEnrichment.Report {
    fileprivate init(_ answers: [LookupAnswer]) {
        for answer in answers {
            switch answer.state {
            case .enriched: found += 1
            case .failed: notAsked += 1
            default: unknown += 1
            }
            for failure in answer.failures where !failures.contains(where: { $0.source == failure.source }) {
                failures.append(failure)
            }
        }
    }
}
