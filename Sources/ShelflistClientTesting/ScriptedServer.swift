import Bounds
package import Foundation
public import ShelflistClient
import Synchronization

/// A server that answers from a script, for previews and tests of apps.
///
/// ```swift
/// let server = ScriptedServer()
/// let emma = LibraryBook(id: "1", workId: "1", title: "Emma", authors: ["Jane Austen"], addedAt: .now)
/// try server.answer("GET /api/v1/library", with: Page(items: [emma], nextCursor: nil, total: 1))
/// let model = LibraryModel(client: server.client())
/// ```
///
/// It keeps nothing: a request that changes something is answered like any other. Requests that are not in the script are
/// answered with 404.
public final class ScriptedServer: Sendable {
    /// What happens to a request instead of an answer.
    ///
    /// ```swift
    /// server.fail(.offline)
    /// server.fail(.rateLimited(.seconds(5)), "POST /api/v1/scans")
    /// server.fail(.problem(problem), "GET /api/v1/library/*", times: nil)
    /// ```
    public enum Fault: Sendable {
        /// The server cannot be reached.
        case offline
        /// The server asks to wait.
        case rateLimited(Duration)
        /// The server answers with this problem.
        case problem(Problem)
    }

    struct Events: Sendable {
        var list: [JobEvent]
        var pace: Duration
        var clock: any Clock<Duration>
        /// Whether a photo has arrived since the scan was started.
        var hasPhoto = false
        /// Of the followers that wait for it.
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    struct Answer: Sendable {
        var status: Int
        var json: Data
    }

    private enum Reply: Sendable {
        case answer(Answer)
        case fault(Fault)
    }

    private struct Rule: Sendable {
        var request: String
        var reply: Reply
        /// How many requests it is for; nil for all.
        var times: Int?
    }

    private struct State {
        var rules: [Rule] = []
        var requests: [String] = []
        /// By the identifier of the scan.
        var events: [String: Events] = [:]
    }

    private let state = Mutex(State())
    private let address: URL
    /// Answers the requests that are not in the script.
    let other: (any Transport)?

    /// Creates a server without a script.
    public init() { (address, other) = (URL(string: "http://script.invalid") ?? URL(filePath: "/"), nil) }

    /// Creates a server that passes on what is not in its script to the one at an address.
    package init(inFrontOf address: URL, _ other: any Transport) { (self.address, self.other) = (address, other) }

    /// Returns a client of the server.
    ///
    /// - Parameter clock: on which the client waits between attempts.
    public func client(clock: any Clock<Duration> = ContinuousClock()) -> ShelflistClient {
        var environment = ClientEnvironment()
        environment.transport = ScriptedTransport(server: self)
        environment.clock = clock
        environment.random = { 1 }
        return ShelflistClient(address: address, token: nil, options: ClientOptions(), environment: environment)
    }

    // MARK: The script

    /// Answers requests with a value of the API.
    ///
    /// The latest rule for a request counts.
    ///
    /// - Parameters:
    ///   - request: method and path without the query, such as `GET /api/v1/library`; one `*` stands for any text.
    ///   - status: 200...299
    ///   - times: how many requests are answered so; nil for all.
    /// - Throws: an error for a value that cannot be encoded.
    public func answer(
        _ request: String, with value: some Encodable, status: Int = 200, times: Int? = nil
    ) throws {
        let answer = Answer(status: status, json: try WireJSON.encode(value))
        add(Rule(request: request, reply: .answer(answer), times: times))
    }

    /// Lets requests fail.
    ///
    /// - Parameters:
    ///   - request: as in `answer`.
    ///   - times: how many requests fail; nil for all.
    public func fail(_ fault: Fault, _ request: String = "*", times: Int? = 1) {
        add(Rule(request: request, reply: .fault(fault), times: times))
    }

    /// Answers a scan of any photos, whose events begin with the first photo that arrives.
    ///
    /// ```swift
    /// try server.scan([.result(emma), .completed(summary)], results: results)
    /// ```
    ///
    /// - Parameters:
    ///   - events: what the scan reports, the end included.
    ///   - results: what the scan has found, which name it by `jobId`.
    ///   - pace: the time between two events.
    ///   - clock: on which this time passes.
    /// - Throws: an error for a value that cannot be encoded.
    public func scan(
        _ events: [JobEvent.Content], results: ScanResults, pace: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        let (id, now) = (results.jobId, Date())
        let job = ScanStatus(
            id: id, status: .queued, photosExpected: max(1, results.summary.photos), options: JobOptions(),
            createdAt: now)
        let list = events.enumerated().map { JobEvent(id: $0 + 1, jobId: id, time: now, content: $1) }
        let path = "/api/v1/scans/\(id)"
        try answer("POST /api/v1/scans", with: ScanAccepted(job: job, token: "token", expiresAt: now))
        for method in ["GET", "PUT", "POST", "DELETE"] {
            for paths in [path, path + "/*"] { try answer("\(method) \(paths)", with: job) }
        }
        try answer("GET \(path)/events", with: EventPage(events: list, lastEventId: list.count, done: true))
        try answer("GET \(path)/results", with: results)
        state.withLock { $0.events[id] = Events(list: list, pace: pace, clock: clock) }
    }

    /// The requests so far, each as `METHOD /path?query`.
    ///
    /// ```swift
    /// show(server.requests.contains("GET /api/v1/library"))
    /// ```
    public var requests: [String] { state.withLock(\.requests) }

    private func add(_ rule: Rule) { state.withLock { $0.rules.append(rule) } }

    // MARK: Answers

    func events(of scan: String) -> Events? { state.withLock { $0.events[scan] } }

    /// Returns a stream that ends once the first photo of a scan has arrived.
    func untilPhoto(of scan: String) -> AsyncStream<Never> {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        state.withLock { state in
            if state.events[scan]?.hasPhoto ?? true { return continuation.finish() }
            state.events[scan]?.waiting.append(continuation)
        }
        return stream
    }

    /// Records what a request that was answered means for a scan: its start, or a photo.
    private func follow(_ line: String, _ request: TransportRequest, _ answer: Answer) {
        if line == "POST /api/v1/scans", let scan = try? WireJSON.decode(ScanAccepted.self, from: answer.json).job.id {
            state.withLock { $0.events[scan]?.hasPhoto = false }
        } else if line.hasPrefix("PUT /api/v1/scans/"), let scan = request.url.pathComponents.dropFirst(4).first {
            let waiting = state.withLock { state in
                state.events[scan]?.hasPhoto = true
                defer { state.events[scan]?.waiting = [] }
                return state.events[scan]?.waiting ?? []
            }
            for continuation in waiting { continuation.finish() }
        }
    }

    /// Records a request, and counts it for its rule.
    ///
    /// - Returns: nil if the request is not in the script.
    /// - Throws: `Problem`, `TransportFailure`.
    func answer(to request: TransportRequest) throws -> Answer? {
        let line = "\(request.method) \(request.url.path())"
        let query = request.url.query(percentEncoded: false).map { "?\($0)" } ?? ""
        let reply = state.withLock { state -> Reply? in
            state.requests.append(line + query)
            guard let index = state.rules.lastIndex(where: { $0.times != 0 && Self.matches($0.request, line) }) else {
                return nil
            }
            if let times = state.rules[index].times { state.rules[index].times = times - 1 }
            return state.rules[index].reply
        }
        switch reply {
        case nil: return nil
        case .answer(let answer):
            follow(line, request, answer)
            return answer
        case .fault(.offline): throw TransportFailure.unreachable(URLError(.cannotConnectToHost))
        case .fault(.problem(let problem)): throw problem
        case .fault(.rateLimited(let wait)):
            throw Problem(
                "rate_limited", status: 429, title: "Too many requests",
                detail: "There were too many requests. Wait a moment, then try again.", retryable: true,
                retryAfterMs: Int(saturating: wait / .milliseconds(1)))
        }
    }

    private static func matches(_ request: String, _ line: String) -> Bool {
        let parts = request.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts.first, let end = parts.dropFirst().first else { return request == line }
        return line.count >= start.count + end.count && line.hasPrefix(start) && line.hasSuffix(end)
    }
}
