import Bibliography
import Bounds
import Foundation
import ShelflistAPI
import Synchronization

/// Open Library: the Search API and, for one ISBN, the Books API.
///
/// Source: openlibrary.org/dev/docs/api/search and /books. Clients that send their name and a contact address in the
/// User-Agent may send three requests a second, others one; clients that send only their name are refused.
struct OpenLibrary: ClientProvider {
    static let name = ProviderName.openLibrary
    let client: ServiceClient
    private let base: URL
    private let covers: URL
    private let groups = QueryGroups()

    /// Enough queries for few requests per photo, and few enough for a URL of moderate length.
    private static let queriesPerGroup = 8
    static let publicCovers = ServiceSettings.url("https://covers.openlibrary.org")
    /// The maximum length of a URL in bytes; proxies refuse longer ones.
    private static let longestURL = 2000

    init(_ settings: ServiceSettings, transport: HTTPTransport, cache: AnswerCache?) {
        var policy = ServicePolicy()
        policy.interval = settings.namesContact ? 1.0 / 3 : 1
        policy.burst = 1
        client = ServiceClient(Self.name, settings, policy: policy, transport: transport, cache: cache)
        base = settings.base ?? ServiceSettings.url("https://openlibrary.org")
        covers = settings.coverBase ?? Self.publicCovers
    }

    var queriesPerRequest: Int { groups.areRefused ? 1 : Self.queriesPerGroup }

    func search(_ text: String, scope: SearchScope, limit: Int) async throws(UnavailableSource) -> [BookRecord] {
        if scope == .isbn || scope == .all, let isbn = ISBN(text) { return try await lookUp(isbn) }
        let plain = OpenLibraryQuery.plain(text)
        guard scope != .isbn, !plain.isEmpty else { return [] }
        // `q` is a query language; Open Library escapes the other fields itself.
        let item =
            switch scope {
            case .title: URLQueryItem(name: "title", value: text)
            case .author: URLQueryItem(name: "author", value: text)
            case .all, .isbn: URLQueryItem(name: "q", value: plain)
            }
        let covers = covers
        return try await records(at: searchURL(item, limit)) { body in
            Self.readList(body, covers: covers).map { Array($0.prefix(limit)) }
        }
    }

    func search(_ queries: [WordQuery], limit: Int) async throws(UnavailableSource) -> [BookRecord] {
        var lists: [[BookRecord]] = []
        do throws(ServiceFailure) {
            for group in requests(for: queries, limit) { lists.append(try await records(of: group, limit)) }
        } catch {
            throw client.unavailable(error)
        }
        return lists.interleaved
    }

    /// Divides queries into groups that fit in one request.
    private func requests(for queries: [WordQuery], _ limit: Int) -> [[WordQuery]] {
        var seen: Set<WordQuery> = []
        var requests: [[WordQuery]] = []
        for query in queries.map(\.folded) where !query.isEmpty {
            var query = query
            while !query.isEmpty, !fits([query], limit) { query.removeLastWord() }
            guard !query.isEmpty, seen.insert(query).inserted else { continue }
            if let last = requests.last, last.count < queriesPerRequest, fits(last + [query], limit) {
                requests[requests.count - 1].append(query)
            } else {
                requests.append([query])
            }
        }
        return requests
    }

    private func fits(_ group: [WordQuery], _ limit: Int) -> Bool {
        groupURL(group, limit).absoluteString.utf8.count <= Self.longestURL
    }

    /// Sends one request, or one per query if Open Library refuses the group or does not finish it.
    private func records(of group: [WordQuery], _ limit: Int) async throws(ServiceFailure) -> [BookRecord] {
        let covers = covers
        let read: RecordReader = { Self.readList($0, covers: covers) }
        let isGroup = group.count > 1
        let refusal: ServiceFailure
        do throws(ServiceFailure) {
            let records = try await answer(
                at: groupURL(group, limit), isFinal: { isGroup && $0.isWorthDividing }, read)
            if isGroup { groups.succeeded() }
            return records
        } catch {
            guard isGroup, error.isWorthDividing, !Task.isCancelled else { throw error }
            refusal = error
        }
        var lists: [[BookRecord]] = []
        for query in group { lists.append(try await answer(at: groupURL([query], limit), read)) }
        // Its parts are answered, so the group was the reason.
        groups.refused(refusal)
        return lists.interleaved
    }

    private func groupURL(_ group: [WordQuery], _ limit: Int) -> URL {
        searchURL(URLQueryItem(name: "q", value: OpenLibraryQuery.any(of: group)), limit * group.count)
    }

    private func searchURL(_ item: URLQueryItem, _ limit: Int) -> URL {
        base.appending(path: "search.json").appending(queryItems: [
            item,
            URLQueryItem(
                name: "fields",
                value: "key,title,subtitle,author_name,first_publish_year,isbn,cover_i,publisher,language,"
                    + "number_of_pages_median"),
            URLQueryItem(name: "limit", value: String(limit)),
        ])
    }

    func lookUp(_ isbn: ISBN) async throws(UnavailableSource) -> [BookRecord] {
        let url = base.appending(path: "api/books").appending(queryItems: [
            URLQueryItem(name: "bibkeys", value: Self.bibkey(isbn)), URLQueryItem(name: "jscmd", value: "data"),
            URLQueryItem(name: "format", value: "json"),
        ])
        return try await records(at: url) { Self.readBook($0, isbn) }
    }

    /// Reads an answer to a search.
    ///
    /// - Parameter covers: the address of the server of covers.
    static func readList(_ body: Data, covers: URL) -> [BookRecord?]? {
        ProviderAnswer.decode(SearchResult.self, body).map { result in
            result.docs.map { $0.value.flatMap { record($0, covers: covers) } }
        }
    }

    /// Reads an answer to a lookup.
    static func readBook(_ body: Data, _ isbn: ISBN) -> [BookRecord?]? {
        ProviderAnswer.decode([String: Book].self, body).map { books in
            books[bibkey(isbn)].map { [record($0, isbn)] } ?? []
        }
    }

    private static func bibkey(_ isbn: ISBN) -> String { "ISBN:\(isbn.isbn13)" }

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
        var docs: [Lenient<Work>]
    }

    private static func record(_ work: SearchResult.Work, covers: URL) -> BookRecord? {
        guard let title = work.title, !title.isEmpty else { return nil }
        let id = work.key.split(separator: "/").last.map(String.init) ?? work.key
        var record = BookRecord(
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

    private static func record(_ book: Book, _ isbn: ISBN) -> BookRecord? {
        guard let title = book.title, !title.isEmpty else { return nil }
        let id = book.key?.split(separator: "/").last.map(String.init) ?? isbn.isbn13
        return BookRecord(
            id: id, title: title, subtitle: book.subtitle, authors: book.authors?.map(\.name) ?? [], isbn: isbn.isbn13,
            publisher: book.publishers?.first?.name, year: book.publish_date.flatMap(Year.first),
            pages: book.number_of_pages,
            coverURL: (book.cover?.large ?? book.cover?.medium).flatMap(ProviderAnswer.secureURL),
            source: name.rawValue)
    }
}

/// Whether Open Library answers requests with several queries.
private final class QueryGroups: Sendable {
    private let refusals = Mutex(0)
    /// One failure may be brief, after which one request per query would be a waste.
    private static let enough = 2

    var areRefused: Bool { refusals.withLock { $0 >= Self.enough } }

    func succeeded() { refusals.withLock { $0 = 0 } }

    /// Remembers that a group was refused, but its queries were answered.
    func refused(_ failure: ServiceFailure) {
        let mayBeBrief =
            switch failure.reason {
            case .timeout, .status(500, _): true
            default: false
            }
        refusals.withLock { $0 += mayBeBrief ? 1 : Self.enough }
    }
}

/// The query language of Open Library's parameter `q` (Lucene syntax, parsed by Solr's edismax with `q.op=AND`).
enum OpenLibraryQuery {
    /// Returns a query for records that match any of these; their words are folded, so nothing has to be escaped.
    static func any(of queries: [WordQuery]) -> String {
        let clauses = queries.map(clause)
        return clauses.count == 1 ? clauses[0] : clauses.map { "(\($0))" }.joined(separator: " OR ")
    }

    private static func clause(_ query: WordQuery) -> String {
        [("title:", query.title), ("author:", query.author), ("", query.anywhere)].filter { !$0.1.isEmpty }
            .map { "\($0.0)(\($0.1.joined(separator: " ")))" }.joined(separator: " AND ")
    }

    /// Returns text that a user typed without the characters and words that are operators.
    static func plain(_ text: String) -> String {
        text.parts(betweenScalars: { $0.properties.isWhitespace || #"+-&|!(){}[]^"~*?:\/"#.unicodeScalars.contains($0) }
        )
        .map { ["AND", "OR", "NOT"].contains($0) ? $0.lowercased() : $0 }.joined(separator: " ")
    }
}
