import Foundation
import Scanning
import ScanningFixtures
import Server
import ServerFixtures
import ShelflistClient
import Synchronization
import TestSupport

/// A real server behind a proxy, and a client of it.
struct ClientFixture: Sendable {
    let server: TestServer
    let proxy: FaultProxy
    let client: ShelflistClient

    /// A second client that reaches the server without the proxy.
    var direct: ShelflistClient { Self.client(port: server.port) }

    static func client(
        port: Int, token: String? = nil, options: ClientOptions = ClientOptions(),
        limits: ClientLimits = .quick, clock: (any Clock<Duration>)? = nil
    ) -> ShelflistClient {
        var environment = ClientEnvironment()
        environment.limits = limits
        if let clock { environment.clock = clock }
        return ShelflistClient(
            address: URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/"), token: token, options: options,
            environment: environment)
    }
}

extension ClientLimits {
    /// Waits of milliseconds between attempts, and long ones for a busy machine.
    static var quick: ClientLimits {
        var limits = ClientLimits()
        limits.firstBackOff = .milliseconds(2)
        limits.longestBackOff = .milliseconds(20)
        limits.pollInterval = .milliseconds(5)
        limits.climbAfter = .milliseconds(50)
        limits.cancellation = longestWait
        limits.connect = longestWait
        limits.handshake = longestWait
        limits.idle = longestWait
        limits.silence = longestWait
        return limits
    }

    /// As `quick`, and gives up silent connections soon.
    static var impatient: ClientLimits {
        var limits = quick
        limits.handshake = .milliseconds(800)
        limits.idle = .milliseconds(800)
        limits.silence = .milliseconds(1000)
        return limits
    }
}

/// Runs `body` with a real server, a proxy in front of it, and a client of the proxy.
func withClient<T: Sendable>(
    limits: ClientLimits = .quick, options: ClientOptions = ClientOptions(), folder: URL? = nil,
    reader: (any ShelfReading)? = nil, plan: @escaping @Sendable (Int) -> Fault? = { _ in nil },
    configure: @Sendable (inout ServerSettings, inout JobLimits) -> Void = { _, _ in },
    _ body: @Sendable @escaping (ClientFixture) async throws -> T
) async throws -> T {
    try await withServer(
        folder: folder, reader: reader,
        configure: { settings, limits in
            // Each reconnection is a request.
            settings.requestsPerMinute = 1_000_000
            settings.keepAlive = .milliseconds(100)
            configure(&settings, &limits)
        }
    ) { server in
        let proxy = try await FaultProxy.started(to: server.port, plan: plan)
        do {
            let client = ClientFixture.client(port: proxy.port, options: options, limits: limits)
            let value = try await body(ClientFixture(server: server, proxy: proxy, client: client))
            await proxy.stop()
            return value
        } catch {
            await proxy.stop()
            throw error
        }
    }
}

extension PhotoSource {
    /// A photo for `ScriptedReader`.
    static func script(_ script: String) -> PhotoSource {
        .data(Data(ScriptedReader.bytes(script)), name: "shelf.jpg")
    }
}

extension ScanSession {
    /// Reads all events of the server.
    func jobEvents() async throws -> [JobEvent] {
        var list: [JobEvent] = []
        for try await case .job(let event) in events { list.append(event) }
        return list
    }
}

/// A clock on which sleeps end at once, except those of watchdogs, which end with their task.
final class InstantClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private let recorded = Mutex<[Duration]>([])
    private let watchdogs: Set<Duration>

    init(watchdogs: Set<Duration> = [longestWait]) { self.watchdogs = watchdogs }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .nanoseconds(1) }
    /// The sleeps that were skipped, in order.
    var sleeps: [Duration] { recorded.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        guard !watchdogs.contains(deadline.offset) else { return try await Task.sleep(for: longestWait) }
        recorded.withLock { $0.append(deadline.offset) }
        await Task.yield()
    }
}
