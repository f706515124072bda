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

    private static func add(_ title: String, _ author: String, to server: TestServer) throws {
        _ = try server.addBook(#"{"title":"\#(title)","authors":["\#(author)"],"duplicates":"addCopy"}"#)
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
                let refused = try server.send("POST", path, json: many).problem
                #expect(refused?.detail == "'ids' has 10001 entries. Send at most 10000.")
                let decisions =
                    #"{"decision":"skip","ids":[\#(Array(repeating: #""1""#, count: 10_001).joined(separator: ","))]}"#
                #expect(try server.send("POST", "/api/v1/duplicates/decide", json: decisions).problem?.field == "ids")
                let done = try server.send("POST", path, json: #"{"ids":["\#(row.id)"]}"#).decode(ActionOutcome.self)
                #expect(done.changed == 1 && done.remaining == 0)
                _ = try server.undo(done.undoToken)
                #expect(Self.items(try server.reviewQueue()) == ["failedRow Ann Other"])
            }
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
            func state() throws -> IncompleteSearchState { try server.get(path) }
            let before = try state()
            #expect(before.status == .idle && before.sourcesOn)
            #expect(try server.reviewCounts().incomplete == 3)
            #expect(try server.reviewQueue().total == 0, "incomplete books do not wait")
            #expect(try server.send("POST", path).decode(IncompleteSearchState.self).total == 3)
            try await eventually { try state().status == .completed }
            let end = try state()
            #expect(end.done == 3 && end.completed == 1, "\(end)")
            #expect(end.failures.contains { $0.contains("Open Library") })
            let left = try server.reviewQueue("?kind=incomplete")
            #expect(Set(Self.items(left)) == ["incomplete Unknown", "incomplete Broken"])
            #expect(try server.undo(end.undoToken).status == 200)
            #expect(try server.reviewCounts().incomplete == 3)
        }
    }

    @Test("Chosen books that lack details are looked up, and one undo takes it back")
    func findsChosen() async throws {
        try await withServer(online: try Self.online()) { server in
            for book in [("Emma", "Jane Austen"), ("Unknown", "Ann Other"), ("Broken", "A. Nother")] {
                try Self.add(book.0, book.1, to: server)
            }
            let path = "/api/v1/review/incomplete/find"
            func state() throws -> IncompleteSearchState { try server.get(path) }
            let ids = try server.books().items.filter { $0.title != "Broken" }.map(\.id)
            let body = #"{"ids":["\#(ids.joined(separator: #"",""#))"]}"#
            let started = try server.send("POST", path, json: body).decode(IncompleteSearchState.self)
            #expect(started.total == 2 && started.chosen)
            try await eventually { try state().status == .completed }
            let end = try state()
            #expect(end.done == 2 && end.completed == 1 && end.chosen, "\(end)")
            #expect(end.failures == [], "the third was not chosen")
            #expect(try server.reviewCounts().incomplete == 2)
            #expect(try server.undo(end.undoToken).status == 200)
            #expect(try server.reviewCounts().incomplete == 3)
            #expect(try server.send("POST", path, json: #"{"ids":[]}"#).problem?.field == "ids")
            #expect(try server.send("POST", path, json: #"{"ids":["x"]}"#).problem?.field == "id")
            // One that is not in the library lacks nothing.
            #expect(
                try server.send("POST", path, json: #"{"ids":["999"]}"#).decode(IncompleteSearchState.self).total == 0)
            try await eventually { try state().status == .completed }
        }
    }

    @Test("Chosen books are refused while another search runs, which can be stopped")
    func refusesSecondSearch() async throws {
        let stub = try StubServer { _, _ in .silent }
        try await withServer(online: .at([.openLibrary: stub])) { server in
            try Self.add("Emma", "Jane Austen", to: server)
            let path = "/api/v1/review/incomplete/find"
            let id = try #require(try server.books().items.first?.id)
            let body = #"{"ids":["\#(id)"]}"#
            let first = try server.send("POST", path, json: body).decode(IncompleteSearchState.self)
            #expect(first.status == .running)
            let refused = try server.send("POST", path, json: body)
            #expect(refused.status == 409 && refused.problem?.code == "not_possible")
            #expect(try server.send("POST", path).status == 200, "the running search")
            let stopped = try server.send("DELETE", path).decode(IncompleteSearchState.self)
            #expect(stopped.status == .stopped && stopped.completed == 0)
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
