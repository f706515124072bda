package import Foundation
package import Scanning

/// The configuration of a server.
package struct ServerSettings: Sendable {
    package var host = "127.0.0.1"
    /// 0 for a free port that the system chooses.
    package var port = 8080
    /// Folder with the web app; `nil` for the API alone.
    package var webRoot: URL?
    /// The OpenAPI document.
    package var apiDocument: URL?
    package var version = ""
    /// Uploads, imports and exports a minute for each client; other requests are limited to twenty times as many.
    package var requestsPerMinute = 60
    /// Addresses of proxies whose `X-Forwarded-*` headers are trusted.
    package var trustedProxies: Set<String> = []
    package var deadlines = ConnectionDeadlines()
    package var keepAlive: Duration = .seconds(30)
    package var maxConnections = 2_000
    package var tls: TLSFiles?
    /// Renews the files of `tls` when they expire soon or the host's names have changed; also called while the server
    /// runs.
    package var renewCertificate: @Sendable () throws -> Void = {}
    package var certificateCheck: Duration = .seconds(3600)
    /// The certificate authority that phones have to trust; served at `/ca.pem`.
    package var authorityCertificate: URL?
    package var photoPixels = 100_000_000
    /// scrypt's N; tests use a smaller one.
    package var passwordRounds = 1 << 17
    package var models: [String: String] = [:]
    /// The clock of sessions, tokens and rate limits.
    package var clock = JobClock()
    /// Allows creating the owner from another machine.
    package var setupCode = Secret.make(prefix: "").prefix(12).lowercased()

    package init() {}
}

/// A certificate chain and its key, PEM files.
package struct TLSFiles: Sendable {
    package var certificate: URL
    package var key: URL

    package init(certificate: URL, key: URL) {
        self.certificate = certificate
        self.key = key
    }
}
