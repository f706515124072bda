import ArgumentParser
import Configuration
import Foundation
import Server
import SystemPackage

/// Reads and checks single values: flags first, then the environment (`SHELFLIST_PORT`), then a JSON file (`{"port": 8080}`).
struct ConfigurationReader {
    private let config: ConfigReader

    /// - Parameters:
    ///   - flags: what the command line says, by key.
    ///   - file: a JSON file; `nil` for none.
    /// - Throws: what the file's reader throws.
    init(flags: [String: String] = [:], environment: [String: String], file: String?) async throws {
        var providers: [any ConfigProvider] = [
            InMemoryProvider(
                name: "flags",
                values: Dictionary(
                    uniqueKeysWithValues: flags.map {
                        (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: false))
                    })),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "shelflist"),
        ]
        if let file {
            providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
        }
        config = ConfigReader(providers: providers)
    }

    /// The settings of a command that has no flags for them.
    static func ofEnvironment() async throws -> ConfigurationReader {
        let environment = ProcessInfo.processInfo.environment
        return try await ConfigurationReader(environment: environment, file: environment["SHELFLIST_CONFIG"])
    }

    /// As text, however the file writes it.
    func text(_ key: String) throws -> String? {
        let key = ConfigKey([key])
        let value =
            config.string(forKey: key) ?? config.int(forKey: key).map(String.init)
            ?? config.bool(forKey: key).map { "\($0)" }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    func number(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = try text(key) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ValidationError(
                "\(key) is a number from \(range.lowerBound) to \(range.upperBound); it cannot be '\(text)'.")
        }
        return number
    }

    func flag(_ key: String) throws -> Bool? {
        switch try text(key)?.lowercased() {
        case nil: return nil
        case "true", "yes", "1", "on": return true
        case "false", "no", "0", "off": return false
        case let other?: throw ValidationError("\(key) is true or false; it cannot be '\(other)'.")
        }
    }

    func choice(_ key: String, _ choices: [String]) throws -> String? {
        guard let text = try text(key) else { return nil }
        guard choices.contains(text) else {
            throw ValidationError("\(key) is one of \(choices.joined(separator: ", ")); it cannot be '\(text)'.")
        }
        return text
    }

    /// The address of a server, to which paths are appended.
    func address(_ key: String) throws -> URL? {
        guard let text = try text(key) else { return nil }
        guard let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme?.lowercased()),
            let host = parts.host, !host.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil,
            parts.password == nil, let url = parts.url
        else {
            throw ValidationError(
                "\(key) is an http or https address without a query, for example https://mirror.example.org; it "
                    + "cannot be '\(text)'.")
        }
        return url
    }

    func basePath() throws -> BasePath {
        guard let text = try text("basePath") else { return .root }
        guard let path = BasePath(text) else {
            throw ValidationError(
                "basePath starts with a slash and has letters, digits, '-', '_' and '~' between slashes, for example "
                    + "/books; it cannot be '\(text)'.")
        }
        return path
    }

    /// An e-mail address or URL that can be sent in a header.
    func contact(_ key: String) throws -> String? {
        guard let text = try text(key) else { return nil }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), text.contains("@") || text.contains("://"),
            !text.contains(where: { "()".contains($0) })
        else {
            throw ValidationError(
                "\(key) is an e-mail address or a URL, for example ada@example.org; it cannot be '\(text)'.")
        }
        return text
    }

    func list(_ key: String) throws -> [String] {
        if let list = config.stringArray(forKey: ConfigKey([key])) { return list.filter { !$0.isEmpty } }
        return try text(key)?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    }
}
