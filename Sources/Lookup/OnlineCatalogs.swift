package import Foundation
package import Providers
import Synchronization

/// How a provider stands, for settings, doctor and metrics.
package struct ProviderReport: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case off
        /// It answers, or was not asked yet.
        case ready = "ok"
        /// It failed several times, or wants to be left alone: see `retryAt`. Its circuit is open.
        case resting = "open"
        /// It refuses the key, or needs one.
        case keyNeeded
    }

    package var name: ProviderName
    package var isOn: Bool
    package var hasKey: Bool
    package var state: State
    package var retryAt: Date?
}

/// The providers on the internet, as far as the owner turned them on; they can be turned on and off while they are used.
package final class OnlineCatalogs: Sendable {
    /// Makes a provider; tests reach a stub instead.
    package typealias Maker = @Sendable (ProviderName, ProviderSettings, HTTPTransport, AnswerCache) -> any BookProvider

    private struct State {
        var choice: ProviderChoice
        var providers: [any BookProvider]
        var covers: CoverStore
    }

    private let state: Mutex<State>
    private let configuration: ProviderConfiguration
    private let file: ProviderFile
    private let cacheFolder: URL
    private let cache: AnswerCache
    private let version: String
    private let transport = HTTPTransport()
    private let coverHosts: CoverHosts
    private let openLibraryCovers: URL
    private let make: Maker

    /// - Parameters:
    ///   - data: the data directory, for `providers.json` and the caches.
    ///   - version: of this program, for the User-Agent.
    ///   - onCacheFailure: told which answer cannot be kept or read, and why, in a sentence.
    /// - Throws: `ProviderChoiceError.unreadable`.
    package convenience init(
        data: URL, configuration: ProviderConfiguration = ProviderConfiguration(), version: String,
        onCacheFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        try self.init(
            data: data, configuration: configuration, version: version, coverHosts: .known,
            onCacheFailure: onCacheFailure
        ) { Providers.make($0, $1, transport: $2, cache: $3) }
    }

    /// Over a stub, for tests: `stub` is where the covers are.
    package init(
        data: URL, configuration: ProviderConfiguration, version: String, coverHosts: CoverHosts, stub: URL? = nil,
        onCacheFailure: @escaping @Sendable (String) -> Void = { _ in }, make: @escaping Maker
    ) throws {
        openLibraryCovers = stub ?? Self.openLibraryCovers
        self.configuration = configuration
        self.version = version
        self.coverHosts = coverHosts
        self.make = make
        file = ProviderFile(url: data.appending(path: "providers.json"))
        cacheFolder = data.appending(path: "cache", directoryHint: .isDirectory)
        cache = AnswerCache(folder: cacheFolder.appending(path: "answers"), onFailure: onCacheFailure)
        let choice = try Self.choice(configuration, file.read())
        state = Mutex(
            Self.state(
                choice, version: version, cacheFolder: cacheFolder, cache: cache, transport: transport,
                hosts: coverHosts, make: make)
        )
    }

    private static let openLibraryCovers = ProviderSettings.url("https://covers.openlibrary.org")

    private static func choice(_ configuration: ProviderConfiguration, _ saved: ProviderFile.Content) -> ProviderChoice
    {
        var choice = ProviderChoice(contact: configuration.contact)
        for name in ProviderName.allCases {
            let saved = saved.providers[name.rawValue]
            choice.keys[name] = configuration.keys[name] ?? APIKey(saved?.key)
            if configuration.isOn?.contains(name) ?? saved?.isOn ?? false { choice.isOn.insert(name) }
        }
        return choice
    }

    private static func state(
        _ choice: ProviderChoice, version: String, cacheFolder: URL, cache: AnswerCache, transport: HTTPTransport,
        hosts: CoverHosts, make: Maker
    ) -> State {
        let userAgent = Providers.userAgent(version: version, contact: choice.contact)
        let asked = ProviderName.allCases.filter { choice.isOn.contains($0) && !$0.lacksKey(choice) }
        return State(
            choice: choice,
            providers: asked.map {
                make($0, ProviderSettings(userAgent: userAgent, key: choice.keys[$0]), transport, cache)
            },
            covers: CoverStore(
                folder: cacheFolder.appending(path: "covers"), transport: transport, userAgent: userAgent, hosts: hosts)
        )
    }

    /// Those that are asked now.
    package var providers: [any BookProvider] { state.withLock(\.providers) }

    package func isOn(_ name: ProviderName) -> Bool { state.withLock { $0.choice.isOn.contains(name) } }

    /// Whether the configuration decides, so that the settings cannot.
    package var isConfigured: Bool { configuration.isOn != nil }

    package func reports() async -> [ProviderReport] {
        let (choice, providers) = state.withLock { ($0.choice, $0.providers) }
        var reports: [ProviderReport] = []
        for name in ProviderName.allCases {
            let isOn = choice.isOn.contains(name)
            var report = ProviderReport(
                name: name, isOn: isOn, hasKey: choice.keys[name] != nil, state: isOn ? .ready : .off)
            if isOn, name.lacksKey(choice) { report.state = .keyNeeded }
            if let provider = providers.first(where: { $0.name == name }) {
                switch await provider.condition() {
                case .working: break
                case .resting(let until), .busy(let until): (report.state, report.retryAt) = (.resting, until)
                case .refusing: report.state = .keyNeeded
                }
            }
            reports.append(report)
        }
        return reports
    }

    /// What to do with a key.
    package enum KeyChange: Sendable {
        case keep
        case remove
        case set(String)
    }

    /// A change of one provider.
    package struct Change: Sendable {
        package var id: String
        /// Nil leaves it as it is.
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

    /// Turns providers on or off, or changes their keys, and keeps that in `providers.json`.
    ///
    /// - Throws: `ProviderChoiceError`; nothing is changed then.
    package func change(_ changes: [Change]) throws {
        guard !changes.isEmpty else { return }
        var content = try file.read()
        for change in changes {
            guard let name = ProviderName(rawValue: change.id) else {
                throw ProviderChoiceError.unknown(String(change.id.prefix(40)))
            }
            if let isOn = change.isOn, isConfigured, isOn != self.isOn(name) { throw ProviderChoiceError.configured }
            var entry = content.providers[change.id] ?? ProviderFile.Content.Provider(isOn: false)
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
        try file.write(content)
        let choice = Self.choice(configuration, content)
        state.withLock {
            $0 = Self.state(
                choice, version: version, cacheFolder: cacheFolder, cache: cache, transport: transport,
                hosts: coverHosts, make: make)
        }
    }

    // MARK: Covers

    /// Whether a cover at this address would be fetched: from a known host of a provider that is on.
    package func fetchesCover(at url: URL) -> Bool {
        let (choice, covers) = state.withLock { ($0.choice, $0.covers) }
        return covers.allows(url) && ProviderName.allCases.contains { choice.isOn.contains($0) && $0.keepsCover(url) }
    }

    /// A cover; nil where the provider has none.
    ///
    /// - Throws: `CoverError`.
    package func cover(at url: URL) async throws(CoverError) -> [UInt8]? {
        guard fetchesCover(at: url) else { throw .forbidden(host: url.host() ?? "") }
        return try await state.withLock(\.covers).picture(at: url)
    }

    /// Where Open Library has the cover of that number; nil while it is off.
    ///
    /// Its numbers are in the local catalog too.
    package func cover(ofNumber number: Int?) -> URL? {
        guard let number, number > 0, isOn(.openLibrary) else { return nil }
        return coverURL(named: "openlibrary-\(number)")
    }

    /// Where the cover of that name is; see `CoverName`.
    package func coverURL(named name: String) -> URL? { CoverName.address(of: name, openLibrary: openLibraryCovers) }

    /// Closes all connections; nobody can be asked afterwards.
    package func close() async { await transport.close() }
}

extension ProviderName {
    fileprivate func lacksKey(_ choice: ProviderChoice) -> Bool { self == .isbndb && choice.keys[self] == nil }

    /// Whether the address is one of this provider's, or of a stub on this machine.
    fileprivate func keepsCover(_ url: URL) -> Bool {
        switch url.host()?.lowercased() {
        case "covers.openlibrary.org": self == .openLibrary
        case "books.google.com", "books.googleusercontent.com": self == .googleBooks
        case "images.isbndb.com": self == .isbndb
        default: true  // which of the others are known is for `CoverHosts` to say
        }
    }
}
