import Bibliography
import Concurrency
import Foundation
import Providers
import Reading
import Scans
import ShelflistAPI

/// How far one provider is with the questions about a photo.
private struct ProviderProgress {
    /// The queries in its requests.
    var taken: Set<WordQuery> = []
    /// The queries of the unsure books that it has not answered; nil if it is not asked any more.
    var unanswered: Set<WordQuery>?
    /// The queries that it has answered since `begin`.
    var answered: Set<WordQuery> = []

    /// Returns the queries that it is still to answer.
    func open(of queries: Set<WordQuery>) -> Set<WordQuery> {
        (unanswered ?? []).intersection(queries).subtracting(answered)
    }
}

/// The questions about one photo: which are left, and what its books are by the answers so far.
actor PhotoQuestions {
    private var photo: ScannedPhoto
    private var requestsLeft = OnlineIdentification.requestLimit
    private var progress: [ProviderName: ProviderProgress] = [:]
    /// Whether answers arrived since the books were identified.
    private var isOutdated = true
    /// Whether records arrived since the books were identified.
    private var hasNewRecords = false
    private var updating: Task<Void, any Error>?
    private let reader: any ShelfReading
    private let providers: [ProviderName]
    /// The largest number of queries in one request.
    private let mostQueries: Int
    private let received: ReceivedRecords
    private let report: @Sendable (IdentificationReport) async -> Void

    init(
        _ photo: ScannedPhoto, reader: any ShelfReading, providers: [any BookProvider], received: ReceivedRecords,
        report: @escaping @Sendable (IdentificationReport) async -> Void
    ) {
        (self.photo, self.reader) = (photo, reader)
        (self.providers, self.received, self.report) = (providers.map(\.name), received, report)
        mostQueries = max(1, providers.map(\.queriesPerRequest).max() ?? 1)
    }

    /// Reports how many books are to be looked up.
    func begin(now: Date) async throws {
        for provider in providers { progress[provider, default: ProviderProgress()].unanswered = [] }
        try await findUnanswered(now: now)
        await reportOpen()
    }

    /// Ends asking a provider that has nothing left to be asked.
    func end(_ provider: ProviderName) async {
        fail(provider)
        await reportOpen()
    }

    /// Ends asking a provider; what it did not answer does not count as looked up.
    func fail(_ provider: ProviderName) { progress[provider]?.unanswered = nil }

    private func findUnanswered(now: Date) async throws {
        let queries = Set(unsure.flatMap(queries(of:)))
        let (received, asked) = (received, progress.filter { $1.unanswered != nil }.map(\.key))
        let left = try await BlockingExecutor.interactive.run {
            try asked.map { ($0, Set(try received.unanswered(Array(queries), of: $0, now: now))) }
        }
        for (provider, queries) in left where progress[provider]?.unanswered != nil {
            progress[provider]?.unanswered = queries
        }
    }

    /// Reports the number of books about which a provider is being asked, or will be.
    private func reportOpen() async {
        var (asked, unasked) = (0, 0)
        for book in unsure {
            let queries = Set(queries(of: book))
            let open = progress.values.map { (queries: $0.open(of: queries), taken: $0.taken) }
            if open.contains(where: { !$0.queries.isDisjoint(with: $0.taken) }) {
                asked += 1
            } else if open.contains(where: { !$0.queries.isEmpty }) {
                unasked += 1
            }
        }
        // The others are not asked about in this scan.
        await report(.open(asked + min(unasked, requestsLeft * mostQueries)))
    }

    private var unsure: [DetectedBook] { photo.books.filter { $0.confidence < ConfidenceTier.readyFrom } }

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
            progress[provider.name, default: ProviderProgress()].taken.formUnion(requests.joined())
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
        progress[provider, default: ProviderProgress()].answered.formUnion(queries)
        isOutdated = true
        if !records.isEmpty { hasNewRecords = true }
        await reportOpen()
    }

    func identifiedPhoto(now: Date) async throws -> ScannedPhoto {
        try await update(now: now)
        return photo
    }

    private func queries(of book: DetectedBook) -> [WordQuery] {
        SpineQueries(text: book.text, title: book.title, author: book.author).queries
    }

    private func untaken(at place: Int, of provider: ProviderName, now: Date) async throws -> [WordQuery] {
        let queries = unsure.compactMap { book -> WordQuery? in
            let all = self.queries(of: book)
            return place < all.count ? all[place] : nil
        }
        let own = progress[provider]?.taken ?? []
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
        try await findUnanswered(now: now)
        await report(.identified(photo))
        await reportOpen()
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
