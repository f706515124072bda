import Bibliography
package import Library
import Providers

/// What catalog and providers said about one book.
package struct LookupAnswer: Sendable {
    /// Gaps of one source filled from the others; nil where none knows the book.
    package var found: FoundRecord?
    /// Who could not be asked, in the order of the sources.
    package var failures: [SourceFailure] = []
    /// How many were asked and answered.
    package var answered = 0
}

/// Looks books up: in the local catalog, and with the providers for what it does not say.
package struct BookLookup: Sendable {
    private let localCatalog: CatalogSource?
    private let online: OnlineCatalogs?
    private let patience: Duration
    private let grace: Duration

    /// - Parameters:
    ///   - patience: how long the providers may take for a book, the wait for its turn included: Open Library takes one
    ///     question a second from who names no contact.
    ///   - grace: how long the others may take once one has found it.
    package init(
        catalog: CatalogSource?, online: OnlineCatalogs?, patience: Duration = .seconds(10),
        grace: Duration = .seconds(1)
    ) {
        (localCatalog, self.online) = (catalog, online)
        (self.patience, self.grace) = (patience, grace)
    }

    private var catalog: CatalogSource? { localCatalog.flatMap { $0.isThere ? $0 : nil } }

    /// Those that are searched now, the local catalog first.
    package var sources: [any MatchSource] {
        (catalog.map { [$0] } ?? []) + (online?.providers ?? []).map { ProviderSource(provider: $0) }
    }

    /// The book as its ISBN names it, else by title and author.
    ///
    /// - Parameter patience: nil for the usual.
    package func find(_ book: BookDetails, patience: Duration? = nil) async -> LookupAnswer {
        var answer = LookupAnswer()
        if let catalog {
            do {
                answer.found = try await Self.match(of: book, in: catalog)
                answer.answered = 1
            } catch {
                answer.failures.append(SourceFailure(source: catalog.name, message: "\(catalog.title): \(error)"))
            }
        }
        let providers = online?.providers ?? []
        guard !providers.isEmpty, !(answer.found?.isComplete ?? false) else { return answer }
        // With the number of the edition, the providers are asked for just that one.
        var wanted = book
        wanted.isbn = book.isbn ?? answer.found?.record.isbn.flatMap { ISBN($0) }
        let answers = await ask(providers, for: wanted, already: answer.found, patience ?? self.patience)
        var silent: [ProviderName] = []
        for provider in providers {
            switch answers[provider.name] {
            case .success(let found):
                answer.answered += 1
                guard let found else { break }
                answer.found = answer.found.map { $0.filled(from: found) } ?? found
            case .failure(let failure): answer.failures.append(failure)
            case nil: silent.append(provider.name)
            }
        }
        // Once the book was found, the others were not waited for.
        if answer.found == nil {
            answer.failures += silent.map {
                SourceFailure(source: $0.rawValue, message: "\($0.title) did not answer in time; try again later.")
            }
        }
        return answer
    }

    /// Looks the rows of a list up; nil where there is neither a catalog nor a provider.
    package var enricher: BookEnricher? {
        guard catalog != nil || !(online?.providers ?? []).isEmpty else { return nil }
        return { book in
            // Nobody looks on while a list comes in, and what is not found has to be matched by hand.
            let answer = await find(book, patience: max(patience, .seconds(30)))
            if let found = answer.found { return .found(found) }
            // Where nobody could be asked, the row is as good as it was.
            if answer.answered == 0, let failure = answer.failures.first { throw failure }
            guard !answer.failures.isEmpty else { return .unknown() }
            let outages = answer.failures.map(\.message).joined(separator: "; ")
            return .unknown(reason: "It was not found, and not everybody could be asked: \(outages).")
        }
    }

    private enum Event: Sendable {
        case answer(ProviderName, Result<FoundRecord?, SourceFailure>)
        case timeIsOver
    }

    /// Asks all at once, until all have answered, nothing is missing, or the time is over.
    ///
    /// Who has not answered by then goes on by itself, so that a provider that hangs is found out by its own circuit.
    private func ask(
        _ providers: [any BookProvider], for book: BookDetails, already: FoundRecord?, _ patience: Duration
    ) async -> [ProviderName: Result<FoundRecord?, SourceFailure>] {
        let (events, continuation) = AsyncStream<Event>.makeStream()
        for provider in providers {
            Task { continuation.yield(.answer(provider.name, await Self.answer(of: provider, for: book))) }
        }
        var clocks = [Self.clock(patience, continuation)]
        defer {
            clocks.forEach { $0.cancel() }
            continuation.finish()
        }
        var answers: [ProviderName: Result<FoundRecord?, SourceFailure>] = [:]
        var found = already
        for await event in events {
            guard case .answer(let name, let answer) = event else { break }
            answers[name] = answer
            if case .success(let record?) = answer {
                found = found.map { $0.filled(from: record) } ?? record
                clocks.append(Self.clock(grace, continuation))
            }
            if answers.count == providers.count || found?.isComplete ?? false { break }
        }
        return answers
    }

    private static func clock(
        _ time: Duration, _ continuation: AsyncStream<Event>.Continuation
    ) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: time)
            continuation.yield(.timeIsOver)
        }
    }

    private static func answer(
        of provider: any BookProvider, for book: BookDetails
    ) async -> Result<FoundRecord?, SourceFailure> {
        do {
            if let isbn = book.isbn, let found = try await provider.lookUp(isbn).found().first(where: book.isSame) {
                return .success(found)
            }
            let found = try await provider.search(book.words, scope: .all, limit: 5).found().first(where: book.isSame)
            return .success(found.map(\.withoutEdition))
        } catch let failure as SourceFailure {
            return .failure(failure)
        } catch {
            return .failure(
                SourceFailure(source: provider.name.rawValue, message: "\(provider.name.title): \(error)"))
        }
    }

    private static func match(of book: BookDetails, in catalog: CatalogSource) async throws -> FoundRecord? {
        if let isbn = book.isbn,
            let found = try await catalog.records(for: isbn.isbn13, in: .isbn, limit: 1).first
        {
            return found
        }
        return try await catalog.records(for: book.words, in: .all, limit: 5).first(where: book.isSame)
    }
}

extension BookDetails {
    /// What to search for.
    fileprivate var words: String { ([title] + authors.prefix(1).map(\.name)).joined(separator: " ") }

    fileprivate func isSame(_ found: FoundRecord) -> Bool { isSameBook(as: found.record) }
}

extension FoundRecord {
    /// Whether nothing is missing that people look for.
    fileprivate var isComplete: Bool {
        coverURL != nil && record.publisher != nil && record.year != nil && record.pages != nil
    }

    /// As a description of the work: a search by words finds some edition, hardly the one at hand.
    fileprivate var withoutEdition: FoundRecord {
        var found = self
        found.record.isbn = nil
        return found
    }

    /// What this one does not say, as the other has it; numbers of an edition only where it is the same.
    fileprivate func filled(from other: FoundRecord) -> FoundRecord {
        var found = self
        found.coverURL = coverURL ?? other.coverURL
        found.record.subtitle = record.subtitle ?? other.record.subtitle
        found.record.series = record.series ?? other.record.series
        if record.authors.isEmpty { found.record.authors = other.record.authors }
        if record.isbn == other.record.isbn {
            found.record.publisher = record.publisher ?? other.record.publisher
            found.record.year = record.year ?? other.record.year
            found.record.pages = record.pages ?? other.record.pages
            found.record.language = record.language ?? other.record.language
        }
        return found
    }
}
