package import Concurrency
package import Foundation
package import Providers
import Synchronization

/// The state of a provider, shown by the settings, `doctor` and the metrics.
package struct ProviderReport: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case off
        /// The provider answers, or has not been used yet.
        case ready = "ok"
        /// The provider failed several times or requested a pause; no request is sent before `retryAt`.
        case resting = "open"
        /// The provider rejected the key, or requires one.
        case keyNeeded
    }

    package var name: ProviderName
    package var isOn: Bool
    package var hasKey: Bool
    package var state: State
    package var retryAt: Date?
}

extension ProviderReport: Encodable {
    private enum Key: CodingKey { case id, name, enabled, hasKey, state, retryAfterMs }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(name.rawValue, forKey: .id)
        try fields.encode(name.title, forKey: .name)
        try fields.encode(isOn, forKey: .enabled)
        try fields.encode(hasKey, forKey: .hasKey)
        try fields.encode(state.rawValue, forKey: .state)
        try fields.encodeIfPresent(retryAt.map { max(0, Int($0.timeIntervalSinceNow * 1000)) }, forKey: .retryAfterMs)
    }
}

/// The enabled providers.
///
/// Providers can be enabled and disabled while they are in use.
package final class OnlineCatalogs: Sendable {
    package typealias Maker = @Sendable (ProviderName, ProviderSettings, HTTPTransport, AnswerCache) -> any BookProvider

    private struct State {
        var choice: ProviderChoice
        var providers: [any BookProvider]
        var covers: CoverStore
    }

    private let state: Mutex<State>
    package let clock: any WallClock
    private let configuration: ProviderConfiguration
    private let file: ProviderFile
    private let transport: HTTPTransport
    private let openLibraryCovers: URL
    private let open: @Sendable (ProviderChoice) -> State

    /// - Parameters:
    ///   - data: the data directory, for `providers.json` and the caches.
    ///   - version: the program's version, for the User-Agent.
    ///   - covers: the base URL of Open Library's covers; tests pass a stub's address and `coverHosts`.
    ///   - onCacheFailure: receives a sentence for each cache entry that cannot be stored or read.
    ///   - make: creates a provider; tests pass one that uses a stub.
    /// - Throws: `ProviderChoiceError.unreadable`.
    package init(
        data: URL, configuration: ProviderConfiguration = ProviderConfiguration(), version: String,
        coverHosts: CoverHosts = .known, covers: URL? = nil, clock: any WallClock = SystemClock(),
        onCacheFailure: @escaping @Sendable (String) -> Void = { _ in },
        make: @escaping Maker = { $0.provider($1, transport: $2, cache: $3) }
    ) throws {
        let file = ProviderFile(url: data.appending(path: "providers.json"))
        // This may throw, so it precedes the transport, which would have to be closed.
        let choice = Self.choice(configuration, try file.read())
        let folder = data.appending(path: "cache", directoryHint: .isDirectory)
        let cache = AnswerCache(folder: folder.appending(path: "answers"), onFailure: onCacheFailure)
        let transport = HTTPTransport(clock: clock)
        let open: @Sendable (ProviderChoice) -> State = { choice in
            let userAgent = ProviderSettings.userAgent(version: version, contact: choice.contact)
            let asked = ProviderName.allCases.filter { choice.isOn.contains($0) && !$0.lacksKey(choice) }
            return State(
                choice: choice,
                providers: asked.map {
                    make(
                        $0, ProviderSettings(userAgent: userAgent, key: choice.keys[$0], clock: clock), transport,
                        cache)
                },
                covers: CoverStore(
                    folder: folder.appending(path: "covers"), transport: transport, userAgent: userAgent,
                    hosts: coverHosts))
        }
        self.configuration = configuration
        self.transport = transport
        self.clock = clock
        self.open = open
        openLibraryCovers = covers ?? ProviderSettings.url("https://covers.openlibrary.org")
        self.file = file
        state = Mutex(open(choice))
    }

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

    /// The enabled providers.
    package var providers: [any BookProvider] { state.withLock(\.providers) }

    package func isOn(_ name: ProviderName) -> Bool { state.withLock { $0.choice.isOn.contains(name) } }

    /// Whether the configuration determines the providers, which locks the settings.
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

    /// A change of a key.
    package enum KeyChange: Sendable {
        case keep
        case remove
        case set(String)
    }

    /// A change of one provider.
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
    /// - Throws: `ProviderChoiceError`, without any change.
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
        let new = open(Self.choice(configuration, content))
        state.withLock { $0 = new }
    }

    // MARK: Covers

    /// Returns whether a cover may be fetched from this address: a known host of an enabled provider.
    package func fetchesCover(at url: URL) -> Bool {
        let (choice, covers) = state.withLock { ($0.choice, $0.covers) }
        return covers.allows(url) && ProviderName.allCases.contains { choice.isOn.contains($0) && $0.keepsCover(url) }
    }

    /// Returns the bytes of a cover; nil if the provider has none.
    ///
    /// - Throws: `CoverError`.
    package func cover(at url: URL) async throws(CoverError) -> [UInt8]? {
        guard fetchesCover(at: url) else { throw .forbidden(host: url.host() ?? "") }
        return try await state.withLock(\.covers).picture(at: url)
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

extension ProviderName {
    fileprivate func lacksKey(_ choice: ProviderChoice) -> Bool { self == .isbndb && choice.keys[self] == nil }

    /// Returns whether the address belongs to this provider, or to a stub on this machine.
    fileprivate func keepsCover(_ url: URL) -> Bool {
        switch url.host()?.lowercased() {
        case "covers.openlibrary.org": self == .openLibrary
        case "books.google.com", "books.googleusercontent.com": self == .googleBooks
        case "images.isbndb.com": self == .isbndb
        default: true  // `CoverHosts` checks all other hosts
        }
    }
}
