import Bibliography
import Bounds
import Foundation
import ShelflistAPI

/// Google Books: the Volumes API.
///
/// Source: developers.google.com/books/docs/v1/using. Works without a key, but then shares its quota with all clients
/// of the same IP address.
struct GoogleBooks: ClientProvider {
    static let name = ProviderName.googleBooks
    let client: ServiceClient
    private let base: URL

    init(_ settings: ServiceSettings, transport: HTTPTransport, cache: AnswerCache?) {
        // A header keeps the key out of URLs, which may be logged.
        let headers = settings.key.map { ["X-Goog-Api-Key": $0.value] } ?? [:]
        client = ServiceClient(Self.name, settings, headers: headers, transport: transport, cache: cache)
        base = settings.base ?? ServiceSettings.url("https://www.googleapis.com")
    }

    func search(_ text: String, scope: SearchScope, limit: Int) async throws(UnavailableSource) -> [BookRecord] {
        if scope == .isbn || scope == .all, let isbn = ISBN(text) { return try await lookUp(isbn) }
        // Colons and quotes are operators of the query language.
        let words = text.parts(betweenScalars: { $0.properties.isWhitespace || $0 == "\"" || $0 == ":" })
        guard scope != .isbn, !words.isEmpty else { return [] }
        let query =
            switch scope {
            case .title: words.map { "intitle:" + $0 }
            case .author: words.map { "inauthor:" + $0 }
            case .all, .isbn: words
            }
        return try await volumes(query.joined(separator: " "), limit)
    }

    func search(_ queries: [WordQuery], limit: Int) async throws(UnavailableSource) -> [BookRecord] {
        try await searchEach(queries) { query throws(UnavailableSource) in
            let words = query.title.map { "intitle:" + $0 } + query.author.map { "inauthor:" + $0 } + query.anywhere
            return try await volumes(words.joined(separator: " "), limit)
        }
    }

    func lookUp(_ isbn: ISBN) async throws(UnavailableSource) -> [BookRecord] {
        try await volumes("isbn:\(isbn.isbn13)", 5)
    }

    private func volumes(_ query: String, _ limit: Int) async throws(UnavailableSource) -> [BookRecord] {
        let url = base.appending(path: "books/v1/volumes").appending(queryItems: [
            URLQueryItem(name: "q", value: query), URLQueryItem(name: "maxResults", value: String(min(limit, 40))),
            URLQueryItem(name: "printType", value: "books"),
        ])
        return try await records(at: url, Self.read)
    }

    /// Reads an answer to a search or lookup.
    static func read(_ body: Data) -> [BookRecord?]? {
        ProviderAnswer.decode(Volumes.self, body).map { volumes in
            (volumes.items ?? []).map { $0.value.flatMap(record) }
        }
    }

    private struct Volumes: Decodable {
        struct Volume: Decodable {
            struct Identifier: Decodable {
                var type: String
                var identifier: String
            }
            struct Links: Decodable { var thumbnail: String? }
            struct Info: Decodable {
                var title: String?
                var subtitle: String?
                var authors: [String]?
                var publisher: String?
                var publishedDate: String?
                var industryIdentifiers: [Identifier]?
                var pageCount: Int?
                var language: String?
                var imageLinks: Links?
            }
            var id: String
            var volumeInfo: Info
        }
        /// Absent if there are no results.
        var items: [Lenient<Volume>]?
    }

    private static func record(_ volume: Volumes.Volume) -> BookRecord? {
        let info = volume.volumeInfo
        guard let title = info.title, !title.isEmpty else { return nil }
        let isbn = (info.industryIdentifiers ?? []).lazy.filter { $0.type.hasPrefix("ISBN") }
            .compactMap { ISBN($0.identifier)?.isbn13 }.first
        return BookRecord(
            id: volume.id, title: title, subtitle: info.subtitle, authors: info.authors ?? [], isbn: isbn,
            publisher: info.publisher, year: info.publishedDate.flatMap(Year.first),
            pages: info.pageCount.flatMap { $0 > 0 ? $0 : nil }, language: info.language,
            coverURL: info.imageLinks?.thumbnail.flatMap(ProviderAnswer.secureURL),
            source: name.rawValue)
    }
}
