import ArgumentParser
package import Foundation
import Imaging
package import Lookup
package import Scanning
package import Server

/// Everything that can be set: by flag, else by environment (`SHELFLIST_PORT`), else by a JSON file (`{"port": 8080}`).
package struct ServeConfiguration: Sendable {
    package var settings = ServerSettings()
    package var limits = JobLimits()
    package var data: String
    package var lan: Bool
    package var lanNames: [String]
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
        settings.host = try reader.text("host") ?? "127.0.0.1"
        settings.port = try reader.number("port", 0...65535) ?? 8080
        data = try reader.text("data") ?? DataFolder.path(environment: environment)
        settings.webRoot = try reader.text("webRoot").map { URL(filePath: $0, directoryHint: .isDirectory) }
        lan = try reader.flag("lan") ?? false
        lanNames = try reader.list("lanNames")
        let (certificate, key) = (try reader.text("tlsCert"), try reader.text("tlsKey"))
        settings.trustedProxies = Set(try reader.list("trustedProxies"))
        limits.photosAtOnce = try reader.number("photosAtOnce", 1...64) ?? 1
        limits.photo.maxBytes = (try reader.number("photoMegabytes", 1...200) ?? 20) * 1_000_000
        limits.jobsInFlightPerClient = try reader.number("jobsPerClient", 1...1000) ?? 10
        settings.requestsPerMinute = try reader.number("requestsPerMinute", 1...100_000) ?? 60
        limits.kept = .seconds((try reader.number("resultHours", 1...8760) ?? 24) * 3600)
        logLevel = try reader.choice("logLevel", ["trace", "debug", "info", "notice", "warning", "error"]) ?? "info"
        logFormat = try reader.choice("logFormat", ["text", "json"]) ?? "text"
        providers = try ProviderConfiguration(reader)
        dumps = try reader.dumpsURL()
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--tls-cert and --tls-key go together: name both files.")
        }
        if let certificate, let key {
            settings.tls = TLSFiles(certificate: URL(filePath: certificate), key: URL(filePath: key))
        }
        guard !lan || settings.tls == nil else {
            throw ValidationError(
                "--lan makes its own certificate; leave it out, or leave --tls-cert and --tls-key out.")
        }
    }
}
