package import Concurrency
package import Foundation
package import Providers
import Synchronization

/// The state of a provider, for settings, doctor and metrics.
package struct ProviderReport: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case off
        /// It answers, or was not asked yet.
        case ready = "ok"
        /// It failed several times, or asked for a pause until `retryAt`.
        case resting = "open"
        /// It rejects the key, or needs one.
        case keyNeeded
    }

    package var name: ProviderName
    package var isOn: Bool
    package var hasKey: Bool
    package var state: State
    package var retryAt: Date?
}

/// The providers that the owner turned on.
///
/// They can be turned on and off while they are used.
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
    ///   - version: of this program, for the User-Agent.
    ///   - covers: where Open Library's covers are; tests use a stub's address, and its `coverHosts`.
    ///   - onCacheFailure: receives a sentence for each answer that cannot be stored or read.
    ///   - make: makes a provider; tests reach a stub instead.
    /// - Throws: `ProviderChoiceError.unreadable`.
    package init(
        data: URL, configuration: ProviderConfiguration = ProviderConfiguration(), version: String,
        coverHosts: CoverHosts = .known, covers: URL? = nil, clock: any WallClock = SystemClock(),
        onCacheFailure: @escaping @Sendable (String) -> Void = { _ in },
        make: @escaping Maker = { $0.provider($1, transport: $2, cache: $3) }
    ) throws {
        let file = ProviderFile(url: data.appending(path: "providers.json"))
        // Before the transport is created, which must be closed.
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

    /// The providers that are asked now.
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
        let new = open(Self.choice(configuration, content))
        state.withLock { $0 = new }
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

    /// The address of Open Library's cover with that number, which the local catalog has too; nil while Open Library is
    /// off.
    package func cover(ofNumber number: Int?) -> URL? {
        guard let number, number > 0, isOn(.openLibrary) else { return nil }
        return coverURL(named: "openlibrary-\(number)")
    }

    /// The address of the cover with that name; see `CoverName`.
    package func coverURL(named name: String) -> URL? { CoverName.address(of: name, openLibrary: openLibraryCovers) }

    /// Closes all connections; providers cannot be asked afterwards.
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
        default: true  // `CoverHosts` decides which of the others are known
        }
    }
}
