import Foundation
import GRDB
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Rows that cannot be read stand for the rest of a large library: a request that reads them fails.
@Suite("One work, one page", .serialized, .endsHangs) struct OnePageTests {
    /// A server with two works, a third whose row cannot be read, and two questions on duplicates.
    private static func withFilledServer(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await withServer { server in
            for title in ["Dune", "Emma", "Babel", "Dune", "Emma"] {
                _ = try server.addBook(#"{"title":"\#(title)","authors":["Somebody"],"duplicates":"addCopy"}"#)
            }
            #expect(try server.duplicates().total == 2)
            try Self.execute("UPDATE work SET reviewStatus = 'unknown' WHERE title = 'Babel'", in: server)
            try await body(server)
        }
    }

    /// Runs a statement without the checks of the schema.
    private static func execute(_ sql: String, in server: TestServer) throws {
        let queue = try DatabaseQueue(path: server.folder.appending(path: "library.sqlite").path)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA ignore_check_constraints = ON; \(sql)") }
        try queue.close()
    }

    @Test("Reading, correcting and matching a work reads no other work")
    func work() async throws {
        try await Self.withFilledServer { server in
            #expect(try server.send("GET", "/api/v1/library").status == 503, "the row cannot be read")
            let work = try server.send("GET", "/api/v1/works/1")
            #expect(try work.decode(LibraryWork.self).title == "Dune")
            let headers = ["If-Match": try #require(work.headers["etag"])]
            let changed = try server.send(
                "PATCH", "/api/v1/works/1", headers: headers, json: #"{"title":"Dune Messiah"}"#)
            #expect(try changed.decode(LibraryWork.self).title == "Dune Messiah")
            let record = #"{"id":"1","title":"Dune","authors":["Frank Herbert"],"source":"local"}"#
            let matched = try server.send(
                "POST", "/api/v1/works/1/match", json: #"{"record":\#(record),"confirm":false}"#)
            #expect(matched.status == 200, "\(matched.text)")
        }
    }

    @Test("A page of duplicates, an answer and an import read no other question")
    func duplicates() async throws {
        try await Self.withFilledServer { server in
            let last = try #require(try server.duplicates().items.last).id
            try Self.execute("UPDATE duplicateQuestion SET kind = 'unknown' WHERE id = \(last)", in: server)
            let page = try server.duplicates("?limit=1")
            #expect(page.total == 2)
            #expect(page.items.count == 1)
            let first = try #require(page.items.first)
            #expect(try server.decide(first, .different).changed == 1)

            let job = try server.finish(server.scan(["books:Ulysses"]))
            #expect(try server.importBooks(of: job).imported.count == 1)
        }
    }

    @Test("A page of the activity log reads no other event")
    func activity() async throws {
        try await Self.withFilledServer { server in
            #expect(try server.send("GET", "/api/v1/review").status == 200)
            for _ in 0..<2 {
                try Self.execute(
                    "INSERT INTO activity (at, name, data) SELECT at, name, data FROM activity LIMIT 1", in: server)
            }
            try Self.execute("UPDATE activity SET data = 'unknown' WHERE id = 1", in: server)
            let page = try server.send("GET", "/api/v1/activity?limit=2")
            #expect(page["total"] as? Int == 3 && page["items", "1"] != nil && page["items", "2"] == nil)
        }
    }
}
