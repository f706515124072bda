import Bibliography
import Bounds
import Foundation
import ShelflistAPI

/// ISBNdb; requires a key.
///
/// Source: isbndb.com/apidocs/v2.
struct ISBNdb: ClientProvider {
    static let name = ProviderName.isbndb
    let client: ServiceClient
    private let base: URL

    init(_ settings: ServiceSettings, transport: HTTPTransport, cache: AnswerCache?) {
        let headers = settings.key.map { ["Authorization": $0.value] } ?? [:]
        var policy = ServicePolicy()
        // The smallest plan allows one request a second.
        policy.burst = 1
        client = ServiceClient(
            Self.name, settings, headers: headers, policy: policy, transport: transport, cache: cache)
        base = settings.base ?? ServiceSettings.url("https://api2.isbndb.com")
    }

    func search(_ text: String, scope: SearchScope, limit: Int) async throws(UnavailableSource) -> [BookRecord] {
        if scope == .isbn || scope == .all, let isbn = ISBN(text) { return try await lookUp(isbn) }
        // The text is a single path component, so slashes must be removed.
        let text = text.parts(betweenScalars: { $0.properties.isWhitespace || "/\\?#%".unicodeScalars.contains($0) })
            .joined(
                separator: " ")
        guard scope != .isbn, !text.isEmpty, text != ".", text != ".." else { return [] }
        return try await books(text, scope, limit)
    }

    func search(_ queries: [WordQuery], limit: Int) async throws(UnavailableSource) -> [BookRecord] {
        try await searchEach(queries) { query throws(UnavailableSource) in
            let words = query.title + query.author + query.anywhere
            let scope: SearchScope =
                words == query.title ? .title : words == query.author ? .author : .all
            return try await books(words.joined(separator: " "), scope, limit)
        }
    }

    /// - Parameter text: not empty, without slashes.
    private func books(_ text: String, _ scope: SearchScope, _ limit: Int) async throws(UnavailableSource)
        -> [BookRecord]
    {
        var items = [
            URLQueryItem(name: "page", value: "1"), URLQueryItem(name: "pageSize", value: String(min(limit, 40))),
        ]
        if scope != .all { items.append(URLQueryItem(name: "column", value: scope.rawValue)) }
        let url = base.appending(path: "books").appending(path: text).appending(queryItems: items)
        return try await records(at: url, Self.readList)
    }

    func lookUp(_ isbn: ISBN) async throws(UnavailableSource) -> [BookRecord] {
        let url = base.appending(path: "book").appending(path: isbn.isbn13)
        return try await records(at: url, Self.readBook)
    }

    /// Reads an answer to a search.
    static func readList(_ body: Data) -> [BookRecord?]? {
        ProviderAnswer.decode(Books.self, body).map { result in (result.books ?? []).map { $0.value.flatMap(record) } }
    }

    /// Reads an answer to a lookup.
    static func readBook(_ body: Data) -> [BookRecord?]? {
        ProviderAnswer.decode(OneBook.self, body).map { [record($0.book)] }
    }

    private struct OneBook: Decodable { var book: Book }
    private struct Books: Decodable { var books: [Lenient<Book>]? }

    private struct Book: Decodable {
        var title: String?
        var title_long: String?
        var isbn13: String?
        var isbn: String?
        var authors: [String]?
        var publisher: String?
        var date_published: String?
        var pages: Int?
        var language: String?
        var image: String?
    }

    private static func record(_ book: Book) -> BookRecord? {
        guard let title = book.title_long ?? book.title, !title.isEmpty else { return nil }
        let parsed = Title(title)
        let isbn = [book.isbn13, book.isbn].lazy.compactMap { $0.flatMap { ISBN($0)?.isbn13 } }.first
        return BookRecord(
            id: isbn ?? title, title: parsed.main, subtitle: parsed.subtitle, authors: book.authors ?? [],
            series: parsed.series.map { name in parsed.volume.map { "\(name), #\($0)" } ?? name }, isbn: isbn,
            publisher: book.publisher, year: book.date_published.flatMap(Year.first),
            pages: book.pages.flatMap { $0 > 0 ? $0 : nil }, language: book.language,
            coverURL: book.image.flatMap(ProviderAnswer.secureURL), source: name.rawValue)
    }
}
