import Foundation
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct SeriesRouteTests {
    private static func fill(_ server: TestServer) throws {
        for (title, series) in [("A Wizard", "Earthsea, #1"), ("The Shore", "Earthsea, #3"), ("Faust", "Reclam ; 45")] {
            _ = try server.addBook(
                #"{"title":"\#(title)","authors":["Ann Guin"],"correction":{"series":"\#(series)"}}"#)
        }
    }

    @Test("Series are listed with their gaps, page by page, and shown with their books")
    func list() async throws {
        try await withServer { server in
            try Self.fill(server)
            let first = try server.get("/api/v1/series?limit=1", as: Page<BookSeries>.self)
            #expect(first.total == 2 && first.items.map(\.name) == ["Earthsea"] && first.items[0].books == nil)
            let next = try server.get(
                "/api/v1/series?limit=1&cursor=\(try #require(first.nextCursor))", as: Page<BookSeries>.self)
            #expect(next.items.map(\.name) == ["Reclam"] && next.nextCursor == nil)
            #expect(next.items[0].missing == [], "publishers' series have no gaps")
            #expect(try server.get("/api/v1/series?gaps=true", as: Page<BookSeries>.self).items.map(\.missing) == [[2]])
            #expect(try server.get("/api/v1/series?q=clam", as: Page<BookSeries>.self).total == 1)
            #expect(try server.send("GET", "/api/v1/series?gaps=maybe").status == 400)

            let path = "/api/v1/series/\(first.items[0].id)"
            let shown = try server.get(path, as: BookSeries.self)
            #expect(shown.books?.map(\.title) == ["A Wizard", "The Shore"])
            #expect(shown.books?.map(\.seriesNumber) == ["1", "3"])
            #expect(try server.send("GET", "/api/v1/series/99").status == 404)

            let listed = try server.get(
                "/api/v1/library?series=\(first.items[0].id)", as: Page<LibraryBook>.self)
            #expect(listed.total == 2 && listed.items.map(\.title) == ["The Shore", "A Wizard"])
            #expect(try server.get("/api/v1/library?series=99", as: Page<LibraryBook>.self).total == 0)
            #expect(try server.send("GET", "/api/v1/library?series=Earthsea").status == 400)
        }
    }

    @Test("A series is changed, its gaps go to the wish list, and both are undone")
    func change() async throws {
        try await withServer { server in
            try Self.fill(server)
            let id = try #require(try server.get("/api/v1/series", as: Page<BookSeries>.self).items.first).id
            let path = "/api/v1/series/\(id)"
            let changed = try server.send("PATCH", path, json: #"{"name":"Erdsee","volumes":4}"#).decode(
                BookSeries.self, status: 200)
            #expect(changed.name == "Erdsee" && changed.missing == [2, 4] && changed.undoToken != nil)
            let wished = try server.send("POST", path + "/wishes", json: #"{"numbers":[2,3,4]}"#).decode(
                ActionOutcome.self, status: 200)
            #expect(wished.changed == 2)
            #expect(try server.get(path, as: BookSeries.self).wished == 2)
            let token = try #require(wished.undoToken)
            #expect(try server.undo(token).status == 200)
            #expect(try server.get(path, as: BookSeries.self).missing == [2, 4])
            let complete = try server.send("PATCH", path, json: #"{"complete":true,"volumes":null}"#).decode(
                BookSeries.self, status: 200)
            #expect(complete.complete && complete.volumes == nil && complete.missing == [])
            for (body, field) in [(#"{"volumes":0}"#, "volumes"), (#"{"name":" "}"#, "name")] {
                let refused = try server.send("PATCH", path, json: body)
                #expect(refused.status == 422 && refused.problem?.field == field)
            }
            #expect(try server.send("POST", path + "/wishes", json: #"{"numbers":[1001]}"#).status == 422)
        }
    }
}
