import NIOCore

/// One direction of a connection.
///
/// Unchecked: it is used on one event loop.
final class FaultPipe: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let direction: Fault.Direction
    private let point: FaultPoint
    /// How many bytes are passed on at once; 0 for all.
    private let pieces: Int
    private var other: (any Channel)?
    private var waiting: [ByteBuffer] = []
    private var hasEnded = false
    private var isClosed = false
    private var own: (any Channel)?
    /// How many bytes are passed on at once in the beginning; 0 afterwards.
    private var gathered: Int
    private var held = ByteBuffer()

    init(direction: Fault.Direction, point: FaultPoint, pieces: Int, gathered: Int = 0) {
        (self.direction, self.point, self.pieces, self.gathered) = (direction, point, pieces, gathered)
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
        if direction == .down { point.serverHasAnswered() }
        if other == nil { waiting.append(buffer) } else { pass(buffer) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        hasEnded = true
        end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        if direction == .down { point.serverHasClosed() }
        guard !(point.isBroken && point.fault?.kind == .blackHole), let other else { return }
        guard !point.isLate else { return point.holdClose { other.close(promise: nil) } }
        inOrder(on: other) { other.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func end() {
        guard !point.isBroken, let other else { return }
        guard !point.isLate else { return point.holdClose { other.close(mode: .output, promise: nil) } }
        inOrder(on: other) { other.close(mode: .output, promise: nil) }
    }

    /// Runs work after the pieces that are still to be passed on.
    private func inOrder(on channel: any Channel, _ work: @escaping @Sendable () -> Void) {
        if pieces > 0 { channel.eventLoop.execute(work) } else { work() }
    }

    private func pass(_ buffer: ByteBuffer) {
        if direction == .up { point.receive(buffer) }
        guard !point.isBroken else { return point.swallow() }
        guard let fault = point.fault, fault.direction == direction, !point.isLate else { return send(buffer) }
        guard point.passed + buffer.readableBytes >= fault.after else {
            point.passed += buffer.readableBytes
            return send(buffer)
        }
        let before = max(0, fault.after - point.passed)
        if before > 0, let start = buffer.getSlice(at: buffer.readerIndex, length: before) { send(start) }
        fail(fault.kind)
        guard before < buffer.readableBytes,
            let rest = buffer.getSlice(at: buffer.readerIndex + before, length: buffer.readableBytes - before)
        else { return }
        if point.isLate { send(rest) } else { point.swallow() }
    }

    private func fail(_ kind: Fault.Kind) {
        point.isBroken = kind != .late
        switch kind {
        case .cut:
            own?.close(promise: nil)
            other?.close(promise: nil)
        case .halfClose: other?.close(mode: .output, promise: nil)
        case .blackHole: break
        case .late: point.isLate = true
        case .refuse:
            let client = direction == .up ? own : other
            client?.writeAndFlush(
                ByteBuffer(string: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            ).whenComplete { _ in client?.close(promise: nil) }
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
        guard !point.isLate else { return point.hold { other.writeAndFlush(buffer, promise: nil) } }
        guard pieces > 0 else {
            other.writeAndFlush(buffer, promise: nil)
            return
        }
        var rest = buffer
        while let piece = rest.readSlice(length: min(pieces, rest.readableBytes)), piece.readableBytes > 0 {
            other.eventLoop.execute { other.writeAndFlush(piece, promise: nil) }
        }
    }
}
