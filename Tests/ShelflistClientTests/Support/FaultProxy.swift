import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// What a proxy does to one connection.
struct Fault: Sendable, Equatable {
    enum Kind: Sendable, CaseIterable {
        /// Closes both sides.
        case cut
        /// Ends the direction in good order; the other one stays open.
        case halfClose
        /// Passes nothing on in either direction, and keeps the connection open.
        case blackHole
    }

    enum Direction: Sendable, CaseIterable { case up, down }

    var kind: Kind
    /// Up is from client to server.
    var direction: Direction
    /// The bytes in that direction that are passed on before.
    var after: Int
}

/// A TCP proxy on this machine that breaks connections.
final class FaultProxy: Sendable {
    private struct State {
        var target: Int
        var accepted = 0
        var delay = TimeAmount.zero
        var gathered = 0
        var plan: @Sendable (Int) -> Fault?
        var blocks: @Sendable (String) -> Fault.Kind? = { _ in nil }
        var open: [ObjectIdentifier: any Channel] = [:]
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
    /// - Parameter blocks: returns what happens to a connection on which a client sends this.
    func block(_ blocks: @escaping @Sendable (String) -> Fault.Kind?) { state.withLock { $0.blocks = blocks } }
    func set(target: Int) { state.withLock { $0.target = target } }
    func set(delay: TimeAmount) { state.withLock { $0.delay = delay } }
    /// - Parameter gathered: the bytes from the server that the next connection passes on at once in its beginning.
    func set(gathered: Int) { state.withLock { $0.gathered = gathered } }

    /// Ends all connections.
    func cutAll() {
        for channel in state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    func stop() async {
        cutAll()
        try? await listener.close()
    }

    private func clientSide(_ client: any Channel) -> Pipe {
        let (target, fault, delay, gathered) = state.withLock { state in
            defer { (state.accepted, state.gathered) = (state.accepted + 1, 0) }
            return (state.target, state.plan(state.accepted), state.delay, state.gathered)
        }
        let faults = FaultPoint(fault) { [weak self] in self?.state.withLock(\.blocks)($0) }
        let pipe = Pipe(direction: .up, point: faults, delay: delay)
        let id = ObjectIdentifier(client)
        state.withLock { $0.open[id] = client }
        client.closeFuture.whenComplete { [weak self] _ in self?.state.withLock { $0.open[id] = nil } }
        let server = ClientBootstrap(group: client.eventLoop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { server in
                server.eventLoop.makeCompletedFuture {
                    let back = Pipe(direction: .down, point: faults, delay: delay, gathered: gathered)
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
}

/// Where the bytes of one connection end; both directions share it, on one event loop.
private final class FaultPoint: @unchecked Sendable {
    let fault: Fault?
    let blocks: @Sendable (String) -> Fault.Kind?
    var isBroken = false
    var passed = 0

    init(_ fault: Fault?, blocks: @escaping @Sendable (String) -> Fault.Kind?) {
        (self.fault, self.blocks) = (fault, blocks)
    }
}

/// One direction of a connection, on one event loop.
private final class Pipe: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let direction: Fault.Direction
    private let point: FaultPoint
    private let delay: TimeAmount
    private var other: (any Channel)?
    private var waiting: [ByteBuffer] = []
    private var hasEnded = false
    private var isClosed = false
    private var own: (any Channel)?
    /// How many bytes are passed on at once in the beginning; 0 afterwards.
    private var gathered: Int
    private var held = ByteBuffer()

    init(direction: Fault.Direction, point: FaultPoint, delay: TimeAmount, gathered: Int = 0) {
        (self.direction, self.point, self.delay, self.gathered) = (direction, point, delay, gathered)
    }

    func handlerAdded(context: ChannelHandlerContext) { own = context.channel }

    func connect(to other: any Channel) {
        self.other = other
        if isClosed { return other.close(promise: nil) }
        for buffer in waiting { pass(buffer) }
        waiting = []
        if hasEnded { end() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if other == nil { waiting.append(buffer) } else { pass(buffer) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        hasEnded = true
        end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        if !(point.isBroken && point.fault?.kind == .blackHole) { other?.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func end() {
        if !point.isBroken { other?.close(mode: .output, promise: nil) }
    }

    private func pass(_ buffer: ByteBuffer) {
        guard !point.isBroken else { return }
        if direction == .up, let kind = point.blocks(String(buffer: buffer)) { return fail(kind) }
        guard let fault = point.fault, fault.direction == direction, point.passed + buffer.readableBytes >= fault.after
        else {
            if point.fault?.direction == direction { point.passed += buffer.readableBytes }
            return send(buffer)
        }
        if let rest = buffer.getSlice(at: buffer.readerIndex, length: fault.after - point.passed) { send(rest) }
        fail(fault.kind)
    }

    private func fail(_ kind: Fault.Kind) {
        point.isBroken = true
        switch kind {
        case .cut:
            own?.close(promise: nil)
            other?.close(promise: nil)
        case .halfClose: other?.close(mode: .output, promise: nil)
        case .blackHole: break
        }
    }

    private func send(_ buffer: ByteBuffer) {
        guard let other else { return }
        guard gathered == 0 else {
            held.writeImmutableBuffer(buffer)
            guard held.readableBytes >= gathered else { return }
            gathered = 0
            return send(held)
        }
        guard delay > .zero else {
            other.writeAndFlush(buffer, promise: nil)
            return
        }
        other.eventLoop.scheduleTask(in: delay) { other.writeAndFlush(buffer, promise: nil) }
    }
}
