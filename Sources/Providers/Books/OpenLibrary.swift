package import Bibliography
import Foundation
package import ShelflistAPI

/// Open Library: the Search API and, for one ISBN, the Books API.
///
/// Source: openlibrary.org/dev/docs/api/search and /books. Clients that send their name and a contact address in the
/// User-Agent may send three requests a second.
package struct OpenLibrary: BookProvider {
    package let name = ProviderName.openLibrary
    private let client: ProviderClient
    private let base: URL
    private let covers: URL

    init(_ settings: ProviderSettings, transport: HTTPTransport, cache: AnswerCache?) {
        var policy = settings.policy ?? ProviderPolicy()
        if settings.policy == nil { policy.interval = settings.namesContact ? 0.4 : 1 }
        client = ProviderClient(
            .openLibrary, headers: ["User-Agent": settings.userAgent], policy: policy, transport: transport,
            cache: cache, clock: settings.clock)
        base = settings.base ?? ProviderSettings.url("https://openlibrary.org")
        covers = settings.coverBase ?? ProviderSettings.url("https://covers.openlibrary.org")
    }

    package func condition() async -> ProviderCondition { await client.condition }

    package func search(_ text: String, scope: SearchScope, limit: Int) async throws(UnavailableSource) -> [Record] {
        if scope == .isbn || scope == .all, let isbn = ISBN(text) { return try await lookUp(isbn) }
        guard scope != .isbn else { return [] }
        let field =
            switch scope {
            case .title: "title"
            case .author: "author"
            case .all, .isbn: "q"
            }
        let url = base.appending(path: "search.json").appending(queryItems: [
            URLQueryItem(name: field, value: text),
            URLQueryItem(
                name: "fields",
                value: "key,title,subtitle,author_name,first_publish_year,isbn,cover_i,publisher,language,"
                    + "number_of_pages_median"),
            URLQueryItem(name: "limit", value: String(limit)),
        ])
        return try await client.records(at: url, SearchResult.self) { result in
            result.docs.prefix(limit).compactMap(record)
        }
    }

    package func lookUp(_ isbn: ISBN) async throws(UnavailableSource) -> [Record] {
        let bibkey = "ISBN:\(isbn.isbn13)"
        let url = base.appending(path: "api/books").appending(queryItems: [
            URLQueryItem(name: "bibkeys", value: bibkey), URLQueryItem(name: "jscmd", value: "data"),
            URLQueryItem(name: "format", value: "json"),
        ])
        return try await client.records(at: url, [String: Book].self) { books in
            books[bibkey].flatMap { record($0, isbn) }.map { [$0] } ?? []
        }
    }

    private struct SearchResult: Decodable {
        struct Work: Decodable {
            var key: String
            var title: String?
            var subtitle: String?
            var author_name: [String]?
            var first_publish_year: Int?
            var isbn: [String]?
            var cover_i: Int?
            var publisher: [String]?
            var language: [String]?
            var number_of_pages_median: Int?
        }
        var docs: [Work]
    }

    private func record(_ work: SearchResult.Work) -> Record? {
        guard let title = work.title, !title.isEmpty else { return nil }
        let id = work.key.split(separator: "/").last.map(String.init) ?? work.key
        var record = Record(
            id: id, work: id, title: title, subtitle: work.subtitle, authors: work.author_name ?? [],
            source: name.rawValue)
        // The ISBNs of all editions are unordered; any valid one identifies the work.
        record.isbn = (work.isbn ?? []).lazy.compactMap { ISBN($0)?.isbn13 }.first
        record.publisher = work.publisher?.first
        record.year = work.first_publish_year
        record.pages = work.number_of_pages_median
        record.language = work.language?.count == 1 ? work.language?.first : nil
        record.cover = work.cover_i.flatMap { $0 > 0 ? $0 : nil }
        record.coverURL = record.cover.map { covers.appending(path: "b/id/\($0)-L.jpg") }
        return record
    }

    private struct Book: Decodable {
        struct Named: Decodable { var name: String }
        struct Cover: Decodable {
            var large: String?
            var medium: String?
        }
        var key: String?
        var title: String?
        var subtitle: String?
        var authors: [Named]?
        var publishers: [Named]?
        var publish_date: String?
        var number_of_pages: Int?
        var cover: Cover?
    }

    private func record(_ book: Book, _ isbn: ISBN) -> Record? {
        guard let title = book.title, !title.isEmpty else { return nil }
        let id = book.key?.split(separator: "/").last.map(String.init) ?? isbn.isbn13
        return Record(
            id: id, title: title, subtitle: book.subtitle, authors: book.authors?.map(\.name) ?? [], isbn: isbn.isbn13,
            publisher: book.publishers?.first?.name, year: book.publish_date.flatMap(Year.first),
            pages: book.number_of_pages,
            coverURL: (book.cover?.large ?? book.cover?.medium).flatMap(secureURL), source: name.rawValue)
    }
}
