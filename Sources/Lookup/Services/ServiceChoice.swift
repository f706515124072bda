import Bounds
package import Foundation
package import Providers
package import ShelflistAPI
package import Storage

/// The services that may be asked, by the configuration and, where it says nothing, by the settings.
///
/// All of them are disabled by default, so that no data leaves the machine without the owner's consent.
package struct ServiceChoice: Sendable {
    package let configuration: ServiceConfiguration
    var stored: StoredServices

    /// Reads the settings of a data directory.
    ///
    /// - Parameter onDamage: receives why they cannot be read; every provider is then off, also a configured one.
    /// - Throws: `StorageError` if they cannot be read and `onDamage` is nil.
    package init(
        data: URL, configuration: ServiceConfiguration, onDamage: ((StorageError) -> Void)? = nil
    ) throws {
        var configuration = configuration
        do {
            stored = try StoredServices.file(in: data).load() ?? StoredServices()
        } catch {
            guard let onDamage else { throw error }
            onDamage(error)
            stored = StoredServices()
            configuration.providers = []
        }
        self.configuration = configuration
    }

    func key(of service: some Service) -> APIKey? { configuration[service].key ?? APIKey(stored[service].key) }

    // MARK: Providers

    /// Whether the configuration determines the providers, which locks the settings.
    var hasConfiguredProviders: Bool { configuration.providers != nil }

    package func isOn(_ name: ProviderName) -> Bool {
        configuration.providers?.contains(name) ?? stored[name].enabled ?? false
    }

    func lacksKey(_ name: ProviderName) -> Bool { name.needsKey && key(of: name) == nil }

    /// The enabled providers that can be asked: those that need a key have one.
    package var usableProviders: [ProviderName] { ProviderName.allCases.filter { isOn($0) && !lacksKey($0) } }

    /// Whether the owner chose where books are checked: turned a provider on or off, or answered the question of the
    /// first run.
    package var isSourceChosen: Bool { hasConfiguredProviders || stored.sourceChosen == true }

    // MARK: Models

    /// Whether the configuration determines the reader, which locks the setting.
    package var isReaderConfigured: Bool { configuration.reader != nil }

    /// Who reads unless a scan says otherwise.
    package var reader: ReaderMode { configuration.reader ?? stored.reader.flatMap(ReaderMode.init) ?? .local }

    /// The model that `assist` asks: as set, else the only one that can be asked, else Gemini.
    package var assistant: ModelProvider {
        configuration.assistReader ?? stored.assistReader.flatMap(ModelProvider.init)
            ?? ModelProvider.allCases.first { problem(of: $0) == nil } ?? .gemini
    }

    /// Returns the model that a mode asks; nil for `local`.
    ///
    /// - Parameter mode: nil for the setting.
    package func model(for mode: ReaderMode?) -> ModelProvider? {
        switch mode ?? reader {
        case .local: nil
        case .assist: assistant
        case .gemini: .gemini
        case .openai: .openAI
        }
    }

    /// The modes that a scan can ask for.
    package var usableModes: [ReaderMode] {
        ReaderMode.allCases.filter { mode in model(for: mode).map { problem(of: $0) == nil } ?? true }
    }

    func modelName(of model: ModelProvider) -> String {
        configuration[model].model ?? stored[model].model ?? model.model
    }

    /// Returns what keeps a model from being asked; nil if nothing does.
    package func problem(of model: ModelProvider) -> ServiceProblem? {
        let report = report(on: model)
        if report.needsKey, !report.hasKey { return .keyNeeded(model) }
        return report.isOn ? nil : .notAgreed(model, host: report.host)
    }

    package func report(on model: ModelProvider) -> ServiceReport {
        let host = configuration.host(of: model)
        // The model's own server needs a key, another one may not.
        let needsKey = configuration[model].address == nil
        let hasKey = key(of: model) != nil
        let isOn = configuration[model].agreed || stored[model].agreedHost == host
        return ServiceReport(
            id: model.rawValue, name: model.title, model: modelName(of: model), host: host, hasKey: hasKey,
            needsKey: needsKey, isOn: isOn, state: needsKey && !hasKey ? .keyNeeded : isOn ? .ready : .off)
    }

    package var modelReports: [ServiceReport] { ModelProvider.allCases.map(report) }

    // MARK: Changes

    /// - Throws: `ServiceProblem`; also for a reader whose model cannot be asked.
    mutating func apply(_ change: ServicesChange) throws(ServiceProblem) {
        for change in change.providers {
            guard let name = ProviderName(rawValue: change.id) else {
                throw .unknown(change.id.shortened(to: 40), .provider)
            }
            if let enabled = change.enabled {
                guard !hasConfiguredProviders || enabled == isOn(name) else { throw .configured(.provider) }
                stored[name].enabled = enabled
            }
            try apply(change.key, to: name, .provider)
        }
        if change.choosesSource || change.providers.contains(where: { $0.enabled != nil }) {
            stored.sourceChosen = true
        }
        for change in change.readers { try applyToModel(change) }
        if let id = change.assistReader {
            guard let model = ModelProvider(rawValue: id) else { throw .unknown(id.shortened(to: 40), .model) }
            stored.assistReader = model.rawValue
        }
        guard let reader = change.reader else { return }
        if reader != self.reader {
            guard !isReaderConfigured else { throw .configured(.model) }
            stored.reader = reader.rawValue
        }
        if let model = model(for: reader), let problem = problem(of: model) { throw problem }
    }

    private mutating func applyToModel(_ change: ServiceChange) throws(ServiceProblem) {
        guard let model = ModelProvider(rawValue: change.id) else {
            throw .unknown(change.id.shortened(to: 40), .model)
        }
        try apply(change.key, to: model, .model)
        if let name = change.model { stored[model].model = try Self.checked(model: name) }
        if let agreed = change.agreed { stored[model].agreedHost = agreed ? configuration.host(of: model) : nil }
    }

    private mutating func apply(
        _ patch: FieldPatch<String>, to service: some Service, _ kind: ServiceProblem.Kind
    ) throws(ServiceProblem) {
        switch patch {
        case .keep: break
        case .clear: stored[service].key = nil
        case .set(let text):
            guard let key = APIKey(text) else { throw .badKey(kind) }
            stored[service].key = key.forStoring
        }
    }

    /// Returns the name of a model, which is part of an address at some providers; nil for an empty one.
    package static func checked(model: String) throws(ServiceProblem) -> String? {
        guard !model.isEmpty else { return nil }
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/@-")
        guard model.count <= 100, model.allSatisfy(allowed.contains), !model.contains("..") else { throw .badModel }
        return model
    }
}
