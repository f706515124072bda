import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOWebSocket
import Scanning
import ShelflistAPI

/// `/ws/progress`: a job's events over a WebSocket.
struct SocketService: SocketEndpoint {
    let gatekeeper: Gatekeeper
    let feed: JobFeed
    let logger: Logger

    func authorizeUpgrade(for head: HTTPRequestHead, channel: any Channel) -> SocketTicket? {
        let parts = head.uri.split(separator: "?", maxSplits: 1).map(String.init)
        guard head.method == .GET, parts.first == "/ws/progress", parts.count == 2,
            head.headers.first(name: "upgrade")?.lowercased() == "websocket",
            head.headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" }),
            head.headers["sec-websocket-version"] == ["13"], head.headers["sec-websocket-key"].count == 1
        else { return nil }
        // Without a ticket the request goes the way of every other, where `SocketFallback` says what is amiss.
        let query = Query(parts[1])
        guard let job = try? query.text("jobId", maxLength: 200), !job.isEmpty,
            let after = try? Self.after(query)
        else { return nil }

        // Fails for methods with invalid characters only, and this one is GET.
        guard let request = try? HTTPRequest(head, secure: false, splitCookie: false) else { return nil }
        var requestHead = RequestHead(request, peer: channel.remoteAddress)
        requestHead.isUpgrade = true
        let protocols = head.headers[canonicalForm: "sec-websocket-protocol"].map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        requestHead.otherToken =
            protocols.first { $0.hasPrefix(Self.tokenProtocol) }.map { String($0.dropFirst(Self.tokenProtocol.count)) }
            ?? (try? query.text("token")) ?? nil
        guard let caller = try? gatekeeper.caller(of: requestHead, job: job, for: .job),
            (try? Requirement.job.check(caller)) != nil
        else { return nil }
        return SocketTicket(
            job: job, after: after, caller: caller, head: requestHead,
            asksForEvents: protocols.contains(Self.ownProtocol))
    }

    func responseHeaders(for ticket: SocketTicket) -> HTTPHeaders {
        var headers = HTTPHeaders()
        // Browsers that offer subprotocols close the connection unless one is accepted; the token is not repeated.
        if ticket.asksForEvents { headers.add(name: "Sec-WebSocket-Protocol", value: Self.ownProtocol) }
        do {
            if let cookie = try gatekeeper.renewedCookie(of: ticket.caller, ticket.head) {
                headers.add(name: "Set-Cookie", value: cookie.description)
            }
        } catch {
            // The session stays valid; the next request tries again.
            logger.error("Session not renewed", metadata: ["error": "\(error)"])
        }
        return headers
    }

    /// The last event that the client has.
    static func after(_ query: Query) throws -> Int { try query.integer("after", in: 0...Int(Int32.max)) ?? 0 }

    private static let ownProtocol = "shelflist"
    private static let tokenProtocol = "token."

    func serve(_ channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>, ticket: SocketTicket) async {
        do {
            try await channel.executeThenClose { inbound, outbound in
                guard let job = try await feed.jobs.job(ticket.job), ScanRoutes.may(ticket.caller, see: job) else {
                    return await close(outbound, .noSuchJob)
                }
                /// `nil` where this API's own events are spoken.
                let older =
                    job.options.app == .bookshelf && !ticket.asksForEvents
                    ? BookshelfProtocol(job) : nil
                await withTaskGroup(of: WebSocketErrorCode?.self) { group in
                    group.addTask { await self.listen(inbound, outbound, older) }
                    group.addTask { await self.speak(outbound, ticket, older) }
                    let code = await group.next() ?? nil
                    group.cancelAll()
                    if let code { await self.close(outbound, code) }
                }
            }
        } catch {
            logger.debug("A WebSocket was cut", metadata: ["job": "\(ticket.job)"])
        }
    }

    /// - Returns: the code to close with; `nil` where the connection is gone.
    private func listen(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>, _ older: BookshelfProtocol?
    ) async -> WebSocketErrorCode? {
        var reader = SocketReader()
        do {
            for try await frame in inbound {
                switch reader.receive(frame) {
                case .nothing: break
                case .message(let text):
                    guard let answer = try answer(to: text, older) else { break }
                    try await outbound.write(
                        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: answer)))
                case .pong(let data): try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: data))
                case .close(let code): return code
                }
            }
            return nil
        } catch NIOWebSocketError.invalidFrameLength {
            return .messageTooLarge
        } catch is NIOWebSocketError {
            return .protocolError
        } catch {
            return nil
        }
    }

    /// The only thing that a client asks is whether somebody is there: a phone that wakes up, an app that is ready.
    private func answer(to text: String, _ older: BookshelfProtocol?) throws -> Data? {
        guard let older else { return text.contains("\"ping\"") ? Self.ping : nil }
        return text.contains("\"ready\"") ? try older.readyAnswer(at: Date()) : nil
    }

    private static let ping = Data(#"{"keepAlive":true,"type":"ping"}"#.utf8)

    private func speak(
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>, _ ticket: SocketTicket, _ older: BookshelfProtocol?
    ) async -> WebSocketErrorCode? {
        do {
            for await item in feed.items(of: ticket.job, after: ticket.after) {
                for text in try texts(item, older) {
                    try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: text)))
                }
            }
            let finished = try await feed.jobs.job(ticket.job)?.isFinished ?? true
            return finished ? .normalClosure : .goingAway
        } catch {
            return nil
        }
    }

    private func texts(_ item: JobFeed.Item, _ older: BookshelfProtocol?) throws -> [Data] {
        switch (item, older) {
        case (.keepAlive, nil): [Self.ping]
        case (.keepAlive, let older?): [try older.keepAlive(at: Date())]
        case (.event(let event), nil): [try WireJSON.encode(EventMessage(event: event))]
        case (.event(let event), let older?): try older.texts(event)
        }
    }

    private func close(_ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>, _ code: WebSocketErrorCode) async {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        // Whoever has gone needs no goodbye.
        try? await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
    }
}
