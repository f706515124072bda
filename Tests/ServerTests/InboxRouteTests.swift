import Bibliography
import Fixtures
import Foundation
import Imaging
import Library
import Lookup
import Providers
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct InboxRouteTests {
    /// Open Library, which knows “Emma” with a cover and fails for “Broken”.
    private static func online() throws -> StubbedProviders {
        let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 60, height: 90)), quality: 90)
        let stub = try StubServer { _, request in
            if request.target == "/b/id/7-L.jpg" { return .answer(200, body: picture) }
            let target = request.target.lowercased()
            if target.contains("broken") { return .answer(500) }
            guard target.contains("emma") else { return .json(#"{"numFound": 0, "docs": []}"#) }
            return .json(
                """
                {"docs": [{"key": "/works/OL1W", "title": "Emma", "author_name": ["Jane Austen"],
                  "first_publish_year": 1815, "cover_i": 7, "publisher": ["Penguin"], "number_of_pages_median": 512}]}
                """)
        }
        return StubbedProviders { folder in
            try OnlineCatalogs(
                data: folder, configuration: ProviderConfiguration(isOn: [.openLibrary]), version: "test",
                coverHosts: .only(origin: "http://127.0.0.1:\(stub.port)"), covers: stub.url, clock: ManualClock(),
                make: { name, settings, transport, cache in
                    var policy = ProviderPolicy()
                    policy.interval = 0
                    policy.attempts = 1
                    return name.provider(
                        ProviderSettings(
                            userAgent: settings.userAgent, base: stub.url, coverBase: stub.url, policy: policy,
                            clock: settings.clock), transport: transport, cache: cache)
                })
        }
    }

    private static func items(_ answer: Answer) -> [String] {
        (answer["items"] as? [[String: Any]] ?? []).map { "\($0["kind"] ?? "") \($0["title"] ?? "")" }
    }

    private static func read(_ script: String, _ server: TestServer, shelf: String) throws {
        let answer = try server.send(
            "POST", "/api/v1/scans", headers: ["Content-Type": Form.contentType],
            body: Form.body(
                photos: [try ScriptedReader.picture(script)], fields: ["import": "true", "shelf": shelf]))
        _ = try server.events(of: try #require(answer.string("jobId")), token: "")
    }

    private static func add(_ title: String, _ author: String, to server: TestServer) throws {
        let json = #"{"title":"\#(title)","authors":["\#(author)"],"duplicates":"addCopy"}"#
        #expect(try server.send("POST", "/api/v1/library", json: json).status == 201)
    }

    @Test("A book that a new scan misses is in the queue, and “found” and its undo are seen there")
    func missing() async throws {
        try await withServer { server in
            let shelf = try #require(
                try server.send("POST", "/api/v1/shelves", json: #"{"name":"Hall"}"#).string("id"))
            try Self.read("books:Dune|Emma|Babel", server, shelf: shelf)
            #expect(try server.send("GET", "/api/v1/review/counts")["missing"] as? Int == 0)
            try Self.read("books:Dune||Babel", server, shelf: shelf)
            let queue = try server.send("GET", "/api/v1/review?kind=missing&shelf=\(shelf)")
            #expect(Self.items(queue) == ["missing Emma"], "\(queue.text)")
            #expect(queue["items", "0", "shelf", "name"] as? String == "Hall")
            let crop = try #require(queue["items", "0", "cropUrl"] as? String)
            #expect(ImageFormat.sniff(try server.send("GET", crop).body) == .jpeg)
            #expect(queue["counts", "missing"] as? Int == 1)
            let before = try #require(queue["counts", "total"] as? Int)
            let emma = try #require(queue["items", "0", "entryId"] as? String)
            let found = try server.send("POST", "/api/v1/shelves/\(shelf)/found", json: #"{"ids":["\#(emma)"]}"#)
            #expect(try server.send("GET", "/api/v1/review")["total"] as? Int == before - 1)
            #expect(try server.send("GET", "/api/v1/review?kind=missing")["total"] as? Int == 0)
            let token = try #require(found.string("undoToken"))
            let undone = try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(token)"}"#)
            #expect(undone["remaining"] as? Int == before)
            #expect(Self.items(try server.send("GET", "/api/v1/review?kind=missing")) == ["missing Emma"])
        }
    }

    @Test("Rows that did not become books are in the queue after a restart, with the reason, until dismissed")
    func failedRows() async throws {
        try await withServer { first in
            let list = Array("Title,Author\nDune,Frank Herbert\n,Ann Other\n".utf8)
            let shown = try first.send(
                "POST", "/api/v1/imports", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [list], part: "file"))
            let path = "/api/v1/imports/\(try #require(shown.string("id")))"
            #expect(try first.send("GET", "/api/v1/review/counts")["failedRows"] as? Int == 0, "only previewed")
            _ = try first.send("POST", path + "/start", json: "{}")
            try await eventually { try first.send("GET", path).string("status") == "completed" }
            await first.stop()
            try await withServer(folder: first.folder) { server in
                let queue = try server.send("GET", "/api/v1/review")
                #expect(Self.items(queue) == ["failedRow Ann Other"], "\(queue.text)")
                let problem = try #require(queue["items", "0", "problem"] as? String)
                #expect(problem.contains("line 3") && problem.contains("title"), "\(problem)")
                let id = try #require(queue["items", "0", "id"] as? String)
                let path = "/api/v1/review/dismiss"
                #expect(try server.send("POST", path, json: #"{"ids":["7"]}"#).string("field") == "ids")
                let many = #"{"ids":[\#(Array(repeating: #""r1""#, count: 10_001).joined(separator: ","))]}"#
                #expect(try server.send("POST", path, json: many).status == 422)
                let done = try server.send("POST", path, json: #"{"ids":["\#(id)"]}"#)
                #expect(done["changed"] as? Int == 1 && done["remaining"] as? Int == 0)
                let token = try #require(done.string("undoToken"))
                _ = try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(token)"}"#)
                #expect(Self.items(try server.send("GET", "/api/v1/review")) == ["failedRow Ann Other"])
            }
        }
    }

    @Test("A duplicate question is an item of the queue with both books")
    func duplicates() async throws {
        try await withServer { server in
            for _ in 0..<2 { try Self.add("Emma", "Jane Austen", to: server) }
            let queue = try server.send("GET", "/api/v1/review?kind=duplicateQuestion")
            #expect(Self.items(queue) == ["duplicateQuestion Emma"])
            #expect(queue["items", "0", "duplicates", "0", "existing", "title"] as? String == "Emma")
            let question = try #require(queue["items", "0", "duplicates", "0", "id"] as? String)
            let done = try server.send(
                "POST", "/api/v1/duplicates/decide", json: #"{"ids":["\#(question)"],"decision":"existing"}"#)
            #expect(done["remaining"] as? Int == 0)
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 1)
        }
    }

    @Test("Unknown kinds, shelves and tiers are refused with the parameter")
    func refuses() async throws {
        try await withServer { server in
            for parameter in ["kind=x", "shelf=x", "photo=x", "tier=x"] {
                let answer = try server.send("GET", "/api/v1/review?\(parameter)")
                #expect(answer.status == 400 && answer.string("field") == String(parameter.dropLast(2)))
            }
            #expect(try server.send("GET", "/api/v1/review?shelf=99")["total"] as? Int == 0)
        }
    }

    @Test("All incomplete books are looked up at once, the result is counted, and one undo takes it back")
    func findsIncomplete() async throws {
        try await withServer(online: try Self.online()) { server in
            for book in [("Emma", "Jane Austen"), ("Unknown", "Ann Other"), ("Broken", "A. Nother")] {
                try Self.add(book.0, book.1, to: server)
            }
            let path = "/api/v1/review/incomplete/find"
            let before = try server.send("GET", path)
            #expect(before.string("status") == "idle" && before["sourcesOn"] as? Bool == true)
            #expect(try server.send("GET", "/api/v1/review/counts")["incomplete"] as? Int == 3)
            #expect(try server.send("GET", "/api/v1/review")["total"] as? Int == 0, "incomplete books do not wait")
            #expect(try server.send("POST", path)["total"] as? Int == 3)
            var state = before
            try await eventually {
                state = try server.send("GET", path)
                return state.string("status") == "completed"
            }
            #expect(state["done"] as? Int == 3 && state["completed"] as? Int == 1, "\(state.text)")
            #expect((state["failures"] as? [String])?.contains { $0.contains("Open Library") } == true)
            let left = try server.send("GET", "/api/v1/review?kind=incomplete")
            #expect(Set(Self.items(left)) == ["incomplete Unknown", "incomplete Broken"])
            let token = try #require(state.string("undoToken"))
            #expect(try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(token)"}"#).status == 200)
            #expect(try server.send("GET", "/api/v1/review/counts")["incomplete"] as? Int == 3)
        }
    }

    @Test("Without a source nothing is looked up, and the answer says what to do")
    func noSource() async throws {
        try await withServer { server in
            try Self.add("Emma", "Jane Austen", to: server)
            let path = "/api/v1/review/incomplete/find"
            #expect(try server.send("GET", path)["sourcesOn"] as? Bool == false)
            let refused = try server.send("POST", path)
            #expect(refused.status == 409 && refused.string("code") == "not_ready")
            #expect(refused.string("detail")?.contains("Turn one on") == true)
            #expect(try server.send("DELETE", path).string("status") == "idle")
        }
    }
}
