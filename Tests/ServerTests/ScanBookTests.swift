import Bibliography
import Foundation
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite("Books of a scan", .serialized, .endsHangs) struct ScanBookTests {
    /// Uploads a photo without the field `import`.
    private static func scan(_ script: String, on server: TestServer) throws -> String {
        try server.finish(
            server.send(
                "POST", "/api/v1/scans", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [ScriptedReader.bytes(script)])))
    }

    private static func askBeforeAdding(_ server: TestServer) throws {
        #expect(try server.send("GET", "/api/v1/settings")["askBeforeAdding"] as? Bool == false)
        #expect(try server.changeSettings(#"{"askBeforeAdding":true}"#)["askBeforeAdding"] as? Bool == true)
    }

    /// A book of a job's results, by its title as read.
    private static func book(_ title: String, in id: String, on server: TestServer) throws -> ScanResultBook {
        try #require(try server.results(of: id).books.first { $0.title == title })
    }

    private static func outcome(of title: String, in id: String, on server: TestServer) throws -> ScanBookOutcome {
        try book(title, in: id, on: server).library
    }

    private static func change(_ title: String, in id: String, _ json: String, on server: TestServer) throws -> Answer {
        let book = try book(title, in: id, on: server).id
        return try server.send("PATCH", "/api/v1/scans/\(id)/books/\(book)", json: json)
    }

    @Test("Sure books are added and unsure ones queued by the server, unless the owner wants to be asked")
    func adds() async throws {
        try await withServer { server in
            let id = try Self.scan("books:Dune|Emma", on: server)
            #expect(try Self.outcome(of: "Dune", in: id, on: server).state == .added)
            #expect(try Self.outcome(of: "Emma", in: id, on: server).state == .review)
            #expect(try server.reviewCounts().total == 1)
            try Self.askBeforeAdding(server)
            let asked = try Self.scan("books:Ulysses", on: server)
            #expect(try Self.outcome(of: "Ulysses", in: asked, on: server).state == .open)
            #expect(try server.books().total == 2)
        }
    }

    @Test("Edits, matches and rejections of added books are in the library at once, and can be undone")
    func changesAdded() async throws {
        try await withServer { server in
            let id = try Self.scan("books:Dune|Emma|Babel", on: server)
            func change(_ title: String, _ json: String) throws -> ChangedScanBook {
                try Self.change(title, in: id, json, on: server).decode()
            }
            let edited = try change("Emma", #"{"title":"Emmeline","authors":["Ann"]}"#)
            #expect(edited.book.library.title == "Emmeline")
            #expect(edited.book.library.reviewStatus == .userEdited)
            let matched = try change(
                "Dune", #"{"record":{"id":"1","source":"local","title":"Dune","authors":["Herbert, Frank"]}}"#)
            #expect(matched.book.library.author == "Frank Herbert")
            let rejected = try change("Babel", #"{"rejected":true}"#)
            #expect(rejected.book.library.state == .rejected)
            #expect(try Self.change("Babel", in: id, #"{"title":"B"}"#, on: server).status == 409)
            // As the results are opened again.
            #expect(try Self.outcome(of: "Emma", in: id, on: server).title == "Emmeline")
            #expect(try server.books().total == 2)
            for change in [rejected, matched, edited] { #expect(try server.undo(change.undoToken).status == 200) }
            #expect(try Self.outcome(of: "Emma", in: id, on: server).title == "Emma")
            #expect(try Self.outcome(of: "Babel", in: id, on: server).entryId != nil)
        }
    }

    @Test("What the user made of waiting books survives a restart and is applied when they are added")
    func changesWaiting() async throws {
        try await withServer { first in
            try Self.askBeforeAdding(first)
            let id = try Self.scan("books:Dune|Emma|Babel", on: first)
            let edited = try Self.change("Emma", in: id, #"{"title":"Emmeline"}"#, on: first)
            #expect(try edited.decode(ChangedScanBook.self).book.library.title == "Emmeline")
            #expect(edited["undoToken"] is NSNull)
            #expect(try Self.change("Babel", in: id, #"{"rejected":true}"#, on: first).status == 200)
            #expect(try Self.change("Dune", in: id, #"{"rejected":true}"#, on: first).status == 200)
            #expect(try Self.change("Dune", in: id, #"{"rejected":false}"#, on: first).status == 200)
            await first.stop()
            try await withServer(folder: first.folder) { second in
                #expect(try Self.outcome(of: "Emma", in: id, on: second).title == "Emmeline")
                #expect(try Self.outcome(of: "Babel", in: id, on: second).state == .rejected)
                #expect(try Self.outcome(of: "Dune", in: id, on: second).state == .open)
                #expect(try second.importBooks(of: id).imported.count == 2)
                let list = try second.books("?sort=title")
                #expect(list.total == 2)
                #expect(list.items.last?.title == "Emmeline")
                #expect(try second.reviewCounts().total == 0)
            }
        }
    }

    @Test("A waiting book has the ISBN of the record that was chosen last, or the one that was read")
    func choosesAnotherRecord() async throws {
        try await withServer { server in
            try Self.askBeforeAdding(server)
            let id = try Self.scan("books:Emma", on: server)
            func choose(_ record: String) throws -> ScanBookOutcome {
                try Self.change("Emma", in: id, #"{"record":\#(record)}"#, on: server)
                    .decode(ChangedScanBook.self, status: 200).book.library
            }
            let first = try choose(
                #"{"id":"1","source":"local","title":"Emma","authors":["Austen"],"isbn":"9780141439587"}"#)
            #expect(first.isbn == "9780141439587")
            let second = try choose(#"{"id":"2","source":"local","title":"Emmeline","authors":["Smith"]}"#)
            #expect(second.title == "Emmeline")
            #expect(second.isbn == nil)
            #expect(try server.importBooks(of: id).imported.count == 1)
            #expect(try server.books().items.map(\.isbn) == [nil])
        }
    }

    @Test("A repeated import takes what the user made of the books after the first one failed")
    func changesAfterFailure() async throws {
        try await withServer { server in
            let photos = server.folder.appending(path: "photos")
            try? FileManager.default.removeItem(at: photos)
            try Data().write(to: photos)
            let id = try Self.scan("books:Dune|Emma|Babel", on: server)
            #expect(try Self.outcome(of: "Dune", in: id, on: server).state == .open)
            let edit = #"{"title":"Emmeline","authors":["Ann"],"isbn":"9780141439587"}"#
            #expect(try Self.change("Emma", in: id, edit, on: server).status == 200)
            #expect(try Self.change("Babel", in: id, #"{"rejected":true}"#, on: server).status == 200)
            try FileManager.default.removeItem(at: photos)
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: false)
            server.clock.advance(by: .seconds(120))
            try await server.jobs.sweep()
            let list = try server.books("?sort=title")
            #expect(list.total == 2)
            #expect(list.items.map(\.title) == ["Dune", "Emmeline"])
            #expect(list.items.last?.isbn == "9780141439587")
            #expect(try Self.outcome(of: "Emma", in: id, on: server).reviewStatus == .userEdited)
            #expect(try Self.outcome(of: "Babel", in: id, on: server).state == .rejected)
            #expect(try server.reviewCounts().total == 0)
        }
    }

    @Test(
        "Changes that are not valid name the field",
        arguments: [
            (#"{"title":" "}"#, "title"), (#"{"isbn":"12"}"#, "isbn"),
            (#"{"title":"\#(String(repeating: "a", count: 4001))"}"#, "title"),
        ])
    func invalid(json: String, field: String) async throws {
        try await withServer { server in
            let id = try Self.scan("books:Dune", on: server)
            let answer = try Self.change("Dune", in: id, json, on: server)
            #expect(answer.status == 422)
            #expect(answer.problem?.field == field)
            #expect(try server.send("PATCH", "/api/v1/scans/\(id)/books/9-9", json: "{}").status == 404)
        }
    }
}
