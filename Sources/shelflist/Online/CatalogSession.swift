import Catalog
import Foundation
import Library
import Lookup
import Terminal

/// Catalog and providers as a command asks them.
struct CatalogSession {
    let lookup: BookLookup
    let online: OnlineServices

    /// - Parameter offline: leaves the providers out, whatever is turned on.
    /// - Throws: `CatalogError`.
    init(data: URL, _ online: OnlineServices, offline: Bool) throws {
        let catalog = CatalogFile(data.appending(path: "catalog.sqlite"))
        // A catalog that cannot be opened is reported before any work starts.
        _ = try catalog.catalog()
        self.online = online
        let asked = offline ? nil : online
        lookup = BookLookup(catalog: CatalogSource(catalog, online: asked), online: asked)
    }

    /// - Throws: `LibraryError.notPossible` where no source is available.
    func sources() throws -> [any RecordSource] {
        let sources = lookup.sources
        guard !sources.isEmpty else {
            throw LibraryError.notPossible(
                "There is nothing to search. Make a catalog: shelflist catalog import FILE... Or turn a provider on: "
                    + "shelflist providers on openlibrary")
        }
        return sources
    }

    /// Fetches covers for the library; failures are reported on standard error only.
    func covers(for library: LibraryStore) -> CoverQueue {
        CoverQueue(online: online, library: library) { StandardStream.warn($0) }
    }
}

/// Works with catalog and providers, and closes the connections afterwards.
func withCatalogs<Result>(
    _ folder: LibraryFolder, offline: Bool = false, _ work: (CatalogSession) async throws -> Result
) async throws -> Result {
    try await OnlineServices.with(data: folder.url) { online in
        try await work(try CatalogSession(data: folder.url, online, offline: offline))
    }
}
