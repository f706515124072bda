import Foundation
package import Providers

/// Which providers are asked, and with what.
///
/// None, until the owner turns one on: nothing leaves the machine by itself.
package struct ProviderChoice: Sendable {
    package var isOn: Set<ProviderName>
    package var keys: [ProviderName: APIKey]
    /// An address or URL of whoever runs this, for the User-Agent.
    package var contact: String?

    package init(isOn: Set<ProviderName> = [], keys: [ProviderName: APIKey] = [:], contact: String? = nil) {
        (self.isOn, self.keys, self.contact) = (isOn, keys, contact)
    }
}

/// What flags, environment and configuration file say of providers.
package struct ProviderConfiguration: Sendable {
    /// Nil where nothing is said, and the settings decide.
    package var isOn: Set<ProviderName>?
    package var keys: [ProviderName: APIKey]
    package var contact: String?

    package init(isOn: Set<ProviderName>? = nil, keys: [ProviderName: APIKey] = [:], contact: String? = nil) {
        (self.isOn, self.keys, self.contact) = (isOn, keys, contact)
    }
}

/// What the owner chose in the settings: `providers.json` in the data directory.
///
/// It may hold keys, so only its owner may read it, and backups do not hold it.
struct ProviderFile: Sendable {
    let url: URL

    struct Content: Codable {
        struct Provider: Codable {
            var isOn: Bool
            var key: String?
        }

        /// By `ProviderName`.
        var providers: [String: Provider] = [:]
    }

    /// - Throws: `ProviderChoiceError.unreadable`.
    func read() throws -> Content {
        guard FileManager.default.fileExists(atPath: url.path) else { return Content() }
        do {
            return try JSONDecoder().decode(Content.self, from: Data(contentsOf: url))
        } catch {
            throw ProviderChoiceError.unreadable(url.path)
        }
    }

    /// - Throws: `ProviderChoiceError.notWritten`; the file is then as it was.
    func write(_ content: Content) throws {
        let temporary = url.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).tmp")
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            // Readable by nobody else from its first byte on.
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

/// Why a choice of providers cannot be read or changed.
package enum ProviderChoiceError: Error, Hashable, CustomStringConvertible {
    case unreadable(String)
    case notWritten(String)
    case unknown(String)
    /// The configuration decides, and not the settings.
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
        case .badKey: "A key has no spaces and no characters other than those of ASCII."
        }
    }
}
