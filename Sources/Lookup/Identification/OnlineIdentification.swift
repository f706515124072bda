import Bibliography
package import Concurrency
import Foundation
package import Providers
package import Reading
package import Scans
package import ShelflistAPI

/// Asks the enabled providers about the spines of a photo that no record on this machine explains.
///
/// Their records join those on this machine, and the photo is identified again; so a second scan of the shelf asks
/// nothing. The photo itself never leaves the machine, only words that were read.
package struct OnlineIdentification: PhotoIdentifying {
    /// The maximum number of requests for one photo, of all providers together.
    package static let requestLimit = 20
    /// The maximum number of records for one query.
    private static let recordLimit = 20
    /// The number of requests to one provider at a time.
    ///
    /// No provider is sent more than three requests a second, so more would only wait for their turn.
    private static let concurrentRequests = 3

    private let providers: @Sendable () -> [any BookProvider]
    private let received: ReceivedRecords
    private let clock: any WallClock

    /// Asks the providers that are enabled when a photo's turn comes.
    ///
    /// - Parameter received: keeps the answers.
    package init(online: OnlineServices, received: ReceivedRecords) {
        self.init(providers: { online.providers }, received: received, clock: online.clock)
    }

    package init(
        providers: @escaping @Sendable () -> [any BookProvider], received: ReceivedRecords, clock: any WallClock
    ) {
        (self.providers, self.received, self.clock) = (providers, received, clock)
    }

    package func isOff(for mode: ReaderMode?) -> Bool { providers().isEmpty }

    /// Asks until every spine is sure, or there is nothing left to ask, or the requests for one photo are used up.
    ///
    /// The providers are asked concurrently; one that is slow or fails does not affect the others. A book is checked if
    /// a provider has answered the first query about it, now or in an earlier scan.
    ///
    /// - Parameter reader: identifies the photo with the records on this machine as they are now.
    /// - Throws: errors of the reader and of the received records, `CancellationError`.
    package func identify(
        _ question: PhotoQuestion, with reader: any ShelfReading,
        report: @escaping @Sendable (IdentificationReport) async -> Void
    ) async throws -> ScannedPhoto {
        let providers = providers()
        let questions = PhotoQuestions(
            question.photo, reader: reader, providers: providers.map(\.name), received: received, report: report)
        let clock = clock
        try await withThrowingTaskGroup(of: Void.self) { group in
            for provider in providers {
                group.addTask {
                    do {
                        while let requests = try await questions.next(for: provider, now: clock.now) {
                            _ = try await requests.map(maxConcurrent: Self.concurrentRequests) { queries in
                                let records = try await provider.search(queries, limit: Self.recordLimit)
                                try await questions.answer(queries, of: provider.name, with: records, now: clock.now)
                            }
                            // This provider's answers count now, however long the others take.
                            try await questions.update(now: clock.now)
                        }
                    } catch let failure as UnavailableSource {
                        try Task.checkCancellation()
                        // What it answered before counts.
                        try await questions.update(now: clock.now)
                        await report(.unavailable(failure))
                    }
                }
            }
            try await group.waitForAll()
        }
        return try await questions.identifiedPhoto(now: clock.now)
    }
}

/// The questions about one photo: which are left, and what its books are by the answers so far.
private actor PhotoQuestions {
    private var photo: ScannedPhoto
    private var requestsLeft = OnlineIdentification.requestLimit
    private var taken: [ProviderName: Set<WordQuery>] = [:]
    /// Whether answers arrived since the books were identified.
    private var isOutdated = true
    /// Whether records arrived since the books were identified.
    private var hasNewRecords = false
    private var updating: Task<Void, any Error>?
    private let reader: any ShelfReading
    private let providers: [ProviderName]
    private let received: ReceivedRecords
    private let report: @Sendable (IdentificationReport) async -> Void

    init(
        _ photo: ScannedPhoto, reader: any ShelfReading, providers: [ProviderName], received: ReceivedRecords,
        report: @escaping @Sendable (IdentificationReport) async -> Void
    ) {
        (self.photo, self.reader) = (photo, reader)
        (self.providers, self.received, self.report) = (providers, received, report)
    }

    /// Takes the next queries of all unsure books, the surest that are left, in groups for one request each.
    ///
    /// - Returns: nil if there are none, or the requests for the photo are used up.
    func next(for provider: any BookProvider, now: Date) async throws -> [[WordQuery]]? {
        for place in 0..<SpineQueries.limit where requestsLeft > 0 {
            let queries = try await untaken(at: place, of: provider.name, now: now)
            let size = max(1, provider.queriesPerRequest)
            let requests = stride(from: 0, to: queries.count, by: size).prefix(requestsLeft).map {
                Array(queries[$0..<min($0 + size, queries.count)])
            }
            guard !requests.isEmpty else { continue }
            taken[provider.name, default: []].formUnion(requests.joined())
            requestsLeft -= requests.count
            return requests
        }
        return nil
    }

    func answer(_ queries: [WordQuery], of provider: ProviderName, with records: [BookRecord], now: Date) async throws {
        let received = received
        try await BlockingExecutor.interactive.run {
            try received.add(records, answering: queries, of: provider, now: now)
        }
        isOutdated = true
        if !records.isEmpty { hasNewRecords = true }
    }

    func identifiedPhoto(now: Date) async throws -> ScannedPhoto {
        try await update(now: now)
        return photo
    }

    private func queries(of book: DetectedBook) -> [WordQuery] {
        SpineQueries(text: book.text, title: book.title, author: book.author).queries
    }

    private func untaken(at place: Int, of provider: ProviderName, now: Date) async throws -> [WordQuery] {
        let unsure = photo.books.filter { $0.confidence < ConfidenceTier.readyFrom }
        let queries = unsure.compactMap { book -> WordQuery? in
            let all = self.queries(of: book)
            return place < all.count ? all[place] : nil
        }
        let own = taken[provider, default: []]
        var seen: Set<WordQuery> = []
        let new = queries.filter { !own.contains($0) && seen.insert($0).inserted }
        guard !new.isEmpty else { return [] }
        let received = received
        // `taken` is per provider, and each has one task: no other takes these.
        return try await BlockingExecutor.interactive.run {
            try received.unanswered(new, of: provider, now: now)
        }
    }

    /// Identifies the photo with the answers that arrived, and reports it; one update at a time, so that the last one has
    /// all of them.
    func update(now: Date) async throws {
        while let updating { try await updating.value }
        guard isOutdated else { return }
        let task = Task { try await identifyAgain(now: now) }
        updating = task
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func identifyAgain(now: Date) async throws {
        defer { updating = nil }
        isOutdated = false
        if hasNewRecords {
            hasNewRecords = false
            photo = try await reader.identify(photo)
        }
        let asked = try await askedBooks(now: now)
        for index in photo.books.indices where asked.contains(photo.books[index].id) {
            photo.books[index].checked = true
        }
        await report(.identified(photo))
    }

    /// Returns the unchecked books whose first query was answered by a provider, which had no record that fits.
    private func askedBooks(now: Date) async throws -> Set<String> {
        let open = photo.books.filter { !$0.checked }.compactMap { book in
            queries(of: book).first.map { (book.id, $0) }
        }
        guard !open.isEmpty else { return [] }
        let (received, providers) = (received, providers)
        return try await BlockingExecutor.interactive.run {
            var unanswered = Set(open.map(\.1))
            for provider in providers where !unanswered.isEmpty {
                unanswered = Set(try received.unanswered(Array(unanswered), of: provider, now: now))
            }
            return Set(open.filter { !unanswered.contains($0.1) }.map(\.0))
        }
    }
}
