package import Bibliography
package import Foundation

/// Where a search looks.
package enum MatchScope: String, Codable, CaseIterable, Sendable {
    case all, title, author, isbn
}

/// Anything that can be searched for records by hand: the local catalog, an online provider.
package protocol MatchSource: Sendable {
    /// Labels its results: `local`, `openlibrary`.
    var name: String { get }
    /// As people call it.
    var title: String { get }
    /// - Throws: `SourceFailure` where nobody could be asked; nothing found is no failure.
    func records(for text: String, in scope: MatchScope, limit: Int) async throws -> [FoundRecord]
}

/// A record, and where its cover can be had.
package struct FoundRecord: Hashable, Codable, Sendable {
    package var record: Record
    /// Of the provider; nil where it has none, or may not be asked.
    package var coverURL: URL?

    package init(record: Record, coverURL: URL? = nil) {
        self.record = record
        self.coverURL = coverURL
    }
}

/// Why a source could not be asked.
package struct SourceFailure: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// Its label.
    package var source: String
    /// What is the matter, and what to do.
    package var message: String
    /// Not earlier than this; nil where only a person can mend it, or nobody knows.
    package var retryAt: Date?

    package init(source: String, message: String, retryAt: Date? = nil) {
        self.source = source
        self.message = message
        self.retryAt = retryAt
    }

    package var description: String { message }
}

/// A record to choose, with every source that knows it.
package struct MatchOffer: Hashable, Codable, Sendable {
    /// Of the first source; gaps are filled from the others.
    package var record: Record
    /// In the order in which the sources were given.
    package var sources: [String]
    /// Of the first source that has one.
    package var coverURL: URL?
}

/// What a search found, and which sources failed.
package struct MatchResults: Hashable, Codable, Sendable {
    package var offers: [MatchOffer]
    /// In the order of the sources: which could not be asked, and why.
    package var failures: [SourceFailure]
}

/// Searches several sources together.
package struct MatchSearch: Sendable {
    private let sources: [any MatchSource]
    private let patience: Duration

    /// - Parameter patience: how long a source may take; the others' answers are not held up by it any longer.
    package init(_ sources: [any MatchSource], patience: Duration = .seconds(6)) {
        self.sources = sources
        self.patience = patience
    }

    /// Records of all sources, the same book once; a source that fails is named and spoils nothing.
    ///
    /// - Parameter limit: records a source.
    package func results(for text: String, in scope: MatchScope = .all, limit: Int = 20) async -> MatchResults {
        let text = String(text.prefix(500))
        let answers = await withTaskGroup(of: Answer.self) { group in
            for (index, source) in sources.enumerated() {
                group.addTask { await Answer(of: source, index, text, scope, limit, patience) }
            }
            var answers: [Answer] = []
            for await answer in group { answers.append(answer) }
            return answers.sorted { $0.index < $1.index }
        }
        return MatchResults(
            offers: Self.merged(answers.map { ($0.source, $0.records) }), failures: answers.compactMap(\.failure))
    }

    /// The best of each source in turns, so that none hides the others; records of the same edition become one.
    static func merged(_ lists: [(source: String, records: [FoundRecord])]) -> [MatchOffer] {
        var offers: [MatchOffer] = []
        var places: [String: Int] = [:]
        let longest = lists.map(\.records.count).max() ?? 0
        for rank in 0..<longest {
            for (source, records) in lists where rank < records.count {
                let found = records[rank]
                let key = identity(of: found.record)
                if let place = places[key] {
                    offers[place].record.fillGaps(from: found.record)
                    offers[place].coverURL = offers[place].coverURL ?? found.coverURL
                    if !offers[place].sources.contains(source) { offers[place].sources.append(source) }
                } else {
                    places[key] = offers.count
                    offers.append(MatchOffer(record: found.record, sources: [source], coverURL: found.coverURL))
                }
            }
        }
        return offers
    }

    /// Editions by ISBN; without one, by title, author and year.
    private static func identity(of record: Record) -> String {
        if let isbn = record.isbn.flatMap({ ISBN($0) }) { return isbn.isbn13 }
        let key = BookKey(title: record.title, subtitle: record.subtitle, authors: record.authors)
        return key.text + "|" + key.subtitle + "|" + (record.year.map(String.init) ?? "")
    }
}

/// What one source said.
private struct Answer: Sendable {
    var index: Int
    var source: String
    var records: [FoundRecord] = []
    var failure: SourceFailure?

    init(
        of source: any MatchSource, _ index: Int, _ text: String, _ scope: MatchScope, _ limit: Int,
        _ patience: Duration
    ) async {
        self.index = index
        self.source = source.name
        do {
            let answer = try await Patience.answer(within: patience) {
                try await source.records(for: text, in: scope, limit: limit)
            }
            if let answer {
                records = answer
            } else {
                failure = SourceFailure(
                    source: source.name,
                    message: "\(source.title) did not answer within \(patience.components.seconds) s; search again.",
                    retryAt: Date())
            }
        } catch let error as SourceFailure {
            failure = error
        } catch {
            failure = SourceFailure(source: source.name, message: "\(source.title): \(error)")
        }
    }
}

/// Waiting for what may never come.
package enum Patience {
    /// The answer of `work`; nil once the time is over.
    ///
    /// The work then goes on by itself to its own end, so that whoever keeps count of failures sees this one.
    /// - Throws: what `work` throws.
    package static func answer<Value: Sendable>(
        within patience: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let (answers, continuation) = AsyncStream<Result<Value, any Error>?>.makeStream()
        Task {
            do {
                continuation.yield(.success(try await work()))
            } catch {
                continuation.yield(.failure(error))
            }
        }
        let clock = Task {
            try await Task.sleep(for: patience)
            continuation.yield(nil)
        }
        defer {
            clock.cancel()
            continuation.finish()
        }
        // Ends without an element only where the caller is cancelled.
        for await answer in answers { return try answer?.get() }
        return nil
    }
}

extension Record {
    /// What this one does not say, as another record of the same edition has it.
    mutating func fillGaps(from other: Record) {
        subtitle = subtitle ?? other.subtitle
        if authors.isEmpty { authors = other.authors }
        series = series ?? other.series
        publisher = publisher ?? other.publisher
        year = year ?? other.year
        pages = pages ?? other.pages
        language = language ?? other.language
        if cover == nil, other.source == source { cover = other.cover }
    }
}
