import Foundation
package import Providers
package import ShelflistAPI
import Storage

/// The content of `services.json`: what the owner chose.
struct StoredServices: Codable, Sendable {
    struct Entry: Codable, Hashable, Sendable {
        /// Whether a provider is enabled.
        var enabled: Bool?
        var key: String?
        /// The name of the model; nil for the usual one.
        var model: String?
        /// The host for which the owner agreed to what a model receives.
        var agreedHost: String?
    }

    var reader: ReaderMode.RawValue?
    var assistReader: ModelProvider.RawValue?
    /// Whether the question of the first run was answered, or a provider was turned on or off.
    var sourceChosen: Bool?
    /// Keyed by the service's identifier.
    private var services: [String: Entry] = [:]

    subscript(service: some Service) -> Entry {
        get { services[service.rawValue] ?? Entry() }
        set { services[service.rawValue] = newValue }
    }

    static func file(in data: URL) -> JSONFile<StoredServices> {
        JSONFile(
            data.appending(path: "services.json"), as: .secret, fix: "Delete it and choose the settings again.")
    }
}

/// A change of one service's settings; what is nil stays.
package struct ServiceChange: Decodable, Sendable {
    package var id: String
    /// Whether a provider is asked.
    package var enabled: Bool?
    package var key: FieldPatch<String>
    /// The name of the model; an empty one returns to the usual model.
    package var model: String?
    /// Whether the owner agrees to what a model receives.
    package var agreed: Bool?

    package init(
        _ id: String, enabled: Bool? = nil, key: FieldPatch<String> = .keep, model: String? = nil, agreed: Bool? = nil
    ) {
        (self.id, self.enabled, self.key, self.model, self.agreed) = (id, enabled, key, model, agreed)
    }
}

/// A change of the settings, all or nothing; what is nil stays.
package struct ServicesChange: Sendable {
    package var providers: [ServiceChange]
    package var readers: [ServiceChange]
    package var reader: ReaderMode?
    /// The identifier of the model that `assist` asks.
    package var assistReader: String?
    /// Whether the owner answered the question of the first run.
    package var choosesSource: Bool

    package init(
        providers: [ServiceChange] = [], readers: [ServiceChange] = [], reader: ReaderMode? = nil,
        assistReader: String? = nil, choosesSource: Bool = false
    ) {
        (self.providers, self.readers) = (providers, readers)
        (self.reader, self.assistReader, self.choosesSource) = (reader, assistReader, choosesSource)
    }

    var isEmpty: Bool {
        providers.isEmpty && readers.isEmpty && reader == nil && assistReader == nil && !choosesSource
    }
}

/// What keeps a service from being asked, or its settings from being changed.
package enum ServiceProblem: ReportedError, Hashable {
    package enum Kind: Hashable, Sendable { case provider, model }

    case unknown(String, Kind)
    /// The configuration determines the providers or the reader, so the settings cannot change them.
    case configured(Kind)
    case badKey(Kind)
    case badModel
    case keyNeeded(ModelProvider)
    case notAgreed(ModelProvider, host: String)

    package var kind: Kind {
        switch self {
        case .unknown(_, let kind), .configured(let kind), .badKey(let kind): kind
        case .badModel, .keyNeeded, .notAgreed: .model
        }
    }

    package var problemCode: String { "invalid_field" }

    package var description: String {
        switch self {
        case .unknown(let name, let kind):
            "There is no provider “\(name)”. There are: "
                + (kind == .provider ? ProviderName.allCases.map(\.rawValue) : ModelProvider.allCases.map(\.rawValue))
                .joined(separator: ", ") + "."
        case .configured(.provider):
            "The configuration says which providers are asked (SHELFLIST_PROVIDERS, or “providers” in the file). "
                + "Change it there."
        case .configured(.model):
            "The configuration says who reads (SHELFLIST_READER, or “reader” in the file). Change it there."
        case .badKey: "The key is not valid. Remove spaces and characters outside of ASCII."
        case .badModel: "The name of a model has 1 to 100 letters, digits and . _ : / @ -. Copy it from the provider."
        case .keyNeeded(let model):
            "\(model.title) has no key, so it is not asked. Set one in the settings, or with 'shelflist readers key "
                + "\(model.rawValue)'."
        case .notAgreed(let model, let host):
            "Nothing was sent to \(model.title) (\(host)): you have not agreed to what it receives. Agree in the "
                + "settings, or with 'shelflist readers agree \(model.rawValue)'."
        }
    }
}
