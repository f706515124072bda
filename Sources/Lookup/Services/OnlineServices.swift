package import Concurrency
package import Foundation
package import Providers
package import ShelflistAPI
package import Storage
import Synchronization

/// The providers of records and the models that read photos, as configured and set.
///
/// Settings can be changed while the services are in use.
package final class OnlineServices: Sendable {
    package typealias Maker =
        @Sendable (ProviderName, ServiceSettings, HTTPTransport, AnswerCache?) -> any BookProvider

    private struct State {
        var choice: ServiceChoice
        var providers: [any BookProvider]
        var models: [ModelProvider: ModelClient]

        init(_ clients: ServiceClients, _ choice: ServiceChoice) {
            self.choice = choice
            providers = choice.usableProviders.map { clients.provider($0, choice) }
            models = Dictionary(uniqueKeysWithValues: ModelProvider.allCases.map { ($0, clients.model($0, choice)) })
        }
    }

    private let state: Mutex<State>
    /// Held while a change is written, so that requests, which read the state, do not wait for the disk.
    private let changing = Mutex(())
    private let file: JSONFile<StoredServices>
    private let clients: ServiceClients
    private let covers: CoverStore
    private let openLibraryCovers: URL
    package var clock: any WallClock { clients.clock }
    /// The HTTP client of all services, open until `close`.
    package var transport: HTTPTransport { clients.transport }
    /// The name and contact address that services receive.
    package var userAgent: String { clients.userAgent }

    /// - Parameters:
    ///   - data: the data directory, for `services.json` and the caches.
    ///   - version: the program's version, for the User-Agent.
    ///   - covers: the base URL of Open Library's covers; tests pass a stub's address and `coverHosts`.
    ///   - modelPolicy: the limits of requests to models; the configuration's `readerTimeout` replaces its time limit.
    ///   - onCacheFailure: receives a sentence for each cache entry that cannot be stored or read.
    ///   - onRateFailure: receives a sentence for each service whose rate limit cannot be shared with other processes;
    ///     nil for `onCacheFailure`.
    ///   - onDamage: see `ServiceChoice`.
    ///   - make: creates a provider; tests pass one that uses a stub.
    /// - Throws: `StorageError`.
    package init(
        data: URL, configuration: ServiceConfiguration = ServiceConfiguration(), version: String,
        coverHosts: CoverHosts = .known, covers: URL? = nil, clock: any WallClock = SystemClock(),
        modelPolicy: ServicePolicy = .model, onCacheFailure: @escaping @Sendable (String) -> Void = { _ in },
        onRateFailure: (@Sendable (String) -> Void)? = nil, onDamage: ((StorageError) -> Void)? = nil,
        make: @escaping Maker = { $0.provider($1, transport: $2, cache: $3) }
    ) throws {
        // This may throw, so it precedes the transport, which would have to be closed.
        let choice = try ServiceChoice(data: data, configuration: configuration, onDamage: onDamage)
        let folder = data.appending(path: "cache", directoryHint: .isDirectory)
        let clients = ServiceClients(
            transport: HTTPTransport(clock: clock),
            userAgent: ServiceSettings.userAgent(version: version, contact: configuration.contact), clock: clock,
            rates: RateFolder(
                folder.appending(path: "rates", directoryHint: .isDirectory),
                onFailure: onRateFailure ?? onCacheFailure),
            answers: AnswerCache(folder: folder.appending(path: "answers"), onFailure: onCacheFailure),
            modelAnswers: AnswerCache(folder: folder.appending(path: "models"), onFailure: onCacheFailure),
            modelPolicy: modelPolicy, make: make)
        self.clients = clients
        self.covers = CoverStore(
            folder: folder.appending(path: "covers"), transport: clients.transport, userAgent: clients.userAgent,
            hosts: coverHosts)
        openLibraryCovers = covers ?? ServiceSettings.url("https://covers.openlibrary.org")
        file = StoredServices.file(in: data)
        state = Mutex(State(clients, choice))
    }

    package var choice: ServiceChoice { state.withLock(\.choice) }

    /// Changes the settings and stores them in `services.json`.
    ///
    /// - Throws: `ServiceProblem`, `StorageError`; nothing is changed then.
    package func change(_ change: ServicesChange) throws {
        guard !change.isEmpty else { return }
        try changing.withLock { _ in
            let old = state.withLock { $0 }
            var choice = old.choice
            let lock = try file.lock()
            defer { withExtendedLifetime(lock) {} }
            // The command line may have changed it while the server runs.
            choice.stored = try file.load() ?? StoredServices()
            try choice.apply(change)
            try file.save(choice.stored)
            var new = State(clients, choice)
            // A service whose settings stay keeps its circuit, and a model its pauses; providers share theirs in files.
            for (index, provider) in new.providers.enumerated()
            where old.choice.stored[provider.name] == choice.stored[provider.name] {
                new.providers[index] = old.providers.first { $0.name == provider.name } ?? provider
            }
            for (model, client) in old.models where old.choice.stored[model] == choice.stored[model] {
                new.models[model] = client
            }
            state.withLock { [new] in $0 = new }
        }
    }

    // MARK: Providers

    /// The enabled providers.
    package var providers: [any BookProvider] { state.withLock(\.providers) }

    package func providerReports() async -> [ServiceReport] {
        let (choice, providers) = state.withLock { ($0.choice, $0.providers) }
        var reports: [ServiceReport] = []
        for name in ProviderName.allCases {
            let (isOn, lacksKey) = (choice.isOn(name), choice.lacksKey(name))
            var report = ServiceReport(
                id: name.rawValue, name: name.title, hasKey: choice.key(of: name) != nil, needsKey: name.needsKey,
                isOn: isOn, state: !isOn ? .off : lacksKey ? .keyNeeded : .ready)
            if let provider = providers.first(where: { $0.name == name }) {
                switch await provider.condition() {
                case .working: break
                case .resting(let until), .busy(let until): (report.state, report.retryAt) = (.resting, until)
                case .refusing: report.state = .keyNeeded
                }
                report.refusals = await provider.refusals()
            }
            reports.append(report)
        }
        return reports
    }

    /// Sends one request to each enabled provider, past the cache and without retries.
    ///
    /// Providers that need a key and have none are left out.
    package func probe() async -> [ProviderProbe] {
        let choice = choice
        var probes: [ProviderProbe] = []
        for name in choice.usableProviders {
            let provider = clients.provider(name, choice, isProbe: true)
            let start = clock.now
            let outcome: Result<Int, UnavailableSource>
            do throws(UnavailableSource) {
                outcome = .success(try await provider.search([ProviderProbe.query], limit: 1).count)
            } catch {
                outcome = .failure(error)
            }
            probes.append(
                ProviderProbe(
                    name: name, outcome: outcome, seconds: clock.now.timeIntervalSince(start),
                    refusals: await provider.refusals()))
        }
        return probes
    }

    // MARK: Models

    /// Whether a model is asked about a photo.
    package enum ModelAccess: Sendable {
        /// Only this machine reads.
        case local
        /// - Parameter sendsPhoto: whether the whole photo is sent; otherwise only cut-out spines.
        case model(ModelClient, sendsPhoto: Bool)
        /// A model was chosen that cannot be asked.
        case blocked(ModelProvider, ServiceProblem)
    }

    /// - Parameter mode: nil for the setting.
    package func modelAccess(for mode: ReaderMode?) -> ModelAccess {
        let (choice, models) = state.withLock { ($0.choice, $0.models) }
        guard let name = choice.model(for: mode), let client = models[name] else { return .local }
        if let problem = choice.problem(of: name) { return .blocked(name, problem) }
        return .model(client, sendsPhoto: (mode ?? choice.reader) != .assist)
    }

    /// Returns a client that neither repeats requests nor keeps answers, for a picture that shows nothing of the user's.
    ///
    /// - Throws: `ServiceProblem.keyNeeded`.
    package func probe(_ model: ModelProvider) throws(ServiceProblem) -> ModelClient {
        let choice = choice
        if case .keyNeeded(let model)? = choice.problem(of: model) { throw .keyNeeded(model) }
        return clients.model(model, choice, isProbe: true)
    }

    // MARK: Covers

    /// Returns whether a cover may be fetched from this address: a known host of an enabled provider.
    package func fetchesCover(at url: URL) -> Bool {
        let choice = choice
        return covers.allows(url)
            && (CoverHosts.provider(of: url).map(choice.isOn) ?? ProviderName.allCases.contains(where: choice.isOn))
    }

    /// Returns the bytes of a cover; nil if the provider has none.
    ///
    /// - Throws: `CoverError`.
    package func cover(at url: URL) async throws(CoverError) -> [UInt8]? {
        guard fetchesCover(at: url) else { throw .forbidden(host: url.host() ?? "") }
        return try await covers.picture(at: url)
    }

    /// Returns the URL of Open Library's cover with this number, which records of the local catalog contain too; nil
    /// while Open Library is disabled.
    package func cover(ofNumber number: Int?) -> URL? {
        guard let number, number > 0, choice.isOn(.openLibrary) else { return nil }
        return coverURL(named: "openlibrary-\(number)")
    }

    /// Returns the URL of a named cover; see `CoverName`.
    package func coverURL(named name: String) -> URL? { CoverName.address(of: name, openLibrary: openLibraryCovers) }

    /// Closes all connections; later requests fail.
    package func close() async { await transport.close() }
}
