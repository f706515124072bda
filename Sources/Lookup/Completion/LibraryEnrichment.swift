import Bibliography
import Concurrency
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
    package func callAsFunction(
        _ books: [EntryBook], progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> Report {
        let answers = try await books.map(maxConcurrent: Self.maxConcurrent) {
            progress($0, books.count)
        } _: {
            try await enrich($0)
        }
        var report = Report()
        for answer in answers { report.count(answer) }
        await covers.finish()
        return report
    }

    private func enrich(_ known: EntryBook) async throws -> LookupAnswer {
        let answer = await lookup.find(known.book)
        guard let found = answer.found else { return answer }
        do {
            let wantsCover = try await library.enrich(known.entry, with: found)
            if wantsCover, let url = found.coverURL { await covers.fetch(url, for: known.entry) }
        } catch LibraryError.notFound {
            // The book was removed from the library during the lookup.
        }
        return answer
    }
}

extension LibraryEnrichment.Report {
    fileprivate mutating func count(_ answer: LookupAnswer) {
        if answer.found != nil { found += 1 } else if answer.failures.isEmpty { unknown += 1 } else { notAsked += 1 }
        for failure in answer.failures where !failures.contains(where: { $0.source == failure.source }) {
            failures.append(failure)
        }
    }
}
