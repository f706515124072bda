import Foundation
import NIOCore
import NIOPosix
import ShelflistAPI
import Synchronization

/// A proxy in front of the server that makes requests fail.
///
/// Each connection carries one request, so that only its head
/// has to be understood.
final class Front: Sendable {
    private typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    let faults = Faults()
    private let open = Mutex((answers: 0, waiting: [CheckedContinuation<Void, Never>]()))

    /// Accepts connections on a port.
    ///
    /// - Returns: the port.
    func open(port: Int, to server: Int) async throws -> Int {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 256)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try Self.wrapped(channel) }
            }
        Task {
            try await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        group.addTask { await self.serve(connection, server) }
                    }
                }
            }
        }
        return listener.channel.localAddress?.port ?? 0
    }

    /// Returns once everything that the server has sent is passed on.
    ///
    /// Connections stay open until the process ends: an accepted one that is not served may not be released.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isDone = open.withLock { open in
                if open.answers > 0 { open.waiting.append(continuation) }
                return open.answers == 0
            }
            if isDone { continuation.resume() }
        }
    }

    private static func wrapped(_ channel: any Channel) throws -> Bytes {
        try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    /// Serves one request.
    ///
    /// An error means that one of the two sides is gone.
    private func serve(_ client: Bytes, _ port: Int) async {
        try? await client.executeThenClose { inbound, outbound in
            var received = inbound.makeAsyncIterator()
            var head = ByteBuffer()
            var request: RequestLine?
            while request == nil {
                guard let bytes = try await received.next() else { return }
                head.writeImmutableBuffer(bytes)
                request = try RequestLine(head)
            }
            guard let request else { return }
            switch faults.outcome(of: request) {
            case .pass(let cutAfter):
                let server = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: "127.0.0.1", port: port) { channel in
                        channel.eventLoop.makeCompletedFuture { try Self.wrapped(channel) }
                    }
                count(1)
                try await server.executeThenClose { answer, sent in
                    try await withThrowingTaskGroup { group in
                        group.addTask {
                            defer {
                                // The client closes its side, too.
                                outbound.finish()
                                self.count(-1)
                            }
                            try await Self.pass(answer, to: outbound, cutAfter: cutAfter)
                        }
                        do {
                            try await sent.write(request.head)
                            while let bytes = try await received.next() { try await sent.write(bytes) }
                            sent.finish()
                        } catch {
                            // The server has answered without reading the rest. The client may send it first.
                            while try await received.next() != nil {}
                        }
                        try await group.waitForAll()
                    }
                }
            case .answer(let problem):
                var left = request.bodyBytes
                while left > 0, let bytes = try await received.next() { left -= bytes.readableBytes }
                try await outbound.write(Self.response(problem))
            case .cut: return
            }
            outbound.finish()
        }
    }

    /// - Parameter cutAfter: ends after so many events of a socket; nil for the server's end.
    private static func pass(
        _ answer: NIOAsyncChannelInboundStream<ByteBuffer>, to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        cutAfter: Int?
    ) async throws {
        var response = PassedResponse(limit: cutAfter)
        for try await bytes in answer {
            let (passed, isOver) = response.take(bytes)
            if passed.readableBytes > 0 { try await outbound.write(passed) }
            if isOver { return }
        }
    }

    private func count(_ change: Int) {
        let waiting = open.withLock { open in
            open.answers += change
            guard open.answers == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { open.waiting = [] }
            return open.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private static func response(_ problem: Problem) throws -> ByteBuffer {
        let body = try WireJSON.encode(problem)
        var lines = [
            "HTTP/1.1 \(problem.status) Fault", "Content-Type: \(Problem.contentType)", "Content-Length: \(body.count)",
            "Connection: close",
        ]
        if let wait = problem.retryAfterMs { lines.append("Retry-After: \((wait + 999) / 1000)") }
        return ByteBuffer(bytes: Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }
}
