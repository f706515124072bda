import Bibliography
package import Concurrency
import Foundation
package import Providers
package import ShelflistAPI

/// Asks the enabled providers about the spines of a photo that no record on this machine explains.
///
/// Their records join those on this machine, and the photo is identified again; so a second scan of the shelf asks
/// nothing. The photo itself never leaves the machine, only words that were read.
package struct OnlineIdentification: Sendable {
    /// The maximum number of requests for one photo, of all providers together.
    package static let requestLimit = 20
    /// The maximum number of records for one query.
    private static let recordLimit = 20

    private let providers: [any BookProvider]
    private let received: ReceivedRecords
    private let clock: any WallClock

    /// - Parameter received: keeps the answers.
    package init(online: OnlineCatalogs, received: ReceivedRecords) {
        self.init(providers: online.providers, received: received, clock: online.clock)
    }

    package init(providers: [any BookProvider], received: ReceivedRecords, clock: any WallClock) {
        (self.providers, self.received, self.clock) = (providers, received, clock)
    }

    /// What is reported while providers are asked.
    package enum Report: Sendable {
        /// The photo's books, some of them surer than before.
        case identified([DetectedBook])
        /// A provider that is not asked any further for this photo.
        case unavailable(UnavailableSource)
    }

    /// Asks until every spine is sure, or there is nothing left to ask, or the requests for one photo are used up.
    ///
    /// The providers are asked concurrently; one that is slow or fails does not affect the others.
    /// - Parameters:
    ///   - books: as identified with the records on this machine.
    ///   - identify: identifies the photo with the records on this machine as they are now.
    /// - Returns: the books as identified last.
    /// - Throws: errors of `identify` and of the received records, `CancellationError`.
    package func identify(
        _ books: [DetectedBook], again identify: @escaping @Sendable () async throws -> [DetectedBook],
        report: @escaping @Sendable (Report) async -> Void
    ) async throws -> [DetectedBook] {
        let questions = PhotoQuestions(books, received: received, identify: identify, report: report)
        let clock = clock
        try await withThrowingTaskGroup(of: Void.self) { group in
            for provider in providers {
                group.addTask {
                    do {
                        while let queries = try await questions.next(for: provider, now: clock.now) {
                            let records = try await provider.search(queries, limit: Self.recordLimit)
                            try await questions.answer(queries, of: provider.name, with: records, now: clock.now)
                        }
                    } catch let failure as UnavailableSource {
                        try Task.checkCancellation()
                        await report(.unavailable(failure))
                    }
                }
            }
            try await group.waitForAll()
        }
        return try await questions.identifiedBooks()
    }
}

/// The questions about one photo: which are left, and what its books are by the answers so far.
private actor PhotoQuestions {
    private var books: [DetectedBook]
    private var requestsLeft = OnlineIdentification.requestLimit
    private var taken: [ProviderName: Set<WordQuery>] = [:]
    /// Whether records arrived since the books were identified.
    private var isOutdated = false
    private let received: ReceivedRecords
    private let identify: @Sendable () async throws -> [DetectedBook]
    private let report: @Sendable (OnlineIdentification.Report) async -> Void

    init(
        _ books: [DetectedBook], received: ReceivedRecords,
        identify: @escaping @Sendable () async throws -> [DetectedBook],
        report: @escaping @Sendable (OnlineIdentification.Report) async -> Void
    ) {
        (self.books, self.received) = (books, received)
        (self.identify, self.report) = (identify, report)
    }

    /// Takes the next queries for one request: the surest that are left of each unsure book. Nil if there are none.
    func next(for provider: any BookProvider, now: Date) async throws -> [WordQuery]? {
        for place in 0..<SpineQueries.limit {
            guard requestsLeft > 0 else { return nil }
            let queries = try await untaken(at: place, of: provider.name, now: now)
            if !queries.isEmpty {
                let request = Array(queries.prefix(max(1, provider.queriesPerRequest)))
                taken[provider.name, default: []].formUnion(request)
                requestsLeft -= 1
                return request
            }
            // Everyone's surest queries are answered: who is sure now needs no further ones.
            try await update()
        }
        return nil
    }

    func answer(_ queries: [WordQuery], of provider: ProviderName, with records: [Record], now: Date) async throws {
        let received = received
        try await BlockingExecutor.interactive.run {
            try received.add(records, answering: queries, of: provider, now: now)
        }
        if !records.isEmpty { isOutdated = true }
    }

    func identifiedBooks() async throws -> [DetectedBook] {
        try await update()
        return books
    }

    private func untaken(at place: Int, of provider: ProviderName, now: Date) async throws -> [WordQuery] {
        let unsure = books.filter { $0.confidence < ConfidenceTier.readyFrom }
        let queries = unsure.compactMap { book in
            let queries = SpineQueries(text: book.text, title: book.title, author: book.author).queries
            return place < queries.count ? queries[place] : nil
        }
        let own = taken[provider, default: []]
        var seen: Set<WordQuery> = []
        let new = queries.filter { !own.contains($0) && seen.insert($0).inserted }
        guard !new.isEmpty else { return [] }
        let received = received
        let left = try await BlockingExecutor.interactive.run {
            try received.unanswered(new, of: provider, now: now)
        }
        // Another task may have taken some in between; `taken` is per provider, and each has one task.
        return left
    }

    private func update() async throws {
        guard isOutdated else { return }
        isOutdated = false
        books = try await identify()
        await report(.identified(books))
    }
}
