#if os(Linux)
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import NIOWebSocket
    import Synchronization

    /// Opens WebSockets with SwiftNIO, because async-http-client has none.
    struct SocketConnector: Sendable {
        let tls: NIOSSLContext
        let connectTimeout: TimeAmount

        private typealias Socket = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

        func receiveMessages(
            _ request: TransportRequest, onOpen: @escaping @Sendable () -> Void,
            receive: @escaping @Sendable (Data) async throws -> Void
        ) async throws -> Int? {
            let connection = OpenChannel()
            return try await withTaskCancellationHandler {
                do {
                    let upgrade = try await connect(to: request, connection)
                    guard let socket = try await upgrade.get() else { throw TransportFailure.refused }
                    onOpen()
                    return try await Self.read(socket, receive)
                } catch {
                    connection.close()
                    throw AsyncHTTPTransport.failure(error)
                }
            } onCancel: {
                connection.close()
            }
        }

        private func connect(
            to request: TransportRequest, _ connection: OpenChannel
        ) async throws -> EventLoopFuture<Socket?> {
            let url = request.url
            let isSecure = url.scheme == "https"
            let host = url.host() ?? ""
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: Self.target(of: url))
            for (name, value) in request.headers { head.headers.add(name: name, value: value) }
            let port = url.port.map { ":\($0)" } ?? ""
            head.headers.replaceOrAdd(name: "Host", value: (host.contains(":") ? "[\(host)]" : host) + port)
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(connectTimeout)
                .connect(host: host, port: url.port ?? (isSecure ? 443 : 80)) { [head, tls] channel in
                    connection.set(channel)
                    return channel.eventLoop.makeCompletedFuture {
                        if isSecure {
                            let handler = try NIOSSLClientHandler(
                                context: tls, serverHostname: Self.isAddress(host) ? nil : host)
                            try channel.pipeline.syncOperations.addHandler(handler)
                        }
                        return try Self.upgrade(channel, head)
                    }
                }
        }

        private static func upgrade(
            _ channel: any Channel, _ head: HTTPRequestHead
        ) throws -> EventLoopFuture<Socket?> {
            let upgrader = NIOTypedWebSocketClientUpgrader<Socket?>(maxFrameSize: frameLimit) { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024,
                            maxAccumulatedFrameSize: frameLimit))
                    return try Socket(wrappingChannelSynchronously: channel)
                }
            }
            let configuration = NIOTypedHTTPClientUpgradeConfiguration<Socket?>(
                upgradeRequestHead: head, upgraders: [upgrader]
            ) { channel in
                channel.close(promise: nil)
                return channel.eventLoop.makeSucceededFuture(nil)
            }
            var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
            // The first messages often arrive together with the answer to the upgrade.
            pipeline.leftOverBytesStrategy = .forwardBytes
            return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: pipeline)
        }

        private static func read(
            _ socket: Socket, _ receive: @escaping @Sendable (Data) async throws -> Void
        ) async throws -> Int? {
            try await socket.executeThenClose { inbound, outbound in
                for try await frame in inbound {
                    switch frame.opcode {
                    case .text: try await receive(Data(frame.unmaskedData.readableBytesView))
                    case .ping:
                        try await outbound.write(
                            WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData))
                    case .connectionClose:
                        var data = frame.unmaskedData
                        let code = data.readWebSocketErrorCode()
                        // The server may have gone already.
                        try? await outbound.write(
                            WebSocketFrame(
                                fin: true, opcode: .connectionClose, maskKey: .random(), data: frame.unmaskedData))
                        return code.map { Int(UInt16(webSocketErrorCode: $0)) }
                    default: break
                    }
                }
                throw TransportFailure.lost(ChannelError.eof)
            }
        }

        private static func target(of url: URL) -> String {
            let path = url.path(percentEncoded: true)
            return (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        }

        private static func isAddress(_ host: String) -> Bool {
            (try? SocketAddress(ipAddress: host, port: 0)) != nil
        }

        /// Of one event: a long list of books that changed.
        private static let frameLimit = 16 << 20
    }

    /// The channel of a socket, so that a cancelled task closes it wherever it waits.
    private final class OpenChannel: Sendable {
        private struct State {
            var channel: (any Channel)?
            var isClosed = false
        }

        private let state = Mutex(State())

        func set(_ channel: any Channel) {
            let isClosed = state.withLock { state in
                state.channel = channel
                return state.isClosed
            }
            if isClosed { channel.close(promise: nil) }
        }

        func close() {
            let channel = state.withLock { state in
                state.isClosed = true
                return state.channel
            }
            channel?.close(promise: nil)
        }
    }
#endif
