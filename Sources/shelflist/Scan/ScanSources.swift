import Bibliography
import Foundation
import Lookup
import Providers
import Scanning

/// The records that the photos of one command are checked against.
struct ScanSources: Sendable {
    let records: @Sendable () throws -> CatalogSnapshot?
    /// Nil where no provider is asked.
    private(set) var online: (any PhotoIdentifying)?
    private var catalogs: OnlineCatalogs?
    /// The data directory with its records; nil for catalogs that were named.
    private let local: (data: URL, records: LocalRecords)?

    /// Uses the named catalog or lists only.
    ///
    /// - Throws: the errors of `CatalogFiles.search`.
    init(named paths: [String]) throws {
        let named = try CatalogFiles.search(named: paths)
        records = { named.snapshot }
        local = nil
    }

    /// Uses the records of the data directory.
    init(data: URL, starterList: URL) {
        let local = CatalogFiles.localRecords(in: data, starterList: starterList)
        records = local.snapshot
        self.local = (data, local)
    }

    /// Lets the enabled providers be asked too.
    ///
    /// - Parameter provider: is asked if none is enabled; nil for none.
    /// - Throws: `OwnerFileError`, `ValidationError` for a setting that makes no sense.
    mutating func openProviders(otherwise provider: ProviderName? = nil) async throws {
        guard let local else { return }
        var configuration = try await ProviderConfiguration.ofEnvironment()
        if try OnlineCatalogs.choice(data: local.data, configuration: configuration).usable.isEmpty {
            guard let provider else { return }
            configuration.isOn = [provider]
        }
        let catalogs = try OnlineCatalogs(
            data: local.data, configuration: configuration, version: Shelflist.currentVersion)
        self.catalogs = catalogs
        online = OnlineIdentification(online: catalogs, received: local.records.received)
    }

    func close() async { await catalogs?.close() }
}
