import Dispatch
import Foundation
import Imaging
import Library
import Logging
import Lookup
import Scanning
import ScanningFixtures
import Server
import Synchronization

/// Makes the providers of a server over its folder.
struct StubbedProviders: Sendable {
    let over: @Sendable (URL) throws -> OnlineCatalogs
}

/// A whole server on a port of its own, over a folder of its own, with a reader that does what photos say.
final class TestServer: Sendable {
    let folder: URL
    let port: Int
    let reader: ScriptedReader
    let server: ShelflistServer
    let jobs: ScanJobs
    private let running: Task<Void, any Error>

    /// - Parameters:
    ///   - folder: of an earlier server, which this one continues.
    ///   - photoReader: instead of the one that does what photos say.
    ///   - online: the providers, over the server's folder.
    init(
        folder: URL? = nil, reader photoReader: (any PhotoReading)? = nil, online: StubbedProviders? = nil,
        clock: JobClock = JobClock(), logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        configure: (inout ServerSettings, inout JobLimits) -> Void = { _, _ in }
    ) async throws {
        let folder =
            folder ?? FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        var settings = ServerSettings()
        settings.port = 0
        settings.clock = clock
        settings.version = "test"
        settings.passwordRounds = 1 << 10
        var limits = JobLimits()
        configure(&settings, &limits)
        let library = try LibraryStore(folder: LibraryFolder(folder))
        let online = try online?.over(folder)
        let lookup = BookLookup(catalog: nil, online: online)
        let covers = online.map { CoverQueue(online: $0, library: library) }
        let reader = ScriptedReader()
        self.reader = reader
        jobs = ScanJobs(
            store: try JobStore(file: folder.appending(path: "jobs.sqlite")),
            files: try JobFiles(folder: folder.appending(path: "jobs")), reader: photoReader ?? reader,
            importer: LibraryImporting(library: library) { await covers?.fetch($1, for: $0) },
            enricher: JobEnrichment(lookup: lookup), limits: limits, clock: clock)
        let server = try ShelflistServer(
            settings: settings, jobs: jobs, accounts: AccountBook(file: folder.appending(path: "accounts.json")),
            library: library, lookup: lookup, online: online, covers: covers, labelFont: nil, logger: logger)
        self.server = server
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        running = Task {
            defer { continuation.finish() }
            try await server.run(handlesSignals: false) { continuation.yield($0) }
        }
        var found: Int?
        for await port in ports {
            found = port
            break
        }
        guard let found else {
            try await running.value
            throw POSIXError(.ECONNREFUSED)
        }
        port = found
    }

    /// Stops as a signal would.
    func stop() async {
        running.cancel()
        _ = await running.result
    }

    deinit {
        running.cancel()
        try? FileManager.default.removeItem(at: folder)
    }

    /// One request on a connection of its own.
    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> Answer {
        let connection = try Connection(port: port)
        try connection.send(Self.request(method, path, headers: headers, body: body))
        return try connection.answer(to: method)
    }

    func send(_ method: String, _ path: String, headers: [String: String] = [:], json: String) throws -> Answer {
        try send(
            method, path, headers: headers.merging(["Content-Type": "application/json"]) { mine, _ in mine },
            body: Array(json.utf8))
    }

    static func request(
        _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\n"
        for (name, value) in ["Host": "localhost", "Connection": "close"].merging(headers, uniquingKeysWith: { $1 }) {
            head += "\(name): \(value)\r\n"
        }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }

    // MARK: Scans

    /// Uploads scripts as photos.
    func scan(
        _ scripts: [String], fields: [String: String] = [:], headers: [String: String] = [:],
        path: String = "/api/v1/scans", part: String = "photo"
    ) throws -> Answer {
        try send(
            "POST", path, headers: headers.merging(["Content-Type": Form.contentType]) { mine, _ in mine },
            body: Form.body(photos: scripts.map { ScriptedReader.bytes($0) }, fields: fields, part: part))
    }

    /// Reads a job's event stream to its end.
    func events(of job: String, token: String, lastEventID: Int? = nil) throws -> [Event] {
        let connection = try Connection(port: port)
        var headers = ["Accept": "text/event-stream", "Authorization": "Bearer \(token)"]
        if let lastEventID { headers["Last-Event-ID"] = "\(lastEventID)" }
        try connection.send(Self.request("GET", "/api/v1/scans/\(job)/events", headers: headers))
        return Event.list(try connection.answer().text)
    }

    struct Event: Equatable {
        var id: Int?
        var type: String
        var data: String

        static func list(_ text: String) -> [Event] {
            text.components(separatedBy: "\n\n").compactMap { block in
                var event = Event(id: nil, type: "", data: "")
                for line in block.split(separator: "\n") {
                    if line.hasPrefix("id: ") { event.id = Int(line.dropFirst(4)) }
                    if line.hasPrefix("event: ") { event.type = String(line.dropFirst(7)) }
                    if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
                }
                return event.type.isEmpty ? nil : event
            }
        }
    }

    // MARK: Accounts

    /// Makes the owner.
    ///
    /// - Returns: the session cookie, as a header.
    func makeOwner() throws -> [String: String] {
        try cookie(
            send("POST", "/api/v1/setup", json: #"{"name":"Ada","password":"correct horse","role":"owner"}"#))
    }

    func cookie(_ answer: Answer) throws -> [String: String] {
        guard let cookie = answer.headers["set-cookie"]?.split(separator: ";").first else {
            throw POSIXError(.EACCES)
        }
        return ["Cookie": String(cookie)]
    }
}

enum Form {
    static let boundary = "----boundary42"
    static let contentType = "multipart/form-data; boundary=\(boundary)"

    static func body(photos: [[UInt8]], fields: [String: String] = [:], part: String = "photo") -> [UInt8] {
        var body: [UInt8] = []
        for (name, value) in fields {
            body += Array(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        for (index, photo) in photos.enumerated() {
            let head =
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part)\"; filename=\"shelf\(index).jpg\"\r\n"
                + "Content-Type: image/jpeg\r\n\r\n"
            body += Array(head.utf8) + photo + Array("\r\n".utf8)
        }
        return body + Array("--\(boundary)--\r\n".utf8)
    }
}

/// Runs a blocking test where it keeps nobody else from running: tasks share few threads, and so do dispatch queues.
func onOwnThreads<T: Sendable>(_ body: @Sendable () async throws -> T) async rethrows -> T {
    let executor = ThreadExecutor()
    defer { executor.end() }
    return try await withTaskExecutorPreference(executor, operation: body)
}

/// A thread of its own.
private final class ThreadExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                wake.wait()
                let (job, hasEnded) = state.withLock { ($0.jobs.isEmpty ? nil : $0.jobs.removeFirst(), $0.hasEnded) }
                if let job {
                    job.runSynchronously(on: asUnownedTaskExecutor())
                } else if hasEnded {
                    return
                }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        wake.signal()
    }

    /// Lets the thread go once its jobs are done.
    func end() {
        state.withLock { $0.hasEnded = true }
        wake.signal()
    }
}
