import ArgumentParser
package import Foundation
import Imaging
import Library
package import Lookup
import Reading
package import Scans
package import Server

/// Everything that can be set: by flag, else by environment (`SHELFLIST_PORT`), else by a JSON file (`{"port": 8080}`).
package struct ServeConfiguration: Sendable {
    package var settings = ServerSettings()
    package var limits = JobLimits()
    package var data: String
    package var lan: Bool
    package var lanNames: [String]
    /// Whether passwords may be sent unencrypted over the network.
    package var insecureHTTP: Bool
    /// Whether the server starts only where the process that decodes photos is fully confined.
    package var requiresConfinement: Bool
    package var logLevel: String
    package var logFormat: String
    package var services: ServiceConfiguration
    package var dumps: URL
    /// The address of the database with the work queue, perhaps with a password; nil to read photos here.
    package var workQueue: String?
    /// Whether photos are read here besides.
    package var readHere: Bool
    /// How many photos are with the workers at once.
    package var photosOffered: Int
    package var backupFolder: URL?
    package var backupsKept: Int
    package var backupPassphraseFile: String?

    /// - Parameters:
    ///   - flags: what the command line says, by key.
    ///   - file: a JSON file; `nil` for none.
    /// - Throws: `ValidationError` naming the setting; what the file's reader throws.
    package init(flags: [String: String], environment: [String: String], file: String?) async throws {
        let reader = try await ConfigurationReader(flags: flags, environment: environment, file: file)
        settings.host = try reader.text("host") ?? "127.0.0.1"
        settings.port = try reader.number("port", 0...65535) ?? 8080
        data = try reader.text("data") ?? DataFolder.path(environment: environment)
        settings.basePath = try reader.basePath()
        settings.webRoot = try reader.text("webRoot").map { URL(filePath: $0, directoryHint: .isDirectory) }
        lan = try reader.flag("lan") ?? false
        lanNames = try reader.list("lanNames")
        let (certificate, key) = (try reader.text("tlsCert"), try reader.text("tlsKey"))
        settings.trustedProxies = Set(
            try reader.list("trustedProxies").map { text in
                guard let range = AddressRange(text) else {
                    throw ValidationError(
                        "trustedProxies has '\(text)', which is not an address. Use addresses such as 192.0.2.2 or "
                            + "networks such as 172.16.0.0/12.")
                }
                return range
            })
        settings.connectionsPerAddress = try reader.number("connectionsPerAddress", 1...2000) ?? 100
        limits.photosAtOnce = try reader.number("photosAtOnce", 1...64) ?? 1
        limits.photo.maxBytes = (try reader.number("photoMegabytes", 1...200) ?? 20) * 1_000_000
        limits.jobsInFlightPerClient = try reader.number("jobsPerClient", 1...1000) ?? 10
        settings.requestsPerMinute = try reader.number("requestsPerMinute", 1...100_000) ?? 60
        limits.kept = .seconds((try reader.number("resultHours", 1...8760) ?? 24) * 3600)
        requiresConfinement = try reader.flag("requireConfinement") ?? false
        logLevel = try reader.choice("logLevel", ["trace", "debug", "info", "notice", "warning", "error"]) ?? "info"
        logFormat = try reader.choice("logFormat", ["text", "json"]) ?? "text"
        workQueue = try reader.text("workQueue")
        readHere = try reader.flag("readHere") ?? false
        photosOffered = try reader.number("photosOffered", 1...1000) ?? 32
        guard workQueue != nil || !readHere else {
            throw ValidationError("--read-here needs --work-queue: without it, all photos are read here.")
        }
        services = try ServiceConfiguration(reader)
        dumps = try reader.dumpsURL()
        backupFolder = try reader.text("backupFolder").map { URL(filePath: $0, directoryHint: .isDirectory) }
        backupsKept = try reader.number("backupsKept", 1...3650) ?? 7
        backupPassphraseFile = try reader.text("backupPassphraseFile")
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--tls-cert and --tls-key go together: name both files.")
        }
        if let certificate, let key {
            settings.tls = TLSFiles(certificate: URL(filePath: certificate), key: URL(filePath: key))
        }
        settings.requiresHTTPS = settings.tls != nil
        settings.openID = try reader.openID()
        insecureHTTP = try reader.flag("insecureHttp") ?? false
        guard insecureHTTP || !isReachableUnencrypted || !settings.trustedProxies.isEmpty else {
            throw ValidationError(
                "--host \(settings.host) would send passwords unencrypted over the network. Use --lan or --tls-cert, "
                    + "name your HTTPS proxy with --trusted-proxies, or accept it with --insecure-http.")
        }
        if isReachableUnencrypted, !insecureHTTP {
            let loopback = Set(["127.0.0.0/8", "::1"].compactMap(AddressRange.init))
            settings.answeredAddresses = settings.trustedProxies.union(loopback)
        }
        guard !lan || settings.tls == nil else {
            throw ValidationError(
                "--lan makes its own certificate; leave it out, or leave --tls-cert and --tls-key out.")
        }
    }

    /// Whether other machines can connect to the server itself without encryption.
    private var isReachableUnencrypted: Bool {
        settings.host != "localhost" && IPAddress(settings.host)?.isLoopback != true && !lan && settings.tls == nil
    }

    /// Whether the server speaks plain HTTP with all of the network, because `--insecure-http` says so.
    package var isUnencrypted: Bool { insecureHTTP && isReachableUnencrypted }

    /// Returns the automatic backups; `nil` without a folder for them.
    ///
    /// - Throws: `StorageError` if the passphrase cannot be read.
    func backups() throws -> DailyBackups? {
        guard let backupFolder else { return nil }
        return DailyBackups(
            folder: backupFolder, kept: backupsKept, passphrase: try backupPassphraseFile.map(PassphraseFile.read))
    }
}
