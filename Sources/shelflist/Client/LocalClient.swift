import Catalog
import Foundation
import Library
import Lookup
import Reading
import Server
import ShelflistClient
import Terminal

/// Runs `work` with a client of the library in a folder, and waits for the covers and look-ups that it started.
func withLocalClient<Result>(
    of folder: LibraryFolder, _ work: (ShelflistClient) async throws -> Result
) async throws -> Result {
    let library = try LibraryStore(folder: folder)
    // Without its settings of providers, the library can be used nevertheless.
    return try await OnlineServices.with(
        data: folder.url, onDamage: { StandardStream.warn("\($0) Books are not looked up online until then.") }
    ) { online in
        let catalog = CatalogFile(folder.url.appending(path: "catalog.sqlite"))
        let router = LibraryRouter(
            library: library, lookup: BookLookup(catalog: CatalogSource(catalog, online: online), online: online),
            online: online,
            reports: .init(
                onFailure: { StandardStream.warn($0) },
                onProgress: { done, all in
                    if done < all { ProgressBar.show(done, of: all, label: "looking up") } else { ProgressBar.clear() }
                }, describe: Failure.message)
        ) { spine in
            // The models are loaded for the few commands that need them.
            let installation = try Installation.locate()
            let records = CatalogFiles.localRecords(in: folder.url, library: library, of: installation)
            return try await PhotoScanner(
                installation: installation, cache: installation.cache(for: folder.url), catalog: records.snapshot
            ).reread(spine)
        }
        let result = try await work(localClient(of: router))
        await router.finish()
        return result
    }
}

private func localClient(of router: LibraryRouter) -> ShelflistClient {
    var environment = ClientEnvironment()
    environment.transport = LocalTransport(router: router)
    // What fails here would fail again, and what takes long is not lost.
    environment.limits.attempts = 1
    environment.limits.idle = .seconds(24 * 3600)
    return ShelflistClient(
        address: URL(string: "http://localhost") ?? URL(filePath: "/"), token: nil, options: ClientOptions(),
        environment: environment)
}
