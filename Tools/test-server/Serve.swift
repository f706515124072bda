import ArgumentParser
import Catalog
import Concurrency
import Downloads
import Foundation
import Imaging
import Library
import Logging
import Lookup
import Providers
import Reading
import ReadingFixtures
import Scans
import Server
import ShelflistAPI

/// Runs the server in a data folder, and obeys the commands on standard input until that ends.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve a data folder.")

    @Option(help: "The port; 0 for a free one.") var port = 0
    @Option(help: "The data folder.") var data: String
    @Option(help: "The folder of the web app; none serves only the API.") var webRoot: String?
    @Option(help: "The folder of the recorded photos.") var recorded: String
    @Option(help: "The path below which a proxy serves this server.") var basePath: String?
    @Option(help: "Addresses of proxies, with commas.") var trustedProxies: String?
    @Option(help: "Requests per minute and client.") var requestsPerMinute = 60
    @Option(help: "The address of an OpenID Connect provider; none for passwords only.") var oidcIssuer: String?
    @Option(help: "The name of this server at the provider.") var oidcClientId = "shelflist"
    @Option(help: "The provider's name.") var oidcName = "OpenID"
    @Flag(help: "Refuse passwords.") var oidcOnly = false
    @Flag(help: "Serve without the proxy that makes requests fail.") var direct = false

    func run() async throws {
        // The commands end with a broken pipe where the test has ended.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let installation = try Installation.locate()
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let logger = Logger(label: "test-server") { label in
            var handler = LineLogHandler(label: label)
            handler.logLevel = .warning
            return handler
        }
        let reportFailure = { @Sendable (reason: String) in logger.warning("\(reason)") }

        let catalog = CatalogFile(folder.appending(path: "catalog.sqlite"))
        let library = try ServerDependencies.library(in: folder)
        let records = LocalRecords(
            data: folder, library: library, catalog: catalog, starterList: installation.starterList,
            cache: installation.cache(for: folder),
            onFailure: reportFailure)
        let reader = RecordedReader(
            try RecordedPhotos(URL(filePath: recorded)), catalog: records.snapshot, expected: records.expected)
        let clock = ShiftedClock()
        let steady = clock.steady()
        var configuration = ServiceConfiguration()
        let openLibrary = Self.address("SHELFLIST_OPENLIBRARY_URL", environment) ?? Self.closedPort
        configuration[ProviderName.openLibrary].address = openLibrary
        for model in ModelProvider.allCases {
            let name = "SHELFLIST_\(model.rawValue.uppercased())_URL"
            // With its own address, a provider needs a key.
            guard environment[name] != "" else { continue }
            configuration[model].address = Self.address(name, environment) ?? Self.closedPort
        }
        let online = try OnlineServices(
            data: folder, configuration: configuration, version: "test",
            coverHosts: .only(origin: "http://127.0.0.1:\(openLibrary.port ?? 80)"), covers: openLibrary,
            clock: clock.providers, onCacheFailure: reportFailure,
            make: { name, settings, transport, cache in
                var settings = settings
                settings.coverBase = openLibrary
                // A test does not wait for the next request that a provider would accept.
                var policy = ServicePolicy()
                (policy.interval, policy.backoff) = (0, 0)
                settings.policy = policy
                return name.provider(settings, transport: transport, cache: cache)
            })
        let dumps = DumpServer(
            url: Self.address("SHELFLIST_DUMPS_URL", environment) ?? Self.closedPort, version: "test", contact: nil,
            idleSeconds: 600)
        let dependencies = try ServerDependencies(
            folder: folder, library: library, reader: reader, catalog: catalog, dumps: dumps, online: online,
            received: records.received, limits: JobLimits(), clock: steady, labelFont: installation.labelFont,
            logger: logger)
        let settings = try settings(installation, clock: steady, folder)
        let server = try ShelflistServer(settings: settings, dependencies: dependencies, logger: logger)
        let front = Front()
        let commands = Commands(reader: reader, clock: clock, steady: steady, front: front)
        Task {
            try await commands.obey()
            // The test has ended.
            Self.exit()
        }
        let (stopRequests, stopRequest) = AsyncStream<Never>.makeStream()
        signal(SIGTERM, SIG_IGN)
        let terminations = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        terminations.setEventHandler { stopRequest.finish() }
        terminations.resume()
        try await server.run(stopRequests: { stopRequests }) { inner in
            do {
                let port = direct ? inner : try await front.open(port: port, to: inner)
                let address = "http://127.0.0.1:\(port)\(settings.basePath.text)"
                try ServerAddress.store(address, local: address, in: folder)
                let code = dependencies.accounts.hasOwner ? "" : "The set-up code \(settings.setupCode)\n"
                Commands.say("\(code)Shelflist is at \(address)")
            } catch {
                logger.error("Could not listen", metadata: ["error": "\(error)"])
                Self.exit(withError: ExitCode.failure)
            }
        }
        terminations.cancel()
        await front.finish()
        await online.close()
        await dumps.close()
    }

    private func settings(_ installation: Installation, clock: SteadyClock, _ folder: URL) throws -> ServerSettings {
        var settings = ServerSettings()
        settings.port = 0
        settings.clock = clock
        settings.date = { clock.now }
        settings.build.version = "test"
        settings.passwordRounds = 1 << 10
        // Long enough that pauses of a busy machine do not end a connection.
        settings.deadlines.firstHead = .seconds(600)
        settings.deadlines.nextHead = .seconds(600)
        settings.deadlines.bodyPause = .seconds(600)
        settings.appPatience = .seconds(600)
        settings.requestsPerMinute = requestsPerMinute
        settings.openID = oidcIssuer.flatMap { URL(string: $0) }.map {
            OpenIDSettings(issuer: $0, clientID: oidcClientId, name: oidcName, isOnlyWay: oidcOnly)
        }
        settings.webRoot = webRoot.map { URL(filePath: $0, directoryHint: .isDirectory) }
        settings.apiDocument =
            installation.starterList.deletingLastPathComponent()
            .appending(path: "../docs/api/openapi.json").standardizedFileURL
        if let basePath {
            guard let path = BasePath(basePath) else { throw ValidationError("'\(basePath)' is not a path.") }
            settings.basePath = path
        }
        settings.trustedProxies = Set(
            try trustedProxies?.split(separator: ",").map { text in
                guard let range = AddressRange(String(text)) else {
                    throw ValidationError("'\(text)' is not an address.")
                }
                return range
            } ?? [])
        if settings.trustedProxies.isEmpty {
            var network = NetworkSettings(
                file: folder.appending(path: "network.json"),
                authority: LocalAuthority(folder: folder.appending(path: "tls")), names: { ["127.0.0.1"] })
            (network.host, network.port) = ("127.0.0.1", 0)
            settings.network = network
        }
        return settings
    }

    private static func address(_ name: String, _ environment: [String: String]) -> URL? {
        environment[name].flatMap { URL(string: $0) }
    }

    /// Refuses connections, so that no test asks a provider.
    private static var closedPort: URL { URL(string: "http://127.0.0.1:1/") ?? URL(filePath: "/") }
}
