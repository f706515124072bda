import ArgumentParser
package import Foundation
package import Lookup

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
    package var providers: ProviderConfiguration
    package var dumps: URL

    /// - Parameters:
    ///   - flags: what the command line says, by key.
    ///   - file: a JSON file; `nil` for none.
    /// - Throws: `ValidationError` naming the setting; what the file's reader throws.
    package init(flags: [String: String], environment: [String: String], file: String?) async throws {
        let reader = try await ConfigurationReader(flags: flags, environment: environment, file: file)
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
        providers = try ProviderConfiguration(reader)
        dumps = try reader.dumpsURL()
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key go together: name both files.")
        }
        guard !(lan && tlsCertificate != nil) else {
            throw ValidationError(
                "--lan makes its own certificate; leave it out, or leave --tls-cert and --tls-key out.")
        }
    }
}
