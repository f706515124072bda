import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// What a proxy does to one connection.
struct Fault: Sendable, Equatable {
    enum Kind: Sendable {
        /// Closes both sides.
        case cut
        /// Ends the direction in good order; the other one stays open.
        case halfClose
        /// Passes nothing on in either direction, and keeps the connection open.
        case blackHole
        /// Passes everything on, also the end of the connection, but only when `FaultProxy.deliverLate` is called.
        case late
        /// Answers instead of the server, as a proxy does that does not permit the request.
        case refuse
    }

    enum Direction: Sendable, CaseIterable { case up, down }

    var kind: Kind
    /// Up is from client to server.
    var direction: Direction
    /// The bytes in that direction that are passed on before.
    var after = 0
}

/// A TCP proxy on this machine that breaks connections.
final class FaultProxy: Sendable {
    private struct State {
        var target: Int
        var accepted = 0
        var pieces = 0
        var gathered = 0
        var plan: @Sendable (Int) -> Fault?
        var faults: @Sendable (String) -> Fault? = { _ in nil }
        var onSwallow: @Sendable (String?) -> Void = { _ in }
        /// The connections of clients.
        var open: [ObjectIdentifier: any Channel] = [:]
        /// Those of which bytes were swallowed.
        var swallowing: [any Channel] = []
        var late: [(point: FaultPoint, loop: any EventLoop)] = []
        /// The connections to the server.
        var servers: [ObjectIdentifier: any Channel] = [:]
    }

    private let state: Mutex<State>
    private let listener: any Channel

    var port: Int { listener.localAddress?.port ?? 0 }
    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }
    /// How many connections it has accepted.
    var accepted: Int { state.withLock(\.accepted) }

    /// - Parameters:
    ///   - target: the server's port.
    ///   - plan: returns the fault of a connection by its number, from 0; nil for none.
    static func started(to target: Int, plan: @escaping @Sendable (Int) -> Fault? = { _ in nil }) async throws
        -> FaultProxy
    {
        let box = Box()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let proxy = box.proxy.withLock({ $0 }) else { return }
                    try channel.pipeline.syncOperations.addHandler(proxy.clientSide(channel))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let proxy = FaultProxy(listener: listener, state: State(target: target, plan: plan))
        box.proxy.withLock { $0 = proxy }
        return proxy
    }

    private final class Box: Sendable {
        let proxy = Mutex<FaultProxy?>(nil)
    }

    private init(listener: any Channel, state: consuming State) {
        self.listener = listener
        self.state = Mutex(state)
    }

    func plan(_ plan: @escaping @Sendable (Int) -> Fault?) { state.withLock { $0.plan = plan } }
    /// - Parameter faults: returns what happens to a connection on which a client sends this; its bytes are counted from
    ///   there.
    func onRequest(_ faults: @escaping @Sendable (String) -> Fault?) { state.withLock { $0.faults = faults } }
    func set(target: Int) { state.withLock { $0.target = target } }
    /// - Parameter pieces: how many bytes new connections pass on at once; 0 for all.
    func set(pieces: Int) { state.withLock { $0.pieces = pieces } }
    /// - Parameter onSwallow: called with the method and the path of a request when bytes of it or of its response are
    ///   not passed on, once for each connection; with nil if they are encrypted.
    func onSwallow(_ onSwallow: @escaping @Sendable (String?) -> Void) { state.withLock { $0.onSwallow = onSwallow } }
    /// - Parameter gathered: the bytes from the server that the next connection passes on at once in its beginning.
    func set(gathered: Int) { state.withLock { $0.gathered = gathered } }

    /// Ends all connections.
    func cutAll() {
        for channel in state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    /// Ends the connections of clients of which bytes were swallowed, as the client's limit for connecting does.
    func closeSwallowing() {
        let swallowing = state.withLock { state in
            defer { state.swallowing = [] }
            return state.swallowing
        }
        for channel in swallowing { channel.close(promise: nil) }
    }

    /// Delivers what is late, and returns once the server has answered or the client is gone.
    ///
    /// - Returns: how many connections were late.
    @discardableResult
    func deliverLate() async throws -> Int {
        let late = state.withLock { state in
            defer { state.late = [] }
            return state.late
        }
        for (point, loop) in late { try await loop.flatSubmit { point.deliver(on: loop) }.get() }
        return late.count
    }

    func stop() async {
        cutAll()
        for channel in state.withLock({ Array($0.servers.values) }) { channel.close(promise: nil) }
        try? await listener.close()
    }

    private func clientSide(_ client: any Channel) -> FaultPipe {
        let (target, fault, pieces, gathered) = state.withLock { state in
            defer { (state.accepted, state.gathered) = (state.accepted + 1, 0) }
            return (state.target, state.plan(state.accepted), state.pieces, state.gathered)
        }
        let point = FaultPoint(fault) { [weak self] in
            self?.state.withLock(\.faults)($0)
        } onSwallow: { [weak self] point in
            self?.swallow(point, client)
        }
        let pipe = FaultPipe(direction: .up, point: point, pieces: pieces)
        let id = ObjectIdentifier(client)
        state.withLock { $0.open[id] = client }
        client.closeFuture.whenComplete { [weak self] _ in self?.state.withLock { $0.open[id] = nil } }
        let server = ClientBootstrap(group: client.eventLoop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { [weak self] server in
                self?.keep(server)
                return server.eventLoop.makeCompletedFuture {
                    let back = FaultPipe(direction: .down, point: point, pieces: pieces, gathered: gathered)
                    back.connect(to: client)
                    try server.pipeline.syncOperations.addHandler(back)
                }
            }
            .connect(host: "127.0.0.1", port: target)
        server.whenComplete { result in
            switch result {
            case .success(let server): pipe.connect(to: server)
            case .failure: client.close(promise: nil)
            }
        }
        return pipe
    }

    private func keep(_ server: any Channel) {
        let id = ObjectIdentifier(server)
        state.withLock { $0.servers[id] = server }
        server.closeFuture.whenComplete { [weak self] _ in self?.state.withLock { $0.servers[id] = nil } }
    }

    private func swallow(_ point: FaultPoint, _ client: any Channel) {
        // A server waits for the rest of a request whose connection was half closed until its own limit ends it.
        guard point.fault?.kind != .halfClose else { return client.close(promise: nil) }
        let onSwallow = state.withLock { state in
            if point.isLate { state.late.append((point, client.eventLoop)) } else { state.swallowing.append(client) }
            return state.onSwallow
        }
        onSwallow(point.request)
    }
}
