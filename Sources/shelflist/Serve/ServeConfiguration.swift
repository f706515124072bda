import ArgumentParser
import Configuration
import Foundation
import SystemPackage

/// Everything that can be set: by flag, else by environment (`SHELFLIST_PORT`), else by a JSON file (`{"port": 8080}`).
package struct ServeConfiguration: Sendable {
    package var host: String
    package var port: Int
    package var data: String
    package var webRoot: String?
    package var lan: Bool
    package var lanNames: [String]
    package var tlsCertificate: String?
    package var tlsKey: String?
    package var trustedProxies: [String]
    package var photosAtOnce: Int
    package var photoMegabytes: Int
    package var jobsPerClient: Int
    package var requestsPerMinute: Int
    package var resultHours: Int
    package var logLevel: String
    package var logFormat: String

    /// - Parameters:
    ///   - flags: what the command line says, by key.
    ///   - file: a JSON file; `nil` for none.
    /// - Throws: `ValidationError` naming the setting; what the file's reader throws.
    package init(flags: [String: String], environment: [String: String], file: String?) async throws {
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
        let reader = Reader(config: ConfigReader(providers: providers))
        host = try reader.text("host") ?? "127.0.0.1"
        port = try reader.number("port", 0...65535) ?? 8080
        data = try reader.text("data") ?? DataFolder.path(environment: environment)
        webRoot = try reader.text("webRoot")
        lan = try reader.flag("lan") ?? false
        lanNames = try reader.list("lanNames")
        tlsCertificate = try reader.text("tlsCert")
        tlsKey = try reader.text("tlsKey")
        trustedProxies = try reader.list("trustedProxies")
        photosAtOnce = try reader.number("photosAtOnce", 1...64) ?? 1
        photoMegabytes = try reader.number("photoMegabytes", 1...200) ?? 20
        jobsPerClient = try reader.number("jobsPerClient", 1...1000) ?? 10
        requestsPerMinute = try reader.number("requestsPerMinute", 1...100_000) ?? 60
        resultHours = try reader.number("resultHours", 1...8760) ?? 24
        logLevel = try reader.choice("logLevel", ["trace", "debug", "info", "notice", "warning", "error"]) ?? "info"
        logFormat = try reader.choice("logFormat", ["text", "json"]) ?? "text"
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key go together: name both files.")
        }
        guard !(lan && tlsCertificate != nil) else {
            throw ValidationError(
                "--lan makes its own certificate; leave it out, or leave --tls-cert and --tls-key out.")
        }
    }

    /// Reads and checks single values.
    private struct Reader {
        let config: ConfigReader

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

        func list(_ key: String) throws -> [String] {
            if let list = config.stringArray(forKey: ConfigKey([key])) { return list }
            return try text(key)?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
        }
    }
}
