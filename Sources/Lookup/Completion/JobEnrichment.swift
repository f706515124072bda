import Bibliography
import Concurrency
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
        let reported = OncePerSource()
        await books.forEach(maxConcurrent: Self.maxConcurrent) { await enrich($0, reported, report) }
    }

    private func enrich(
        _ book: ScanBook, _ reported: OncePerSource, _ report: @Sendable (EnrichmentReport) async -> Void
    ) async {
        guard let details = BookDetails(book) else {
            // What is not read cannot be looked up.
            await report(.book(id: book.id, state: .notFound, metadata: nil))
            return
        }
        let answer = await lookup.find(details)
        for failure in answer.failures where await reported.isFirst(failure.source) {
            await report(.degraded(failure))
        }
        if let found = answer.found {
            await report(.book(id: book.id, state: .enriched, metadata: BookMetadata(found)))
        } else {
            // "Not found" needs an answer from every source.
            let state: EnrichmentState = answer.failures.isEmpty ? .notFound : .failed
            await report(.book(id: book.id, state: state, metadata: nil))
        }
    }

    /// Reports each unavailable source once per job.
    private actor OncePerSource {
        private var sources: Set<String> = []

        func isFirst(_ source: String) -> Bool { sources.insert(source).inserted }
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
