import Foundation
import ShelflistAPI
import ShelflistClient
import Synchronization

/// Answers the requests of a client without a network.
struct InMemoryTransport: Transport {
    let server: InMemoryServer

    private struct Offline: Error {}

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let body = try Self.bytes(of: request.body)
        do {
            try check(request)
            request.onSent(body.count)
            let call = RouteCall(request, body)
            if call.path.last == "events", call.headers["Accept"] == ServerSentEvents.contentType {
                return try events(of: call)
            }
            let answer = try server.state.withLock { try $0.answer(call) }
            if let job = answer.startsReading { server.read(job) }
            return Self.response(answer.status, answer.body, type: answer.type)
        } catch let problem as Problem {
            return Self.response(
                problem.status, try WireJSON.encode(problem), type: Problem.contentType,
                retryAfter: problem.retryAfterMs)
        }
    }

    func receiveMessages(
        _ request: TransportRequest, onOpen: @escaping @Sendable () -> Void,
        receive: @escaping @Sendable (Data) async throws -> Void
    ) async throws -> Int? {
        do {
            try check(request)
        } catch is Problem {
            throw TransportFailure.refused
        }
        let call = RouteCall(request, Data())
        guard let job = call.query["jobId"], let after = Int(call.query["after"] ?? "0"),
            let events = server.events(of: job, after: after)
        else { return 4404 }
        onOpen()
        for await event in events { try await receive(WireJSON.encode(event)) }
        try Task.checkCancellation()
        return 1000
    }

    private func events(of call: RouteCall) throws -> TransportResponse {
        let after = call.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
        guard let events = server.events(of: call.path[3], after: after) else { throw Problem.notFound }
        let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        let task = Task {
            for await event in events {
                let data = (try? WireJSON.encode(event)) ?? Data()
                continuation.yield(ServerSentEvents.event(id: "\(event.id)", type: event.type, data: data))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return TransportResponse(
            status: 200, headers: ["content-type": ServerSentEvents.contentType], body: body)
    }

    /// - Throws: the fault of the request.
    private func check(_ request: TransportRequest) throws {
        let query = request.url.query(percentEncoded: false).map { "?\($0)" } ?? ""
        let text = "\(request.method) \(request.url.path())\(query)"
        let fault = server.state.withLock { state in
            state.requests.append(text)
            return state.fault(of: text)
        }
        switch fault {
        case nil: break
        case .offline: throw TransportFailure.unreachable(Offline())
        case .rateLimited(let wait):
            throw Problem(
                "rate_limited", status: 429, title: "Too many requests",
                detail: "There were too many requests. Wait a moment, then try again.", retryable: true,
                retryAfterMs: Int(wait / .milliseconds(1)))
        case .problem(let problem): throw problem
        }
    }

    private static func bytes(of body: TransportRequest.Body) throws -> Data {
        switch body {
        case .none: return Data()
        case .data(let data): return data
        case .file(let url):
            do { return try Data(contentsOf: url) } catch { throw TransportFailure.file(url, error) }
        }
    }

    private static func response(
        _ status: Int, _ body: Data, type: String, retryAfter: Int? = nil
    ) -> TransportResponse {
        var headers = ["content-type": type]
        headers["retry-after"] = retryAfter.map { "\(($0 + 999) / 1000)" }
        let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        continuation.yield(body)
        continuation.finish()
        return TransportResponse(status: status, headers: headers, body: stream)
    }
}

/// A request in parts.
struct RouteCall {
    var method: String
    /// Without the empty part before the first slash.
    var path: [String]
    var query: [String: String]
    var headers: [String: String]
    var body: Data

    init(_ request: TransportRequest, _ body: Data) {
        method = request.method
        path = request.url.path().split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        headers = request.headers
        self.body = body
    }

    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try WireJSON.decode(from: body)
        } catch {
            throw Problem("bad_request", status: 400, title: "Bad request", detail: "The JSON is not valid.")
        }
    }

    /// - Throws: `Problem` if another version than the current one is named, or none though one is needed.
    func check(_ etag: String, needed: Bool) throws {
        guard let sent = headers["If-Match"] else {
            if needed { throw Problem.preconditionRequired }
            return
        }
        guard sent == "*" || sent == "\"\(etag)\"" else { throw Problem.editConflict }
    }

    /// Whether a filter of the query selects a value, or there is none.
    func selects(_ name: String, _ value: String?) -> Bool { query[name].map { $0 == value } ?? true }

    /// Returns the requested page of a list.
    func page<Item>(_ items: [Item]) -> Page<Item> {
        let limit = query["limit"].flatMap { Int($0) } ?? 50
        let start = query["cursor"].flatMap { Int($0.dropFirst()) } ?? 0
        let slice = Array(items.dropFirst(start).prefix(limit))
        let next = start + slice.count
        return Page(items: slice, nextCursor: next < items.count ? "o\(next)" : nil, total: items.count)
    }
}
