package import Bibliography
import Foundation
package import ShelflistAPI

/// An online catalog.
package protocol BookProvider: Sendable {
    var name: ProviderName { get }
    /// Searches for text that a user typed; `limit` is 1...40.
    ///
    /// - Returns: the records, best first; empty if the provider does not have the book.
    /// - Throws: `UnavailableSource` if the provider cannot answer.
    func search(_ text: String, scope: SearchScope, limit: Int) async throws(UnavailableSource) -> [BookRecord]
    /// Searches for records that match any of the queries.
    ///
    /// - Parameters:
    ///   - queries: more than `queriesPerRequest` are sent in several requests.
    ///   - limit: the maximum number of records per query, 1...40.
    /// - Returns: the records, best first, each once.
    /// - Throws: `UnavailableSource` if the provider cannot answer.
    func search(_ queries: [WordQuery], limit: Int) async throws(UnavailableSource) -> [BookRecord]
    /// How many queries of a search share one request; may become 1 while the program runs.
    var queriesPerRequest: Int { get }
    /// Looks up one book; results and errors are those of `search`.
    func lookUp(_ isbn: ISBN) async throws(UnavailableSource) -> [BookRecord]
    /// Returns the provider's current condition without sending a request.
    func condition() async -> ServiceCondition
    /// Returns what the provider sent that could not be used.
    func refusals() async -> ServiceRefusals
}

/// The providers; the raw value is `BookRecord.source` of their records.
package enum ProviderName: String, CaseIterable, Codable, Service {
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

    package var needsKey: Bool { self == .isbndb }

    package func provider(
        _ settings: ServiceSettings, transport: HTTPTransport, cache: AnswerCache? = nil
    ) -> any BookProvider {
        switch self {
        case .openLibrary: OpenLibrary(settings, transport: transport, cache: cache)
        case .googleBooks: GoogleBooks(settings, transport: transport, cache: cache)
        case .isbndb: ISBNdb(settings, transport: transport, cache: cache)
        }
    }
}

/// Converts the body of an answer; nil for one of another shape, and for a record that cannot be used, which is counted
/// and left out.
typealias RecordReader = @Sendable (Data) -> [BookRecord?]?

/// A provider that sends its requests through one client.
protocol ClientProvider: BookProvider {
    var client: ServiceClient { get }
    static var name: ProviderName { get }
}

extension ClientProvider {
    var name: ProviderName { Self.name }
    var queriesPerRequest: Int { 1 }
    func condition() async -> ServiceCondition { await client.condition }
    func refusals() async -> ServiceRefusals { await client.refusals }

    /// Fetches JSON and converts it with `read`; returns no records for status 404.
    func records(at url: URL, _ read: @escaping RecordReader) async throws(UnavailableSource) -> [BookRecord] {
        do throws(ServiceFailure) {
            return try await answer(at: url, read)
        } catch {
            throw client.unavailable(error)
        }
    }

    /// Fetches JSON as `records` does.
    ///
    /// - Parameter isFinal: whether a failure is not worth repeating the request, because the caller sends another one.
    func answer(
        at url: URL, isFinal: @escaping @Sendable (ServiceFailure) -> Bool = { _ in false },
        _ read: @escaping RecordReader
    ) async throws(ServiceFailure) -> [BookRecord] {
        let request = ServiceRequest(
            url: url, name: url.absoluteString, missing: [],
            read: { body throws(ServiceFailure.Reason) -> [BookRecord?] in
                guard let records = read(body) else { throw .unreadable("JSON of another shape") }
                return records
            }, isFinal: isFinal)
        let answer = try await client.answer(to: request)
        let records = answer.value.compactMap(\.self)
        if !answer.isKept, records.count < answer.value.count {
            await client.leaveOut(answer.value.count - records.count)
        }
        return records
    }

    /// Searches for one query after the other.
    ///
    /// - Parameter search: searches for one query, whose words are folded.
    func searchEach(
        _ queries: [WordQuery], _ search: (WordQuery) async throws(UnavailableSource) -> [BookRecord]
    ) async throws(UnavailableSource) -> [BookRecord] {
        var lists: [[BookRecord]] = []
        for query in queries.lazy.map(\.folded) where !query.isEmpty { lists.append(try await search(query)) }
        return lists.interleaved
    }
}
