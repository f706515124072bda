import Fixtures
import Foundation
import Imaging
import Reading
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Tests malicious input sent over a socket to a complete server.
@Suite(.serialized, .endsHangs) struct HostileTests {
    private static let script = "<img src=x onerror=alert(1)><script>alert(2)</script>"

    // MARK: Names

    @Test(
        "A file name is displayed and never used as a path",
        arguments: [
            ("../../../../etc/passwd", "passwd"), ("..\\..\\boot.ini", "boot.ini"), ("..", nil), ("/", nil),
            ("a\u{0}b\u{7F}.jpg", "ab.jpg"), ("photo\u{202E}gpj.exe", "photogpj.exe"),
            (script, "script>"), (String(repeating: "x", count: 2000), String(repeating: "x", count: 120)),
        ]) func fileNames(name: String, shown: String?) async throws
    {
        try await withServer { server in
            let head =
                "--\(Form.boundary)\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"\(name)\"\r\n\r\n"
            let answer = try server.send(
                "POST", "/api/v1/scans", headers: ["Content-Type": Form.contentType],
                body: Array(head.utf8) + ScriptedReader.bytes("books:Dune")
                    + Array("\r\n--\(Form.boundary)--\r\n".utf8))
            let accepted = try answer.decode(ScanAccepted.self, status: 202)
            #expect(try #require(accepted.job.photos.first).photo.name == shown)
            let stored = server.folder.appending(path: "jobs/\(accepted.jobId)").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: stored).allSatisfy { $0.hasPrefix("1") })
        }
    }

    // MARK: Text

    @Test("Scripts in titles are never executable")
    func scriptsInTitles() async throws {
        try await withServer { server in
            let accepted = try server.scan(["books:\(Self.script)"], fields: ["import": "true"])
                .decode(ScanAccepted.self)
            let id = accepted.jobId
            let events = try server.events(of: id, token: accepted.token)
            #expect(events.contains { $0.type == "result" && $0.data.contains("onerror") })
            #expect(try server.results(of: id).books.first?.title == Self.script)
            #expect(try server.books().items.first?.title == Self.script)
            for path in ["/api/v1/scans/\(id)/results", "/api/v1/library"] {
                let answer = try server.send("GET", path)
                #expect(answer.headers["content-type"] == "application/json")
                #expect(answer.headers["x-content-type-options"] == "nosniff")
            }
            // Exports are served as attachments.
            let export = try server.send("GET", "/api/v1/export?format=csv")
            #expect(export.headers["content-type"]?.hasPrefix("text/csv") == true)
            #expect(export.headers["content-disposition"]?.hasPrefix("attachment") == true)
            // A path that contains a script is not echoed.
            let lost = try server.send("GET", "/%3Cscript%3Ealert(1)%3C/script%3E")
            #expect(lost.headers["content-type"]?.contains("html") != true)
            #expect(!lost.text.contains("<script"))
        }
    }

    @Test("The rest of a refused body is received up to 16 MB")
    func refusedBodies() async throws {
        try await withServer { server in
            let head = "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            let megabyte = Array("F4240\r\n".utf8) + [UInt8](repeating: 0x78, count: 1_000_000) + Array("\r\n".utf8)
            let patient = try Connection(port: server.port)
            try patient.send(head)
            for _ in 1...8 { try patient.send(megabyte) }
            try patient.send("0\r\n\r\n")
            #expect(try patient.answer(to: "POST").status == 404)
            try patient.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try patient.answer().status == 200)
            let endless = try Connection(port: server.port)
            try endless.send(head)
            for _ in 1...40 { try endless.send(megabyte) }
            // Throws if the server waits for more.
            #expect(try endless.readToEnd().count < 10_000)
        }
    }

    @Test("Texts of a megabyte are refused")
    func longTexts() async throws {
        try await withServer { server in
            let words = String(repeating: "z de ", count: 150_000)
            let long = [
                #"{"title":"\#(words)"}"#, #"{"title":"Emma","authors":["Name, \#(words)"]}"#,
                #"{"record":{"id":"1","source":"x","title":"Emma","authors":["Name, \#(words)"]}}"#,
                #"{"record":{"id":"1","source":"x","title":"\#(words)","authors":[]}}"#,
            ]
            for json in long {
                let answer = try server.send("POST", "/api/v1/library", json: json)
                #expect(answer.status == 422, "\(json.prefix(60)): \(answer.text.prefix(200))")
            }
        }
    }

    @Test("Null bytes are refused or removed")
    func nullBytes() async throws {
        try await withServer { server in
            let json = try server.send("POST", "/api/v1/library", json: #"{"title":"Du\u0000ne\u0007"}"#)
            #expect([201, 422].contains(json.status), "\(json.text)")
            if json.status == 201 { #expect(try !json.decode(LibraryBook.self).title.unicodeScalars.contains("\0")) }
            for path in [
                "/api/v1/library?q=%00", "/api/v1/search?q=du%00ne", "/api/v1/library/%00", "/%00",
                "/api/v1/scans/%00/results", "/api/v1/covers/%00.jpg",
            ] {
                #expect((200..<500).contains(try server.send("GET", path).status), "\(path)")
            }
            let field = try server.scan(["books:Dune"], fields: ["shelf": "a\0b", "import": "true"])
            #expect((200..<500).contains(field.status))
            let header = try server.send("GET", "/health", headers: ["X-Device-ID": "a\0b"])
            #expect(header.status == 400)
            #expect(try server.send("GET", "/health").status == 200)
        }
    }

    // MARK: WebSocket

    @Test("A message in many frames is subject to the same limit")
    func fragmentedMessage() async throws {
        try await withServer { server in
            let accepted = try server.scan(["wait:Emma"]).decode(ScanAccepted.self)
            let (id, token) = (accepted.jobId, accepted.token)
            let socket = try Connection(port: server.port)
            _ = try socket.upgrade("/ws/progress?jobId=\(id)", protocols: "shelflist, token.\(token)")
            let piece = [UInt8](repeating: 65, count: 16_000)
            try socket.sendFrame(1, piece, final: false)
            for _ in 1...4 { try socket.sendFrame(0, piece, final: false) }
            #expect(try socket.closeCode() == 1009)
            // A frame whose header claims the maximum length.
            let liar = try Connection(port: server.port)
            _ = try liar.upgrade("/ws/progress?jobId=\(id)", protocols: "shelflist, token.\(token)")
            try liar.send([0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4, 5])
            #expect([1009, 1002].contains(try liar.closeCode()))
            server.reader.release()
        }
    }
}

/// Tests malicious images with the real reader.
@Suite(.blocks, .endsHangs) struct HostilePictureTests {
    /// 50,000 × 50,000 pixels in 45 bytes.
    private static let hugePNG: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50, 8, 2, 0, 0, 0, 0xC4, 0xCD, 0xAA, 0x9D]
        + [0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0x35, 0xAF, 0x06, 0x1E]

    /// 65,500 × 65,500 pixels.
    private static let hugeJPEG: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xFF, 0xDC, 0xFF, 0xDC]
        + [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0, 0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]

    @Test("Decompression bombs and damaged images fail without affecting other photos", .whenReadingChanges)
    func hostilePictures() async throws {
        let resources = try ExamplePhoto.folder().deletingLastPathComponent().appending(path: ".deps")
        let scanner = try PhotoScanner(installation: Installation(resources: resources), cache: SharedCache.folder)
        let whole = [UInt8](try Data(contentsOf: ExamplePhoto.photo()))
        try await withServer(reader: scanner) { server in
            let accepted = try server.scan(
                photos: [Self.hugePNG, Self.hugeJPEG, Array(whole.prefix(whole.count / 3)), whole]
            ).decode(ScanAccepted.self, status: 202)
            #expect(try server.events(of: accepted.jobId, token: accepted.token).last?.type == "completed")
            let photos = try server.status(of: accepted.jobId).photos.map(\.photo)
            let problems = photos.prefix(3).map(\.problem)
            #expect(problems.map { $0?.code } == ["too_many_pixels", "too_many_pixels", "image_truncated"])
            #expect(problems.allSatisfy { $0?.detail.isEmpty == false })
            #expect(photos.last?.status == .done)
            #expect(photos.last?.books ?? 0 > 10)

            let frame = try server.send(
                "POST", "/api/v1/preview", headers: ["Content-Type": "image/jpeg"], body: Self.hugeJPEG)
            #expect(frame.status == 413)
            #expect(frame.problem?.code == "too_many_pixels")
            #expect(frame.problem?.limit == 2_000_000)
        }
    }
}
