package import Foundation
package import Providers
package import ShelflistAPI

/// What flags, environment and configuration file say of the readers.
package struct ReaderConfiguration: Sendable {
    /// Nil if not configured; the stored setting then applies.
    package var mode: ReaderMode?
    /// The provider that `assist` asks; nil for the stored one.
    package var assistant: ModelProvider?
    package var keys: [ModelProvider: APIKey] = [:]
    package var models: [ModelProvider: String] = [:]
    /// The addresses of other servers with the same protocol.
    package var addresses: [ModelProvider: URL] = [:]
    /// Of one attempt, in seconds.
    package var timeout: TimeInterval = 90
    /// The providers for which the operator agreed to what is sent.
    package var agreed: Set<ModelProvider> = []

    package init() {}

    func address(of provider: ModelProvider) -> URL { addresses[provider] ?? provider.address }

    /// The host and port that receive what is sent.
    func host(of provider: ModelProvider) -> String {
        let address = address(of: provider)
        return (address.host() ?? "") + (address.port.map { ":\($0)" } ?? "")
    }
}

/// The content of `readers.json`.
struct StoredReaders: Codable {
    struct Provider: Codable {
        var key: String?
        var model: String?
        /// The host for which the user agreed to what is sent.
        var agreedHost: String?
    }

    var reader: ReaderMode.RawValue?
    var assistant: ModelProvider.RawValue?
    /// Keyed by `ModelProvider`.
    var providers: [String: Provider] = [:]

    static func file(in data: URL) -> OwnerFile<StoredReaders> {
        OwnerFile(url: data.appending(path: "readers.json"), initial: StoredReaders())
    }
}

/// The state of a model's provider, for the settings, the command line and `doctor`.
package struct ReaderReport: Hashable, Sendable, Encodable {
    package var id: String
    package var name: String
    package var model: String
    /// Where requests are sent.
    package var host: String
    package var hasKey: Bool
    /// Whether the server needs a key: the provider's own does, another one may not.
    package var needsKey: Bool
    /// Whether the user agreed to what is sent to this host.
    package var agreed: Bool

    /// Whether the model can be asked.
    package var isReady: Bool { agreed && (hasKey || !needsKey) }
}

/// What keeps a model from being asked.
package enum ReaderProblem: Error, Hashable, CustomStringConvertible {
    case keyNeeded(ModelProvider)
    case notAgreed(ModelProvider, host: String)
    case unknown(String)
    /// The configuration determines the reader, so the settings cannot change it.
    case configured
    case badKey
    case badModel

    package var description: String {
        switch self {
        case .keyNeeded(let provider):
            "\(provider.title) has no key, so it is not asked. Set one in the settings, or with 'shelflist readers key "
                + "\(provider.rawValue)'."
        case .notAgreed(let provider, let host):
            "Nothing was sent to \(provider.title) (\(host)): you have not agreed to what it receives. Agree in the "
                + "settings, or with 'shelflist readers agree \(provider.rawValue)'."
        case .unknown(let name):
            "There is no provider “\(name)”. There are: "
                + ModelProvider.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .configured:
            "The configuration says who reads (SHELFLIST_READER, or “reader” in the file). Change it there."
        case .badKey: "The key is not valid. Remove spaces and characters outside of ASCII."
        case .badModel: "The name of a model has 1 to 100 letters, digits and . _ : / @ -. Copy it from the provider."
        }
    }
}

/// What a provider receives, in the words that the user agrees to.
package enum ReaderConsent {
    package static func sentences(for provider: ModelProvider, host: String) -> [String] {
        [
            "\(provider.title) at \(host) will receive pictures from your photos:",
            "- assist: the spines that this machine is not sure of, cut out of the photo, in one picture a photo.",
            "- \(provider.rawValue): the whole photo, at most 3,072 pixels long, without metadata such as place and time.",
            "Everything else on the photo can be seen, too. The provider's terms apply, and it may charge you.",
        ]
    }
}
