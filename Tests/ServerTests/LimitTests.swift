import Foundation
import Imaging
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct LimitTests {
    @Test("Too large, too many or missing photos are refused")
    func refusesPhotos() async throws {
        try await withServer(configure: { _, limits in limits.photo.maxBytes = 5000 }) { server in
            let large = try server.scan(["books:" + String(repeating: "x", count: 6000)])
            #expect(large.status == 413)
            #expect(large.problem?.code == "photo_too_large")
            #expect(large.problem?.limit == 5000)
            let many = try server.scan(Array(repeating: "books:x", count: 6))
            #expect(many.status == 413)
            #expect(many.problem?.code == "too_many_photos")
            #expect(try server.scan([]).status == 400)
            let text = try server.send(
                "POST", "/api/v1/scans", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [Array("<html>".utf8)]))
            #expect(text.status == 415)
            #expect(text.problem?.code == "not_an_image")
            #expect(try server.send("POST", "/api/v1/scans", json: "{}").status == 415)
            let left = server.folder.appending(path: "jobs/incoming").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: left).isEmpty)
        }
    }

    @Test("A chunked upload is subject to the same limits")
    func limitsChunkedUpload() async throws {
        try await withServer(configure: { _, limits in limits.photo.maxBytes = 5000 }) { server in
            let id = try server.scan([], fields: ["expected": "1"]).decode(ScanAccepted.self).jobId
            let photo = try Connection(port: server.port)
            try photo.sendChunked(
                "PUT /api/v1/scans/\(id)/photos/1", pieces: 6,
                of: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 1000))
            #expect(try photo.answer().problem?.code == "photo_too_large")
            let form = try Connection(port: server.port)
            let start = Form.body(photos: [[0xFF, 0xD8, 0xFF, 0xE0]]).dropLast(Form.boundary.utf8.count + 8)
            try form.sendChunked(
                "POST /api/v1/scans", headers: "Content-Type: \(Form.contentType)\r\n", first: Array(start), pieces: 6,
                of: [UInt8](repeating: 1, count: 1000))
            #expect(try form.answer().problem?.code == "photo_too_large")
            let json = try Connection(port: server.port)
            try json.sendChunked(
                "POST /api/v1/library", headers: "Content-Type: application/json\r\n", pieces: 12,
                of: [UInt8](repeating: 0x20, count: 100_000))
            #expect(try json.answer().problem?.code == "body_too_large")
            let incoming = server.folder.appending(path: "jobs/incoming").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
        }
    }

    @Test("A picture for which a photo is decoded counts as work")
    func limitsPictures() async throws {
        try await withServer(configure: { settings, _ in settings.requestsPerMinute = 2 }) { server in
            let id = try server.scan(["books:Dune"]).decode(ScanAccepted.self).jobId
            let photo = "/api/v1/scans/\(id)/photos/1"
            #expect(try server.send("GET", "\(photo)/annotated").status != 429)
            #expect(try server.send("GET", "\(photo)/segmented").status == 429)
            for _ in 0..<20 { #expect(try server.send("GET", photo).status != 429) }
            #expect(try server.send("GET", photo).status == 429)
        }
    }

    @Test("An interrupted upload leaves nothing behind")
    func interruptedUpload() async throws {
        try await withServer { server in
            let connection = try Connection(port: server.port)
            let request = TestServer.request(
                "POST", "/api/v1/scans", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [ScriptedReader.bytes("books:" + String(repeating: "x", count: 200_000))]))
            try connection.send(Array(request.prefix(100_000)))
            let incoming = server.folder.appending(path: "jobs/incoming").path
            func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: incoming) }
            try await eventually { try !files().isEmpty }
            connection.cut()
            try await eventually { try files().isEmpty }
            #expect(try server.get("/api/v1/scans", as: Page<ScanStatus>.self).total == 0)
        }
    }

    @Test("Connections that keep the server waiting are closed")
    func closesIdleConnections() async throws {
        // `DeadlineTests` has the lengths; these are over at once.
        try await withServer(configure: { settings, _ in settings.deadlines.firstHead = .zero }) { server in
            let silent = try Connection(port: server.port)
            #expect(try silent.readToEnd().isEmpty)
        }
        try await withServer(configure: { settings, _ in settings.deadlines.bodyPause = .zero }) { server in
            let stuck = try Connection(port: server.port)
            try stuck.send("PUT /api/v1/scans/x/photos/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc")
            _ = try stuck.readToEnd()
        }
    }

    @Test("Too many headers, long headers and malformed HTTP get an error response")
    func answersBadRequests() async throws {
        try await withServer { server in
            let flood = try Connection(port: server.port)
            try flood.send("GET /health HTTP/1.1\r\nHost: localhost\r\n")
            for index in 1...200 { try flood.send("X-\(index): x\r\n") }
            try flood.send("\r\n")
            #expect(try flood.answer().status == 431)
            let long = try server.send("GET", "/health", headers: ["X-Long": String(repeating: "x", count: 40_000)])
            #expect(long.problem?.code == "headers_too_large")
            let noise = try Connection(port: server.port)
            try noise.send("\u{1}\u{2}\u{3}\r\n\r\n")
            #expect(try noise.answer().status == 400)
        }
    }

    @Test(
        "No path leads outside the served folders",
        arguments: [
            "/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd",
            "/api/v1/covers/..%2faccounts.json",
            "/api/v1/covers/.hidden", "/api/v1/scans/..%2f..%2f/photos/1",
        ]) func staysInsideFolders(path: String) async throws
    {
        try await withServer { server in
            let answer = try server.send("GET", path)
            #expect(answer.status == 404)
        }
    }

    @Test("A client over the rate limit is asked to wait")
    func limitsRate() async throws {
        try await withServer(configure: { settings, _ in settings.requestsPerMinute = 3 }) { server in
            for _ in 1...3 { #expect(try server.scan(["books:x"]).status == 202) }
            let refused = try server.scan(["books:x"])
            #expect(refused.status == 429)
            #expect(refused.problem?.code == "rate_limited")
            #expect(refused.problem?.retryAfterMs == 20_000)
            #expect(refused.headers["retry-after"] == "20")
            server.clock.advance(by: .seconds(19))
            #expect(try server.scan(["books:x"]).status == 429)
            server.clock.advance(by: .seconds(2))
            #expect(try server.scan(["books:x"]).status == 202)
        }
    }

    @Test("Previews accept only small frames, and photos have priority")
    func limitsFrames() async throws {
        try await withServer(configure: { _, limits in limits.frame.maxBytes = 5000 }) { server in
            func frame(_ script: String, type: String = "image/jpeg") throws -> Answer {
                try server.send(
                    "POST", "/api/v1/preview", headers: ["Content-Type": type], body: ScriptedReader.bytes(script))
            }
            let seen = try frame("books:Dune|Emma")
            #expect(seen.status == 200)
            #expect(seen["spines", "1", "boundingBox", "x"] as? Double == 0.1)
            #expect(seen["width"] as? Int == 100)
            #expect(try server.get("/api/v1/scans", as: Page<ScanStatus>.self).total == 0)
            #expect(try frame("books:" + String(repeating: "x", count: 6000)).status == 413)
            #expect(try frame("fail").problem?.code == "not_an_image")
            #expect(try frame("books:Dune", type: "text/plain").status == 415)
            // Photos have priority.
            let id = try server.scan(["wait:Emma"]).decode(ScanAccepted.self).jobId
            try await ScanRouteTests.waitUntilReading(photo: 1, of: id, server)
            let refused = try frame("books:Dune")
            #expect(refused.status == 429)
            #expect(refused.problem?.code == "reader_busy")
            server.reader.release()
        }
    }

    @Test("Every response has the security headers")
    func securityHeaders() async throws {
        try await withServer { server in
            for path in ["/health", "/api/v1/session", "/nothing", "/"] {
                let answer = try server.send("GET", path)
                let policy = try #require(answer.headers["content-security-policy"])
                #expect(policy.contains("script-src 'self' 'wasm-unsafe-eval';"))
                #expect(!policy.contains("'unsafe-"))
                #expect(answer.headers["x-frame-options"] == "DENY")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
            }
            let (get, head) = (try server.send("GET", "/api/v1/about"), try server.send("HEAD", "/api/v1/about"))
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "\(get.body.count)")
            let wrong = try server.send("DELETE", "/health")
            #expect(wrong.status == 405)
            #expect(wrong.headers["allow"] == "GET, HEAD")
        }
    }
}
