import Bounds
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Imaging
import Library
package import Logging
import Lookup
import NIOCore
import Reading
import Scans
import ServiceLifecycle
import ShelflistAPI

/// The HTTP server.
package struct ShelflistServer: Sendable {
    private let settings: ServerSettings
    private let dependencies: ServerDependencies
    private let logger: Logger
    private let files: StaticFiles
    private let apiDocument: [UInt8]?
    private let network: NetworkAccess?

    /// Reads the web app and the API document.
    ///
    /// - Throws: `CocoaError` if one of them cannot be read.
    package init(settings: ServerSettings, dependencies: ServerDependencies, logger: Logger) throws {
        _ = HTTPField.Name.ownNames
        self.settings = settings
        self.dependencies = dependencies
        self.logger = logger
        files = try StaticFiles(root: settings.webRoot)
        network = settings.network.map { NetworkAccess($0, accounts: dependencies.accounts, logger: logger) }
        apiDocument = try settings.apiDocument.map {
            try OpenAPIDocument.bytes(of: Data(contentsOf: $0), below: settings.basePath)
        }
    }

    private var jobs: ScanJobs { dependencies.jobs }
    private var feed: JobFeed { JobFeed(jobs: jobs, keepAlive: settings.keepAlive) }

    private var gatekeeper: Gatekeeper {
        Gatekeeper(
            accounts: dependencies.accounts, apps: dependencies.apps, trustedProxies: settings.trustedProxies,
            answeredAddresses: settings.answeredAddresses, checkInterval: settings.sessionCheck,
            basePath: settings.basePath, isSecure: settings.tls != nil, network: network,
            setupCode: settings.setupCode,
            clock: settings.clock, date: settings.date)
    }

    func routes(metrics: ServerMetrics) -> RouteTable {
        let parts = dependencies
        let scans = ScanRoutes(
            jobs: jobs, accounts: parts.accounts, library: parts.library, online: parts.online)
        let audit = AccessRecord(log: parts.audit, clock: settings.clock, date: settings.date)
        let passwords = PasswordWorker(rounds: settings.passwordRounds)
        let matching = Matching(library: parts.library, online: parts.online, covers: parts.covers)
        let search = SearchRoutes(lookup: parts.lookup, library: parts.library)
        var table = RouteTable()
        scans.add(to: &table)
        EventRoutes(scans: scans, feed: feed).add(to: &table)
        PictureRoutes(scans: scans, pictures: parts.pictures, library: parts.library).add(to: &table)
        PreviewRoutes(jobs: jobs).add(to: &table)
        ScanImportRoutes(scans: scans, library: parts.library).add(to: &table)
        ScanBookRoutes(
            scans: scans, library: parts.library, online: parts.online, covers: parts.covers
        ).add(to: &table)
        let sessions = SessionRoutes(
            accounts: parts.accounts, apps: parts.apps, gatekeeper: gatekeeper, passwords: passwords, audit: audit,
            openID: settings.openID)
        sessions.add(to: &table)
        OpenIDRoutes(
            provider: settings.openID.map {
                OpenIDProvider(settings: $0, transport: parts.online.transport, clock: settings.clock)
            },
            accounts: parts.accounts, gatekeeper: gatekeeper, audit: audit, logger: logger
        ).add(to: &table)
        OpenIDLinkRoutes(accounts: parts.accounts, audit: audit, openID: settings.openID).add(to: &table)
        SessionListRoutes(accounts: parts.accounts, gatekeeper: gatekeeper, audit: audit).add(to: &table)
        SecondFactorRoutes(accounts: parts.accounts, audit: audit, sessions: sessions).add(to: &table)
        MemberRoutes(
            accounts: parts.accounts, apps: parts.apps, passwords: passwords, audit: audit, openID: settings.openID
        ).add(to: &table)
        LibraryRoutes(library: parts.library, online: parts.online, covers: parts.covers).add(to: &table)
        WorkRoutes(library: parts.library, matching: matching).add(to: &table)
        ReviewRoutes(
            library: parts.library, reread: { [reader = parts.jobs.reader] in try await reader.reread($0) },
            matching: matching, enrichments: parts.enrichments, views: ReviewViews(clock: settings.clock)
        ).add(to: &table)
        IncompleteRoutes(search: parts.incomplete).add(to: &table)
        CoverRoutes(library: parts.library, online: parts.online).add(to: &table)
        FeedbackRoutes(library: parts.library, scans: scans, pictures: parts.pictures).add(to: &table)
        ShelfRoutes(library: parts.library, scans: scans).add(to: &table)
        StocktakeRoutes(library: parts.library).add(to: &table)
        SettingsRoutes(library: parts.library, online: parts.online, catalog: parts.catalog, audit: audit)
            .add(to: &table)
        CatalogRoutes(downloads: parts.downloads).add(to: &table)
        StatisticsRoutes(library: parts.library).add(to: &table)
        ExchangeRoutes(
            library: parts.library,
            imports: ListImports(
                library: parts.library, lookup: parts.lookup, covers: parts.covers, logger: logger),
            audit: audit
        ).add(to: &table)
        ExportRoutes(library: parts.library).add(to: &table)
        SeriesRoutes(library: parts.library).add(to: &table)
        search.add(to: &table)
        OwnRoutes(lookup: parts.lookup, library: parts.library).add(to: &table)
        BookshelfRoutes(scans: scans, feed: feed, clock: settings.clock).add(to: &table)
        BookshelfSearch(search: search).add(to: &table)
        VersionThreeRoutes(scans: scans, feed: feed, pictures: parts.pictures).add(to: &table)
        OperationsRoutes(
            jobs: jobs, online: parts.online, metrics: metrics, about: about,
            installedBuild: { [settings] in settings.installedBuild().flatMap { $0 == settings.build ? nil : $0 } },
            apiDocument: apiDocument, authorityCertificate: authorityCertificate
        ).add(to: &table)
        let phones = PhoneRoutes(
            gatekeeper: gatekeeper, networkName: settings.networkName, authorityCertificate: authorityCertificate,
            audit: audit)
        phones.add(to: &table)
        AppRoutes(accounts: parts.accounts, apps: parts.apps, gatekeeper: gatekeeper, phones: phones, audit: audit)
            .add(to: &table)
        SocketFallback().add(to: &table)
        return table
    }

    private var authorityCertificate: @Sendable () -> URL? {
        { [settings, network] in settings.authorityCertificate ?? network?.authorityCertificate }
    }

    /// All routes with their requirements.
    package var routeList: [Route] { routes(metrics: ServerMetrics()).routes }

    private var about: AboutServer {
        var about = AboutServer(
            version: settings.build.version, commit: settings.build.commit,
            limits: .init(
                photoBytes: jobs.limits.photo.maxBytes, photoPixels: jobs.limits.photo.maxPixels,
                photosPerJob: jobs.limits.photosPerJob, jobsInFlight: jobs.limits.jobsInFlightPerClient,
                requestsPerMinute: settings.requestsPerMinute,
                resultHours: Int(saturating: jobs.limits.kept / .seconds(3600))))
        about.models = settings.models.sorted { $0.key < $1.key }.map { .init(name: $0.key, version: $0.value) }
        about.letters = settings.letters
        return about
    }

    /// Runs the server until the task is cancelled or a stop is requested.
    ///
    /// A stop takes `ServiceRun.longestStop` at most. Threads may still be busy after it, with what the next start repeats.
    ///
    /// - Parameters:
    ///   - stopRequests: called once the server can stop in order; it stops when the sequence ends.
    ///   - onRunning: called with the port once the server accepts connections.
    /// - Throws: an error if the port is in use, or the certificate or the models cannot be read.
    package func run(
        stopRequests: () -> AsyncStream<Never> = { AsyncStream { _ in } },
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        let metrics = ServerMetrics()
        let limiter = RateLimiter(workPerMinute: settings.requestsPerMinute, clock: settings.clock)
        let problems = ProblemResponses()
        let table = routes(metrics: metrics)
        // Middleware applies only to routes added after it.
        let router = Router(context: AppContext.self)
        router.addMiddleware {
            SecurityHeaders(requiresHTTPS: settings.requiresHTTPS)
            RequestLog(metrics: metrics)
            UnsavedAccess(accounts: dependencies.accounts, apps: dependencies.apps)
            problems
            ProxyAccess(gatekeeper: gatekeeper)
            BasePathAccess(basePath: settings.basePath)
            AppAccess(table)
            files
        }
        table.add(
            to: router, gatekeeper: gatekeeper, limiter: limiter, heavy: HeavyRequests(clock: settings.clock),
            problems: problems)
        let sockets = SocketService(
            gatekeeper: gatekeeper, feed: feed, patience: settings.appPatience, logger: logger)
        let deadlines = settings.deadlines
        let addresses = AddressConnections(limit: settings.connectionsPerAddress, exempt: settings.trustedProxies)
        // A form with the largest photos, and its other fields.
        let photos = jobs.limits.photo.maxBytes * jobs.limits.photosPerJob + 1_000_000
        let maxBodyBytes = max(HTTPLimits.bodyBytes, photos)
        let responder = BasePathResponder(
            gatekeeper: gatekeeper,
            next: AppPathResponder(gatekeeper: gatekeeper, limiter: limiter, next: router.buildResponder()))
        @Sendable func listener(
            _ host: String, _ port: Int, _ certificate: ServedCertificate?,
            onRunning: @escaping @Sendable (any Channel) async -> Void
        ) throws -> any Service {
            var builder = HTTPServerBuilder { responder in
                WebConnection(
                    responder: responder, deadlines: deadlines, maxBodyBytes: maxBodyBytes, addresses: addresses,
                    sockets: sockets)
            }
            if let certificate { builder = try .tls(builder, tlsConfiguration: try certificate.configuration()) }
            return Application(
                responder: responder, server: builder,
                configuration: .init(
                    address: .hostname(host, port: port),
                    availableConnectionsDelegate: MaximumAvailableConnections(settings.maxConnections)),
                onServerRunning: onRunning, logger: logger)
        }
        let certificate = try settings.tls.map(ServedCertificate.init)
        let application = try listener(settings.host, settings.port, certificate) { channel in
            await onRunning(channel.localAddress?.port ?? 0)
            do {
                try await jobs.resume()
            } catch {
                logger.error(
                    "Could not resume the scan jobs. Job maintenance will retry in a minute.",
                    metadata: ["error": "\(error)"])
            }
        }

        try ExchangeRoutes.removeLeftovers(in: dependencies.library.folder)
        try await jobs.prepare()
        // They stop in reverse order: reading, for which others wait, before the rest; connections before the download,
        // which may take a second to end, and before what they changed is stored.
        let storingAccess = RepeatedAction.storingAccess(
            dependencies.accounts, dependencies.apps, settings.clock, logger)
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: storingAccess),
            .init(
                service: RepeatedAction.catalogUpdates(
                    dependencies.downloads, dependencies.library, settings.clock, logger)),
            .init(service: application),
            .init(service: RepeatedAction.photoCleanup(of: dependencies.library, settings, logger)),
        ]
        if let network {
            services.append(.init(service: NetworkService(access: network) { try listener($0, $1, $2, onRunning: $3) }))
            services.append(.init(service: RepeatedAction.networkRenewal(network, settings, logger)))
        }
        if let backups = settings.backups {
            services.append(
                .init(service: RepeatedAction.dailyBackups(backups, of: dependencies.library, settings, logger)))
        }
        if let certificate {
            services.append(.init(service: RepeatedAction.certificateRenewal(certificate, settings, logger)))
        }
        services.append(.init(service: ModelService(load: settings.loadModels)))
        services.append(
            .init(service: JobService(jobs: jobs, endDecoding: settings.endDecoding, logger: logger)))
        defer { dependencies.audit.flush() }
        let run = ServiceRun(clock: settings.clock, logger: logger)
        if try await !run.run(services, stopRequests: stopRequests()) { await storingAccess.onStop() }
    }
}
