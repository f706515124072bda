import Foundation
import ShelflistAPI
import Synchronization

/// Sends the requests of a client and decodes the answers.
struct ServerConnection: Sendable {
    /// Without a slash at the end.
    let address: URL
    private(set) var token: String?
    let options: ClientOptions
    let environment: ClientEnvironment
    private let transport: Result<any Transport, ShelflistError>

    init(address: URL, token: String?, options: ClientOptions, environment: ClientEnvironment) {
        var text = address.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        self.address = URL(string: text) ?? address
        (self.token, self.options, self.environment) = (token, options, environment)
        transport =
            environment.transport.map(Result.success)
            ?? Self.systemTransport(
                trustRoots: options.trustRoots, host: address.host() ?? "", limits: environment.limits)
    }

    private static func systemTransport(
        trustRoots: Data?, host: String, limits: ClientLimits
    ) -> Result<any Transport, ShelflistError> {
        do {
            return .success(try platformTransport(trustRoots: trustRoots, host: host, limits: limits))
        } catch {
            return .failure(
                ShelflistError(
                    .certificate, "The additional certificates cannot be read.", "Use a file in PEM format.",
                    cause: error))
        }
    }

    var withoutToken: ServerConnection {
        var connection = self
        connection.token = nil
        return connection
    }

    var host: String { address.host() ?? address.absoluteString }
    var clock: any Clock<Duration> { environment.clock }
    var limits: ClientLimits { environment.limits }

    // MARK: Requests

    struct Request: Sendable {
        var method = "GET"
        var path: String
        var query: [(name: String, value: String?)] = []
        var headers: [String: String] = [:]
        var body = TransportRequest.Body.none
        /// Whether it can be sent again after a lost connection.
        var isRepeatable: Bool
        var onSent: @Sendable (Int) -> Void = { _ in }

        init(_ method: String = "GET", _ path: String, _ query: [(name: String, value: String?)] = []) {
            (self.method, self.path, self.query) = (method, path, query)
            isRepeatable = method != "POST" && method != "PATCH"
        }

        /// Adds a version of the item, so that other changes are not overwritten; `*` is any version.
        func ifMatch(_ tag: String?) -> Request {
            var request = self
            request.headers["If-Match"] = tag.map { $0 == "*" ? $0 : "\"\($0)\"" }
            return request
        }

        /// - Throws: `ShelflistError` with category `invalid` for a number that JSON does not have.
        func json(_ body: some Encodable) throws(ShelflistError) -> Request {
            var request = self
            request.headers["Content-Type"] = "application/json"
            do {
                request.body = .data(try WireJSON.encode(body))
            } catch {
                throw ShelflistError(
                    .invalid, "The request has a value that cannot be sent.", "Correct its numbers.", cause: error)
            }
            return request
        }
    }

    struct Answer: Sendable {
        var status: Int
        var headers: [String: String]
        var body: Data
    }

    /// Returns the URL of a request.
    func url(_ path: String, _ query: [(name: String, value: String?)] = []) -> URL {
        let items = query.compactMap { item in item.value.map { "\(item.name)=\(Self.escaped($0))" } }
        let text = address.absoluteString + "/" + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
        return URL(string: text) ?? address
    }

    /// Returns the URL of a path in an answer, which contains the server's base path.
    func url(of path: ServerPath) -> URL { URL(string: path.text, relativeTo: address)?.absoluteURL ?? address }

    /// Returns a text as one part of a path or as the value in a query.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    func transportRequest(_ request: Request, accept: String = "application/json") -> TransportRequest {
        var sent = TransportRequest(
            request.method, url(request.path, request.query), headers: request.headers, body: request.body)
        sent.headers["Accept"] = accept
        sent.headers["User-Agent"] = "ShelflistClient/\(ShelflistClient.version)"
        sent.headers["Authorization"] = token.map { "Bearer \($0)" }
        sent.headers["X-Device-ID"] = options.deviceID
        sent.onSent = request.onSent
        return sent
    }

    func system() throws(ShelflistError) -> any Transport { try transport.get() }

    /// Sends a request and decodes the answer.
    func value<Value: Decodable & Sendable>(_ request: Request) async throws(ShelflistError) -> Value {
        try await typed { try WireJSON.decode(from: try await json(request)) }
    }

    /// Sends a request and returns the JSON of the answer.
    func json(_ request: Request) async throws -> Data {
        let answer = try await answer(request)
        // The sign-in page of a network, for example.
        guard answer.headers["content-type"]?.contains("json") ?? false else { throw ShelflistError.notAServer(host) }
        return answer.body
    }

    /// Sends a request whose answer does not matter.
    func send(_ request: Request) async throws(ShelflistError) { _ = try await typed { try await answer(request) } }

    func data(_ request: Request) async throws(ShelflistError) -> Data {
        try await typed { try await answer(request).body }
    }

    /// Sends a request once, and passes the answer on in pieces.
    func stream(
        _ request: Request, to receive: @escaping @Sendable (Data) async throws -> Void
    ) async throws(ShelflistError) { _ = try await typed { try await attempt(request, receive) } }

    /// Sends a request, up to three times if it can be repeated.
    ///
    /// - Parameter onRetry: called before each wait.
    func answer(
        _ request: Request, onRetry: @Sendable (Duration, ShelflistError) -> Void = { _, _ in }
    ) async throws -> Answer {
        var failed = 0
        while true {
            do {
                return try await attempt(request)
            } catch {
                let error = ShelflistError(error, host: host)
                failed += 1
                // The server has not begun a request that it asks to repeat later.
                let mayRepeat = request.isRepeatable ? error.isRetryable : error.category == .busy
                guard mayRepeat, failed < limits.attempts else { throw error }
                let wait = error.retryAfter ?? limits.wait(after: failed, random: environment.random())
                guard wait <= limits.longestRetryAfter else { throw error }
                onRetry(wait, error)
                try await clock.sleep(for: wait)
            }
        }
    }

    /// - Parameter receive: receives the body of a success in pieces; nil for the body in the answer.
    private func attempt(
        _ request: Request, _ receive: (@Sendable (Data) async throws -> Void)? = nil
    ) async throws -> Answer {
        let activity = Activity()
        let onSent = request.onSent
        var request = request
        request.onSent = { sent in
            activity.mark()
            onSent(sent)
        }
        let sent = transportRequest(request)
        return try await activity.within(limits.idle, clock) {
            let response = try await system().send(sent)
            var body = Data()
            for try await piece in response.body {
                activity.mark()
                if let receive, Self.isSuccess(response) { try await receive(piece) } else { body += piece }
            }
            try check(response, body)
            return Answer(status: response.status, headers: response.headers, body: body)
        }
    }

    private static func isSuccess(_ response: TransportResponse) -> Bool { (200..<300).contains(response.status) }

    /// - Throws: `ShelflistError` for an answer that is not a success.
    func check(_ response: TransportResponse, _ body: Data) throws {
        guard !Self.isSuccess(response) else { return }
        // A date is compared with that of the response, because the clock of this device may be wrong.
        let wait = RetryAfter.seconds(
            response.headers["retry-after"], now: response.headers["date"].flatMap(RetryAfter.date)
        ).map(Duration.seconds)
        // Proxies answer with pages of their own.
        if let problem = try? WireJSON.decode(Problem.self, from: body) {
            throw ShelflistError(problem, retryAfter: wait)
        }
        guard response.status >= 500 || response.status == 429 || response.status == 408 else {
            throw ShelflistError.notAServer(host)
        }
        throw ShelflistError(
            .busy, "\(host) is not available (status \(response.status)).", "Try again in a moment.",
            retryAfter: wait)
    }

    /// Converts all errors to `ShelflistError`.
    func typed<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws(ShelflistError) -> Value {
        do {
            return try await body()
        } catch {
            throw ShelflistError(error, host: host)
        }
    }
}

/// Ends work during which nothing happens for a time.
final class Activity: Sendable {
    private let marks = Mutex(0)

    func mark() { marks.withLock { $0 += 1 } }

    /// - Parameter limit: after this time, at most twice as long, without a mark the work is cancelled.
    /// - Throws: `TransportFailure.timedOut` then.
    func within<Value: Sendable>(
        _ limit: Duration, _ clock: any Clock<Duration>, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: work)
            group.addTask {
                var seen = -1
                while true {
                    let now = self.marks.withLock { $0 }
                    guard now != seen else { throw TransportFailure.timedOut }
                    seen = now
                    try await clock.sleep(for: limit)
                }
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
