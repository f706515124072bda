import Foundation
import Imaging
import Logging
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct LogTests {
    /// Stores log lines.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var text: String { lines.withLock { $0.joined(separator: "\n") } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private struct Keeper: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.add("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])")
        }
    }

    @Test("The log and the metrics contain no keys of apps, right or wrong")
    func logsNoKeys() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in
            var keeper = Keeper(lines: lines)
            keeper.logLevel = .trace
            return keeper
        }
        let (secret, metrics) = try await withServer(logger: logger) { server in
            let owner = try server.makeOwner()
            let made = try server.send("POST", "/api/v1/apps", headers: owner, json: #"{"name":"phone"}"#)
            let base = try #require(made.string("path"))
            for base in [base, "/app/wrongkey"] {
                for path in ["/scan/status?jobId=x", "/api/v1/library", "/nothing", ""] {
                    _ = try server.send("GET", base + path)
                }
                _ = try Connection(port: server.port).upgrade("\(base)/ws/progress?jobId=x")
            }
            return (String(base.dropFirst("/app/".count)), try server.send("GET", "/metrics").text)
        }
        let text = lines.text
        #expect(text.contains("GET /scan/status 404") && text.contains("GET /scan/status 403"))
        for secret in [secret, "wrongkey"] {
            #expect(!text.contains(secret))
            #expect(!metrics.contains(secret))
        }
    }

    @Test("Files that the server cannot write or read are in its log, and not in its answers")
    func logsFailedFiles() async throws {
        let lines = Lines()
        try await withServer(logger: Logger(label: "test") { _ in Keeper(lines: lines) }) { server in
            let book = try server.addBook(#"{"title":"Emma"}"#)
            let covers = server.folder.appending(path: "covers")
            try FileManager.default.removeItem(at: covers)
            try Data().write(to: covers)
            let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 60, height: 90)), quality: 90)
            let unsaved = try server.send(
                "PUT", "/api/v1/library/\(book.id)/cover", headers: ["Content-Type": "image/jpeg"], body: picture)
            #expect(unsaved.status == 503)
            #expect(unsaved.problem?.code == "unavailable" && unsaved.problem?.title == "Not saved")
            #expect(unsaved.problem?.retryable == true)
            #expect(!unsaved.text.contains(server.folder.path))

            _ = try server.finish(server.scan(["books:Dune?"], fields: ["import": "true"]))
            let item = try #require(try server.reviewQueue().items.first)
            let photos = server.folder.appending(path: "photos")
            let names = try FileManager.default.contentsOfDirectory(atPath: photos.path)
            try #require(!names.isEmpty)
            for name in names { try Data("no".utf8).write(to: photos.appending(path: name)) }
            let unread = try server.send("GET", "/api/v1/detections/\(item.id)/crop")
            #expect(unread.status == 500 && unread.problem?.code == "internal")
        }
        #expect(lines.text.contains("could not be written"))
        #expect(lines.text.contains("This is not a photo."))
    }

    @Test("The log contains requests but no tokens, titles or queries")
    func logsNoSecrets() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in Keeper(lines: lines) }
        let (secrets, request) = try await withServer(logger: logger) { server in
            let owner = try server.makeOwner()
            let bearer = try server.addToken(["read"], by: owner)
            let secret = try #require(bearer["Authorization"]?.split(separator: " ").last.map(String.init))
            let accepted = try server.scan(["books:Ulysses"], fields: ["import": "true"], headers: owner)
                .decode(ScanAccepted.self)
            let (id, token) = (accepted.jobId, accepted.token)
            _ = try server.events(of: id, token: token)
            _ = try server.send("GET", "/api/v1/scans/\(id)/events?token=\(token)")
            _ = try Connection(port: server.port).upgrade("/ws/progress?jobId=\(id)&token=\(token)")
            _ = try server.send("GET", "/api/v1/library?q=Finnegan", headers: bearer)
            _ = try server.send("POST", "/api/v1/session", json: #"{"name":"Ada","password":"correct horse"}"#)
            let last = try server.send("GET", "/api/v1/library", headers: owner)
            return (
                [secret, token, "Ulysses", "Finnegan", "correct horse", try #require(owner["Cookie"])],
                try #require(last.headers["x-request-id"])
            )
        }
        let text = lines.text
        #expect(text.contains("GET /api/v1/library 200"))
        #expect(text.contains(request))
        for secret in secrets { #expect(!text.contains(secret)) }
    }
}
