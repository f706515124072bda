import Bibliography
import Library
package import Scans
package import ShelflistAPI

/// Asks catalog and providers for the books of a scan job.
package struct JobEnrichment: BookEnriching {
    /// Books that are asked for at once: enough for providers that answer, few enough for one that does not.
    private static let maxConcurrent = 3

    private let lookup: BookLookup

    package init(lookup: BookLookup) { self.lookup = lookup }

    package var isOff: Bool { lookup.sources.isEmpty }

    package func enrich(_ books: [ScanBook], report: @escaping @Sendable (EnrichmentReport) async -> Void) async {
        // Throws only where the job was cancelled, which its caller checks.
        _ = try? await lookup.complete(
            books, maxConcurrent: Self.maxConcurrent, details: BookDetails.init,
            unavailable: { await report(.degraded($0)) }
        ) { book, answer in
            await report(.book(id: book.id, state: answer.state, metadata: answer.found.map(BookMetadata.init)))
        }
    }
}

extension BookDetails {
    /// What was read on the spine, or matched by the catalog; nil where that is nothing.
    fileprivate init?(_ book: ScanBook) {
        guard let title = book.book.title, !title.isEmpty else { return nil }
        self.init(
            title: title, authors: book.book.author.map(AuthorCredit.list) ?? [],
            isbn: book.book.isbn.flatMap { ISBN($0) })
    }
}
