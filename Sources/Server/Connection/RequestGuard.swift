import Foundation
package import NIOCore
package import NIOHTTP1

import ShelflistAPI

/// Deadlines of one connection.
package struct ConnectionDeadlines: Hashable, Sendable {
    /// From the connection's start, or the end of the last answer, to the end of a request's headers.
    ///
    /// A browser keeps a connection open for its next request, so the second is longer.
    package var firstHead: Duration = .seconds(15)
    package var nextHead: Duration = .seconds(75)
    /// Between two pieces of a request's body.
    package var bodyPause: Duration = .seconds(30)
    /// What a body has to bring on average once it took longer than a pause: little enough for a phone with one bar.
    package var bodyBytesPerSecond = 2000

    package init() {}
}

/// Stands behind the HTTP decoder: closes connections that keep the server waiting, answers what is no HTTP, and
/// hides `Upgrade` headers that will not be taken, because NIO drops their requests without an answer.
package final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private let deadlines: ConnectionDeadlines
    /// Whether a request may become a WebSocket.
    private let upgrades: (HTTPRequestHead, any Channel) -> Bool
    private var timer: Scheduled<Void>?
    private var answersDue = 0
    private var isReceiving = false
    private var bodyBegan = NIODeadline.now()
    private var bodyBytes = 0
    private var hasFailed = false

    package init(deadlines: ConnectionDeadlines, upgrades: @escaping (HTTPRequestHead, any Channel) -> Bool) {
        self.deadlines = deadlines
        self.upgrades = upgrades
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { wait(deadlines.firstHead, context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        wait(deadlines.firstHead, context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    package func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    private func wait(_ time: Duration, _ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { context.close(promise: nil) }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            answersDue += 1
            isReceiving = true
            (bodyBegan, bodyBytes) = (context.eventLoop.now, 0)
            waitForBody(context)
            if head.headers.contains(name: "upgrade"), !upgrades(head, context.channel) {
                head.headers.remove(name: "upgrade")
            }
            encourage(head, context)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            waitForBody(context)
            context.fireChannelRead(data)
        case .end:
            isReceiving = false
            timer?.cancel()
            context.fireChannelRead(data)
        }
    }

    /// A byte now and then is no progress either: what came earns the time for more.
    private func waitForBody(_ context: ChannelHandlerContext) {
        let earned = Duration.seconds(Double(bodyBytes) / Double(deadlines.bodyBytesPerSecond))
        let taken = Duration.nanoseconds((context.eventLoop.now - bodyBegan).nanoseconds)
        wait(max(.zero, min(deadlines.bodyPause, deadlines.bodyPause + earned - taken)), context)
    }

    /// Clients with a large body ask first whether to send it, and wait a second for the answer.
    private func encourage(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard head.headers.first(name: "expect")?.lowercased() == "100-continue",
            head.headers.first(name: "content-length").flatMap({ Int($0) }) ?? 0 <= HTTPLimits.bodyBytes
        else { return }
        let answer = HTTPResponseHead(version: head.version, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            answersDue -= 1
            if answersDue <= 0, !isReceiving { wait(deadlines.nextHead, context) }
        }
        context.write(data, promise: promise)
    }

    /// A stop closes connections on which nothing is under way.
    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, answersDue == 0 {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            context.fireErrorCaught(error)
            return
        }
        guard !hasFailed else { return }
        hasFailed = true
        guard answersDue == 0 else {
            // In the middle of an answer nothing can be said any more.
            context.close(promise: nil)
            return
        }
        let problem =
            error == .headerOverflow
            ? Problem(
                "headers_too_large", status: 431, title: "Request headers too large",
                detail:
                    "The request's headers are larger than this server takes. Clear the site's cookies, or send less.",
                limit: HTTPLimits.headerBytes)
            : Problem(
                "bad_request", status: 400, title: "Bad request",
                detail: "This is no HTTP request that the server understands. Check the client.")
        // Texts and numbers are always encoded.
        let body = (try? WireJSON.encode(problem)) ?? Data()
        let status = HTTPResponseStatus(statusCode: problem.status)
        let headers: HTTPHeaders = [
            "content-type": Problem.contentType, "content-length": "\(body.count)", "connection": "close",
        ]
        context.write(
            wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}

/// What a request's headers may measure.
enum HTTPLimits {
    /// No route takes a larger body.
    static let bodyBytes = 128_000_000
    static let headerBytes = 32 * 1024
    static let headerFieldBytes = 16 * 1024
    static let headerFields = 100
}
