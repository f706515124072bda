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

/// Serves a job's events over a WebSocket at `/ws/progress`.
struct SocketService: Sendable {
    let gatekeeper: Gatekeeper
    let feed: JobFeed
    let logger: Logger

    /// Decides whether a request is upgraded to a WebSocket.
    ///
    /// Called several times for each request, so it must not have side effects.
    ///
    /// - Returns: `nil` for a request that the router handles.
    func authorizeUpgrade(for head: HTTPRequestHead, channel: any Channel) -> SocketTicket? {
        let app = AppPath(head.uri)
        let parts = (app?.rest ?? head.uri).split(separator: "?", maxSplits: 1).map(String.init)
        guard head.method == .GET, parts.first == "/ws/progress", parts.count == 2,
            head.headers.first(name: "upgrade")?.lowercased() == "websocket",
            head.headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" }),
            head.headers["sec-websocket-version"] == ["13"], head.headers["sec-websocket-key"].count == 1
        else { return nil }
        // A request without a ticket is routed to `SocketFallback`, which reports the error.
        let query = Query(parts[1])
        guard let job = try? query.text("jobId", maxLength: 200), !job.isEmpty,
            let after = try? Self.after(query)
        else { return nil }

        // Fails only for methods with invalid characters; this one is GET.
        guard let request = try? HTTPRequest(head, secure: false, splitCookie: false) else { return nil }
        var requestHead = RequestHead(request, peer: channel.remoteAddress)
        requestHead.isUpgrade = true
        let protocols = head.headers[canonicalForm: "sec-websocket-protocol"].map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        requestHead.otherToken =
            protocols.first { $0.hasPrefix(Self.tokenProtocol) }.map { String($0.dropFirst(Self.tokenProtocol.count)) }
            ?? (try? query.text("token")) ?? nil
        let known =
            if let app {
                try? gatekeeper.caller(appKey: app.secret, requestHead)
            } else {
                try? gatekeeper.caller(of: requestHead, job: job, for: .job)
            }
        guard let caller = known, (try? Requirement.job.check(caller)) != nil else { return nil }
        return SocketTicket(
            job: job, after: after, caller: caller, head: requestHead,
            base: BaseAddress(origin: gatekeeper.origin(of: requestHead), prefix: app?.prefix ?? ""),
            asksForEvents: protocols.contains(Self.ownProtocol))
    }

    /// Returns the headers of the 101 response.
    ///
    /// Renews the session's cookie if it is due, so they must be sent.
    func responseHeaders(for ticket: SocketTicket) -> HTTPHeaders {
        var headers = HTTPHeaders()
        // Browsers that offer subprotocols require that one is accepted. The token must not be echoed.
        if ticket.asksForEvents { headers.add(name: "Sec-WebSocket-Protocol", value: Self.ownProtocol) }
        do {
            if let cookie = try gatekeeper.renewedCookie(of: ticket.caller, ticket.head) {
                headers.add(name: "Set-Cookie", value: cookie.description)
            }
        } catch {
            // The old cookie stays valid, and the next request retries.
            logger.error("Could not renew the session", metadata: ["error": "\(error)"])
        }
        return headers
    }

    /// Returns the last event that the client has received.
    static func after(_ query: Query) throws -> Int { try query.integer("after", in: 0...Int(Int32.max)) ?? 0 }

    private static let ownProtocol = "shelflist"
    private static let tokenProtocol = "token."

    func serve(_ channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>, ticket: SocketTicket) async {
        do {
            try await channel.executeThenClose { inbound, outbound in
                guard let job = try await feed.jobs.job(ticket.job), ScanRoutes.may(ticket.caller, see: job) else {
                    return await close(outbound, .noSuchJob)
                }
                /// `nil` for this API's own events.
                let older =
                    job.options.app == .bookshelf && !ticket.asksForEvents
                    ? BookshelfProtocol(job, base: ticket.base) : nil
                await withTaskGroup(of: WebSocketErrorCode?.self) { group in
                    group.addTask { await self.receive(inbound, outbound, older) }
                    group.addTask { await self.send(outbound, ticket, older) }
                    let code = await group.next() ?? nil
                    group.cancelAll()
                    if let code { await self.close(outbound, code) }
                }
            }
        } catch {
            logger.debug("WebSocket closed by an error", metadata: ["job": "\(ticket.job)"])
        }
    }

    /// Answers the client's frames until it closes the connection.
    ///
    /// - Returns: the code to close with; `nil` if the connection is gone.
    private func receive(
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

    /// Answers pings and, in the older protocol, `ready` messages.
    ///
    /// Clients send nothing else.
    private func answer(to text: String, _ older: BookshelfProtocol?) throws -> Data? {
        guard let older else { return text.contains("\"ping\"") ? Self.ping : nil }
        return text.contains("\"ready\"") ? try older.readyAnswer(at: Date()) : nil
    }

    private static let ping = Data(#"{"keepAlive":true,"type":"ping"}"#.utf8)

    /// Sends events until the job has ended.
    ///
    /// - Returns: the code to close with; `nil` if the connection is gone.
    private func send(
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>, _ ticket: SocketTicket, _ older: BookshelfProtocol?
    ) async -> WebSocketErrorCode? {
        do {
            let items = feed.items(of: ticket.job, after: ticket.after, endsWhenFinished: older != nil)
            for await item in items {
                for text in try texts(item, older) {
                    try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: text)))
                }
            }
            let job = try await feed.jobs.job(ticket.job)
            let finished = job.map { $0.isFinished && (older != nil || !$0.isAsking) } ?? true
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
        // Fails if the client has already disconnected.
        try? await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
    }
}
