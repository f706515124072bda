import Foundation
package import ShelflistAPI
import Synchronization

/// Follows the events of a job over lost connections, each event once.
struct EventFollower: Sendable {
    let connection: ServerConnection
    let job: String
    let last: Int
    let sink: @Sendable (ScanEvent) -> Void

    /// Returns after the job's last event.
    ///
    /// - Throws: the error that ended the last attempt, once the server was not heard for the patience of the client.
    func follow() async throws {
        let limits = connection.limits
        var ladder = FollowLadder(climbAfter: limits.climbAfter)
        let position = EventPosition(last, sink)
        while true {
            try Task.checkCancellation()
            let rung = ladder.rung
            position.beginAttempt()
            var wait = limits.wait(after: 1, random: connection.environment.random())
            do {
                switch rung {
                case .polling:
                    if try await poll(position, announces: true) { return }
                    ladder.heard()
                    try await connection.clock.sleep(for: limits.pollInterval)
                    ladder.polled(for: limits.pollInterval)
                    continue
                case .webSocket: try await readSocket(position)
                case .eventStream: try await readStream(position)
                }
                let hadNews = position.hadNews
                if hadNews { ladder.heard() }
                // A stream that ends in good order may have been ended by a proxy.
                if try await poll(position, announces: false) { return }
                ladder.ended(hadNews: hadNews, reachesServer: true)
            } catch {
                if Task.isCancelled { throw CancellationError() }
                let reachesServer = if case TransportFailure.unreachable = error { false } else { true }
                let error = ShelflistError(error, host: connection.host)
                if position.hadNews { ladder.heard() }
                guard error.isTransient else { throw error }
                ladder.ended(hadNews: position.hadNews, reachesServer: reachesServer)
                if error.category == .timedOut { ladder.waited(limits.idle) }
                // The next way may work at once.
                if ladder.rung < rung, ladder.failures <= 3 { continue }
                wait =
                    error.retryAfter ?? limits.wait(after: ladder.failures, random: connection.environment.random())
                guard ladder.silence + wait <= connection.options.patience else { throw error }
                sink(.connection(.waiting(wait, error)))
            }
            try await connection.clock.sleep(for: wait)
            ladder.waited(wait)
        }
    }

    // MARK: The three ways

    private func poll(_ position: EventPosition, announces: Bool) async throws -> Bool {
        while true {
            let page: EventPage<WireEvent> = try await connection.value(
                .init("GET", path, [("after", "\(position.last)")]))
            if announces { position.isOpen(.polling) }
            position.heard()
            for event in page.events { position.receive(event.event) }
            if page.done || page.events.isEmpty { return page.done }
        }
    }

    private func readSocket(_ position: EventPosition) async throws {
        var request = connection.transportRequest(
            .init("GET", "ws/progress", [("jobId", job), ("after", "\(position.last)")]))
        request.headers["Sec-WebSocket-Protocol"] = "shelflist"
        let activity = StreamActivity()
        let code = try await activity.within(connection.limits, connection.clock) { [request] in
            try await connection.system().receiveMessages(request) {
                activity.open()
                position.isOpen(.webSocket)
            } receive: { message in
                activity.mark()
                position.heard()
                if let event = try? WireJSON.decode(WireEvent.self, from: message) { position.receive(event.event) }
            }
        }
        switch code {
        case 1000: return
        case 4404: throw ShelflistError.noSuchJob
        // The request that follows says why, if it is the token.
        case 1008: return
        default: throw TransportFailure.lost(SocketClosed(code: code))
        }
    }

    private func readStream(_ position: EventPosition) async throws {
        var request = connection.transportRequest(.init("GET", path), accept: ServerSentEvents.contentType)
        request.headers["Last-Event-ID"] = "\(position.last)"
        let activity = StreamActivity()
        try await activity.within(connection.limits, connection.clock) { [request] in
            let response = try await connection.system().send(request)
            guard response.status == 200 else {
                var body = Data()
                for try await piece in response.body { body += piece }
                return try connection.check(response, body)
            }
            guard response.headers["content-type"]?.hasPrefix(ServerSentEvents.contentType) ?? false else {
                throw ShelflistError.notAServer(connection.host)
            }
            activity.open()
            position.isOpen(.eventStream)
            var parser = EventStreamParser()
            for try await piece in response.body {
                activity.mark()
                for message in parser.append(piece) {
                    position.heard()
                    if let event = try? WireJSON.decode(WireEvent.self, from: message) {
                        position.receive(event.event)
                    }
                }
            }
        }
    }

    private var path: String { "api/v1/scans/\(ServerConnection.escaped(job))/events" }
}

private struct SocketClosed: Error {
    var code: Int?
}

extension ShelflistError {
    /// Whether following continues after the error.
    fileprivate var isTransient: Bool {
        switch category {
        // Networks with a sign-in page answer for the server.
        case .unreachable, .timedOut, .busy, .server, .notAServer: true
        default: false
        }
    }

    fileprivate static let noSuchJob = ShelflistError(
        .notFound, "The scan does not exist on the server.", "It was deleted or has expired. Scan the photos again.")
}

/// The last event that was received, and whether something was received in the current attempt.
final class EventPosition: Sendable {
    private struct State {
        var last: Int
        var hadNews = false
        var open: FollowLadder.Rung?
    }

    private let state: Mutex<State>
    private let sink: @Sendable (ScanEvent) -> Void

    init(_ last: Int, _ sink: @escaping @Sendable (ScanEvent) -> Void) {
        state = Mutex(State(last: last))
        self.sink = sink
    }

    var last: Int { state.withLock(\.last) }
    var hadNews: Bool { state.withLock(\.hadNews) }

    func beginAttempt() { state.withLock { $0.hadNews = false } }

    func heard() { state.withLock { $0.hadNews = true } }

    /// Reports a way that works, once until another one does.
    func isOpen(_ rung: FollowLadder.Rung) {
        let isNew = state.withLock { state in
            defer { state.open = rung }
            return state.open != rung
        }
        guard isNew else { return }
        switch rung {
        case .webSocket: sink(.connection(.webSocket))
        case .eventStream: sink(.connection(.eventStream))
        case .polling: sink(.connection(.polling))
        }
    }

    /// Passes an event on, unless it was received before.
    func receive(_ event: JobEvent) {
        let isNew = state.withLock { state in
            guard event.id > state.last else { return false }
            state.last = event.id
            return true
        }
        if isNew { sink(.job(event)) }
    }
}

/// An event of any version: one whose data cannot be decoded counts as unknown.
package struct WireEvent: Decodable, Sendable {
    package var event: JobEvent

    private enum CodingKeys: String, CodingKey { case id, jobId, type, time }

    package init(from decoder: any Decoder) throws {
        do {
            event = try JobEvent(from: decoder)
        } catch {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            event = JobEvent(
                id: try fields.decode(Int.self, forKey: .id), jobId: try fields.decode(String.self, forKey: .jobId),
                time: try fields.decode(Date.self, forKey: .time),
                content: .unknown(try fields.decode(String.self, forKey: .type)))
        }
    }
}
