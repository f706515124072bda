package import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Imaging
package import Library
package import Logging
package import Lookup
import NIOCore
package import Scanning
import ServiceLifecycle
import UnixSignals

/// How a server is set up.
package struct ServerSettings: Sendable {
    package var host = "127.0.0.1"
    /// 0 lets the system choose.
    package var port = 8080
    /// Folder with the web app; `nil` for the API alone.
    package var webRoot: URL?
    /// The OpenAPI document.
    package var apiDocument: URL?
    package var version = ""
    /// Uploads, imports and exports a minute, for each client; twenty times as many other requests.
    package var requestsPerMinute = 60
    /// Proxies whose `X-Forwarded-*` headers are believed.
    package var trustedProxies: Set<String> = []
    package var deadlines = ConnectionDeadlines()
    package var keepAlive: Duration = .seconds(30)
    package var maxConnections = 2_000
    package var tls: TLSFiles?
    /// Makes new files where those of `tls` run out soon or name the machine as it was called once; asked while the
    /// server runs, too.
    package var renewCertificate: @Sendable () throws -> Void = {}
    package var certificateCheck: Duration = .seconds(3600)
    /// The certificate authority that phones are to trust; served at `/ca.pem`.
    package var authorityCertificate: URL?
    package var photoPixels = 100_000_000
    /// scrypt's N; smaller only in tests.
    package var passwordRounds = 1 << 17
    package var models: [String: String] = [:]
    /// By which sessions and tokens expire.
    package var clock = JobClock()
    /// Lets its holder create the owner from another machine.
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

/// The server: routes over jobs, accounts and library.
package struct ShelflistServer: Sendable {
    private let settings: ServerSettings
    private let jobs: ScanJobs
    private let accounts: AccountBook
    private let library: LibraryStore?
    private let lookup: BookLookup
    private let online: OnlineCatalogs?
    private let covers: CoverQueue?
    private let enrichments: EnrichmentQueue?
    private let respine: (any SpineRereading)?
    private let logger: Logger
    private let files: StaticFiles
    private let pictures: JobPictures
    private let apiDocument: [UInt8]?

    /// - Parameters:
    ///   - lookup: what is searched for records.
    ///   - online: the providers, for settings and covers.
    ///   - covers: fetches the covers of records that are chosen.
    ///   - respine: reads a spine again whose box was moved.
    /// - Throws: where the web app or the API document cannot be read.
    package init(
        settings: ServerSettings, jobs: ScanJobs, accounts: AccountBook, library: LibraryStore?,
        lookup: BookLookup = BookLookup(catalog: nil, online: nil), online: OnlineCatalogs? = nil,
        covers: CoverQueue? = nil, respine: (any SpineRereading)? = nil, labelFont: URL?, logger: Logger
    ) throws {
        self.settings = settings
        self.jobs = jobs
        self.accounts = accounts
        self.library = library
        self.lookup = lookup
        self.online = online
        self.covers = covers
        enrichments =
            if let library, let covers {
                EnrichmentQueue(LibraryEnrichment(lookup: lookup, library: library, covers: covers)) { reason in
                    logger.notice("A book was not looked up everywhere", metadata: ["reason": "\(reason)"])
                }
            } else { nil }
        self.respine = respine
        self.logger = logger
        files = try StaticFiles(root: settings.webRoot)
        pictures = try JobPictures(jobs: jobs, labelFont: labelFont)
        apiDocument = try settings.apiDocument.map { [UInt8](try Data(contentsOf: $0)) }
    }

    private var gatekeeper: Gatekeeper {
        Gatekeeper(
            accounts: accounts, trustedProxies: settings.trustedProxies, isSecure: settings.tls != nil,
            setupCode: settings.setupCode, clock: settings.clock)
    }

    /// All routes.
    func routes(metrics: ServerMetrics) -> RouteTable {
        let messages = ScanMessages(kept: jobs.limits.kept)
        let scans = ScanRoutes(jobs: jobs, messages: messages, tokens: accounts.jobTokens)
        let feed = JobFeed(jobs: jobs, keepAlive: settings.keepAlive)
        var table = RouteTable()
        scans.add(to: &table)
        EventRoutes(scans: scans, feed: feed).add(to: &table)
        PictureRoutes(scans: scans, pictures: pictures).add(to: &table)
        let passwords = PasswordWorker(rounds: settings.passwordRounds)
        SessionRoutes(accounts: accounts, gatekeeper: gatekeeper, passwords: passwords).add(to: &table)
        if let library {
            let undo = UndoLedger(library: library)
            LibraryRoutes(library: library, undo: undo, online: online, covers: covers).add(to: &table)
            WorkRoutes(library: library, undo: undo, online: online, covers: covers).add(to: &table)
            ReviewRoutes(
                library: library, undo: undo, respine: respine, online: online, covers: covers, enrichments: enrichments
            ).add(to: &table)
            ShelfRoutes(library: library).add(to: &table)
            SettingsRoutes(library: library, jobs: jobs, online: online).add(to: &table)
            ScanImportRoutes(scans: scans, library: library, covers: covers).add(to: &table)
            ExchangeRoutes(
                library: library, imports: ListImports(library: library, lookup: lookup, covers: covers)
            ).add(to: &table)
        }
        let search = SearchRoutes(lookup: lookup, online: online)
        search.add(to: &table)
        BookshelfRoutes(scans: scans, gatekeeper: gatekeeper, library: library, search: search).add(to: &table)
        VersionThreeRoutes(scans: scans, feed: feed, gatekeeper: gatekeeper, pictures: pictures).add(to: &table)
        MemberRoutes(accounts: accounts, passwords: passwords).add(to: &table)
        OperationsRoutes(
            jobs: jobs, library: library, online: online, metrics: metrics, about: about, apiDocument: apiDocument
        ).add(to: &table)
        PreviewRoutes(jobs: jobs).add(to: &table)
        SocketFallback().add(to: &table)
        AuthorityRoute(file: settings.authorityCertificate).add(to: &table)
        return table
    }

    /// What every route asks of its caller.
    package var routeList: [RouteSummary] { routes(metrics: ServerMetrics()).routes.map(RouteSummary.init) }

    private var about: AboutMessage {
        AboutMessage(
            version: settings.version,
            limits: .init(
                photoBytes: jobs.limits.photo.maxBytes, photoPixels: settings.photoPixels,
                photosPerJob: jobs.limits.photosPerJob, jobsInFlight: jobs.limits.jobsInFlightPerClient,
                requestsPerMinute: settings.requestsPerMinute, resultHours: Int(jobs.limits.kept / .seconds(3600))),
            models: settings.models.sorted { $0.key < $1.key }.map { .init(name: $0.key, version: $0.value) })
    }

    /// Serves until the task is cancelled or the process is told to stop (SIGTERM, SIGINT).
    ///
    /// - Parameter onRunning: told the port, once connections are taken.
    /// - Throws: where the port is taken or the certificate cannot be read.
    package func run(
        handlesSignals: Bool = true, onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        let metrics = ServerMetrics()
        let limiter = RateLimiter(workPerMinute: settings.requestsPerMinute, clock: settings.clock)
        // Middleware holds for the routes that are added after it.
        let router = Router(context: AppContext.self)
        router.addMiddleware {
            SecurityHeaders()
            Bookkeeping(metrics: metrics, files: files)
        }
        routes(metrics: metrics).add(to: router, gatekeeper: gatekeeper, limiter: limiter)
        let feed = JobFeed(jobs: jobs, keepAlive: settings.keepAlive)
        let sockets = SocketService(
            gatekeeper: gatekeeper, feed: feed, messages: ScanMessages(kept: jobs.limits.kept), logger: logger)
        let deadlines = settings.deadlines
        var builder = HTTPServerBuilder { responder in
            WebConnection(responder: responder, deadlines: deadlines, sockets: sockets)
        }
        let certificate = try settings.tls.map(ServedCertificate.init)
        if let certificate { builder = try .tls(builder, tlsConfiguration: try certificate.configuration()) }
        let application = Application(
            router: router, server: builder,
            configuration: .init(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: MaximumAvailableConnections(settings.maxConnections)),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) }, logger: logger)

        if let library { try ExchangeRoutes.removeLeftovers(in: library.folder) }
        try await jobs.start()
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: application), .init(service: JobService(jobs: jobs, logger: logger)),
        ]
        if let library { services.append(.init(service: PhotoCleaning(library: library, logger: logger))) }
        if let certificate {
            services.append(
                .init(service: CertificateCare(certificate: certificate, settings: settings, logger: logger)))
        }
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: handlesSignals ? [.sigterm, .sigint] : [], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(9)
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// The jobs' upkeep, and their stop before the connections': streams end, and nobody waits for them.
private struct JobService: Service {
    let jobs: ScanJobs
    let logger: Logger

    func run() async throws {
        let jobs = jobs
        let logger = logger
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                do {
                    try await jobs.sweep()
                } catch {
                    logger.error(
                        "Upkeep of the jobs failed; it is tried again in a minute", metadata: ["error": "\(error)"])
                }
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(60)) }
            }
            await jobs.stop()
        } onGracefulShutdown: {
            Task { await jobs.stop() }
        }
    }
}

/// Deletes photos that are not needed any more, at the start and every hour.
private struct PhotoCleaning: Service {
    let library: LibraryStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await cleanUp()
                // Cut short by the stop, which ends the loop.
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }

    private func cleanUp() async {
        do {
            let report = try await library.cleanUpPhotos()
            for photo in report.deleted {
                logger.info("Photo deleted", metadata: ["file": "\(photo.file)", "reason": "\(photo.reason.rawValue)"])
            }
            for (file, reason) in report.failed {
                logger.error(
                    "Photo not deleted; it is tried again", metadata: ["file": "\(file)", "error": "\(reason)"])
            }
        } catch {
            logger.error("The clean-up of photos failed; it is tried again", metadata: ["error": "\(error)"])
        }
    }
}

/// Renews the certificate in time, and takes up one that another program has renewed.
private struct CertificateCare: Service {
    let certificate: ServedCertificate
    let settings: ServerSettings
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // The sleep is cut short by the stop, which ends the loop.
            while (try? await Task.sleep(for: settings.certificateCheck)) != nil {
                do {
                    try settings.renewCertificate()
                    try certificate.reload()
                } catch {
                    logger.error(
                        "The certificate was not renewed; it is tried again", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
