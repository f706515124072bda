import Foundation
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct UndoRouteTests {
    private static func add(_ title: String, to server: TestServer) throws -> String {
        try server.addBook(#"{"title":"\#(title)"}"#).id
    }

    private static func titles(_ server: TestServer) throws -> [String] {
        try server.books("?sort=title").items.map(\.title)
    }

    @Test("A scan is added at once, and undone as a whole after a restart")
    func scan() async throws {
        try await withServer { first in
            let id = try first.finish(first.scan(["books:Dune|Emma"], fields: ["import": "true"]))
            let results = try first.results(of: id)
            #expect(results.books.map(\.library.state) == [.added, .review])
            let entry = try #require(results.books.first?.library.entryId)
            #expect(try first.book(entry).title == "Dune")
            await first.stop()

            try await withServer(folder: first.folder) { second in
                let undone = try second.undo(results.undoToken).decode(ActionOutcome.self)
                #expect(undone.changed == 2)
                #expect(try Self.titles(second) == [])
                #expect(try second.results(of: id).books.first?.library.state == .open)
                #expect(try second.send("GET", "/api/v1/scans/\(id)/results")["undoToken"] is NSNull)
                // They can be added again, and that be undone.
                let again = try second.importBooks(of: id)
                #expect(again.imported.count == 2)
                #expect(try second.undo(again.undoToken).status == 200)
                #expect(try Self.titles(second) == [])
            }
        }
    }

    @Test("Changes of every kind return a token that undoes them")
    func everyKind() async throws {
        try await withServer { server in
            let shelf = try server.addShelf().id
            let one = try Self.add("One", to: server)
            let two = try Self.add("Two", to: server)
            let requests: [(method: String, path: String, json: String)] = [
                ("POST", "/library", #"{"title":"Three"}"#), ("DELETE", "/library/\(one)", ""),
                ("POST", "/library/bulk", #"{"ids":["\#(one)","\#(two)"],"shelf":"\#(shelf)","addTags":["a"]}"#),
                ("POST", "/library/bulk", #"{"ids":["\#(one)","\#(two)"],"delete":true}"#),
                ("PUT", "/library/\(one)/loan", #"{"to":"Bea"}"#), ("PATCH", "/library/\(one)", #"{"notes":"mine"}"#),
                ("POST", "/shelves", #"{"name":"Home / Study"}"#),
                ("PATCH", "/shelves/\(shelf)", #"{"name":"Study"}"#), ("DELETE", "/shelves/\(shelf)", ""),
            ]
            func portrait() throws -> [String] {
                let books = try server.books().items.map { item in
                    let book = try server.book(item.id)
                    return [
                        book.title, book.ownership?.rawValue ?? "", book.notes ?? "", "\(book.tags ?? [])",
                        book.shelf?.name ?? "",
                    ]
                    .joined(separator: " ")
                }
                let shelves: Page<LibraryShelf> = try server.get("/api/v1/shelves")
                return books.sorted() + shelves.items.map(\.name)
            }
            for request in requests {
                let before = try portrait()
                let path = "/api/v1" + request.path
                let done = try server.send(request.method, path, headers: ["If-Match": "*"], json: request.json)
                #expect(done.status < 300, "\(request)")
                #expect(try portrait() != before, "\(request)")
                let token = try #require(done.string("undoToken"), "\(request)")
                #expect(try server.undo(token).status == 200, "\(request)")
                #expect(try portrait() == before, "\(request)")
                #expect(try server.undo(token).problem?.code == "already_undone")
            }
        }
    }

    @Test("Another member's later action keeps an action from being undone only if it changed the same book")
    func otherMembers() async throws {
        try await withServer { server in
            let one = try Self.add("One", to: server)
            let two = try Self.add("Two", to: server)
            func note(_ book: String, _ text: String) throws -> String? {
                try server.send(
                    "PATCH", "/api/v1/library/\(book)", headers: ["If-Match": "*"], json: #"{"notes":"\#(text)"}"#
                ).decode(LibraryBook.self).undoToken
            }
            let mine = try note(one, "mine")
            _ = try note(two, "theirs")
            #expect(try server.undo(mine).status == 200)
            let again = try note(one, "again")
            let later = try note(one, "later")
            let refused = try server.undo(again)
            #expect(refused.status == 409)
            #expect(refused.problem?.detail.contains("a later action changed the same books") == true)
            #expect(try server.undo(later).status == 200)
            #expect(try server.undo(again).status == 200)
            #expect(try server.book(one).notes == nil)
        }
    }

    @Test("The latest decision is undone only on request")
    func latest() async throws {
        try await withServer { server in
            _ = try server.finish(server.scan(["books:Dune?|Emma?"], fields: ["import": "true"]))
            func undo(_ body: String) throws -> Answer { try server.send("POST", "/api/v1/undo", json: body) }
            let nothing = try undo(#"{"latest":true}"#)
            #expect(nothing.status == 200 && nothing["changed"] as? Int == 0 && nothing["undone"] == nil)
            let item = try #require(try server.reviewQueue().items.first).id
            #expect(try server.send("POST", "/api/v1/detections/\(item)/reject").status == 200)
            // A client that lost its token sends one of these.
            for body in ["{}", #"{"undoToken":null}"#, #"{"latest":false}"#, #"{"undoToken":"a","latest":true}"#] {
                let refused = try undo(body)
                #expect(refused.status == 400 && refused.problem?.field == "undoToken", "\(body)")
            }
            #expect(try server.reviewCounts().total == 1)
            let undone = try undo(#"{"latest":true}"#).decode(ActionOutcome.self)
            #expect(undone.undone == "reject" && undone.remaining == 2)
        }
    }
}
