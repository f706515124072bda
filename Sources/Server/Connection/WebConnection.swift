import ClientInput
import Foundation
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// An HTTP/1.1 connection whose first request may upgrade it to a WebSocket.
///
/// Uses NIO's upgrade handler in place of Hummingbird's WebSocket package, which is not available everywhere.
struct WebConnection: ServerChildChannel, HTTPChannelHandler {
    let responder: Responder
    let deadlines: ConnectionDeadlines
    let maxBodyBytes: Int
    let addresses: AddressConnections
    let sockets: SocketService

    /// The kind is known with the first request, which the channel does not read before `setup` has ended.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let kind: EventLoopFuture<Kind>
    }

    enum Kind: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case webSocket(NIOAsyncChannel<WebSocketFrame, WebSocketFrame>, SocketTicket)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = HTTPLimits.headerFieldBytes
            limits.maxHeaderListSize = HTTPLimits.headerBytes
            limits.maxHeaderFieldCount = HTTPLimits.headerFields
            let encoder = HTTPResponseEncoder()
            let decoder = ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
            let sockets = sockets
            let watch = RequestGuard(deadlines: deadlines, maxBodyBytes: maxBodyBytes) {
                sockets.authorizeUpgrade(for: $0, channel: $1) != nil
            }
            let upgrader = NIOTypedWebSocketServerUpgrader<Kind>(
                maxFrameSize: SocketLimits.frameBytes, enableAutomaticErrorHandling: false,
                shouldUpgrade: { channel, head in
                    let ticket = sockets.authorizeUpgrade(for: head, channel: channel)
                    return channel.eventLoop.makeSucceededFuture(ticket.map(sockets.responseHeaders))
                },
                upgradePipelineHandler: { channel, head in
                    channel.eventLoop.makeCompletedFuture {
                        guard let ticket = sockets.authorizeUpgrade(for: head, channel: channel) else {
                            throw ChannelError.inappropriateOperationForState
                        }
                        let socket = try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(
                            wrappingChannelSynchronously: channel)
                        return .webSocket(socket, ticket)
                    }
                })
            let pipeline = channel.pipeline.syncOperations
            let upgrade = NIOTypedHTTPServerUpgradeHandler<Kind>(
                httpEncoder: encoder, extraHTTPHandlers: [decoder, watch],
                upgradeConfiguration: .init(upgraders: [upgrader]) { channel in
                    channel.eventLoop.makeCompletedFuture { .http(try Self.http(on: channel, logger: logger)) }
                })
            try pipeline.addHandlers(StalledWrites(pause: deadlines.writePause), encoder, decoder, watch, upgrade)
            // An error would stop the server from accepting connections.
            if !addresses.admit(channel) { channel.eventLoop.execute { channel.close(promise: nil) } }
            return Value(channel: channel, kind: upgrade.upgradeResultFuture)
        }
    }

    private static func http(
        on channel: any Channel, logger: Logger
    ) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.kind.get() {
            case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
            case .webSocket(let channel, let ticket): await sockets.serve(channel, ticket: ticket)
            }
        } catch {
            // The connection ended before its first request.
            value.channel.close(promise: nil)
        }
    }
}

/// An accepted request for a WebSocket.
struct SocketTicket: Sendable {
    let job: String
    /// The last event that the client has received.
    let after: Int
    let caller: Caller
    let head: RequestHead
    let base: BaseAddress
    /// Whether the client offers the subprotocol of this API's own events.
    let asksForEvents: Bool
    /// Whether an older app continues a job that it has followed before.
    var isReconnecting = false

    /// Whether the socket may wait for a job that does not exist yet.
    ///
    /// A job's token proves that the job existed.
    var mayWait: Bool { !asksForEvents && caller.role != nil && UUID(uuidString: job) != nil }
}
