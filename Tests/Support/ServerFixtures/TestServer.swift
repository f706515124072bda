import Catalog
import Concurrency
import Downloads
package import Fixtures
package import Foundation
import Imaging
package import Library
package import Logging
package import Lookup
package import Providers
package import Reading
package import ReadingFixtures
package import Scans
package import Server
import ServiceLifecycleTestKit
package import TestSupport

/// Creates the providers of a server for its folder.
package struct StubbedProviders: Sendable {
    package let over: @Sendable (URL) throws -> OnlineServices

    package init(over: @escaping @Sendable (URL) throws -> OnlineServices) { self.over = over }

    /// Enabled providers at stubs, with covers at that of Open Library, on a clock on which no time passes.
    package static func at(_ stubs: [ProviderName: StubServer]) -> StubbedProviders {
        let addresses = stubs.mapValues(\.url)
        let covers = stubs[.openLibrary]
        return StubbedProviders { folder in
            try OnlineServices(
                data: folder, configuration: ServiceConfiguration(providers: Set(addresses.keys)), version: "test",
                coverHosts: .only(origin: "http://127.0.0.1:\(covers?.port ?? 1)"), covers: covers?.url,
                clock: ManualClock(),
                make: { name, settings, transport, cache in
                    var policy = ServicePolicy()
                    (policy.interval, policy.attempts) = (0, 1)
                    var settings = settings
                    (settings.base, settings.coverBase, settings.policy) = (addresses[name], covers?.url, policy)
                    settings.rates = nil
                    return name.provider(settings, transport: transport, cache: cache)
                })
        }
    }
}

/// Runs `body` with a complete server on a separate thread, and stops the server, even if `body` throws.
///
/// - Parameters:
///   - folder: the data folder of an earlier server to continue; `nil` for a new temporary folder.
///   - reader: replaces the scripted reader.
///   - online: creates the providers for the server's folder.
///   - services: configures providers and models where `online` is nil.
///   - received: keeps what providers answer, so that they identify books; `reader` has to search it.
///   - dumps: where the catalog is downloaded from; `nil` for an address that cannot be reached.
///   - clock: the clock of sessions, jobs and limits, on which no time passes unless the test advances it.
///   - date: the date when the clock starts.
package func withServer<T: Sendable>(
    folder: URL? = nil, reader: (any ShelfReading)? = nil, online: StubbedProviders? = nil,
    services: ServiceConfiguration = ServiceConfiguration(), received: ReceivedRecords? = nil, dumps: URL? = nil,
    clock: HeldClock = HeldClock(), date: Date = Date(),
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    configure: (inout ServerSettings, inout JobLimits) -> Void = { _, _ in },
    _ body: @Sendable (TestServer) async throws -> T
) async throws -> T {
    let server = try await TestServer(
        folder: folder, reader: reader, online: online, services: services, received: received, dumps: dumps,
        clock: clock, date: date, logger: logger, configure: configure)
    do {
        let value = try await onOwnThread { try await body(server) }
        await server.stop()
        return value
    } catch {
        // A photo that is still waiting would block the stop.
        server.reader.release()
        await server.stop()
        throw error
    }
}

/// A complete server on a free port with a scripted reader.
package final class TestServer: Sendable {
    package let folder: URL
    private let temporary: TemporaryFolder?
    package let port: Int
    package let reader: ScriptedReader
    package let server: ShelflistServer
    /// Creates the owner from another machine.
    package let setupCode: String
    package let jobs: ScanJobs
    package let library: LibraryStore
    package let clock: HeldClock
    private let online: OnlineServices
    private let dumps: DumpServer
    private let running: Task<Void, any Error>
    private let signal: GracefulShutdownTestTrigger

    fileprivate init(
        folder: URL?, reader photoReader: (any ShelfReading)?, online: StubbedProviders?,
        services: ServiceConfiguration, received: ReceivedRecords?, dumps: URL?, clock: HeldClock, date: Date,
        logger: Logger, configure: (inout ServerSettings, inout JobLimits) -> Void
    ) async throws {
        if let folder {
            temporary = nil
            self.folder = folder
        } else {
            let own = try TemporaryFolder()
            self.folder = own.url
            temporary = consume own
        }
        let folder = self.folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var settings = ServerSettings()
        settings.port = 0
        self.clock = clock
        let jobClock = SteadyClock(start: date, clock: clock)
        settings.clock = jobClock
        settings.date = { jobClock.now }
        settings.build.version = "test"
        // The limits do not recover while the clock stands still.
        settings.requestsPerMinute = 1_000_000
        settings.passwordRounds = 1 << 10
        // Long enough that pauses of a busy machine do not end a connection.
        settings.deadlines.firstHead = longestWait
        settings.deadlines.nextHead = longestWait
        settings.deadlines.bodyPause = longestWait
        var limits = JobLimits()
        // The machine of the tests may have a full disk.
        limits.bytesKeptFree = 0
        configure(&settings, &limits)
        let online =
            try online?.over(folder) ?? OnlineServices(data: folder, configuration: services, version: "test")
        self.online = online
        let dumps = DumpServer(url: dumps ?? Self.closedPort, version: "test", contact: nil)
        self.dumps = dumps
        let reader = ScriptedReader()
        self.reader = reader
        let dependencies = try ServerDependencies(
            folder: folder, library: ServerDependencies.library(in: folder, date: { jobClock.now }),
            reader: photoReader ?? reader,
            catalog: CatalogFile(folder.appending(path: "catalog.sqlite")), dumps: dumps,
            online: online, received: received, limits: limits,
            clock: jobClock, labelFont: SpineFont.dejaVuSans.file, logger: logger)
        (jobs, library) = (dependencies.jobs, dependencies.library)
        setupCode = settings.setupCode
        let server = try ShelflistServer(settings: settings, dependencies: dependencies, logger: logger)
        self.server = server
        let (starts, continuation) = AsyncStream<(port: Int, signal: GracefulShutdownTestTrigger)>.makeStream()
        running = Task {
            defer { continuation.finish() }
            try await testGracefulShutdown { signal in
                try await server.run(onRunning: { continuation.yield(($0, signal)) })
            }
        }
        guard let start = await starts.first(where: { _ in true }) else {
            try await running.value
            throw POSIXError(.ECONNREFUSED)
        }
        (port, signal) = start
    }

    /// The date by the server's clock.
    package var now: Date { jobs.log.clock.now }

    /// Refuses connections.
    private static var closedPort: URL { URL(string: "http://127.0.0.1:1") ?? URL(filePath: "/") }

    /// Stops the server as a signal does: connections end in good order.
    package func shutDown() async {
        signal.triggerGracefulShutdown()
        _ = await running.result
    }

    /// Returns once the server has ended by itself.
    ///
    /// - Throws: the error with which it ended.
    package func waitUntilStopped() async throws { try await running.value }

    /// Stops the server without regard to its connections.
    package func stop() async {
        running.cancel()
        _ = await running.result
        await online.close()
        await dumps.close()
    }

    deinit { running.cancel() }

    /// Sends one request on a new connection.
    package func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> Answer {
        let connection = try Connection(port: port)
        try connection.send(Self.request(method, path, headers: headers, body: body))
        return try connection.answer(to: method)
    }

    package func send(_ method: String, _ path: String, headers: [String: String] = [:], json: String) throws -> Answer
    {
        try send(
            method, path, headers: headers.merging(["Content-Type": "application/json"]) { mine, _ in mine },
            body: Array(json.utf8))
    }

    package static func request(
        _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\n"
        for (name, value) in ["Host": "localhost", "Connection": "close"].merging(headers, uniquingKeysWith: { $1 }) {
            head += "\(name): \(value)\r\n"
        }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}

package enum Form {
    package static let boundary = "----boundary42"
    package static let contentType = "multipart/form-data; boundary=\(boundary)"

    /// - Parameter name: of each file; nil for a name of its own.
    package static func body(
        photos: [[UInt8]], fields: [String: String] = [:], part: String = "photo", name: String? = nil
    ) -> [UInt8] {
        var body: [UInt8] = []
        for (name, value) in fields {
            body += Array(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        for (index, photo) in photos.enumerated() {
            let head =
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part)\"; filename=\"\(name ?? "shelf\(index).jpg")\"\r\n"
                + "Content-Type: image/jpeg\r\n\r\n"
            body += Array(head.utf8) + photo + Array("\r\n".utf8)
        }
        return body + Array("--\(boundary)--\r\n".utf8)
    }
}
