package import Concurrency
package import Foundation
package import Providers
package import ShelflistAPI
import Synchronization

/// Who reads photos beside this machine, with keys and consents.
///
/// Settings can be changed while they are in use.
package final class ModelReaders: Sendable {
    /// Whether a model is asked about a photo.
    package enum Access: Sendable {
        /// Only this machine reads.
        case local
        /// - Parameter sendsPhoto: whether the whole photo is sent; otherwise only cut-out spines.
        case model(ModelClient, sendsPhoto: Bool)
        /// A model was chosen that cannot be asked.
        case blocked(ModelProvider, ReaderProblem)
    }

    private struct State {
        var stored: StoredReaders
        var clients: [ModelProvider: ModelClient]
    }

    private let state: Mutex<State>
    private let file: OwnerFile<StoredReaders>
    private let configuration: ReaderConfiguration
    private let makeClient: @Sendable (ModelProvider, StoredReaders, _ isProbe: Bool) -> ModelClient
    package let clock: any WallClock

    /// - Parameters:
    ///   - data: the data directory, for `readers.json` and the cache of answers.
    ///   - online: lends its HTTP client, which has to stay open.
    ///   - backoff: the maximum delay before the first retry in seconds.
    ///   - onCacheFailure: receives a sentence for each answer that cannot be stored or read.
    /// - Throws: `OwnerFileError.unreadable`.
    package init(
        data: URL, configuration: ReaderConfiguration = ReaderConfiguration(), online: OnlineCatalogs,
        backoff: TimeInterval = 1, onCacheFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let file = StoredReaders.file(in: data)
        let stored = try file.read()
        let (transport, clock, userAgent) = (online.transport, online.clock, online.userAgent)
        let cache = AnswerCache(folder: data.appending(path: "cache/models"), onFailure: onCacheFailure)
        makeClient = { provider, stored, isProbe in
            let saved = stored.providers[provider.rawValue]
            var settings = ModelSettings(
                key: configuration.keys[provider] ?? APIKey(saved?.key),
                model: configuration.models[provider] ?? saved?.model ?? provider.model,
                base: configuration.address(of: provider), timeout: configuration.timeout, userAgent: userAgent,
                clock: clock)
            settings.backoff = backoff
            if isProbe { settings.attempts = 1 }
            return ModelClient(provider, settings, transport: transport, cache: isProbe ? nil : cache)
        }
        self.configuration = configuration
        self.clock = clock
        self.file = file
        state = Mutex(State(stored: stored, clients: Self.clients(stored, makeClient)))
    }

    private static func clients(
        _ stored: StoredReaders, _ make: (ModelProvider, StoredReaders, Bool) -> ModelClient
    ) -> [ModelProvider: ModelClient] {
        Dictionary(uniqueKeysWithValues: ModelProvider.allCases.map { ($0, make($0, stored, false)) })
    }

    /// Returns who reads photos of a data directory, without opening anything.
    ///
    /// - Throws: `OwnerFileError.unreadable`.
    package static func mode(data: URL, configuration: ReaderConfiguration) throws -> ReaderMode {
        mode(configuration, try StoredReaders.file(in: data).read())
    }

    private static func mode(_ configuration: ReaderConfiguration, _ stored: StoredReaders) -> ReaderMode {
        configuration.mode ?? stored.reader.flatMap(ReaderMode.init) ?? .local
    }

    // MARK: State

    /// Who reads unless a scan says otherwise.
    package var mode: ReaderMode { Self.mode(configuration, state.withLock(\.stored)) }

    /// Whether the configuration determines the reader, which locks the setting.
    package var isConfigured: Bool { configuration.mode != nil }

    /// The provider that `assist` asks: as set, else the only one that can be asked, else Gemini.
    package var assistant: ModelProvider {
        let stored = state.withLock { $0.stored.assistant.flatMap(ModelProvider.init) }
        let ready = reports().filter(\.isReady).compactMap { ModelProvider(rawValue: $0.id) }
        return configuration.assistant ?? stored ?? ready.first ?? .gemini
    }

    package func reports() -> [ReaderReport] { ModelProvider.allCases.map(report) }

    package func report(on provider: ModelProvider) -> ReaderReport {
        let (client, saved) = state.withLock { ($0.clients[provider], $0.stored.providers[provider.rawValue]) }
        let host = configuration.host(of: provider)
        return ReaderReport(
            id: provider.rawValue, name: provider.title, model: client?.settings.model ?? provider.model, host: host,
            hasKey: client?.settings.key != nil, needsKey: configuration.addresses[provider] == nil,
            agreed: configuration.agreed.contains(provider) || saved?.agreedHost == host)
    }

    /// Returns the provider that a mode asks; nil for `local`.
    ///
    /// - Parameter mode: nil for the setting.
    package func provider(for mode: ReaderMode?) -> ModelProvider? {
        switch mode ?? self.mode {
        case .local: nil
        case .assist: assistant
        case .gemini: .gemini
        case .openai: .openAI
        }
    }

    /// - Parameter mode: nil for the setting.
    package func access(for mode: ReaderMode?) -> Access {
        guard let provider = provider(for: mode) else { return .local }
        if let problem = problem(of: provider) { return .blocked(provider, problem) }
        guard let client = state.withLock({ $0.clients[provider] }) else { return .local }
        return .model(client, sendsPhoto: (mode ?? self.mode) != .assist)
    }

    /// The modes that a scan can ask for.
    package var usable: [ReaderMode] {
        ReaderMode.allCases.filter { mode in provider(for: mode).map { problem(of: $0) == nil } ?? true }
    }

    /// Returns what keeps a provider from being asked; nil if nothing does.
    package func problem(of provider: ModelProvider) -> ReaderProblem? {
        let report = report(on: provider)
        if report.needsKey, !report.hasKey { return .keyNeeded(provider) }
        return report.agreed ? nil : .notAgreed(provider, host: report.host)
    }

    /// Returns a client that neither repeats requests nor keeps answers, for a picture that shows nothing of the user's.
    ///
    /// - Throws: `ReaderProblem.keyNeeded`.
    package func probe(_ provider: ModelProvider) throws(ReaderProblem) -> ModelClient {
        if case .keyNeeded(let provider)? = problem(of: provider) { throw .keyNeeded(provider) }
        return makeClient(provider, state.withLock(\.stored), true)
    }

    // MARK: Changes

    package struct Change: Sendable {
        package var id: String
        package var key: OnlineCatalogs.KeyChange
        /// An empty name returns to the usual model.
        package var model: String?
        /// Whether the user agrees to what this provider receives.
        package var agreed: Bool?

        package init(
            _ id: String, key: OnlineCatalogs.KeyChange = .keep, model: String? = nil, agreed: Bool? = nil
        ) {
            (self.id, self.key, self.model, self.agreed) = (id, key, model, agreed)
        }
    }

    /// Changes the reader and its providers, and stores the result in `readers.json`.
    ///
    /// - Throws: `ReaderProblem`, `OwnerFileError`; nothing is changed then. A mode whose provider cannot be asked is
    ///   refused.
    package func change(_ changes: [Change] = [], mode: ReaderMode? = nil, assistant: String? = nil) throws {
        guard mode != nil || assistant != nil || !changes.isEmpty else { return }
        var stored = try file.read()
        for change in changes { try apply(change, to: &stored) }
        if let assistant {
            guard let provider = ModelProvider(rawValue: assistant) else {
                throw ReaderProblem.unknown(String(assistant.prefix(40)))
            }
            stored.assistant = provider.rawValue
        }
        if let mode, mode != self.mode {
            guard !isConfigured else { throw ReaderProblem.configured }
            stored.reader = mode.rawValue
        }
        let before = state.withLock { state in
            defer { state = State(stored: stored, clients: Self.clients(stored, makeClient)) }
            return state
        }
        do {
            if let mode, let provider = provider(for: mode), let problem = problem(of: provider) { throw problem }
            try file.write(stored)
        } catch {
            state.withLock { $0 = before }
            throw error
        }
    }

    private func apply(_ change: Change, to stored: inout StoredReaders) throws(ReaderProblem) {
        guard let provider = ModelProvider(rawValue: change.id) else {
            throw ReaderProblem.unknown(String(change.id.prefix(40)))
        }
        var entry = stored.providers[change.id] ?? StoredReaders.Provider()
        switch change.key {
        case .keep: break
        case .remove: entry.key = nil
        case .set(let text):
            guard let key = APIKey(text) else { throw ReaderProblem.badKey }
            entry.key = key.forStoring
        }
        if let model = change.model { entry.model = try Self.checked(model: model) }
        if let agreed = change.agreed { entry.agreedHost = agreed ? configuration.host(of: provider) : nil }
        stored.providers[change.id] = entry
    }

    /// Returns the name of a model, which is part of an address at some providers; nil for an empty one.
    package static func checked(model: String) throws(ReaderProblem) -> String? {
        guard !model.isEmpty else { return nil }
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/@-")
        guard model.count <= 100, model.allSatisfy(allowed.contains), !model.contains("..") else {
            throw ReaderProblem.badModel
        }
        return model
    }
}
