import ArgumentParser
import Foundation
import Lookup
import Providers
import Terminal

extension ProviderConfiguration {
    /// What flags, environment and file say of the providers.
    ///
    /// Keys have no flag, because any user of the machine can read the arguments of processes.
    /// - Throws: `ValidationError` naming the setting.
    init(_ reader: ConfigurationReader) throws {
        self.init(contact: try reader.contact("contact"))
        for name in ProviderName.allCases { addresses[name] = try reader.address("\(name.rawValue)Url") }
        for (name, setting) in [(ProviderName.googleBooks, "googleBooksKey"), (.isbndb, "isbndbKey")] {
            guard let text = try reader.text(setting) else { continue }
            guard let key = APIKey(text) else {
                throw ValidationError("\(setting) has spaces or other characters that no key has. Copy it again.")
            }
            keys[name] = key
        }
        let names = try reader.list("providers")
        guard !names.isEmpty else { return }
        isOn = try names == ["none"] ? [] : Set(names.map(Self.provider))
    }

    private static func provider(_ text: String) throws -> ProviderName {
        guard let name = ProviderName(rawValue: text.lowercased()) else {
            throw ValidationError(
                "providers is 'none', or some of \(ProviderName.allCases.map(\.rawValue).joined(separator: ", ")) "
                    + "with commas between; it cannot be '\(text)'.")
        }
        return name
    }

    /// What holds for the commands that have no flags for it.
    static func ofEnvironment() async throws -> ProviderConfiguration {
        try ProviderConfiguration(await ConfigurationReader.ofEnvironment())
    }
}

extension OnlineCatalogs {
    /// Runs `body` with the providers of a data directory, and closes the connections afterwards.
    ///
    /// - Throws: `OwnerFileError`, `ValidationError` for a setting that makes no sense; the errors of `body`.
    static func with<Result>(data: URL, _ body: (OnlineCatalogs) async throws -> Result) async throws -> Result {
        let online = try OnlineCatalogs(
            data: data, configuration: try await .ofEnvironment(), version: Shelflist.currentVersion,
            onRateFailure: { StandardStream.warn($0) })
        do {
            let result = try await body(online)
            await online.close()
            return result
        } catch {
            await online.close()
            throw error
        }
    }
}
