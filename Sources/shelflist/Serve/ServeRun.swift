import Catalog
import Concurrency
import Downloads
import Foundation
import Imaging
import Library
import Logging
import Lookup
import Reading
import Scans
import Server
import SpineReading
import Terminal
import WorkQueue

/// Assembles a server from its configuration and runs it.
struct ServeRun {
    let configuration: ServeConfiguration

    func run() async throws {
        let stop = StopSignal()
        let installation = try Installation.locate()
        let folder = URL(filePath: configuration.data, directoryHint: .isDirectory)
        // New files are for this user only: databases, uploads and caches as well.
        _ = umask(0o077)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = try ServerLock(folder)
        defer { withExtendedLifetime(lock) {} }
        let logger = ServiceLog.logger(level: configuration.logLevel, format: configuration.logFormat)
        OpenFiles.raiseLimit()
        if let open = try DataFolder.permissions(ofOpen: folder.path) {
            logger.warning(
                "Other users of this machine can open the data folder. Close it with: chmod 700 FOLDER",
                metadata: ["folder": "\(folder.path)", "permissions": "\(open)"])
        }

        do {
            try LibraryFolder(folder).removeLeftovers()
        } catch {
            logger.warning("Could not delete temporary files", metadata: ["reason": "\(error)"])
        }

        let decoders = try ServiceLog.confineDecoding(logger, required: configuration.requiresConfinement)
        defer { decoders.close() }

        // May be imported, for the first time or again, while the server runs.
        let catalog = CatalogFile(folder.appending(path: "catalog.sqlite"))
        _ = try catalog.catalog()
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let atOnce = configuration.limits.photosAtOnce
        let cache = installation.cache(for: folder)
        let library = try ServerDependencies.library(in: folder)
        let records = LocalRecords(
            data: folder, library: library, catalog: catalog, starterList: installation.starterList, cache: cache
        ) { reason in
            logger.warning("Scans do without the starter list", metadata: ["reason": "\(reason)"])
        }
        let scanner = try PhotoScanner(
            installation: installation,
            options: ReadingOptions(threads: max(1, cores / atOnce), limits: configuration.limits.photo),
            loadsModels: false, cache: cache, concurrentPhotos: atOnce, catalog: records.snapshot,
            expected: records.expected)
        let queue = try await ServeQueue(configuration, scanner: scanner, installation: installation, logger: logger)
        let online = try OnlineServices(
            data: folder, configuration: configuration.services, version: Shelflist.currentVersion,
            onCacheFailure: { reason in
                logger.notice("Could not cache an answer", metadata: ["reason": "\(reason)"])
            },
            onRateFailure: { reason in
                logger.notice("Could not share a rate limit", metadata: ["reason": "\(reason)"])
            },
            onDamage: { error in
                logger.error(
                    "No provider or model is asked until the settings can be read", metadata: ["reason": "\(error)"])
            })
        let dumps = DumpServer(
            url: configuration.dumps, version: Shelflist.currentVersion, contact: configuration.services.contact)
        let reader: any ShelfReading = if let queue { queue.reader } else { scanner }
        let dependencies = try ServerDependencies(
            folder: folder, library: library, reader: reader, catalog: catalog, dumps: dumps, online: online,
            received: records.received, limits: queue?.limits ?? configuration.limits,
            labelFont: installation.labelFont, logger: logger)

        var settings = settings(installation)
        settings.backups = try configuration.backups()
        settings.loadModels = { try scanner.loadModels() }
        settings.endDecoding = { decoders.close() }
        let lan = configuration.lan ? try prepareLAN(folder, logger) : nil
        if let lan {
            settings.tls = lan.authority.serverFiles
            settings.renewCertificate = { try lan.authority.prepare(names: lanNames) }
        }
        settings.authorityCertificate = lan?.authority.authorityFile
        settings.networkName = lan?.address ?? networkName(of: settings.host)
        if settings.networkName == nil, settings.tls == nil, settings.trustedProxies.isEmpty {
            settings.network = NetworkSettings(
                file: folder.appending(path: "network.json"), authority: authority(of: folder), names: { lanNames })
        }
        if configuration.isUnencrypted {
            logger.warning("Passwords are sent unencrypted over the network (--insecure-http)")
        }
        if let key = configuration.settings.tls?.key,
            let open = try? DataFolder.permissions(ofOpen: key.resolvingSymlinksInPath().path)
        {
            logger.warning(
                "Other users can read the certificate's key. Close it with: chmod 600 FILE",
                metadata: ["file": "\(key.path)", "permissions": "\(open)"])
        }
        let server = try ShelflistServer(settings: settings, dependencies: dependencies, logger: logger)
        let isSecure = settings.tls != nil
        let setUp =
            dependencies.accounts.hasOwner
            ? ""
            : "There is no owner yet. Create one in the browser on this machine, or from another with the set-up code "
                + "\(settings.setupCode)\n"
        let host = configuration.settings.host
        let shown = ["0.0.0.0", "::"].contains(host) ? "localhost" : host.contains(":") ? "[\(host)]" : host
        let network = lan?.address ?? settings.networkName.map { $0.contains(":") ? "[\($0)]" : $0 } ?? shown
        let basePath = settings.basePath
        let exchange = queue.map { queue in Task { await queue.offers.run() } }
        let announce = { @Sendable (port: Int) in
            let scheme = isSecure ? "https" : "http"
            let address = "Shelflist is at \(scheme)://\(shown):\(port)\(basePath.text)\n"
            do {
                // `shelflist apps add` prints it, `shelflist health` connects to it.
                try ServerAddress.store(
                    "\(scheme)://\(network):\(port)\(basePath.text)",
                    local: "\(scheme)://\(shown == "localhost" ? "127.0.0.1" : shown):\(port)\(basePath.text)",
                    in: folder)
            } catch {
                logger.notice("Could not store the server's address", metadata: ["reason": "\(error)"])
            }
            StandardStream.errors.write((lan?.steps(port: port, basePath) ?? address) + setUp)
        }
        try await server.run(stopRequests: { stop.requests() }, onRunning: announce)
        if let exchange {
            exchange.cancel()
            // What it could not withdraw from the queue is read for nothing.
            await waitForEnd {
                await exchange.value
            } until: {
                try await Task.sleep(for: .seconds(1))
            }
        }
        await online.close()
        await dumps.close()
    }

    private func settings(_ installation: Installation) -> ServerSettings {
        var settings = configuration.settings
        // A phone has to reach the server.
        if configuration.lan, settings.host == "127.0.0.1" { settings.host = "0.0.0.0" }
        settings.build = Program.build
        settings.installedBuild = { Program.buildFile.read() }
        settings.webRoot =
            settings.webRoot
            ?? existing(["web/index.html", "../Web/index.html"], installation)?.deletingLastPathComponent()
        settings.apiDocument = existing(["openapi.json", "../docs/api/openapi.json"], installation)
        settings.letters = installation.scripts.codes
        settings.models = ["detection": Program.models, "recognition": Program.models]
        return settings
    }

    /// The first that is there, beside the models of an installation or in the checkout.
    private func existing(_ paths: [String], _ installation: Installation) -> URL? {
        let resources = installation.models.deletingLastPathComponent()
        return paths.map { resources.appending(path: $0).standardizedFileURL }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    // MARK: Phones on this network

    private struct LAN: Sendable {
        let authority: LocalAuthority
        let address: String
        let fingerprint: String

        func steps(port: Int, _ basePath: BasePath) -> String {
            let suffix = (port == 443 ? "" : ":\(port)") + basePath.text
            let url = "https://\(address)\(suffix)/ca.pem"
            let code = StandardStream.errors.showsColors ? QRCode(url).map { "\n\($0.terminalText)\n" } ?? "" : ""
            return """
                Shelflist is at https://\(address)\(suffix)
                \(code)
                A phone has to trust this machine once:
                  1. Open \(url) on the phone\(code.isEmpty ? "" : " (the code above)") and continue past the warning.
                     Keep the certificate only if the phone shows this SHA-256 fingerprint:
                       \(fingerprint.prefix(47))
                       \(fingerprint.dropFirst(48))
                     iPhone: Profile Downloaded, More Details. Android: User credentials, after installing.
                  2. iPhone: Settings, Profile Downloaded, Install; then General, About, Certificate Trust Settings: on.
                     Android: Settings, Security, Encryption and credentials, Install a certificate, CA certificate.
                  3. Open https://\(address)\(suffix)


                """
        }
    }

    /// The name or address by which phones reach a server without `--lan`; `nil` if it listens to this machine only.
    private func networkName(of host: String) -> String? {
        if ["0.0.0.0", "::"].contains(host) { return HostNames.addresses().first }
        return ["localhost", "127.0.0.1", "::1"].contains(host) ? nil : host
    }

    /// As the machine is called now: a router may give it another address one day.
    private var lanNames: [String] {
        (configuration.lanNames + HostNames.all()).filter(LocalAuthority.mayCertify)
    }

    private func authority(of folder: URL) -> LocalAuthority { LocalAuthority(folder: folder.appending(path: "tls")) }

    private func prepareLAN(_ folder: URL, _ logger: Logger) throws -> LAN {
        for name in configuration.lanNames where !LocalAuthority.mayCertify(name) {
            logger.warning(
                "A name of --lan-names has no dot, so it is left out of the certificate. Use NAME.local, or an address.",
                metadata: ["name": "\(name)"])
        }
        let names = lanNames
        let authority = authority(of: folder)
        let hadAuthority = FileManager.default.fileExists(atPath: authority.authorityFile.path)
        let address = names.first ?? "localhost"
        if try authority.prepare(names: names, required: configuration.lanNames + [address]), hadAuthority {
            logger.warning("The certificate authority was replaced. Phones have to trust the new one.")
        }
        return LAN(authority: authority, address: address, fingerprint: try authority.fingerprint())
    }
}
