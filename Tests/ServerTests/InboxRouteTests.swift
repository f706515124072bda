import Bibliography
import Fixtures
import Foundation
import Imaging
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
        .at([.openLibrary: try ProviderRouteTests.stub(by: "Jane Austen", failingFor: "broken")])
    }

    private static func items(_ queue: ReviewQueuePage) -> [String] {
        queue.items.map { "\($0.kind?.rawValue ?? "") \($0.title ?? "")" }
    }

    private static func read(_ script: String, _ server: TestServer, shelf: String) throws {
        _ = try server.finish(
            server.scan(photos: [try ScriptedReader.picture(script)], fields: ["import": "true", "shelf": shelf]))
    }

    private static func add(_ title: String, _ author: String, to server: TestServer) throws {
        _ = try server.addBook(#"{"title":"\#(title)","authors":["\#(author)"],"duplicates":"addCopy"}"#)
    }

    @Test("A book that a new scan misses is in the queue, and “found” and its undo are seen there")
    func missing() async throws {
        try await withServer { server in
            let shelf = try server.addShelf().id
            try Self.read("books:Dune|Emma|Babel", server, shelf: shelf)
            #expect(try server.reviewCounts().missing == 0)
            try Self.read("books:Dune||Babel", server, shelf: shelf)
            let queue = try server.reviewQueue("?kind=missing&shelf=\(shelf)")
            #expect(Self.items(queue) == ["missing Emma"], "\(queue)")
            let item = try #require(queue.items.first)
            #expect(item.shelf?.name == "Hall")
            let crop = try #require(item.cropUrl)
            #expect(ImageFormat.sniff(try server.send("GET", crop.text).body) == .jpeg)
            #expect(queue.counts.missing == 1)
            let before = queue.counts.total
            let emma = try #require(item.entryId)
            let found = try server.send("POST", "/api/v1/shelves/\(shelf)/found", json: #"{"ids":["\#(emma)"]}"#)
            #expect(try server.reviewQueue().total == before - 1)
            #expect(try server.reviewQueue("?kind=missing").total == 0)
            let undone = try server.undo(found.decode(ActionOutcome.self).undoToken)
            #expect(try undone.decode(ActionOutcome.self).remaining == before)
            #expect(Self.items(try server.reviewQueue("?kind=missing")) == ["missing Emma"])
        }
    }

    @Test("Rows that did not become books are in the queue after a restart, with the reason, until dismissed")
    func failedRows() async throws {
        try await withServer { first in
            let list = Array("Title,Author\nDune,Frank Herbert\n,Ann Other\n".utf8)
            let shown = try first.send(
                "POST", "/api/v1/imports", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [list], part: "file"))
            let path = "/api/v1/imports/\(try shown.decode(ListImport.self).id)"
            #expect(try first.reviewCounts().failedRows == 0, "only previewed")
            _ = try first.send("POST", path + "/start", json: "{}")
            try await eventually { try first.get(path, as: ListImport.self).status == .completed }
            await first.stop()
            try await withServer(folder: first.folder) { server in
                let queue = try server.reviewQueue()
                #expect(Self.items(queue) == ["failedRow Ann Other"], "\(queue)")
                let row = try #require(queue.items.first)
                let problem = try #require(row.problem)
                #expect(problem.contains("line 3") && problem.contains("title"), "\(problem)")
                let path = "/api/v1/review/dismiss"
                #expect(try server.send("POST", path, json: #"{"ids":["7"]}"#).problem?.field == "ids")
                let many = #"{"ids":[\#(Array(repeating: #""r1""#, count: 10_001).joined(separator: ","))]}"#
                #expect(try server.send("POST", path, json: many).status == 422)
                let done = try server.send("POST", path, json: #"{"ids":["\#(row.id)"]}"#).decode(ActionOutcome.self)
                #expect(done.changed == 1 && done.remaining == 0)
                _ = try server.undo(done.undoToken)
                #expect(Self.items(try server.reviewQueue()) == ["failedRow Ann Other"])
            }
        }
    }

    @Test("A duplicate question is an item of the queue with both books")
    func duplicates() async throws {
        try await withServer { server in
            for _ in 0..<2 { try Self.add("Emma", "Jane Austen", to: server) }
            let queue = try server.reviewQueue("?kind=duplicateQuestion")
            #expect(Self.items(queue) == ["duplicateQuestion Emma"])
            let question = try #require(queue.items.first?.duplicates.first)
            #expect(question.existing.title == "Emma")
            #expect(try server.decide(question, .existing).remaining == 0)
            #expect(try server.books().total == 1)
        }
    }

    @Test("Unknown kinds, shelves and tiers are refused with the parameter")
    func refuses() async throws {
        try await withServer { server in
            for parameter in ["kind=x", "shelf=x", "photo=x", "tier=x"] {
                let answer = try server.send("GET", "/api/v1/review?\(parameter)")
                #expect(answer.status == 400 && answer.problem?.field == String(parameter.dropLast(2)))
            }
            #expect(try server.reviewQueue("?shelf=99").total == 0)
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
            #expect(try server.reviewCounts().incomplete == 3)
            #expect(try server.reviewQueue().total == 0, "incomplete books do not wait")
            #expect(try server.send("POST", path)["total"] as? Int == 3)
            var state = before
            try await eventually {
                state = try server.send("GET", path)
                return state.string("status") == "completed"
            }
            #expect(state["done"] as? Int == 3 && state["completed"] as? Int == 1, "\(state.text)")
            #expect((state["failures"] as? [String])?.contains { $0.contains("Open Library") } == true)
            let left = try server.reviewQueue("?kind=incomplete")
            #expect(Set(Self.items(left)) == ["incomplete Unknown", "incomplete Broken"])
            #expect(try server.undo(state.string("undoToken")).status == 200)
            #expect(try server.reviewCounts().incomplete == 3)
        }
    }

    @Test("Without a source nothing is looked up, and the answer says what to do")
    func noSource() async throws {
        try await withServer { server in
            try Self.add("Emma", "Jane Austen", to: server)
            let path = "/api/v1/review/incomplete/find"
            #expect(try server.send("GET", path)["sourcesOn"] as? Bool == false)
            let refused = try server.send("POST", path)
            #expect(refused.status == 409 && refused.problem?.code == "not_ready")
            #expect(refused.problem?.detail.contains("Turn one on") == true)
            #expect(try server.send("DELETE", path).string("status") == "idle")
        }
    }
}
