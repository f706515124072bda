import Foundation
package import NIOCore
package import NIOHTTP1

import ShelflistAPI

/// The deadlines of a connection.
package struct ConnectionDeadlines: Hashable, Sendable {
    /// From the start of the connection to the end of the first request's headers.
    package var firstHead: Duration = .seconds(15)
    /// From the end of a response to the end of the next request's headers.
    ///
    /// Longer, because browsers keep connections open.
    package var nextHead: Duration = .seconds(75)
    /// Between two chunks of a request's body.
    package var bodyPause: Duration = .seconds(30)
    /// The minimum average rate of a body once it has taken longer than `bodyPause`, low enough for weak reception.
    package var bodyBytesPerSecond = 2000
    /// Without any byte of a response being sent to a client that does not read fast enough.
    package var writePause: Duration = .seconds(30)
    /// From the end of a response that announces the end of the connection until it is closed.
    package var close: Duration = .seconds(1)

    package init() {}
}

/// Enforces deadlines and limits, responds to malformed requests, and removes the `Upgrade` headers of rejected
/// handshakes.
///
/// NIO drops a request whose upgrade is rejected without sending a response. This handler belongs directly after the
/// HTTP decoder.
package final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private let deadlines: ConnectionDeadlines
    private let maxBodyBytes: Int
    /// Whether a request may become a WebSocket.
    private let upgrades: (HTTPRequestHead, any Channel) -> Bool
    private var timer: Scheduled<Void>?
    private var answersDue = 0
    private var isReceiving = false
    private var bodyBegan = NIODeadline.now()
    private var bodyBytes = 0
    /// The size of the body when its request was answered; `nil` while the answer is due.
    private var answeredAt: Int?
    private var hasFailed = false
    /// Whether a response announces that the connection closes after it, so that no other request is answered.
    private var isClosing = false
    private var ignoresRequests = false

    /// - Parameters:
    ///   - maxBodyBytes: the largest body that any route accepts.
    ///   - upgrades: whether a request may become a WebSocket.
    package init(
        deadlines: ConnectionDeadlines, maxBodyBytes: Int = HTTPLimits.bodyBytes,
        upgrades: @escaping (HTTPRequestHead, any Channel) -> Bool
    ) {
        (self.deadlines, self.maxBodyBytes, self.upgrades) = (deadlines, maxBodyBytes, upgrades)
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
        guard !hasFailed, !ignoresRequests else { return }
        switch unwrapInboundIn(data) {
        case .head where isClosing: ignoresRequests = true
        case .head(var head):
            guard answersDue < HTTPLimits.pipelinedRequests else {
                // Clients that pipeline this many requests do not wait for answers.
                hasFailed = true
                return context.close(promise: nil)
            }
            let hosts = head.headers["host"].count
            guard hosts == 1 || hosts == 0 && (head.version.major, head.version.minor) < (1, 1) else {
                return refuse(Self.hostProblem, context)
            }
            answersDue += 1
            isReceiving = true
            (bodyBegan, bodyBytes, answeredAt) = (context.eventLoop.now, 0, nil)
            waitForBody(context)
            if head.headers.contains(name: "upgrade"), !upgrades(head, context.channel) {
                head.headers.remove(name: "upgrade")
            }
            sendContinue(head, context)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            if let answeredAt, bodyBytes - answeredAt > HTTPLimits.lateBodyBytes {
                hasFailed = true
                return context.close(promise: nil)
            }
            guard bodyBytes <= maxBodyBytes else {
                answersDue -= 1
                return refuse(.bodyTooLarge(limit: maxBodyBytes), context)
            }
            waitForBody(context)
            context.fireChannelRead(data)
        case .end:
            isReceiving = false
            timer?.cancel()
            context.fireChannelRead(data)
        }
    }

    /// Enforces a minimum average rate: received bytes extend the deadline.
    private func waitForBody(_ context: ChannelHandlerContext) {
        let earned = Duration.seconds(Double(bodyBytes) / Double(deadlines.bodyBytesPerSecond))
        let taken = Duration.nanoseconds((context.eventLoop.now - bodyBegan).nanoseconds)
        wait(max(.zero, min(deadlines.bodyPause, deadlines.bodyPause + earned - taken)), context)
    }

    /// Sends `100 Continue` to clients that ask for it before they send a large body, unless the body is too large.
    private func sendContinue(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard head.headers.first(name: "expect")?.lowercased() == "100-continue",
            head.headers.first(name: "content-length").flatMap({ Int($0) }) ?? 0 <= maxBodyBytes
        else { return }
        let response = HTTPResponseHead(version: head.version, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(response)), promise: nil)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !hasFailed else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head): isClosing = head.headers["connection"].contains { $0.lowercased() == "close" }
        case .body: break
        case .end:
            answersDue -= 1
            if answersDue == 0, isReceiving { answeredAt = bodyBytes }
            if isClosing {
                return context.write(data, promise: closing(promise, context))
            }
            if answersDue <= 0, !isReceiving { wait(deadlines.nextHead, context) }
        }
        context.write(data, promise: promise)
    }

    /// Returns a promise that closes the connection soon after what was written is sent.
    private func closing(_ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) -> EventLoopPromise<Void>
    {
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenComplete { _ in self.wait(self.deadlines.close, context) }
        return promise
    }

    /// Closes idle connections when the server stops.
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
        refuse(
            error == .headerOverflow
                ? Problem(
                    "headers_too_large", status: 431, title: "Request headers too large",
                    detail:
                        "The headers exceed \(HTTPLimits.headerBytes) bytes. Clear the site's cookies, or send less.",
                    limit: HTTPLimits.headerBytes)
                : Problem(
                    "bad_request", status: 400, title: "Bad request",
                    detail: "Malformed HTTP request. Check the client."), context)
    }

    private static let hostProblem = Problem(
        "bad_request", status: 400, title: "Bad request",
        detail: "The request must have exactly one Host header. Check the client or the proxy.", field: "Host")

    /// Responds with `problem`, and closes the connection.
    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        guard !hasFailed else { return }
        hasFailed = true
        timer?.cancel()
        guard answersDue == 0 else {
            // An earlier response is still being sent, so the problem cannot be reported.
            context.close(promise: nil)
            return
        }
        // Encoding strings and numbers does not fail.
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

/// The maximum sizes of a request.
package enum HTTPLimits {
    /// The largest body that any route accepts, unless larger photos are configured.
    package static let bodyBytes = 128_000_000
    /// The rest of a body that is received after its request was answered.
    ///
    /// Enough for a refused photo, whose sender reads the answer only after it has sent everything.
    package static let lateBodyBytes = 16_000_000
    /// Requests of one connection whose answers are due.
    package static let pipelinedRequests = 16
    static let headerBytes = 32 * 1024
    static let headerFieldBytes = 16 * 1024
    static let headerFields = 100
}
