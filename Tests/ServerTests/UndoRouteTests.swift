import Foundation
import ReadingFixtures
import Server
import ServerFixtures
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct UndoRouteTests {
    private static func add(_ title: String, to server: TestServer) throws -> String {
        try #require(try server.send("POST", "/api/v1/library", json: #"{"title":"\#(title)"}"#).string("id"))
    }

    private static func undo(_ token: String, on server: TestServer) throws -> Answer {
        try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(token)"}"#)
    }

    private static func titles(_ server: TestServer) throws -> [String] {
        let items = try server.send("GET", "/api/v1/library?sort=title")["items"] as? [[String: Any]] ?? []
        return items.compactMap { $0["title"] as? String }
    }

    @Test("A scan is added at once, and undone as a whole after a restart")
    func scan() async throws {
        try await withServer { first in
            let id = try #require(try first.scan(["books:Dune|Emma"], fields: ["import": "true"]).string("jobId"))
            _ = try first.events(of: id, token: "")
            let results = try first.send("GET", "/api/v1/scans/\(id)/results")
            #expect(results["books", "0", "library", "state"] as? String == "added")
            #expect(results["books", "1", "library", "state"] as? String == "review")
            let entry = try #require(results["books", "0", "library", "entryId"] as? String)
            #expect(try first.send("GET", "/api/v1/library/\(entry)").string("title") == "Dune")
            let token = try #require(results.string("undoToken"))
            await first.stop()

            try await withServer(folder: first.folder) { second in
                let undone = try Self.undo(token, on: second)
                #expect(undone["changed"] as? Int == 2)
                #expect(try Self.titles(second) == [])
                let after = try second.send("GET", "/api/v1/scans/\(id)/results")
                #expect(after["books", "0", "library", "state"] as? String == "open")
                #expect(after["undoToken"] is NSNull)
                // They can be added again, and that be undone.
                let again = try second.send("POST", "/api/v1/scans/\(id)/import", json: "{}")
                #expect((again["imported"] as? [Any])?.count == 2)
                #expect(try Self.undo(try #require(again.string("undoToken")), on: second).status == 200)
                #expect(try Self.titles(second) == [])
            }
        }
    }

    @Test("Changes of every kind return a token that undoes them")
    func everyKind() async throws {
        try await withServer { server in
            let shelf = try #require(
                try server.send("POST", "/api/v1/shelves", json: #"{"name":"Hall"}"#).string("id"))
            let one = try Self.add("One", to: server)
            let two = try Self.add("Two", to: server)
            let requests: [(method: String, path: String, json: String)] = [
                ("POST", "/library", #"{"title":"Three"}"#), ("DELETE", "/library/\(one)", ""),
                ("POST", "/library/bulk", #"{"ids":["\#(one)","\#(two)"],"shelf":"\#(shelf)","addTags":["a"]}"#),
                ("POST", "/library/bulk", #"{"ids":["\#(one)","\#(two)"],"delete":true}"#),
                ("PUT", "/library/\(one)/loan", #"{"to":"Bea"}"#), ("PATCH", "/library/\(one)", #"{"notes":"mine"}"#),
                ("PATCH", "/shelves/\(shelf)", #"{"name":"Study"}"#), ("DELETE", "/shelves/\(shelf)", ""),
            ]
            func portrait() throws -> [String] {
                let items = try server.send("GET", "/api/v1/library")["items"] as? [[String: Any]] ?? []
                let books = try items.map { item in
                    let id = try #require(item["id"] as? String)
                    let book = try server.send("GET", "/api/v1/library/\(id)")
                    return ["title", "ownership", "notes", "tags", "shelf"].map { "\(book[$0] ?? "")" }.joined()
                }
                let shelves = try server.send("GET", "/api/v1/shelves")["items"] as? [[String: Any]] ?? []
                return books.sorted() + shelves.map { "\($0["name"] ?? "")" }
            }
            for request in requests {
                let before = try portrait()
                let path = "/api/v1" + request.path
                let done = try server.send(request.method, path, headers: ["If-Match": "*"], json: request.json)
                #expect(done.status < 300, "\(request)")
                #expect(try portrait() != before, "\(request)")
                let token = try #require(done.string("undoToken"), "\(request)")
                #expect(try Self.undo(token, on: server).status == 200, "\(request)")
                #expect(try portrait() == before, "\(request)")
                #expect(try Self.undo(token, on: server).string("code") == "not_possible")
            }
        }
    }

    @Test("Another member's later action keeps an action from being undone only if it changed the same book")
    func otherMembers() async throws {
        try await withServer { server in
            let one = try Self.add("One", to: server)
            let two = try Self.add("Two", to: server)
            func note(_ book: String, _ text: String) throws -> String {
                try #require(
                    try server.send(
                        "PATCH", "/api/v1/library/\(book)", headers: ["If-Match": "*"], json: #"{"notes":"\#(text)"}"#
                    ).string("undoToken"))
            }
            let mine = try note(one, "mine")
            _ = try note(two, "theirs")
            #expect(try Self.undo(mine, on: server).status == 200)
            let again = try note(one, "again")
            let later = try note(one, "later")
            let refused = try Self.undo(again, on: server)
            #expect(refused.status == 409)
            #expect(refused.string("detail")?.contains("a later action changed the same books") == true)
            #expect(try Self.undo(later, on: server).status == 200)
            #expect(try Self.undo(again, on: server).status == 200)
            #expect(try server.send("GET", "/api/v1/library/\(one)").string("notes") == nil)
        }
    }

    @Test("A list is undone as a whole and can be imported again")
    func list() async throws {
        try await withServer { server in
            func load() async throws -> String {
                let list = Array("Title,Author\nUlysses,James Joyce\nBabel,R. F. Kuang\n".utf8)
                let id = try #require(
                    try server.send("POST", "/api/v1/imports", headers: ["Content-Type": "text/csv"], body: list)
                        .string("id"))
                _ = try server.send("POST", "/api/v1/imports/\(id)/start", json: "{}")
                try await eventually {
                    try server.send("GET", "/api/v1/imports/\(id)").string("status") == "completed"
                }
                return try #require(try server.send("GET", "/api/v1/imports/\(id)").string("undoToken"))
            }
            let token = try await load()
            #expect(try Self.titles(server) == ["Babel", "Ulysses"])
            #expect(try Self.undo(token, on: server)["changed"] as? Int == 2)
            #expect(try Self.titles(server) == [])
            _ = try await load()
            #expect(try Self.titles(server) == ["Babel", "Ulysses"])
        }
    }

    @Test("Several spines are discarded as one action")
    func rejectAll() async throws {
        try await withServer { server in
            let id = try #require(
                try server.scan(["books:Dune?|Emma?|Babel?"], fields: ["import": "true"]).string("jobId"))
            _ = try server.events(of: id, token: "")
            let queue = try server.send("GET", "/api/v1/review")
            let ids = try (0..<2).map { try #require(queue["items", "\($0)", "id"] as? String) }
            let done = try server.send(
                "POST", "/api/v1/review/reject-all", json: #"{"ids":["\#(ids[0])","\#(ids[1])"]}"#)
            #expect(done["changed"] as? Int == 2)
            #expect(done["remaining"] as? Int == 1)
            let undone = try Self.undo(try #require(done.string("undoToken")), on: server)
            #expect(undone["remaining"] as? Int == 3)
            let unknown = try server.send("POST", "/api/v1/review/reject-all", json: #"{"ids":["\#(ids[0])","e99"]}"#)
            #expect(unknown.status == 404)
            #expect(try server.send("GET", "/api/v1/review/counts")["total"] as? Int == 3, "nothing is discarded")
        }
    }

    @Test("The latest decision is undone only on request")
    func latest() async throws {
        try await withServer { server in
            let id = try #require(
                try server.scan(["books:Dune?|Emma?"], fields: ["import": "true"]).string("jobId"))
            _ = try server.events(of: id, token: "")
            func undo(_ body: String) throws -> Answer { try server.send("POST", "/api/v1/undo", json: body) }
            let nothing = try undo(#"{"latest":true}"#)
            #expect(nothing.status == 200 && nothing["changed"] as? Int == 0 && nothing["undone"] == nil)
            let item = try #require(try server.send("GET", "/api/v1/review")["items", "0", "id"] as? String)
            #expect(try server.send("POST", "/api/v1/detections/\(item)/reject").status == 200)
            // A client that lost its token sends one of these.
            for body in ["{}", #"{"undoToken":null}"#, #"{"latest":false}"#, #"{"undoToken":"a","latest":true}"#] {
                let refused = try undo(body)
                #expect(refused.status == 400 && refused.string("field") == "undoToken", "\(body)")
            }
            #expect(try server.send("GET", "/api/v1/review/counts")["total"] as? Int == 1)
            let undone = try undo(#"{"latest":true}"#)
            #expect(undone.string("undone") == "reject" && undone["remaining"] as? Int == 2)
        }
    }
}
