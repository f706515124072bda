import Foundation
import ReadingFixtures
import Server
import ServerFixtures
import TestSupport
import Testing

@Suite("Books of a scan", .serialized, .endsHangs) struct ScanBookTests {
    /// Uploads a photo without the field `import`.
    private static func scan(_ script: String, on server: TestServer) throws -> String {
        let accepted = try server.send(
            "POST", "/api/v1/scans", headers: ["Content-Type": Form.contentType],
            body: Form.body(photos: [ScriptedReader.bytes(script)]))
        let id = try #require(accepted.string("jobId"))
        _ = try server.events(of: id, token: "")
        return id
    }

    private static func askBeforeAdding(_ server: TestServer) throws {
        let settings = try server.send("GET", "/api/v1/settings")
        #expect(settings["askBeforeAdding"] as? Bool == false)
        let changed = try server.send(
            "PATCH", "/api/v1/settings", headers: ["If-Match": try #require(settings.headers["etag"])],
            json: #"{"askBeforeAdding":true}"#)
        #expect(changed["askBeforeAdding"] as? Bool == true)
    }

    /// The results of a job by title as read.
    private static func books(of id: String, on server: TestServer) throws -> [String: [String: Any]] {
        let books = try server.send("GET", "/api/v1/scans/\(id)/results")["books"] as? [[String: Any]] ?? []
        return Dictionary(books.map { ($0["title"] as? String ?? "", $0) }) { $1 }
    }

    private static func state(of title: String, in id: String, on server: TestServer) throws -> [String: Any] {
        try #require(try books(of: id, on: server)[title]?["library"] as? [String: Any])
    }

    private static func change(_ title: String, in id: String, _ json: String, on server: TestServer) throws -> Answer {
        let book = try #require(try books(of: id, on: server)[title]?["id"] as? String)
        return try server.send("PATCH", "/api/v1/scans/\(id)/books/\(book)", json: json)
    }

    @Test("Sure books are added and unsure ones queued by the server, unless the owner wants to be asked")
    func adds() async throws {
        try await withServer { server in
            let id = try Self.scan("books:Dune|Emma", on: server)
            #expect(try Self.state(of: "Dune", in: id, on: server)["state"] as? String == "added")
            #expect(try Self.state(of: "Emma", in: id, on: server)["state"] as? String == "review")
            #expect(try server.send("GET", "/api/v1/review/counts")["total"] as? Int == 1)
            try Self.askBeforeAdding(server)
            let asked = try Self.scan("books:Ulysses", on: server)
            #expect(try Self.state(of: "Ulysses", in: asked, on: server)["state"] as? String == "open")
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 2)
        }
    }

    @Test("Edits, matches and rejections of added books are in the library at once, and can be undone")
    func changesAdded() async throws {
        try await withServer { server in
            let id = try Self.scan("books:Dune|Emma|Babel", on: server)
            let edited = try Self.change("Emma", in: id, #"{"title":"Emmeline","authors":["Ann"]}"#, on: server)
            #expect(edited["book", "library", "title"] as? String == "Emmeline")
            #expect(edited["book", "library", "reviewStatus"] as? String == "userEdited")
            let record = #"{"record":{"id":"1","source":"local","title":"Dune","authors":["Herbert, Frank"]}}"#
            let matched = try Self.change("Dune", in: id, record, on: server)
            #expect(matched["book", "library", "author"] as? String == "Frank Herbert")
            let rejected = try Self.change("Babel", in: id, #"{"rejected":true}"#, on: server)
            #expect(rejected["book", "library", "state"] as? String == "rejected")
            #expect(try Self.change("Babel", in: id, #"{"title":"B"}"#, on: server).status == 409)
            // As the results are opened again.
            #expect(try Self.state(of: "Emma", in: id, on: server)["title"] as? String == "Emmeline")
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 2)
            for answer in [rejected, matched, edited] {
                let token = try #require(answer.string("undoToken"))
                let undone = try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(token)"}"#)
                #expect(undone.status == 200)
            }
            #expect(try Self.state(of: "Emma", in: id, on: server)["title"] as? String == "Emma")
            #expect(try Self.state(of: "Babel", in: id, on: server)["entryId"] is String)
        }
    }

    @Test("What the user made of waiting books survives a restart and is applied when they are added")
    func changesWaiting() async throws {
        try await withServer { first in
            try Self.askBeforeAdding(first)
            let id = try Self.scan("books:Dune|Emma|Babel", on: first)
            let edited = try Self.change("Emma", in: id, #"{"title":"Emmeline"}"#, on: first)
            #expect(edited["book", "library", "title"] as? String == "Emmeline")
            #expect(edited["undoToken"] is NSNull)
            #expect(try Self.change("Babel", in: id, #"{"rejected":true}"#, on: first).status == 200)
            #expect(try Self.change("Dune", in: id, #"{"rejected":true}"#, on: first).status == 200)
            #expect(try Self.change("Dune", in: id, #"{"rejected":false}"#, on: first).status == 200)
            await first.stop()
            try await withServer(folder: first.folder) { second in
                #expect(try Self.state(of: "Emma", in: id, on: second)["title"] as? String == "Emmeline")
                #expect(try Self.state(of: "Babel", in: id, on: second)["state"] as? String == "rejected")
                #expect(try Self.state(of: "Dune", in: id, on: second)["state"] as? String == "open")
                let done = try second.send("POST", "/api/v1/scans/\(id)/import", json: "{}")
                #expect((done["imported"] as? [Any])?.count == 2)
                let list = try second.send("GET", "/api/v1/library?sort=title")
                #expect(list["total"] as? Int == 2)
                #expect(list["items", "1", "title"] as? String == "Emmeline")
                #expect(try second.send("GET", "/api/v1/review/counts")["total"] as? Int == 0)
            }
        }
    }

    @Test("A repeated import takes what the user made of the books after the first one failed")
    func changesAfterFailure() async throws {
        try await withServer { server in
            let photos = server.folder.appending(path: "photos")
            try? FileManager.default.removeItem(at: photos)
            try Data().write(to: photos)
            let id = try Self.scan("books:Dune|Emma|Babel", on: server)
            #expect(try Self.state(of: "Dune", in: id, on: server)["state"] as? String == "open")
            let edit = #"{"title":"Emmeline","authors":["Ann"],"isbn":"9780141439587"}"#
            #expect(try Self.change("Emma", in: id, edit, on: server).status == 200)
            #expect(try Self.change("Babel", in: id, #"{"rejected":true}"#, on: server).status == 200)
            try FileManager.default.removeItem(at: photos)
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: false)
            server.clock.advance(by: .seconds(120))
            try await server.jobs.sweep()
            let list = try server.send("GET", "/api/v1/library?sort=title")
            #expect(list["total"] as? Int == 2)
            #expect(list["items", "0", "title"] as? String == "Dune")
            #expect(list["items", "1", "title"] as? String == "Emmeline")
            #expect(list["items", "1", "isbn"] as? String == "9780141439587")
            #expect(try Self.state(of: "Emma", in: id, on: server)["reviewStatus"] as? String == "userEdited")
            #expect(try Self.state(of: "Babel", in: id, on: server)["state"] as? String == "rejected")
            #expect(try server.send("GET", "/api/v1/review/counts")["total"] as? Int == 0)
        }
    }

    @Test(
        "Changes that are not valid name the field",
        arguments: [
            (#"{"title":" "}"#, "title"), (#"{"isbn":"12"}"#, "isbn"),
            (#"{"title":"\#(String(repeating: "a", count: 1001))"}"#, "title"),
        ])
    func invalid(json: String, field: String) async throws {
        try await withServer { server in
            let id = try Self.scan("books:Dune", on: server)
            let answer = try Self.change("Dune", in: id, json, on: server)
            #expect(answer.status == 422)
            #expect(answer.string("field") == field)
            #expect(try server.send("PATCH", "/api/v1/scans/\(id)/books/9-9", json: "{}").status == 404)
        }
    }
}
