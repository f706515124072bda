package import Concurrency
package import Foundation
package import Providers
import ShelflistAPI
import Synchronization

/// The enabled providers.
///
/// Providers can be enabled and disabled while they are in use.
package final class OnlineCatalogs: Sendable {
    package typealias Maker =
        @Sendable (ProviderName, ProviderSettings, HTTPTransport, AnswerCache?) -> any BookProvider

    private struct State {
        var choice: ProviderChoice
        var providers: [any BookProvider]
    }

    private let state: Mutex<State>
    package let clock: any WallClock
    private let configuration: ProviderConfiguration
    private let file: OwnerFile<StoredProviders>
    /// The HTTP client of all providers, open until `close`.
    package let transport: HTTPTransport
    private let covers: CoverStore
    private let openLibraryCovers: URL
    /// Creates the providers that are asked; for a probe without cache and retries.
    private let makeProviders: @Sendable (ProviderChoice, _ isProbe: Bool) -> [any BookProvider]
    /// The name and contact address that providers receive.
    package let userAgent: String

    /// - Parameters:
    ///   - data: the data directory, for `providers.json` and the caches.
    ///   - version: the program's version, for the User-Agent.
    ///   - covers: the base URL of Open Library's covers; tests pass a stub's address and `coverHosts`.
    ///   - onCacheFailure: receives a sentence for each cache entry that cannot be stored or read.
    ///   - onRateFailure: receives a sentence for each provider whose rate limit cannot be shared with other processes;
    ///     nil for `onCacheFailure`.
    ///   - make: creates a provider; tests pass one that uses a stub.
    /// - Throws: `OwnerFileError.unreadable`.
    package init(
        data: URL, configuration: ProviderConfiguration = ProviderConfiguration(), version: String,
        coverHosts: CoverHosts = .known, covers: URL? = nil, clock: any WallClock = SystemClock(),
        onCacheFailure: @escaping @Sendable (String) -> Void = { _ in },
        onRateFailure: (@Sendable (String) -> Void)? = nil,
        make: @escaping Maker = { $0.provider($1, transport: $2, cache: $3) }
    ) throws {
        let file = StoredProviders.file(in: data)
        // This may throw, so it precedes the transport, which would have to be closed.
        let choice = Self.choice(configuration, try file.read())
        let folder = data.appending(path: "cache", directoryHint: .isDirectory)
        let cache = AnswerCache(folder: folder.appending(path: "answers"), onFailure: onCacheFailure)
        let transport = HTTPTransport(clock: clock)
        let rates = RateFolder(
            folder.appending(path: "rates", directoryHint: .isDirectory), onFailure: onRateFailure ?? onCacheFailure)
        let userAgent = ProviderSettings.userAgent(version: version, contact: configuration.contact)
        let makeProviders: @Sendable (ProviderChoice, Bool) -> [any BookProvider] = { choice, isProbe in
            choice.usable.map { name in
                var settings = ProviderSettings(
                    userAgent: userAgent, key: choice.keys[name], base: configuration.addresses[name], rates: rates,
                    clock: clock)
                settings.retries = !isProbe
                return make(name, settings, transport, isProbe ? nil : cache)
            }
        }
        self.covers = CoverStore(
            folder: folder.appending(path: "covers"), transport: transport, userAgent: userAgent, hosts: coverHosts)
        self.userAgent = userAgent
        self.makeProviders = makeProviders
        self.configuration = configuration
        self.transport = transport
        self.clock = clock
        openLibraryCovers = covers ?? ProviderSettings.url("https://covers.openlibrary.org")
        self.file = file
        state = Mutex(State(choice: choice, providers: makeProviders(choice, false)))
    }

    /// Returns what is enabled in a data directory, without opening anything.
    ///
    /// - Throws: `OwnerFileError.unreadable`.
    package static func choice(data: URL, configuration: ProviderConfiguration) throws -> ProviderChoice {
        choice(configuration, try StoredProviders.file(in: data).read())
    }

    private static func choice(_ configuration: ProviderConfiguration, _ saved: StoredProviders) -> ProviderChoice {
        var choice = ProviderChoice()
        choice.isSourceChosen = configuration.isOn != nil || saved.sourceChosen == true || !saved.providers.isEmpty
        for name in ProviderName.allCases {
            let saved = saved.providers[name.rawValue]
            choice.keys[name] = configuration.keys[name] ?? APIKey(saved?.key)
            if configuration.isOn?.contains(name) ?? saved?.isOn ?? false { choice.isOn.insert(name) }
        }
        return choice
    }

    /// The enabled providers.
    package var providers: [any BookProvider] { state.withLock(\.providers) }

    package func isOn(_ name: ProviderName) -> Bool { state.withLock { $0.choice.isOn.contains(name) } }

    /// Whether the configuration determines the providers, which locks the settings.
    package var isConfigured: Bool { configuration.isOn != nil }

    /// Whether the owner chose where books are checked; see `ProviderChoice`.
    package var isSourceChosen: Bool { state.withLock(\.choice.isSourceChosen) }

    package func reports() async -> [ProviderReport] {
        let (choice, providers) = state.withLock { ($0.choice, $0.providers) }
        var reports: [ProviderReport] = []
        for name in ProviderName.allCases {
            let isOn = choice.isOn.contains(name)
            var report = ProviderReport(
                name: name, isOn: isOn, hasKey: choice.keys[name] != nil, state: isOn ? .ready : .off)
            if isOn, choice.lacksKey(name) { report.state = .keyNeeded }
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

    /// The contact that the user gave; nil if the project's address is sent instead.
    package var contact: String? { configuration.contact }

    /// The configured address of a mirror; nil if the provider itself is asked.
    package func mirror(of name: ProviderName) -> URL? { configuration.addresses[name] }

    /// Sends one request to each enabled provider, past the cache and without retries.
    ///
    /// Providers that need a key and have none are left out.
    package func probe() async -> [ProviderProbe] {
        let providers = makeProviders(state.withLock(\.choice), true)
        var probes: [ProviderProbe] = []
        for provider in providers {
            let start = clock.now
            let outcome: Result<Int, UnavailableSource>
            do throws(UnavailableSource) {
                outcome = .success(try await provider.search([ProviderProbe.query], limit: 1).count)
            } catch {
                outcome = .failure(error)
            }
            probes.append(
                ProviderProbe(
                    name: provider.name, outcome: outcome, seconds: clock.now.timeIntervalSince(start),
                    refusals: await provider.refusals()))
        }
        return probes
    }

    package enum KeyChange: Sendable {
        case keep
        case remove
        case set(String)
    }

    package struct Change: Sendable {
        package var id: String
        /// Nil keeps the current state.
        package var isOn: Bool?
        package var key: KeyChange

        package init(_ id: String, isOn: Bool? = nil, key: KeyChange = .keep) {
            (self.id, self.isOn, self.key) = (id, isOn, key)
        }
    }

    /// Changes one provider, as `change(_:)` does.
    package func change(_ id: String, isOn: Bool? = nil, key: KeyChange = .keep) throws {
        try change([Change(id, isOn: isOn, key: key)])
    }

    /// Enables or disables providers, or changes their keys, and stores the result in `providers.json`.
    ///
    /// - Parameter choosesSource: records that the owner answered the question of the first run.
    /// - Throws: `ProviderChoiceError`, `OwnerFileError`; nothing is changed then.
    package func change(_ changes: [Change], choosesSource: Bool = false) throws {
        guard !changes.isEmpty || choosesSource else { return }
        var content = try changed(changes)
        if choosesSource { content.sourceChosen = true }
        try file.write(content)
        let choice = Self.choice(configuration, content)
        let new = State(choice: choice, providers: makeProviders(choice, false))
        state.withLock { $0 = new }
    }

    /// Throws what `change(_:)` would throw because of its parameters, and changes nothing.
    package func check(_ changes: [Change]) throws { _ = try changed(changes) }

    private func changed(_ changes: [Change]) throws -> StoredProviders {
        var content = try file.read()
        for change in changes {
            guard let name = ProviderName(rawValue: change.id) else {
                throw ProviderChoiceError.unknown(String(change.id.prefix(40)))
            }
            if let isOn = change.isOn, isConfigured, isOn != self.isOn(name) { throw ProviderChoiceError.configured }
            var entry = content.providers[change.id] ?? StoredProviders.Provider(isOn: false)
            if let isOn = change.isOn { entry.isOn = isOn }
            switch change.key {
            case .keep: break
            case .remove: entry.key = nil
            case .set(let text):
                guard let key = APIKey(text) else { throw ProviderChoiceError.badKey }
                entry.key = key.forStoring
            }
            content.providers[change.id] = entry
        }
        return content
    }

    // MARK: Covers

    /// Returns whether a cover may be fetched from this address: a known host of an enabled provider.
    package func fetchesCover(at url: URL) -> Bool {
        covers.allows(url) && (CoverHosts.provider(of: url).map(isOn) ?? ProviderName.allCases.contains(where: isOn))
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
        guard let number, number > 0, isOn(.openLibrary) else { return nil }
        return coverURL(named: "openlibrary-\(number)")
    }

    /// Returns the URL of a named cover; see `CoverName`.
    package func coverURL(named name: String) -> URL? { CoverName.address(of: name, openLibrary: openLibraryCovers) }

    /// Closes all connections; later requests fail.
    package func close() async { await transport.close() }
}
