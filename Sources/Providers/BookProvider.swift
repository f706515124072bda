package import Bibliography
package import Foundation
package import ShelflistAPI

/// A catalog on the internet.
package protocol BookProvider: Sendable {
    var name: ProviderName { get }
    /// Searches for what a person typed; `limit` is 1...40.
    ///
    /// - Returns: the records, best first; none means that the provider has no such book.
    /// - Throws: `UnavailableSource`, which says nothing about the book.
    func search(_ text: String, scope: SearchScope, limit: Int) async throws(UnavailableSource) -> [Record]
    /// Looks up one book; otherwise as `search`.
    func lookUp(_ isbn: ISBN) async throws(UnavailableSource) -> [Record]
    /// How it did lately; sends no request.
    func condition() async -> ProviderCondition
}

/// How a provider did lately.
package enum ProviderCondition: Equatable, Sendable {
    /// It answers, or was not asked yet.
    case working
    /// It failed several times, and is not asked before this.
    case resting(until: Date)
    /// It asked not to be asked before this.
    case busy(until: Date)
    /// It rejects the key.
    case refusing
}

/// The providers; the raw value is `Record.source` of their records.
package enum ProviderName: String, CaseIterable, Codable, Sendable {
    case openLibrary = "openlibrary"
    case googleBooks = "googlebooks"
    case isbndb

    /// As its makers write it.
    package var title: String {
        switch self {
        case .openLibrary: "Open Library"
        case .googleBooks: "Google Books"
        case .isbndb: "ISBNdb"
        }
    }

    /// The provider, reached as `settings` say.
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
    /// The URL with HTTPS instead of HTTP, which Google writes and answers on both.
    func secureURL(_ text: String) -> URL? {
        guard var parts = URLComponents(string: text) else { return nil }
        if parts.scheme == "http" { parts.scheme = "https" }
        return parts.scheme == "https" ? parts.url : nil
    }
}
