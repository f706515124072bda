import Bibliography
import Hummingbird
import Lookup

/// The routes by which BooksTracker searches for books.
struct BookshelfSearch: Sendable {
    let search: SearchRoutes

    func add(to table: inout RouteTable) {
        // The app of October 2025 has no prefix, that of November has `v1`.
        for prefix in ["", "v1/"] {
            table.add(.get, "\(prefix)search/advanced", needs: .app) { request, _ in
                let query = Query(request)
                return try await answer(AdvancedSearch(query), query)
            }
            for (name, scope) in [("title", .title), ("author", .author), ("isbn", .isbn)] as [(String, SearchScope)] {
                table.add(.get, "\(prefix)search/\(name)", needs: .app) { request, _ in
                    let query = Query(request)
                    return try await answer(AdvancedSearch(query, field: name, in: scope), query)
                }
            }
        }
    }

    private func answer(_ wanted: AdvancedSearch, _ query: Query) async throws -> BookshelfSearchAnswer {
        let limit = try query.integer("maxResults", in: 1...100) ?? 20
        return BookshelfSearchAnswer(await search.records(wanted, limit: limit))
    }
}

/// Search results in both formats of the app: `items` for October 2025, `data` for November.
private struct BookshelfSearchAnswer: ResponseEncodable {
    struct Books: Encodable {
        /// The edition of each work has the same index.
        var works: [BookshelfWork]
        var editions: [BookshelfEdition]
        var authors: [BookshelfAuthor]
        var resultCount: Int
        var totalResults: Int
    }

    struct Item: Encodable {
        struct Volume: Encodable {
            var title: String
            var subtitle: String?
            var authors: [String]
            var publisher: String?
            var publishedDate: String?
            var industryIdentifiers: [Identifier]
            var pageCount: Int?
            var categories: [String] = []
            var imageLinks: Images?
            var language: String?
        }

        struct Identifier: Encodable {
            var type: String
            var identifier: String
        }

        struct Images: Encodable {
            var thumbnail: String
            var smallThumbnail: String
        }

        var kind = "books#volume"
        var volumeInfo: Volume
    }

    var success = true
    var data: Books
    var metadata = Envelope<Books>.Metadata()
    var items: [Item]
    var totalItems: Int
    /// Says that an item's identifier is not one of Google Books.
    var format = "enhanced_work_edition_v1"
    var provider = "shelflist"
    var cached = false

    init(_ records: [BookRecord]) {
        var names: [String] = []
        for name in records.flatMap(\.authors) where !names.contains(name) { names.append(name) }
        data = Books(
            works: records.map { BookshelfWork($0, reviewStatus: ReviewStatus.verified.rawValue) },
            editions: records.map(BookshelfEdition.init), authors: names.map { BookshelfAuthor(name: $0) },
            resultCount: records.count, totalResults: records.count)
        items = records.map { record in
            let cover = BookshelfEdition.cover(of: record)
            return Item(
                volumeInfo: .init(
                    title: record.title, subtitle: record.subtitle, authors: record.authors,
                    publisher: record.publisher, publishedDate: record.year.map(String.init),
                    industryIdentifiers: record.isbn.map { [.init(type: "ISBN_\($0.count)", identifier: $0)] } ?? [],
                    pageCount: record.pages, imageLinks: cover.map { .init(thumbnail: $0, smallThumbnail: $0) },
                    language: record.language))
        }
        totalItems = records.count
    }
}
