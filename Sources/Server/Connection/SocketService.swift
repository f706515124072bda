import ClientInput
import Concurrency
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOWebSocket
import Scans
import ShelflistAPI

/// Serves a job's events over a WebSocket at `/ws/progress`.
struct SocketService: Sendable {
    let gatekeeper: Gatekeeper
    let feed: JobFeed
    /// How long an older app's socket waits for its job, and after the job's end for the app to close it.
    let patience: Duration
    let logger: Logger

    /// Decides whether a request is upgraded to a WebSocket.
    ///
    /// Called several times for each request, so it must not have side effects.
    ///
    /// - Returns: `nil` for a request that the router handles.
    func authorizeUpgrade(for head: HTTPRequestHead, channel: any Channel) -> SocketTicket? {
        guard head.method == .GET, head.headers.first(name: "upgrade")?.lowercased() == "websocket",
            head.headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" }),
            head.headers["sec-websocket-version"] == ["13"], head.headers["sec-websocket-key"].count == 1
        else { return nil }
        // Fails only for methods with invalid characters; this one is GET.
        guard let request = try? HTTPRequest(head, secure: false, splitCookie: false) else { return nil }
        var requestHead = RequestHead(request, peer: Peer(channel))
        guard gatekeeper.answers(requestHead) else { return nil }
        guard case .inside(let target) = gatekeeper.place(of: head.uri, requestHead) else { return nil }
        let app = AppPath(target)
        let parts = (app?.rest ?? target).split(separator: "?", maxSplits: 1).map(String.init)
        guard parts.first == "/ws/progress", parts.count == 2 else { return nil }
        // A request without a ticket is routed to `SocketFallback`, which reports the error.
        let query = Query(parts[1])
        guard let job = try? query.text("jobId", maxLength: 200), !job.isEmpty,
            let after = try? Self.after(query)
        else { return nil }

        requestHead.isUpgrade = true
        let protocols = head.headers[canonicalForm: "sec-websocket-protocol"].map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        requestHead.otherToken =
            Self.token(in: protocols)
            // As in `Authentication`.
            ?? ((try? query.text("token")) ?? nil).flatMap { $0.hasPrefix(Secret.jobPrefix) ? $0 : nil }
        let known =
            if let app {
                try? gatekeeper.caller(appKey: app.secret, requestHead)
            } else {
                try? gatekeeper.caller(of: requestHead, job: job, for: .job)
            }
        guard let caller = known, (try? Requirement.job.check(caller)) != nil else { return nil }
        return SocketTicket(
            job: job, after: after, caller: caller, head: requestHead,
            base: BaseAddress(
                origin: gatekeeper.origin(of: requestHead), basePath: gatekeeper.basePath, prefix: app?.prefix ?? ""),
            asksForEvents: protocols.contains(Self.ownProtocol),
            isReconnecting: (try? query.flag("reconnect")) ?? nil ?? false)
    }

    /// Returns the token that a client offers as a subprotocol.
    private static func token(in protocols: [String]) -> String? {
        for prefix in tokenProtocols {
            if let found = protocols.first(where: { $0.hasPrefix(prefix) }) {
                return String(found.dropFirst(prefix.count))
            }
        }
        return nil
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
    /// The second one is BooksTracker's.
    private static let tokenProtocols = ["token.", "bookstrack-auth."]

    func serve(_ channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>, ticket: SocketTicket) async {
        do {
            try await channel.executeThenClose { inbound, outbound in
                let job = try await feed.jobs.log.job(ticket.job)
                guard job.map({ gatekeeper.accounts.allows(ticket.caller, toSee: $0) }) ?? ticket.mayWait else {
                    return await close(outbound, .noSuchJob)
                }
                let isOlder = !ticket.asksForEvents && job?.options.app != nil || job == nil
                let older =
                    isOlder
                    ? BookshelfSocket(
                        feed: feed, accounts: gatekeeper.accounts, ticket: ticket, patience: patience,
                        outbound: outbound) : nil
                await withTaskGroup(of: WebSocketErrorCode?.self) { group in
                    group.addTask { await self.receive(inbound, outbound, older) }
                    group.addTask {
                        guard let older else { return await self.send(outbound, ticket) }
                        // An error means that the connection is gone.
                        return try? await older.send(job)
                    }
                    group.addTask {
                        // An error means that the socket is closed.
                        let hasEnded: Void? = try? await CallerCheck(gatekeeper, ticket.caller).waitUntilInvalid()
                        return hasEnded == nil ? nil : .policyViolation
                    }
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
    /// - Parameter older: the socket of an older app.
    /// - Returns: the code to close with; `nil` if the connection is gone.
    private func receive(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>, _ older: BookshelfSocket?
    ) async -> WebSocketErrorCode? {
        var reader = SocketReader()
        do {
            for try await frame in inbound {
                switch reader.receive(frame) {
                case .nothing: break
                case .message(let text):
                    if let older {
                        try await older.receive(text)
                    } else if text.contains("\"ping\"") {
                        // Clients send nothing else.
                        try await outbound.write(
                            WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: Self.ping)))
                    }
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

    private static let ping = Data(#"{"keepAlive":true,"type":"ping"}"#.utf8)

    /// Sends events until the job has ended.
    ///
    /// - Returns: the code to close with; `nil` if the connection is gone.
    private func send(
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>, _ ticket: SocketTicket
    ) async -> WebSocketErrorCode? {
        do {
            for await item in feed.items(of: ticket.job, after: ticket.after) {
                let text =
                    switch item {
                    case .keepAlive: Self.ping
                    case .event(let event):
                        try WireJSON.encode(EventMessage(event: event), below: ticket.base.basePath.text)
                    }
                try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: text)))
            }
            let job = try await feed.jobs.log.job(ticket.job)
            return job.map { $0.isFinished && !$0.isAsking } ?? true ? .normalClosure : .goingAway
        } catch {
            return nil
        }
    }

    private func close(_ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>, _ code: WebSocketErrorCode) async {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        // Fails if the client has already disconnected.
        try? await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
    }
}

extension WebSocketErrorCode {
    /// The job does not exist or was deleted.
    static var noSuchJob: WebSocketErrorCode { .init(codeNumber: 4404) }
}
