package import Bibliography
package import Catalog
import Dispatch
import Foundation
import Hummingbird
import HummingbirdCore
package import Library
import Scanning
import WireProtocol

/// Searching the catalogs by hand.
struct SearchRoutes: Sendable {
    let sources: [any MatchSource]

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/search", needs: .viewer, costs: .light, search)
        table.add(.get, "api/v1/search/advanced", needs: .viewer, costs: .light, advanced)
    }

    private enum Place: String, CaseIterable { case local, providers, all }

    private func sources(_ query: Query) throws -> [any MatchSource] {
        switch try query.choice("in", Place.self) ?? .all {
        case .all: sources
        case .local: sources.filter { $0.name == "local" }
        case .providers: sources.filter { $0.name != "local" }
        }
    }

    @Sendable private func search(_ request: Request, _ context: AppContext) async throws -> Response {
        let query = Query(request)
        guard let text = try query.text("q"), !text.trimmingCharacters(in: .whitespaces).isEmpty else {
            throw Problem.invalidField("q", "Say what to search for: ?q=…", status: 400)
        }
        let scope: MatchScope = try query.choice("scope") ?? .all
        return try await answer(text, scope, sources(query), limit: try query.limit())
    }

    @Sendable private func advanced(_ request: Request, _ context: AppContext) async throws -> Response {
        let query = Query(request)
        return try await answer(AdvancedSearch(query), sources(query), limit: try query.limit())
    }

    private func answer(
        _ text: String, _ scope: MatchScope, _ sources: [any MatchSource], limit: Int
    ) async throws -> Response {
        let results = await MatchSearch(sources).results(for: text, in: scope, limit: min(limit, 100))
        return try .json(SearchMessage(results, sources: sources, limit: limit))
    }

    private func answer(_ search: AdvancedSearch, _ sources: [any MatchSource], limit: Int) async throws -> Response {
        try .json(await find(search, in: sources, limit: limit))
    }

    func find(_ search: AdvancedSearch, in places: [any MatchSource]? = nil, limit: Int = 20) async -> SearchMessage {
        let sources = places ?? sources
        var results = await MatchSearch(sources).results(for: search.text, in: search.scope, limit: 100)
        results.offers = results.offers.filter { search.accepts($0.record) }
        return SearchMessage(results, sources: sources, limit: limit)
    }
}

/// A search by fields: the most telling field is searched for, the others sift what was found.
struct AdvancedSearch {
    let text: String
    let scope: MatchScope
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
            throw Problem.badRequest("Name a title, an author or an ISBN.", field: "title")
        }
    }

    /// Whether one of the author's words is in the record's authors.
    func accepts(_ record: Record) -> Bool {
        guard let author else { return true }
        let wanted = Set(TextNormalisation.words(author).filter { $0.count > 1 })
        return wanted.isEmpty || !wanted.isDisjoint(with: record.authors.flatMap(TextNormalisation.words))
    }
}

struct SearchMessage: Encodable {
    struct Source: Encodable {
        var source: String
        var state: String
        var message: String?
        var count: Int
    }

    var items: [RecordMessage]
    var sources: [Source]

    init(_ results: MatchResults, sources: [any MatchSource], limit: Int) {
        items = results.offers.prefix(limit).map { RecordMessage($0.record, sources: $0.sources) }
        self.sources = sources.map { source in
            let failure = results.failures[source.name]
            return Source(
                source: source.name, state: failure == nil ? "ok" : "degraded", message: failure,
                count: results.offers.count { $0.sources.contains(source.name) })
        }
    }
}

/// The local catalog as a source of records to choose from.
package struct CatalogSource: MatchSource {
    package let name = "local"
    private let catalog: Catalog
    private let executor = BlockingExecutor(label: "shelflist.catalog", qos: .userInitiated)

    package init(catalog: Catalog) { self.catalog = catalog }

    package func records(for text: String, in scope: MatchScope, limit: Int) async throws -> [Record] {
        let place: SearchScope =
            switch scope {
            case .all: .all
            case .title: .title
            case .author: .author
            case .isbn: .isbn
            }
        return try await withTaskExecutorPreference(executor) {
            try catalog.search(text, scope: place, limit: limit)
        }
    }
}
