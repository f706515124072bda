package import Bibliography
package import Concurrency
package import Foundation
package import Library
package import ShelflistAPI

/// The combined answer of the catalog and the providers about one book.
package struct LookupAnswer: Sendable {
    /// The record of the first source that has the book, its gaps filled from the others; nil if no source has it.
    package var found: BookRecord?
    /// The unavailable sources, in the order of `BookLookup.sources`.
    package var failures: [UnavailableSource] = []
    /// The number of sources that answered.
    package var answered = 0

    fileprivate mutating func add(_ record: BookRecord?) {
        answered += 1
        guard let record else { return }
        found = found.map { $0.filled(from: record, sameEdition: $0.isbn == record.isbn) } ?? record
    }
}

/// Looks up books in the local catalog and asks the providers for missing details.
package struct BookLookup: Sendable {
    private let localCatalog: CatalogSource?
    private let online: OnlineServices?
    private let patience: TimeInterval
    private let grace: TimeInterval
    package let clock: any WallClock

    /// - Parameters:
    ///   - patience: seconds that the providers may take for a book, including rate-limit delays: Open Library accepts
    ///     one request a second from programs without a contact address.
    ///   - grace: seconds that the other providers may take after the first one has found the book.
    ///   - clock: nil to use the providers' clock.
    package init(
        catalog: CatalogSource?, online: OnlineServices?, patience: TimeInterval = 10, grace: TimeInterval = 1,
        clock: (any WallClock)? = nil
    ) {
        (localCatalog, self.online) = (catalog, online)
        (self.patience, self.grace) = (patience, grace)
        self.clock = clock ?? online?.clock ?? SystemClock()
    }

    private var catalog: CatalogSource? { localCatalog.flatMap { $0.exists ? $0 : nil } }
    private var providers: [any RecordSource] { (online?.providers ?? []).map { ProviderSource($0) } }

    /// The enabled sources, the local catalog first.
    package var sources: [any RecordSource] { (catalog.map { [$0] } ?? []) + providers }

    /// Looks up a book by its ISBN, or by title and author if it has none.
    ///
    /// - Parameter patience: in seconds; nil for the default.
    package func find(_ book: BookDetails, patience: TimeInterval? = nil) async -> LookupAnswer {
        var answer = LookupAnswer()
        if let catalog {
            switch await catalog.answer({ try await $0.record(of: book) }) {
            case .success(let record): answer.add(record)
            case .failure(let failure): answer.failures.append(failure)
            }
        }
        let providers = providers
        guard !providers.isEmpty, !(answer.found?.isComplete ?? false) else { return answer }
        // With the edition's ISBN, the providers look up exactly that edition.
        var wanted = book
        wanted.isbn = book.isbn ?? answer.found?.isbn.flatMap { ISBN($0) }
        let question = wanted
        var soFar = answer
        let answers = await providers.answers(within: patience ?? self.patience, clock: clock) {
            try await $0.record(of: question)
        } timeLeft: { record in
            soFar.add(record)
            return soFar.found?.isComplete ?? false ? 0 : record == nil ? nil : grace
        }
        var silent: [any RecordSource] = []
        for (source, result) in zip(providers, answers) {
            switch result {
            case .success(let record): answer.add(record)
            case .failure(let failure): answer.failures.append(failure)
            case nil: silent.append(source)
            }
        }
        // After a match, a missing answer means only that the grace period ended.
        if answer.found == nil {
            answer.failures += silent.map {
                UnavailableSource(source: $0.name, message: "\($0.title) did not answer in time. Try again later.")
            }
        }
        return answer
    }

    /// Looks up the rows of a list; nil without a catalog and providers.
    package var enricher: BookEnricher? {
        guard !sources.isEmpty else { return nil }
        return { book in
            // Lists are imported in the background.
            let answer = await find(book, patience: max(patience, 30))
            if let found = answer.found { return .found(found) }
            // If no source answered, the row stays unchanged.
            if answer.answered == 0, let failure = answer.failures.first { throw failure }
            return .unknown
        }
    }
}

extension BookRecord {
    /// Whether cover, publisher, year and pages are all known.
    fileprivate var isComplete: Bool { coverURL != nil && publisher != nil && year != nil && pages != nil }
}
