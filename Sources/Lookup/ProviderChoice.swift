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

/// The owner's settings, stored in `providers.json` in the data directory.
///
/// The file may contain keys, so only its owner can read it, and backups exclude it.
struct ProviderFile: Sendable {
    let url: URL

    struct Content: Codable {
        struct Provider: Codable {
            var isOn: Bool
            var key: String?
        }

        /// Keyed by `ProviderName`.
        var providers: [String: Provider] = [:]
        /// Whether the question of the first run was answered.
        var sourceChosen: Bool?
    }

    init(data: URL) { url = data.appending(path: "providers.json") }

    /// - Throws: `ProviderChoiceError.unreadable`.
    func read() throws -> Content {
        guard FileManager.default.fileExists(atPath: url.path) else { return Content() }
        do {
            return try JSONDecoder().decode(Content.self, from: Data(contentsOf: url))
        } catch {
            throw ProviderChoiceError.unreadable(url.path)
        }
    }

    /// - Throws: `ProviderChoiceError.notWritten`; the file is then unchanged.
    func write(_ content: Content) throws {
        let temporary = url.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).tmp")
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            // Sets the permissions before the first byte is written.
            guard
                FileManager.default.createFile(
                    atPath: temporary.path, contents: try encoder.encode(content),
                    attributes: [.posixPermissions: 0o600]), rename(temporary.path, url.path) == 0
            else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            unlink(temporary.path)
            throw ProviderChoiceError.notWritten(url.path)
        }
    }
}

package enum ProviderChoiceError: Error, Hashable, CustomStringConvertible {
    case unreadable(String)
    case notWritten(String)
    case unknown(String)
    /// The configuration determines the providers, so the settings cannot change them.
    case configured
    case badKey

    package var description: String {
        switch self {
        case .unreadable(let path):
            "\(path) cannot be read as the settings of the providers. Delete it and choose them again."
        case .notWritten(let path): "\(path) cannot be written. Check the folder's permissions and the disk."
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
