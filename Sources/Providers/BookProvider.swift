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
    /// Looks up one book; results and errors are those of `search`.
    func lookUp(_ isbn: ISBN) async throws(UnavailableSource) -> [Record]
    /// Returns the provider's current condition without sending a request.
    func condition() async -> ProviderCondition
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

    /// The display name.
    package var title: String {
        switch self {
        case .openLibrary: "Open Library"
        case .googleBooks: "Google Books"
        case .isbndb: "ISBNdb"
        }
    }

    /// Creates the provider with these settings.
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

extension BookProvider {
    /// Returns the URL with HTTPS instead of HTTP: Google returns HTTP URLs, but serves both.
    func secureURL(_ text: String) -> URL? {
        guard var parts = URLComponents(string: text) else { return nil }
        if parts.scheme == "http" { parts.scheme = "https" }
        return parts.scheme == "https" ? parts.url : nil
    }
}
