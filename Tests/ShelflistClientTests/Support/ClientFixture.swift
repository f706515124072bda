import Foundation
import Reading
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import ShelflistClient
import TestSupport

/// A real server behind a proxy, and a client of it.
struct ClientFixture: Sendable {
    let server: TestServer
    let proxy: FaultProxy
    let client: ShelflistClient
    /// The client's clock.
    let clock: InstantClock
    let swallowed: SwallowedRequests
    let limits: ClientLimits

    /// A second client that reaches the server without the proxy.
    var direct: ShelflistClient { Self.client(port: server.port) }

    /// Returns a client whose waits end at once, and whose time limits do not expire, unless `clock` has it otherwise.
    static func client(
        port: Int, token: String? = nil, options: ClientOptions = ClientOptions(), limits: ClientLimits = .held,
        clock: InstantClock = InstantClock()
    ) -> ShelflistClient {
        client(
            URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/"), token: token, options: options,
            limits: limits, clock: clock)
    }

    static func client(
        _ address: URL, token: String? = nil, options: ClientOptions = ClientOptions(), limits: ClientLimits = .held,
        clock: InstantClock = InstantClock(), transport: (any Transport)? = nil
    ) -> ShelflistClient {
        var environment = ClientEnvironment()
        (environment.limits, environment.clock, environment.transport) = (limits, clock, transport)
        return ShelflistClient(address: address, token: token, options: options, environment: environment)
    }

    /// Returns a client that reaches the server through the proxy, and whose requests time out once it swallows them.
    func client(at address: URL, options: ClientOptions = ClientOptions()) throws -> ShelflistClient {
        try Self.client(at: address, options: options, limits: limits, clock: clock, swallowed: swallowed)
    }

    fileprivate static func client(
        at address: URL, options: ClientOptions, limits: ClientLimits, clock: InstantClock,
        swallowed: SwallowedRequests
    ) throws -> ShelflistClient {
        let transport = try platformTransport(
            trustRoots: options.trustRoots, host: address.host() ?? "", limits: limits)
        return client(
            address, options: options, limits: limits, clock: clock,
            transport: SwallowingTransport(base: transport, requests: swallowed))
    }
}

/// Runs `body` with a real server, a proxy in front of it, and a client of the proxy.
///
/// - Parameter swallowedTimeOut: whether the requests that the proxy swallows time out.
func withClient<T: Sendable>(
    limits: ClientLimits = .held, options: ClientOptions = ClientOptions(), folder: URL? = nil,
    reader: (any ShelfReading)? = nil, swallowedTimeOut: Bool = true,
    plan: @escaping @Sendable (Int) -> Fault? = { _ in nil },
    configure: @Sendable (inout ServerSettings, inout JobLimits) -> Void = { _, _ in },
    _ body: @Sendable @escaping (ClientFixture) async throws -> T
) async throws -> T {
    try await withServer(folder: folder, reader: reader, configure: configure) { server in
        let proxy = try await FaultProxy.started(to: server.port, plan: plan)
        let clock = InstantClock(limits: limits)
        let swallowed = SwallowedRequests(endsThem: swallowedTimeOut) { [weak proxy] in proxy?.closeSwallowing() }
        proxy.onSwallow { swallowed.swallow($0) }
        do {
            let client = try ClientFixture.client(
                at: proxy.url, options: options, limits: limits, clock: clock, swallowed: swallowed)
            let fixture = ClientFixture(
                server: server, proxy: proxy, client: client, clock: clock, swallowed: swallowed, limits: limits)
            let value = try await body(fixture)
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
