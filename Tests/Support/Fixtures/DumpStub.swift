package import Foundation
import Synchronization

/// A server of small Open Library dumps, with the faults of real ones.
package final class DumpStub: Sendable {
    /// How the server behaves; tests change it at any time.
    package struct Behavior: Sendable {
        /// The compressed files by kind: editions, works, authors.
        package var files: [String: [UInt8]]
        package var etag: String? = "\"first\""
        package var honorsRanges = true
        package var answersHead = true
        package var contentType = "application/octet-stream"
        /// Where every request is redirected to; nil for no redirect.
        package var redirect: String?
        /// The bytes that the next downloads of a kind get before the connection is cut, one number each.
        package var cuts: [String: [Int]] = [:]
        /// Called before a connection is cut.
        package var onCut: @Sendable () -> Void = {}
        /// The status and the headers of the next downloads, in place of files.
        package var failures: [(status: Int, headers: [String: String])] = []

        mutating func answer(_ request: StubServer.Request) -> StubAnswer {
            if let redirect, request.target.hasPrefix("/data/") {
                return .answer(302, headers: ["Location": redirect + request.target.dropFirst("/data/".count)])
            }
            guard let kind = files.keys.first(where: { request.target.contains($0) }), let file = files[kind] else {
                return .answer(404)
            }
            var headers = ["Content-Type": contentType]
            headers["ETag"] = etag
            if request.method == "HEAD" {
                return answersHead ? .partial(200, headers: headers, body: file, sent: 0) : .answer(405)
            }
            if !failures.isEmpty {
                let failure = failures.removeFirst()
                return .answer(failure.status, headers: failure.headers)
            }
            var start = 0
            let isSame = request.headers["if-range"].map { $0 == etag } ?? true
            if honorsRanges, isSame, let range = request.headers["range"] {
                let bounds = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
                start = bounds.first ?? 0
                let end = bounds.count > 1 ? bounds[1] : file.count - 1
                guard start < file.count else { return .answer(416) }
                headers["Content-Range"] = "bytes \(start)-\(end)/\(file.count)"
                if bounds.count > 1 { return .answer(206, headers: headers, body: Array(file[start...end])) }
            }
            let body = Array(file[start...])
            let status = headers["Content-Range"] == nil ? 200 : 206
            guard let cut = cuts[kind]?.first else { return .answer(status, headers: headers, body: body) }
            cuts[kind]?.removeFirst()
            return .partial(status, headers: headers, body: body, sent: cut, then: onCut)
        }
    }

    private let behavior: SharedBehavior
    private let server: StubServer

    /// The address of the folder of the dumps.
    package var url: URL { server.url.appending(path: "data/") }
    package var requests: [StubServer.Request] { server.requests }

    package init(_ dump: SmallDump) throws {
        let behavior = SharedBehavior(Behavior(files: try dump.compressed()))
        self.behavior = behavior
        server = try StubServer { _, request in behavior.change { $0.answer(request) } }
    }

    @discardableResult
    package func change<Result: Sendable>(_ body: @Sendable (inout Behavior) throws -> Result) rethrows -> Result {
        try behavior.change(body)
    }

    /// The requests for the content of one kind of file.
    package func downloads(of kind: String) -> [StubServer.Request] {
        requests.filter { $0.method == "GET" && $0.target.contains(kind) }
    }
}

/// Holds a connection of the stub until a test has seen what it is about.
package final class Gate: Sendable {
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let release = DispatchSemaphore(value: 0)

    package init() { (arrivals, arrival) = AsyncStream.makeStream() }

    /// Blocks the connection's thread; for `DumpStub.Behavior.onCut`.
    package func hold() {
        arrival.yield()
        release.wait()
    }

    /// Returns once a connection is held.
    package func waitForConnection() async { for await _ in arrivals { return } }

    package func open() { release.signal() }
}

private final class SharedBehavior: Sendable {
    private let behavior: Mutex<DumpStub.Behavior>

    init(_ behavior: DumpStub.Behavior) { self.behavior = Mutex(behavior) }

    func change<Result: Sendable>(_ body: @Sendable (inout DumpStub.Behavior) throws -> Result) rethrows -> Result {
        try behavior.withLock { try body(&$0) }
    }
}

/// An Open Library dump of numbered books.
///
/// Edition n belongs to work n, which is by author n % 100 + 1. Every second edition has an ISBN; the languages are
/// English, German, none and French in turn.
package struct SmallDump: Sendable {
    package var count: Int
    /// A word of all titles.
    package var word: String

    package init(count: Int, word: String = "Book") { (self.count, self.word) = (count, word) }

    /// The lines of each file by kind: editions, works, authors.
    package var texts: [String: String] {
        let stamp = "\t1\t2026-01-01T00:00:00\t"
        let languages = ["eng", "ger", nil, "fre"]
        var texts = ["editions": "", "works": "", "authors": ""]
        for n in 1...count {
            let title = "\(word) \(n) of \(UInt32(truncatingIfNeeded: n &* 2_654_435_761))"
            let author = "{\"key\": \"/authors/OL\(n % 100 + 1)A\"}"
            let language = languages[n % 4].map { ", \"languages\": [{\"key\": \"/languages/\($0)\"}]" } ?? ""
            let isbn = n % 2 == 0 ? ", \"isbn_13\": [\"\(Self.isbn(n))\"]" : ""
            texts["editions"]? +=
                "/type/edition\t/books/OL\(n)M\(stamp){\"title\": \"\(title)\", \"works\": [{\"key\": \"/works/OL\(n)W\"}]"
                + ", \"authors\": [\(author)]\(language)\(isbn)}\n"
            texts["works"]? +=
                "/type/work\t/works/OL\(n)W\(stamp){\"title\": \"\(title)\", \"authors\": [{\"author\": \(author)}]}\n"
        }
        for n in 1...100 {
            texts["authors"]? += "/type/author\t/authors/OL\(n)A\(stamp){\"name\": \"Author Number\(n)\"}\n"
        }
        return texts
    }

    private static func isbn(_ number: Int) -> String {
        let body = "979" + String(repeating: "0", count: 9 - String(number).count) + String(number)
        let sum = body.utf8.enumerated().reduce(0) { $0 + Int($1.element - 0x30) * ($1.offset % 2 == 0 ? 1 : 3) }
        return body + String((10 - sum % 10) % 10)
    }

    /// Compresses the files with the system's `gzip`.
    package func compressed() throws -> [String: [UInt8]] { try texts.mapValues { try Self.gzip(Array($0.utf8)) } }

    package static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "dump-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        try ChildProcess(["gzip", "-f", file.path]).waitUntilExit()
        let packed = URL(filePath: file.path + ".gz")
        defer { try? FileManager.default.removeItem(at: packed) }
        return Array(try Data(contentsOf: packed))
    }
}
