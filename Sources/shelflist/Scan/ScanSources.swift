import Bibliography
import Foundation
import Library
import Lookup
import Providers
import Reading
import Scans
import ShelflistAPI

/// The records that the photos of one command are checked against.
struct ScanSources: Sendable {
    let records: @Sendable () throws -> CatalogSnapshot?
    /// The copies that a photo of a shelf is expected to show; none beside catalogs that were named.
    let expected: ExpectedRecords
    /// Nil where neither a provider nor a model is asked.
    private(set) var online: (any PhotoIdentifying)?
    /// Nil before providers and models are opened.
    private(set) var identification: ModelIdentification?
    private var services: OnlineServices?
    /// The data directory with its settings.
    private let data: URL
    /// Nil for catalogs that were named.
    private let local: LocalRecords?

    /// Uses the named catalog or lists only.
    ///
    /// - Throws: the errors of `CatalogFiles.search`.
    init(named paths: [String], data: URL) throws {
        let named = try CatalogFiles.search(named: paths)
        records = { named.snapshot }
        expected = { _ in [] }
        (self.data, local) = (data, nil)
    }

    /// Uses the records of the data directory.
    ///
    /// - Parameter library: that of the directory; nil if there is none.
    init(data: URL, library: LibraryStore?, installation: Installation) {
        let local = CatalogFiles.localRecords(in: data, library: library, of: installation)
        records = local.snapshot
        expected = local.expected
        (self.data, self.local) = (data, local)
    }

    /// Which providers are asked about the books of a photo.
    enum Providers {
        case none
        case enabled
        /// The enabled ones; this one if none is.
        case enabledOr(ProviderName)
    }

    /// Lets providers be asked too, and the model of a reader mode.
    ///
    /// - Parameters:
    ///   - mode: nil for the setting.
    ///   - font: of the numbers on pictures for models.
    /// - Throws: `StorageError`, `ValidationError` for a setting that makes no sense.
    mutating func open(_ providers: Providers, reader mode: ReaderMode?, font: URL) async throws {
        var configuration = try await ServiceConfiguration.ofEnvironment()
        let choice = try ServiceChoice(data: data, configuration: configuration)
        let none = choice.usableProviders.isEmpty
        if none, case .enabledOr(let provider) = providers { configuration.providers = [provider] }
        if case .none = providers { configuration.providers = [] }
        let asksProviders = configuration.providers.map { !$0.isEmpty } ?? !none
        guard (mode ?? choice.reader) != .local || asksProviders else { return }
        let services = try OnlineServices(data: data, configuration: configuration, version: Shelflist.currentVersion)
        self.services = services
        let identification = ModelIdentification(
            services: services, providers: local.map { OnlineIdentification(online: services, received: $0.received) },
            font: font)
        self.identification = identification
        online = identification.isOff(for: mode) ? nil : identification
    }

    func close() async { await services?.close() }
}
