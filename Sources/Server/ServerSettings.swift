package import Concurrency
package import Foundation
package import Library

/// The configuration of a server.
package struct ServerSettings: Sendable {
    package var host = "127.0.0.1"
    /// 0 selects a free port.
    package var port = 8080
    /// The path below which clients reach the server.
    package var basePath = BasePath.root
    /// The folder of the web app; `nil` serves only the API.
    package var webRoot: URL?
    /// The OpenAPI document.
    package var apiDocument: URL?
    package var build = Build(version: "", commit: nil)
    /// Returns the build that is installed now, which an upgrade changes; `nil` if it is not known.
    package var installedBuild: @Sendable () -> Build? = { nil }
    /// The limit of uploads, imports, exports and pictures made from whole photos per minute and client; 10 times as many
    /// photos and spines, and 20 times as many of other requests are allowed.
    package var requestsPerMinute = 60
    /// Addresses of proxies whose `X-Forwarded-*` headers are trusted.
    package var trustedProxies: Set<AddressRange> = []
    /// The addresses whose connections are answered, apart from health checks; `nil` for all.
    package var answeredAddresses: Set<AddressRange>?
    package var deadlines = ConnectionDeadlines()
    package var keepAlive: Duration = .seconds(30)
    /// How often open connections check that their session has not ended.
    package var sessionCheck: Duration = .seconds(10)
    /// How long an older app's socket waits for its job, and after the job's end for the app to close it.
    package var appPatience: Duration = .seconds(60)
    package var maxConnections = 2_000
    /// Open connections of one address that is not a trusted proxy.
    package var connectionsPerAddress = 100
    package var tls: TLSFiles?
    /// Whether browsers have to use HTTPS for this host name.
    ///
    /// Only with a certificate that browsers trust by themselves: with `--lan`, a user could not go past a warning.
    package var requiresHTTPS = false
    /// Renews the files of `tls` if they expire soon or the host names have changed.
    ///
    /// Called every `certificateCheck`.
    package var renewCertificate: @Sendable () throws -> Void = {}
    package var certificateCheck: Duration = .seconds(3600)
    /// The name or IP address of this machine for phones on this network; `nil` if the server accepts only this
    /// machine.
    package var networkName: String?
    /// The CA certificate that phones have to trust, served at `/ca.pem`.
    package var authorityCertificate: URL?
    /// What the owner can turn on while the server runs; `nil` for a server that its options open to the network.
    package var network: NetworkSettings?
    /// `nil` if members sign in with passwords only.
    package var openID: OpenIDSettings?
    /// scrypt's N.
    ///
    /// Tests use a smaller one.
    package var passwordRounds = 1 << 17
    package var models: [String: String] = [:]
    /// The scripts that are read on spines, by their codes of ISO 15924.
    package var letters: [String] = []
    /// `nil` for no automatic backups.
    package var backups: DailyBackups?
    /// The clock of sessions, the tokens of jobs, and rate limits, whose times only this server uses.
    package var clock = SteadyClock()
    /// Returns the time by the machine's clock, with which others compute as well: codes of authenticator apps, tokens of
    /// OpenID providers, access tokens, the access log, and backups.
    package var date: @Sendable () -> Date = { Date() }
    /// Loads the models that read photos, when the server starts.
    ///
    /// Blocks its thread; a stop does not wait for it.
    package var loadModels: @Sendable () throws -> Void = {}
    /// Ends the processes that decode photos when the server stops, so that it does not wait for them.
    package var endDecoding: @Sendable () -> Void = {}
    /// Authorizes creating the owner from another machine.
    package var setupCode = Secret.make(prefix: "").prefix(12).lowercased()

    package init() {}
}

/// The PEM files of a certificate chain and its key.
package struct TLSFiles: Sendable {
    package var certificate: URL
    package var key: URL

    package init(certificate: URL, key: URL) { (self.certificate, self.key) = (certificate, key) }
}
