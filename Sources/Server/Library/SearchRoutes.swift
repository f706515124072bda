import Bibliography
import Foundation
import Hummingbird
import Library
import Lookup
import Providers
import ShelflistAPI

/// The routes for searching catalogs and providers.
struct SearchRoutes: Sendable {
    let lookup: BookLookup
    let library: LibraryStore

    private var sources: [any RecordSource] { lookup.sources }

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/search", needs: .viewer, costs: .light, search)
        table.add(.get, "api/v1/search/advanced", needs: .viewer, costs: .light) { request, _ in
            let query = Query(request)
            let (places, limit) = (try places(query), try query.limit())
            let found = await find(try AdvancedSearch(query), in: places.sources)
            return try await message(found, off: places.off, limit: limit)
        }
    }

    /// Adds the disabled sources, and names the books that the library has.
    ///
    /// - Parameters:
    ///   - off: the names of disabled sources.
    ///   - limit: the maximum number of items.
    private func message(_ results: SearchResults, off: [String], limit: Int) async throws -> SearchResults {
        var results = results
        results.items = Array(results.items.prefix(limit))
        results.sources += off.map { .init(source: $0, state: "off", count: 0) }
        let owned = try await library.owned(results.items.map { BookDetails($0.record) })
        for index in results.items.indices {
            results.items[index].record = results.items[index].record.served
            results.items[index].inLibrary = owned[index].map { "\($0)" }
        }
        return results
    }

    /// Returns the sources to search, and the names of disabled ones.
    private func places(_ query: Query) throws -> (sources: [any RecordSource], off: [String]) {
        let off = ProviderName.allCases.map(\.rawValue).filter { name in !sources.contains { $0.name == name } }
        return switch try query.choice("in", SearchSources.self) ?? .all {
        case .all: (sources, off)
        case .local: (sources.filter { $0.isLocal }, [])
        case .providers: (sources.filter { !$0.isLocal }, off)
        }
    }

    private func search(_ request: Request, _ context: AppContext) async throws -> SearchResults {
        let query = Query(request)
        guard let text = try query.text("q"), !text.trimmingCharacters(in: .whitespaces).isEmpty else {
            throw Problem.invalidField("q", "The query has no search text. Send it as ?q=…", status: 400)
        }
        let scope: SearchScope = try query.choice("scope") ?? .all
        let (places, limit) = (try places(query), try query.limit())
        let results = await CombinedSearch(places.sources, clock: lookup.clock).results(
            for: text, in: scope, limit: min(limit, 100))
        return try await message(results, off: places.off, limit: limit)
    }

    private func find(_ search: AdvancedSearch, in sources: [any RecordSource]) async -> SearchResults {
        await CombinedSearch(sources, clock: lookup.clock).results(
            for: search.text, in: search.scope, limit: 100, where: search.accepts)
    }

    /// Searches all sources.
    func records(_ search: AdvancedSearch, limit: Int) async -> [BookRecord] {
        await find(search, in: sources).items.prefix(limit).map(\.record)
    }
}

/// A search by fields: searches for the most specific field and filters the results by the others.
struct AdvancedSearch {
    let text: String
    let scope: SearchScope
    private let author: String?

    init(_ query: Query) throws {
        func field(_ name: String, maxLength: Int = 500) throws -> String? {
            try query.text(name, maxLength: maxLength).map { $0.trimmingCharacters(in: .whitespaces) }.flatMap {
                $0.isEmpty ? nil : $0
            }
        }
        let (isbn, title, author) = (try field("isbn", maxLength: 20), try field("title"), try field("author"))
        if let isbn {
            (text, scope, self.author) = (isbn, .isbn, nil)
        } else if let title {
            (text, scope, self.author) = (title, .title, author)
        } else if let author {
            (text, scope, self.author) = (author, .author, nil)
        } else {
            throw Problem.badRequest("The query is empty. Send a title, an author or an ISBN.", field: "title")
        }
    }

    /// - Parameter field: the parameter with the text, also named `q`.
    init(_ query: Query, field: String, in scope: SearchScope) throws {
        let text = try query.text(field) ?? query.text("q") ?? ""
        guard !text.trimmingCharacters(in: .whitespaces).isEmpty else {
            throw Problem.badRequest("The query has no search text. Send it as ?q=…", field: "q")
        }
        (self.text, self.scope, author) = (text, scope, nil)
    }

    /// Whether the record's authors contain one of the words of the author.
    func accepts(_ record: BookRecord) -> Bool {
        guard let author else { return true }
        let wanted = Set(TextNormalisation.words(author).filter { $0.count > 1 })
        return wanted.isEmpty || !wanted.isDisjoint(with: record.authors.flatMap(TextNormalisation.words))
    }
}
