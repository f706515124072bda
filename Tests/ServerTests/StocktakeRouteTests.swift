import Foundation
import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct StocktakeRouteTests {
    private static func scan(_ script: String, _ server: TestServer, shelf: String) throws {
        server.clock.advance(by: .seconds(60))
        let photos = [try ScriptedReader.picture(script)]
        _ = try server.finish(server.scan(photos: photos, fields: ["import": "true", "shelf": shelf]))
    }

    private static func start(_ json: String, _ server: TestServer) throws -> Stocktake {
        server.clock.advance(by: .seconds(60))
        return try server.send("POST", "/api/v1/stocktakes", json: json).decode(status: 201)
    }

    @Test("A stocktake is started, seen by photos and barcodes, closed and reported")
    func whole() async throws {
        try await withServer { server in
            let hall = try server.addShelf().id
            try Self.scan("books:Dune|Emma|Babel|Walden", server, shelf: hall)
            let stocktake = try Self.start(#"{"name":"Spring","shelves":["\#(hall)"]}"#, server)
            #expect(stocktake.counts.expected == 4 && stocktake.counts.unseen == 4 && stocktake.undoToken != nil)
            let path = "/api/v1/stocktakes/\(stocktake.id)"
            func now() throws -> Stocktake { try server.get(path) }
            #expect(try now().places?.map(\.photographed) == [false])
            try Self.scan("books:Dune|Emma", server, shelf: hall)
            #expect(try now().counts.seen == 2)
            #expect(try now().places?.map(\.photographed) == [true])
            let unseen: Page<StocktakeCopy> = try server.get(path + "/copies?state=unseen&limit=1")
            #expect(unseen.total == 2 && unseen.nextCursor != nil)
            let babel = try #require(try server.books("?q=babel").items.first).id
            func see(_ json: String) throws -> Answer { try server.send("POST", path + "/seen", json: json) }
            let seen: SeenOutcome = try see(#"{"barcode":"\#(babel)"}"#).decode()
            #expect(seen.changed == 1 && seen.copies.map(\.title) == ["Babel"] && seen.copies[0].seenBy == .barcode)
            #expect(try see(#"{"barcode":"none"}"#).problem?.field == "barcode")
            #expect(try see("{}").problem?.field == "copies")
            #expect(try see(#"{"copies":["\#(babel)"],"seen":false}"#).decode(SeenOutcome.self).changed == 1)
            #expect(try server.undo(seen.undoToken).status == 409, "taking it back came later")
            #expect(try see(#"{"copies":["\#(babel)"]}"#).decode(SeenOutcome.self).changed == 1)

            let closing: ActionOutcome = try server.send("POST", path + "/close").decode()
            #expect(closing.changed == 1)
            #expect(try server.books("?missing=true").items.map(\.title) == ["Walden"])
            #expect(try server.send("POST", path + "/close").status == 409)
            let csv = String(decoding: try server.send("GET", path + "/report.csv").body, as: UTF8.self)
            #expect(csv.contains("Walden") && csv.components(separatedBy: "\r\n").count == 6)
            let page = try server.send("GET", path + "/report?language=de")
            let html = String(decoding: page.body, as: UTF8.self)
            #expect(html.contains("Nicht gesehen") && html.contains("Walden") && !html.contains("Emma"))
            #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
            #expect(try server.undo(closing.undoToken).status == 200)
            #expect(try server.books("?missing=true").total == 0)
        }
    }

    @Test("Requests about stocktakes and copies that do not exist are refused with what to do")
    func refusals() async throws {
        try await withServer { server in
            #expect(try server.send("GET", "/api/v1/stocktakes/9").status == 404)
            let empty = try server.send("POST", "/api/v1/stocktakes", json: "{}")
            #expect(empty.status == 422 && empty.problem?.field == "shelves")
            let hall = try server.addShelf().id
            try Self.scan("books:Dune", server, shelf: hall)
            let missing = try server.send("POST", "/api/v1/stocktakes", json: #"{"shelves":["99"]}"#)
            #expect(missing.status == 404)
            let stocktake = try Self.start("{}", server)
            let list: Page<Stocktake> = try server.get("/api/v1/stocktakes")
            #expect(list.items.map(\.id) == [stocktake.id] && list.items[0].places == nil)
            let path = "/api/v1/stocktakes/\(stocktake.id)"
            #expect(try server.send("GET", path + "/copies?state=stolen").problem?.field == "state")
            #expect(try server.send("GET", path + "/report?language=fr").problem?.field == "language")
            #expect(try server.send("DELETE", path).decode(ActionOutcome.self).undoToken != nil)
            #expect(try server.send("GET", path).status == 404)
        }
    }

    @Test(
        "The shelves, tags and copies that a stocktake may name are limited",
        arguments: [("shelves", 1000), ("tags", 1000), ("copies", 10_000)])
    func limits(field: String, limit: Int) async throws {
        try await withServer { server in
            let names = Array(repeating: #""1""#, count: limit + 1).joined(separator: ",")
            let refused = try server.send("POST", "/api/v1/stocktakes", json: #"{"\#(field)":[\#(names)]}"#)
            #expect(refused.status == 422 && refused.problem?.field == field)
            #expect(refused.problem?.detail == "'\(field)' has \(limit + 1) entries. Send at most \(limit).")
        }
    }

    @Test("Lists and reports come in pages that link to the next one")
    func pages() async throws {
        try await withServer { server in
            for title in ["Babel", "Dune", "Emma"] {
                _ = try server.send("POST", "/api/v1/library", json: #"{"title":"\#(title)"}"#)
            }
            let path = "/api/v1/stocktakes/\(try Self.start("{}", server).id)"
            func follow() throws -> [String] {
                var (titles, query): ([String], String?) = ([], "?limit=2")
                while let next = query {
                    let page: Page<StocktakeCopy> = try server.get(path + "/copies" + next)
                    #expect(page.total == 3)
                    titles += page.items.map(\.title)
                    query = page.nextCursor.map { "?limit=2&cursor=\($0)" }
                }
                return titles
            }
            #expect(try follow() == ["Babel", "Dune", "Emma"])
            for cursor in ["x", "o2", "s1"] {
                #expect(try server.send("GET", path + "/copies?cursor=\(cursor)").problem?.field == "cursor")
                #expect(try server.send("GET", path + "/report?cursor=\(cursor)").status == 400)
            }
            #expect(try server.send("GET", path + "/copies?cursor=r1").status == 409, "it is not closed")
            let first = try server.send("GET", path + "/report?limit=2&language=de")
            let link = try #require(first.headers["link"])
            let next = try #require(link.split(separator: ">").first?.dropFirst())
            let html = String(decoding: first.body, as: UTF8.self)
            #expect(html.contains("Gesamt") && html.contains("Dune") && !html.contains("Emma"))
            #expect(html.contains("Nächste Seite") && link.hasSuffix(">; rel=\"next\""))
            let second = try server.send("GET", path + "/report" + next)
            let rest = String(decoding: second.body, as: UTF8.self)
            #expect(rest.contains("Emma") && !rest.contains("Gesamt") && second.headers["link"] == nil)
            #expect(try server.send("POST", path + "/close").status == 200)
            #expect(try follow() == ["Babel", "Dune", "Emma"])
            #expect(try server.send("GET", path + "/report" + next).status == 409, "it was closed since")
        }
    }

    @Test("A copy has barcode, condition, price and value, and the worth of its shelf is summed")
    func copies() async throws {
        try await withServer { server in
            let hall = try server.addShelf().id
            let new = #"{"title":"Dune","shelf":"\#(hall)","details":{"barcode":"4711"}}"#
            let added: LibraryBook = try server.send("POST", "/api/v1/library", json: new).decode()
            func change(_ json: String) throws -> Answer {
                let etag = try server.book(added.id).etag
                return try server.send(
                    "PATCH", "/api/v1/library/\(added.id)", headers: ["If-Match": "\"\(etag)\""], json: json)
            }
            let price = #"{"condition":"worn","price":{"amount":1250,"currency":"EUR"},"acquiredFrom":"Ann"}"#
            let book: LibraryBook = try change(price).decode()
            #expect(book.barcode == "4711" && book.condition == .worn && book.acquiredFrom == "Ann")
            #expect(book.price == Money(amount: 1250, currency: "EUR") && book.value == nil)
            #expect(try change(#"{"price":{"amount":-1,"currency":"EUR"}}"#).problem?.field == "price")
            #expect(try change(#"{"value":{"amount":1,"currency":"euro"}}"#).problem?.field == "value")
            #expect(try change(#"{"condition":"chewed"}"#).problem?.field == "condition")
            #expect(try server.books("?barcode=4711&condition=worn").total == 1)
            #expect(try server.books("?condition=new").total == 0)
            let value: LibraryValue = try server.get("/api/v1/stats/value")
            #expect(value.total.sums == [.init(currency: "EUR", price: 1250, value: 1250)])
            #expect(value.places.map { $0.shelf?.name } == ["Hall"] && value.total.withoutPrice == 0)
            let other = try server.send(
                "POST", "/api/v1/library", json: #"{"title":"Emma","details":{"barcode":"4711"}}"#)
            #expect(other.problem?.field == "barcode")
            let missing: LibraryBook = try change(#"{"missing":true,"price":null}"#).decode()
            #expect(missing.missingSince != nil && missing.price == nil)
        }
    }

    @Test("An unsure spine is shown beside the unseen copy, and a tap makes the copy seen")
    func spines() async throws {
        try await withServer { server in
            let hall = try server.addShelf().id
            _ = try server.send(
                "POST", "/api/v1/library", json: #"{"title":"Northanger Abbey","shelf":"\#(hall)"}"#)
            let stocktake = try Self.start(#"{"shelves":["\#(hall)"]}"#, server)
            try Self.scan("books:Northamger Aby?", server, shelf: hall)
            let path = "/api/v1/stocktakes/\(stocktake.id)"
            let spines: Page<UnsureSpine> = try server.send("GET", path + "/spines?shelf=\(hall)").decode()
            let spine = try #require(spines.items.first)
            #expect(spine.candidates.map(\.title) == ["Northanger Abbey"])
            let copy = try #require(spine.candidates.first).entryId
            let outcome: SeenOutcome = try server.send(
                "POST", path + "/seen", json: #"{"copies":["\#(copy)"],"detection":"\#(spine.detectionId)"}"#
            ).decode()
            #expect(outcome.copies.map(\.state) == [.seen])
            #expect(try server.books().total == 1)
        }
    }
}
