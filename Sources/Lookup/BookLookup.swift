package import Bibliography
package import Concurrency
package import Foundation
package import Library
package import ShelflistAPI

/// What catalog and providers said about one book.
package struct LookupAnswer: Sendable {
    /// Gaps of one source filled from the others; nil where none has the book.
    package var found: Record?
    /// The sources that could not be asked, in their order.
    package var failures: [UnavailableSource] = []
    /// How many were asked and answered.
    package var answered = 0

    fileprivate mutating func add(_ record: Record?) {
        answered += 1
        if let record { found = found?.filledAsLookedUp(from: record) ?? record }
    }
}

/// Looks books up: in the local catalog, and with the providers for what it does not say.
package struct BookLookup: Sendable {
    private let localCatalog: CatalogSource?
    private let online: OnlineCatalogs?
    private let patience: TimeInterval
    private let grace: TimeInterval
    package let clock: any WallClock

    /// - Parameters:
    ///   - patience: seconds that the providers may take for a book, the wait for their turn included: Open Library
    ///     accepts one question a second from programs that name no contact.
    ///   - grace: seconds that the others may take once one has found it.
    ///   - clock: nil for the providers'.
    package init(
        catalog: CatalogSource?, online: OnlineCatalogs?, patience: TimeInterval = 10, grace: TimeInterval = 1,
        clock: (any WallClock)? = nil
    ) {
        (localCatalog, self.online) = (catalog, online)
        (self.patience, self.grace) = (patience, grace)
        self.clock = clock ?? online?.clock ?? SystemClock()
    }

    private var catalog: CatalogSource? { localCatalog.flatMap { $0.exists ? $0 : nil } }
    private var providers: [any RecordSource] { (online?.providers ?? []).map { ProviderSource($0) } }

    /// The sources that are searched now, the local catalog first.
    package var sources: [any RecordSource] { (catalog.map { [$0] } ?? []) + providers }

    /// Looks a book up by its ISBN, else by title and author.
    ///
    /// - Parameter patience: nil for the usual.
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
        // With the number of the edition, the providers are asked for just that one.
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
        // Once the book was found, the others were not waited for.
        if answer.found == nil {
            answer.failures += silent.map {
                UnavailableSource(source: $0.name, message: "\($0.title) did not answer in time. Try again later.")
            }
        }
        return answer
    }

    /// Looks up the rows of a list; nil where there is neither a catalog nor a provider.
    package var enricher: BookEnricher? {
        guard !sources.isEmpty else { return nil }
        return { book in
            // A list is imported in the background, and a book that is not found has to be matched by hand.
            let answer = await find(book, patience: max(patience, 30))
            if let found = answer.found { return .found(found) }
            // Without any answer, the row stays as it is.
            if answer.answered == 0, let failure = answer.failures.first { throw failure }
            guard !answer.failures.isEmpty else { return .unknown() }
            let outages = answer.failures.map(\.message).joined(separator: " ")
            return .unknown(reason: "Not found, and some sources could not be asked. \(outages)")
        }
    }
}

extension Record {
    /// Whether nothing is missing that people look for.
    fileprivate var isComplete: Bool { coverURL != nil && publisher != nil && year != nil && pages != nil }

    fileprivate func filledAsLookedUp(from other: Record) -> Record {
        filled(from: other, sameEdition: isbn == other.isbn)
    }
}
