import Catalog
import Foundation
import Library
import Lookup

/// Catalog and providers as a command asks them.
struct CatalogSession {
    let lookup: BookLookup
    let online: OnlineCatalogs

    /// - Parameter offline: leaves the providers out, whatever is turned on.
    /// - Throws: `CatalogError`, `ProviderChoiceError`, `ValidationError` for a setting that makes no sense.
    init(_ options: LibraryOptions, offline: Bool = false) async throws {
        let folder = options.folder.url
        let environment = ProcessInfo.processInfo.environment
        let online = try OnlineCatalogs(
            data: folder, configuration: try await .ofEnvironment(environment), version: Shelflist.currentVersion,
            onRateFailure: { StandardStream.warn($0) })
        let catalog = CatalogFile(folder.appending(path: "catalog.sqlite"))
        // A catalog that cannot be opened is reported before any work starts.
        _ = try catalog.catalog()
        self.online = online
        lookup = BookLookup(
            catalog: CatalogSource(catalog, online: offline ? nil : online), online: offline ? nil : online)
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
    _ options: LibraryOptions, offline: Bool = false, _ work: (CatalogSession) async throws -> Result
) async throws -> Result {
    let catalogs = try await CatalogSession(options, offline: offline)
    do {
        let result = try await work(catalogs)
        await catalogs.online.close()
        return result
    } catch {
        await catalogs.online.close()
        throw error
    }
}
