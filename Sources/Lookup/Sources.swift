import Bibliography
package import Catalog
import Concurrency
import Dispatch
package import Library
import Providers
import Scanning

/// The local catalog as a source of records to choose from.
package struct CatalogSource: MatchSource {
    package let name = "local"
    package let title = "The catalog"
    private let file: CatalogFile
    private let online: OnlineCatalogs?

    /// - Parameter online: knows where the covers are.
    package init(_ file: CatalogFile, online: OnlineCatalogs? = nil) { (self.file, self.online) = (file, online) }

    /// Whether there is a catalog at the moment; one that cannot be searched says so when it is asked.
    var isThere: Bool { file.isThere }

    package func records(for text: String, in scope: MatchScope, limit: Int) async throws -> [FoundRecord] {
        try await withTaskExecutorPreference(BlockingExecutor.interactive) {
            try file.catalog()?.search(text, scope: SearchScope(scope), limit: limit).map {
                FoundRecord(record: $0, coverURL: online?.cover(ofNumber: $0.cover))
            } ?? []
        }
    }
}

/// A provider as a source of records to choose from.
struct ProviderSource: MatchSource {
    let provider: any BookProvider
    var name: String { provider.name.rawValue }
    var title: String { provider.name.title }

    func records(for text: String, in scope: MatchScope, limit: Int) async throws -> [FoundRecord] {
        try await provider.search(text, scope: SearchScope(scope), limit: min(max(1, limit), 40)).found()
    }
}

extension ProviderAnswer {
    /// - Throws: `SourceFailure` for an outage.
    func found() throws -> [FoundRecord] {
        switch self {
        case .found(let records): records.map { FoundRecord(record: $0.record, coverURL: $0.coverURL) }
        case .notFound: []
        case .down(let outage):
            throw SourceFailure(
                source: outage.provider.rawValue, message: outage.description, retryAt: outage.retryAt)
        }
    }
}

extension SearchScope {
    init(_ scope: MatchScope) {
        self =
            switch scope {
            case .all: .all
            case .title: .title
            case .author: .author
            case .isbn: .isbn
            }
    }
}
