package import Bibliography
package import Foundation
package import ShelflistAPI

/// An online catalog.
package protocol BookProvider: Sendable {
    var name: ProviderName { get }
    /// Searches for text that a user typed; `limit` is 1...40.
    ///
    /// - Returns: the records, best first; empty if the provider does not have the book.
    /// - Throws: `UnavailableSource` if the provider cannot answer.
    func search(_ text: String, scope: SearchScope, limit: Int) async throws(UnavailableSource) -> [Record]
    /// Searches for records that match any of the queries.
    ///
    /// - Parameters:
    ///   - queries: more than `queriesPerRequest` are sent in several requests.
    ///   - limit: the maximum number of records per query, 1...40.
    /// - Returns: the records, best first, each once.
    /// - Throws: `UnavailableSource` if the provider cannot answer.
    func search(_ queries: [WordQuery], limit: Int) async throws(UnavailableSource) -> [Record]
    /// How many queries of a search share one request; may become 1 while the program runs.
    var queriesPerRequest: Int { get }
    /// Looks up one book; results and errors are those of `search`.
    func lookUp(_ isbn: ISBN) async throws(UnavailableSource) -> [Record]
    /// Returns the provider's current condition without sending a request.
    func condition() async -> ProviderCondition
    /// Returns what the provider sent that could not be used.
    func refusals() async -> ProviderRefusals
}

/// The condition of a provider, derived from recent requests.
package enum ProviderCondition: Equatable, Sendable {
    /// The provider answers, or has not been used yet.
    case working
    /// The provider failed several times; no request is sent before this time.
    case resting(until: Date)
    /// The provider requested a pause until this time.
    case busy(until: Date)
    /// The provider rejects the key.
    case refusing
}

/// The providers; the raw value is `Record.source` of their records.
package enum ProviderName: String, CaseIterable, Codable, Sendable {
    case openLibrary = "openlibrary"
    case googleBooks = "googlebooks"
    case isbndb

    package var title: String {
        switch self {
        case .openLibrary: "Open Library"
        case .googleBooks: "Google Books"
        case .isbndb: "ISBNdb"
        }
    }

    package func provider(
        _ settings: ProviderSettings, transport: HTTPTransport, cache: AnswerCache? = nil
    ) -> any BookProvider {
        switch self {
        case .openLibrary: OpenLibrary(settings, transport: transport, cache: cache)
        case .googleBooks: GoogleBooks(settings, transport: transport, cache: cache)
        case .isbndb: ISBNdb(settings, transport: transport, cache: cache)
        }
    }
}

/// A provider that sends its requests through one client.
protocol ClientProvider: BookProvider {
    var client: ProviderClient { get }
}

extension ClientProvider {
    var name: ProviderName { client.provider }
    var queriesPerRequest: Int { 1 }
    func condition() async -> ProviderCondition { await client.condition }
    func refusals() async -> ProviderRefusals { await client.refusals }

    /// Searches for one query after the other.
    ///
    /// - Parameter search: searches for one query, whose words are folded.
    func searchEach(
        _ queries: [WordQuery], _ search: (WordQuery) async throws(UnavailableSource) -> [Record]
    ) async throws(UnavailableSource) -> [Record] {
        var lists: [[Record]] = []
        for query in queries.lazy.map(\.folded) where !query.isEmpty { lists.append(try await search(query)) }
        return lists.interleaved
    }
}
