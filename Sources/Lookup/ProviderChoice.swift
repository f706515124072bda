package import Foundation
package import Providers

/// The enabled providers with their keys.
///
/// All providers are disabled by default, so that no data leaves the machine without the owner's consent.
package struct ProviderChoice: Sendable {
    package var isOn: Set<ProviderName> = []
    package var keys: [ProviderName: APIKey] = [:]
    /// Whether the owner chose where books are checked: turned a provider on or off, or answered the question of the
    /// first run.
    package var isSourceChosen = false

    /// The enabled providers that can be asked: those that need a key have one.
    package var usable: [ProviderName] { ProviderName.allCases.filter { isOn.contains($0) && !lacksKey($0) } }

    func lacksKey(_ name: ProviderName) -> Bool { name == .isbndb && keys[name] == nil }
}

/// The provider settings from flags, environment and configuration file.
package struct ProviderConfiguration: Sendable {
    /// Nil if not configured; the stored settings then apply.
    package var isOn: Set<ProviderName>?
    package var keys: [ProviderName: APIKey]
    /// The operator's email address or URL, for the User-Agent.
    package var contact: String?
    /// The addresses of mirrors, by the provider that they replace.
    package var addresses: [ProviderName: URL]

    package init(
        isOn: Set<ProviderName>? = nil, keys: [ProviderName: APIKey] = [:], contact: String? = nil,
        addresses: [ProviderName: URL] = [:]
    ) {
        (self.isOn, self.keys, self.contact, self.addresses) = (isOn, keys, contact, addresses)
    }
}

/// The content of `providers.json`.
struct StoredProviders: Codable {
    struct Provider: Codable {
        var isOn: Bool
        var key: String?
    }

    /// Keyed by `ProviderName`.
    var providers: [String: Provider] = [:]
    /// Whether the question of the first run was answered.
    var sourceChosen: Bool?

    static func file(in data: URL) -> OwnerFile<StoredProviders> {
        OwnerFile(url: data.appending(path: "providers.json"), initial: StoredProviders())
    }
}

package enum ProviderChoiceError: Error, Hashable, CustomStringConvertible {
    case unknown(String)
    /// The configuration determines the providers, so the settings cannot change them.
    case configured
    case badKey

    package var description: String {
        switch self {
        case .unknown(let name):
            "There is no provider “\(name)”. There are: "
                + ProviderName.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .configured:
            "The configuration says which providers are asked (SHELFLIST_PROVIDERS, or “providers” in the file). "
                + "Change it there."
        case .badKey: "The key is not valid. Remove spaces and characters outside of ASCII."
        }
    }
}
