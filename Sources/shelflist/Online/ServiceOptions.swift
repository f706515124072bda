import ArgumentParser
import Foundation
import Lookup
import Providers
import ShelflistAPI
import Storage
import Terminal

extension ServiceConfiguration {
    /// What flags, environment and file say of providers and models.
    ///
    /// Keys have no flag, because any user of the machine can read the arguments of processes.
    /// - Throws: `ValidationError` naming the setting.
    init(_ reader: ConfigurationReader) throws {
        self.init()
        contact = try reader.contact("contact")
        let names = try reader.list("providers")
        if names == ["none"] {
            providers = []
        } else if !names.isEmpty {
            let all = ProviderName.allCases.map(\.rawValue).joined(separator: ", ")
            providers = try Set(Self.services(names, "providers is 'none', or some of \(all) with commas between"))
        }
        for (name, key) in [(ProviderName.openLibrary, nil), (.googleBooks, "googleBooksKey"), (.isbndb, "isbndbKey")] {
            try read(name, key: key, from: reader)
        }

        self.reader = try reader.choice("reader", ReaderMode.allCases.map(\.rawValue)).flatMap {
            ReaderMode(rawValue: $0)
        }
        let models = ModelProvider.allCases.map(\.rawValue)
        assistReader = try reader.choice("assistReader", models).flatMap { ModelProvider(rawValue: $0) }
        for model in ModelProvider.allCases {
            try read(model, key: "\(model.rawValue)Key", from: reader)
            guard let name = try reader.text("\(model.rawValue)Model") else { continue }
            do {
                self[model].model = try ServiceChoice.checked(model: name)
            } catch {
                throw ValidationError("\(model.rawValue)Model: \(error)")
            }
        }
        if let seconds = try reader.number("readerTimeout", 5...600) { readerTimeout = TimeInterval(seconds) }
        let form = "readerConsent names providers (\(models.joined(separator: ", "))) with commas between"
        let agreed: [ModelProvider] = try Self.services(try reader.list("readerConsent"), form)
        for model in agreed { self[model].agreed = true }
    }

    private mutating func read(_ service: some Service, key setting: String?, from reader: ConfigurationReader) throws {
        self[service].address = try reader.address("\(service.rawValue)Url")
        guard let setting, let text = try reader.text(setting) else { return }
        guard let key = APIKey(text) else {
            throw ValidationError("\(setting) has spaces or other characters that no key has. Copy it again.")
        }
        self[service].key = key
    }

    /// - Parameter form: what the setting may be, for the error.
    private static func services<Name: Service>(_ names: [String], _ form: String) throws -> [Name] {
        try names.map { text in
            guard let name = Name(rawValue: text.lowercased()) else {
                throw ValidationError("\(form); it cannot be '\(text)'.")
            }
            return name
        }
    }

    /// What holds for the commands that have no flags for it.
    static func ofEnvironment() async throws -> ServiceConfiguration {
        try ServiceConfiguration(await ConfigurationReader.ofEnvironment())
    }
}

extension OnlineServices {
    /// Runs `body` with the services of a data directory, and closes the connections afterwards.
    ///
    /// - Parameter onDamage: see `ServiceChoice`.
    /// - Throws: `StorageError`, `ValidationError` for a setting that makes no sense; the errors of `body`.
    static func with<Result>(
        data: URL, onDamage: ((StorageError) -> Void)? = nil, _ body: (OnlineServices) async throws -> Result
    ) async throws -> Result {
        let online = try OnlineServices(
            data: data, configuration: try await .ofEnvironment(), version: Shelflist.currentVersion,
            onRateFailure: { StandardStream.warn($0) }, onDamage: onDamage)
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
